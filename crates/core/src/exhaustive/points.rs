//! Final points under best play, in games that count them: each side plays for the most points
//! rather than for the sooner win.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use super::error::SolveError;
use crate::control::Control;
use crate::game::{Key, Symmetric, branches};

/// The final points of positions under best play, each found once.
#[derive(Debug)]
pub struct BestPoints<G> {
    game: G,
    known: HashMap<Key, i32, BuildHasherDefault<FxHasher>>,
    most: u64,
}

impl<G: Symmetric<Key = Key>> BestPoints<G> {
    /// Positions searched between two checks of the control.
    const PER_CHECK: usize = 1 << 12;

    /// Creates the points of a game, for up to `most` positions; `None` if it counts none.
    pub fn of(game: G, most: u64) -> Option<Self> {
        if !G::COUNTS_POINTS {
            return None;
        }
        Some(Self { game, known: HashMap::default(), most })
    }

    /// Returns the points by which the side to move wins, negative if it loses.
    pub fn best(&mut self, position: G::Position, control: &Control) -> Result<i32, SolveError> {
        if self.game.result(position).is_some() {
            return Ok(self.game.points(position).unwrap_or(0));
        }
        let key = self.game.canonical(position).0;
        if let Some(points) = self.known.get(&key) {
            return Ok(*points);
        }
        let mut best = None;
        for (_, points) in self.moves(position, control)? {
            best = best.max(Some(points));
        }
        let best = best.unwrap_or(0);
        self.known.insert(key, best);
        if self.known.len() as u64 > self.most {
            return Err(SolveError::Positions(self.most));
        }
        if self.known.len().is_multiple_of(Self::PER_CHECK) {
            control.advance(Self::PER_CHECK as u64);
            control.check()?;
        }
        Ok(best)
    }

    /// Returns the bits of a position's moves with the points by which the mover then wins.
    pub fn moves(
        &mut self,
        position: G::Position,
        control: &Control,
    ) -> Result<Vec<(u32, i32)>, SolveError> {
        let (mut children, mut moves) = (Vec::new(), Vec::new());
        for (bit, _, keeps_turn, child) in branches(&self.game, position) {
            children.push((bit, keeps_turn, child));
        }
        for &(bit, keeps_turn, child) in &children {
            let points = self.best(child, control)?;
            moves.push((bit, if keeps_turn { points } else { -points }));
        }
        Ok(moves)
    }
}
