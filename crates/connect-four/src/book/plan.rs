//! The plan of a book: its positions, and the order in which the last of them are solved.

use super::order::depth_first_order;
use super::tiers::{Tier, TierError, tiers};
use crate::control::Control;
use crate::game::{Game, Key, Ply};
use crate::games::line::ConnectFour;

/// The positions of a book.
#[derive(Clone, Debug)]
pub enum BookPlan {
    /// All positions up to a ply.
    Plies {
        /// The tiers from the empty board on.
        tiers: Vec<Tier>,
        /// The positions of the last tier, in the order to solve them.
        order: Vec<Key>,
    },
    /// Single positions, ascending.
    List(Vec<Key>),
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
        let order = depth_first_order(game, &tiers);
        Ok(Self::Plies { tiers, order })
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Plies { tiers, .. } => tiers.iter().map(Vec::len).sum(),
            Self::List(keys) => keys.len(),
        }
    }

    /// Returns true if there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the tiers, from the empty board on; a list has none.
    #[must_use]
    pub fn tiers(&self) -> &[Tier] {
        match self {
            Self::Plies { tiers, .. } => tiers,
            Self::List(_) => &[],
        }
    }

    /// Returns the tiers that are backed up.
    pub(super) fn above(&self) -> &[Tier] {
        self.tiers().split_last().map_or(&[], |(_, above)| above)
    }

    /// Returns the positions that are solved, in the order to solve them.
    #[must_use]
    pub fn last(&self) -> &[Key] {
        match self {
            Self::Plies { order, .. } => order,
            Self::List(keys) => keys,
        }
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        let single = match self {
            Self::Plies { .. } => &[][..],
            Self::List(keys) => keys,
        };
        self.tiers().iter().flatten().chain(single)
    }

    pub(super) fn contains(&self, ply: Ply, key: Key) -> bool {
        match self {
            Self::Plies { tiers, .. } => {
                tiers.get(ply.index()).is_some_and(|tier| tier.binary_search(&key).is_ok())
            }
            Self::List(keys) => keys.binary_search(&key).is_ok(),
        }
    }
}
