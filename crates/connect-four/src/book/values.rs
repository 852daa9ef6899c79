//! A book that is being made: its positions, the order in which the last of them are solved, and
//! their known values.

use rustc_hash::{FxHashMap, FxHashSet};

use super::solving::BookDetail;
use super::tiers::{Tier, TierError, back_up, count, depth_first_order, tiers};
use crate::control::Control;
use crate::game::{Game, Key, Keyed, Ply};
use crate::games::line::{ConnectFour, Size};
use crate::search::ValueWithBest;
use crate::statistics::PlyCounts;

/// A book that is being made.
#[derive(Clone, Debug)]
pub struct Book {
    game: ConnectFour,
    plan: BookPlan,
    detail: BookDetail,
    known: FxHashMap<Key, ValueWithBest>,
}

impl Book {
    /// Bytes of memory for a position of the last ply: its key in two lists and a set, its value in
    /// a map.
    pub const BYTES_PER_POSITION: f64 = 150.0;

    /// Creates a book without known values.
    pub fn new(game: ConnectFour, plan: BookPlan, detail: BookDetail) -> Self {
        Self { game, plan, detail, known: FxHashMap::default() }
    }

    /// Returns the size of the table that measured best, in MiB: neighbours in a book share more
    /// entries than the search of one position needs.
    pub fn default_table(size: Size) -> u64 {
        match size.cells() {
            ..=30 => 8,
            31..=36 => 64,
            _ => 256,
        }
    }

    /// Returns the game.
    pub const fn game(&self) -> &ConnectFour {
        &self.game
    }

    /// Returns the plan with its positions.
    pub const fn plan(&self) -> &BookPlan {
        &self.plan
    }

    /// Returns the known value of a position.
    pub fn known(&self, key: Key) -> Option<ValueWithBest> {
        self.known.get(&key).copied()
    }

    /// Inserts a value known from elsewhere, if its position is one of the book.
    pub fn learn(&mut self, ply: Ply, key: Key, known: ValueWithBest) {
        if self.plan.contains(ply, key) {
            self.known.insert(key, known);
        }
    }

    /// Returns the ply of a position of a game by its key.
    ///
    /// # Panics
    /// If the game has no position with this key.
    pub fn ply_of(game: &ConnectFour, key: Key) -> Ply {
        game.position_of(key).expect("a key of the game").ply()
    }

    /// Inserts the proved value of a position of the book.
    pub fn insert(&mut self, key: Key, proven: ValueWithBest) {
        self.known.insert(key, proven);
    }

    /// Returns the open positions: those with less known than the detail of the book.
    pub fn open_positions(&self) -> FxHashSet<Key> {
        self.plan.keys().filter(|key| self.is_open(**key)).copied().collect()
    }

    fn is_open(&self, key: Key) -> bool {
        self.known.get(&key).is_none_or(|proven| match self.detail {
            BookDetail::Exact => !proven.value.is_exact() || proven.best.is_none(),
            BookDetail::Outcome => !proven.value.is_exact() && proven.best.is_none(),
        })
    }

    /// Returns the open positions that have to be solved, in the order to solve them; the values of
    /// the other open ones are backed up from them.
    pub fn unsolved(&self) -> Vec<Key> {
        self.plan.last().iter().filter(|key| self.is_open(**key)).copied().collect()
    }

    /// Backs up values from the last ply to the empty board; `consume` is called with the values of
    /// each ply.
    ///
    /// # Panics
    /// If a position of the last ply is not known.
    pub fn back_up(&mut self, mut consume: impl FnMut(&[(Key, ValueWithBest)])) {
        for tier in self.plan.above().iter().rev() {
            let backed_up = back_up(&self.game, tier, &self.known);
            consume(&backed_up);
            self.known.extend(backed_up);
        }
    }

    /// Counts the known positions of each ply.
    pub fn counts(&self) -> Vec<PlyCounts> {
        let values = |tier: &[Key]| -> Vec<_> {
            tier.iter().filter_map(|key| Some((*key, self.known.get(key)?))).collect()
        };
        let tiers = self.plan.tiers().iter().enumerate();
        tiers.map(|(ply, tier)| count(&self.game, Ply(ply as u8), values(tier))).collect()
    }
}

/// The positions of a book.
#[derive(Clone, Debug)]
pub struct BookPlan {
    /// The tiers from the empty board on; none if the book is a list of single positions.
    tiers: Vec<Tier>,
    /// The positions that are solved, in the order to solve them: those of the last tier, or the
    /// list, ascending.
    last: Vec<Key>,
}

impl BookPlan {
    /// Creates the plan of all positions up to a ply; `most` positions of a ply are allowed.
    ///
    /// # Errors
    /// If a ply has more positions, or the control asks it to stop.
    pub fn of_plies(
        game: &ConnectFour,
        plies: u8,
        most: usize,
        control: &Control,
    ) -> Result<Self, TierError> {
        let tiers = tiers(game, game.initial(), plies, most, control)?;
        let last = depth_first_order(game, &tiers);
        Ok(Self { tiers, last })
    }

    /// Creates the plan of single positions, ascending.
    pub const fn of_list(keys: Vec<Key>) -> Self {
        Self { tiers: Vec::new(), last: keys }
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.keys().count()
    }

    /// Returns the tiers, from the empty board on; a list has none.
    pub fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    /// Returns the tiers that are backed up.
    pub(super) fn above(&self) -> &[Tier] {
        self.tiers.split_last().map_or(&[], |(_, above)| above)
    }

    /// Returns the positions that are solved, in the order to solve them.
    pub fn last(&self) -> &[Key] {
        &self.last
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.above().iter().flatten().chain(&self.last)
    }

    pub(super) fn contains(&self, ply: Ply, key: Key) -> bool {
        let is_list = self.tiers.is_empty();
        let keys = if is_list { Some(&self.last) } else { self.tiers.get(ply.index()) };
        keys.is_some_and(|keys| keys.binary_search(&key).is_ok())
    }
}
