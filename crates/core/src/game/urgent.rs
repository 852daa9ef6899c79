//! Moves that decide a game at once.

use super::MoveSet;

/// The moves that immediate wins of either side leave to the side to move.
///
/// # Laws
/// In a game that returns anything but [`Unknown`](Self::Unknown), the sides alternate, no move loses at
/// once, and a draw ends the game only if no plies are [left](super::Tiered::plies_left).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgent {
    /// Not determined: an engine has to play the moves.
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
    /// All moves, because neither side wins at once.
    pub const ALL: Self = Self::Only(MoveSet(u64::MAX));
}
