//! The plan of a book: its positions, and the order in which the last of them are solved.

use super::order::depth_first_order;
use super::tiers::{Tier, TierError, tiers};
use crate::control::Control;
use crate::game::{Game, Key, Ply};
use crate::games::line::ConnectFour;

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
