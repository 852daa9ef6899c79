//! Folding: symmetric positions below one root, kept as one.

use crate::game::{Symmetric, Symmetry};

/// The symmetries that leave a root unchanged.
///
/// Symmetric positions below a symmetric root have the same histories, values and futures, so one
/// of them stands for all: from the start of a game these are the canonical positions. Folding by
/// a symmetry that changes the root would count positions that the root does not lead to.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    /// The identity first.
    symmetries: Vec<Symmetry>,
    whole: bool,
}

impl Fold {
    pub fn of<G: Symmetric>(game: &G, root: G::Position) -> Self {
        let (key, all) = (game.key(root), game.symmetries());
        let mut symmetries = Vec::with_capacity(all.into());
        for symmetry in (0..all).map(Symmetry) {
            if game.image_key(root, symmetry) == key {
                symmetries.push(symmetry);
            }
        }
        Self { whole: symmetries.len() == usize::from(all), symmetries }
    }

    pub fn all<G: Symmetric>(game: &G) -> Self {
        Self { symmetries: (0..game.symmetries()).map(Symmetry).collect(), whole: true }
    }

    /// Returns true if the kept image of a position is its canonical image.
    pub const fn is_whole(&self) -> bool {
        self.whole
    }

    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// Returns the key that is kept for a position, and the symmetry that leads to it.
    #[inline(always)]
    pub fn apply<G: Symmetric>(&self, game: &G, position: G::Position) -> (G::Key, Symmetry) {
        if self.whole {
            return game.canonical(position);
        }
        let mut best = (game.key(position), Symmetry::IDENTITY);
        for &symmetry in &self.symmetries[1..] {
            let key = game.image_key(position, symmetry);
            if key < best.0 {
                best = (key, symmetry);
            }
        }
        best
    }

    /// Returns the number of positions kept under one key: by the orbit-stabilizer theorem, the
    /// number of symmetries of the fold divided by the number that leave the position unchanged.
    #[inline]
    pub fn orbit<G: Symmetric>(&self, game: &G, position: G::Position) -> u64 {
        let key = game.key(position);
        let mut still = 0;
        for &symmetry in &self.symmetries {
            still += usize::from(game.image_key(position, symmetry) == key);
        }
        (self.symmetries.len() / still) as u64
    }
}
