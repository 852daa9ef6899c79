//! Moves that decide a game at once.

use super::MoveSet;

/// The moves that are left to the side to move by wins at once, its own and those of the other side.
///
/// # Laws
/// A game that answers anything but [`Unknown`](Self::Unknown) alternates the sides, no move of it loses
/// at once, and it draws only where no plies are [left](super::Tiered::plies_left).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgent {
    /// The game does not say: an engine has to play the moves.
    Unknown,
    /// A move wins at once.
    Win,
    /// No move wins at once, and after each of them the other side wins at once.
    Loss,
    /// No move wins at once, and after every other move the other side wins at once. The set is not
    /// empty, and may have bits of no move.
    Only(MoveSet<u64>),
}

impl Urgent {
    /// All moves, where neither side wins at once.
    pub const ALL: Self = Self::Only(MoveSet(u64::MAX));
}
