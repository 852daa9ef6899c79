//! The last plies of a game, counted without visiting them.

use super::Tiered;

/// Counts of the moves of a position: all of them, and those that end the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Continuations {
    /// Moves.
    pub nodes: u64,
    /// Moves that win the game.
    pub wins: u64,
    /// Moves that end the game in a draw.
    pub draws: u64,
}

impl std::ops::AddAssign for Continuations {
    #[inline(always)]
    fn add_assign(&mut self, more: Self) {
        self.nodes += more.nodes;
        self.wins += more.wins;
        self.draws += more.draws;
    }
}

/// A game that counts its moves by result without playing them, on masks for example. A walk then counts
/// its last two plies, where most histories are, without visiting them.
///
/// # Laws
/// Sides alternate, no move loses the game for the side that makes it, and playing every move gives
/// the same counts.
pub trait Perft: Tiered {
    /// Facts that all children of a position share, so that a walk computes them once.
    type Shared: Copy + Send + Sync;

    /// The facts that the position shares with its siblings.
    fn shared(&self, position: Self::Position) -> Self::Shared;

    /// The facts that the children of the position share.
    fn shared_below(&self, position: Self::Position) -> Self::Shared;

    /// Counts of the moves of a position without a result.
    fn continuations(&self, position: Self::Position, shared: Self::Shared) -> Continuations;

    /// The moves of a position without a result that do not end the game.
    fn quiet_moves(&self, position: Self::Position, shared: Self::Shared) -> Self::Moves;

    /// Counts of two plies from a position without a result: its continuations, and the sum of the
    /// continuations of its children.
    fn two_plies(&self, position: Self::Position, shared: Self::Shared) -> [Continuations; 2];
}
