//! A book in the making: its positions, and what is known of them.

#[cfg(feature = "database")]
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::plan::BookPlan;
use super::solving::BookDetail;
use super::tiers::{back_up, count};
#[cfg(feature = "database")]
use crate::database::{Database, DatabaseError, PositionRow};
use crate::game::{Key, Ply};
use crate::games::line::{ConnectFour, LineGame, Size};
use crate::search::ValueWithBest;
use crate::statistics::PlyCounts;

/// A book in the making.
#[derive(Clone, Debug)]
pub struct Book {
    game: ConnectFour,
    plan: BookPlan,
    detail: BookDetail,
    known: FxHashMap<Key, ValueWithBest>,
}

impl Book {
    /// Memory for a position of the last ply: its key in two lists and a set, its value in a map.
    pub const BYTES_PER_POSITION: f64 = 150.0;

    /// Creates a book of which nothing is known.
    #[must_use]
    pub fn new(game: ConnectFour, plan: BookPlan, detail: BookDetail) -> Self {
        Self { game, plan, detail, known: FxHashMap::default() }
    }

    /// MiB of the table that measured best: neighbours in a book share more than one position's
    /// search needs.
    #[must_use]
    pub fn default_table(size: Size) -> u64 {
        match size.cells() {
            ..=30 => 8,
            31..=36 => 64,
            _ => 256,
        }
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(&self) -> &ConnectFour {
        &self.game
    }

    /// Returns the positions.
    #[must_use]
    pub const fn plan(&self) -> &BookPlan {
        &self.plan
    }

    /// What is known of a position.
    #[must_use]
    pub fn known(&self, key: Key) -> Option<ValueWithBest> {
        self.known.get(&key).copied()
    }

    /// Takes what a database holds of the book; nothing where there is none.
    ///
    /// # Errors
    /// If the file is no database, is damaged or cannot be read.
    #[cfg(feature = "database")]
    pub fn load(&mut self, database: &Path) -> Result<(), DatabaseError> {
        if std::fs::metadata(database).map_or(true, |file| file.is_file() && file.len() == 0) {
            return Ok(());
        }
        let Self { game, plan, known, .. } = self;
        Database::open(database)?.scan(&game.game_id(), |row| {
            let PositionRow { key, ply, value, best } = row;
            if plan.contains(ply, key) {
                known.insert(key, ValueWithBest { value, best });
            }
            Ok(())
        })
    }

    /// Takes what is proved of a position of the book.
    pub fn insert(&mut self, key: Key, proven: ValueWithBest) {
        self.known.insert(key, proven);
    }

    /// Returns the positions about which less is known than the book is to tell.
    #[must_use]
    pub fn open_positions(&self) -> FxHashSet<Key> {
        self.plan.keys().filter(|key| self.is_open(**key)).copied().collect()
    }

    fn is_open(&self, key: Key) -> bool {
        self.known.get(&key).is_none_or(|proven| match self.detail {
            BookDetail::Exact => !proven.value.is_exact() || proven.best.is_none(),
            BookDetail::Outcome => !proven.value.is_exact() && proven.best.is_none(),
        })
    }

    /// Returns the open positions that have to be solved, in the order of solving them; what else
    /// is open follows from them.
    #[must_use]
    pub fn unsolved(&self) -> Vec<Key> {
        self.plan.last().iter().filter(|key| self.is_open(**key)).copied().collect()
    }

    /// Backs up from the last ply to the empty board; `see` is shown the values of a ply.
    ///
    /// # Panics
    /// If a position of the last ply is not known.
    pub fn back_up(&mut self, mut see: impl FnMut(&[(Key, ValueWithBest)])) {
        for tier in self.plan.above().iter().rev() {
            let backed_up = back_up(&self.game, tier, &self.known);
            see(&backed_up);
            self.known.extend(backed_up);
        }
    }

    /// What each ply holds, as far as it is known.
    #[must_use]
    pub fn counts(&self) -> Vec<PlyCounts> {
        let values = |tier: &[Key]| -> Vec<_> {
            tier.iter().filter_map(|key| Some((*key, self.known.get(key)?))).collect()
        };
        let tiers = self.plan.tiers().iter().enumerate();
        tiers.map(|(ply, tier)| count(&self.game, Ply(ply as u8), values(tier))).collect()
    }
}
