//! Positions and moves that print themselves, with the game they are of.

use std::fmt;

use super::Notation;

/// A position with its game: prints as its [`picture`](Notation::picture).
#[derive(Clone, Copy, Debug)]
pub struct ShownPosition<'g, G: Notation> {
    pub(super) game: &'g G,
    pub(super) position: G::Position,
}

/// A move with its game: prints as [`write_move`](Notation::write_move) writes it.
#[derive(Clone, Copy, Debug)]
pub struct ShownMove<'g, G: Notation> {
    pub(super) game: &'g G,
    pub(super) m: G::Move,
}

impl<G: Notation> fmt::Display for ShownPosition<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.game.picture(self.position))
    }
}

impl<G: Notation> fmt::Display for ShownMove<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.game.write_move(self.m))
    }
}
