//! The interface of engines that solve every position.

use super::error::SolveError;
use super::plies::{Plies, count_plies};
use super::solved::{SolvedKey, Totals, ValuedKey};
use crate::control::{Control, Stopped};
use crate::game::{Key, MoveSet, PartialValue, Ply, Symmetric, branches};

fn values(part: &[SolvedKey]) -> Vec<ValuedKey> {
    part.iter().map(|solved| (solved.key, solved.value)).collect()
}

/// The values of every position that a root leads to.
pub trait StrongSolution<G: Symmetric<Key = Key>>: Sync {
    fn game(&self) -> &G;

    /// Returns the root: every other position follows from it.
    fn root(&self) -> G::Position;

    /// Returns the value of a position; `None` if the root does not lead to it.
    fn value(&self, position: G::Position) -> Option<PartialValue>;

    /// Returns the value of a child of a position that the root leads to, without the check that
    /// the root leads to the child.
    fn value_below(&self, position: G::Position) -> Option<PartialValue> {
        self.value(position)
    }

    /// Returns the final points of a position for the side to move if both sides play for points;
    /// `None` if the game counts none, or the root does not lead to the position.
    fn points(&self, position: G::Position, control: &Control) -> Result<Option<i32>, SolveError> {
        let _ = (position, control);
        Ok(None)
    }

    /// Calls `see` with every canonical position, by ascending key, in parts.
    fn canonical(&self, see: &mut dyn FnMut(&[SolvedKey]));

    /// Calls `see` with the value of every canonical position, by ascending key, in parts.
    fn values(&self, see: &mut dyn FnMut(&[ValuedKey])) {
        self.canonical(&mut |part| see(&values(part)));
    }

    fn totals(&self) -> Totals;

    /// Counts up to `plies` moves from the root, with the values of positions.
    fn plies(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        let outcome = |position| self.value(position).map(|value| value.outcome);
        count_plies(self.game(), self.root(), Ply(0), plies, &outcome, control)
    }

    /// Returns the moves that attain the value of a position or, if play is endless, all moves to a
    /// draw; empty if the game is over or the root does not lead to the position.
    fn best(&self, position: G::Position) -> MoveSet {
        let game = self.game();
        let Some(value) = self.value(position).filter(|_| game.result(position).is_none()) else {
            return MoveSet::EMPTY;
        };
        let mut best = MoveSet::EMPTY;
        for (bit, _, keeps, next) in branches(game, position) {
            let child = self.value_below(next);
            if child.is_some_and(|child| child.one_ply_earlier(keeps).attains(value)) {
                best.0 |= 1 << bit;
            }
        }
        best
    }

    /// Returns the canonical position of a kept position with this value.
    fn solved_key(&self, position: G::Position, value: PartialValue) -> SolvedKey {
        let (key, symmetry) = self.game().canonical(position);
        let best = self.game().image_moves(position, self.best(position), symmetry);
        SolvedKey { key, value, best }
    }

    /// Returns the bit of every move of a position, the move, and its value for the side that makes
    /// it, in move order.
    fn moves(&self, position: G::Position) -> Vec<(u32, G::Move, PartialValue)> {
        let (game, mut moves) = (self.game(), Vec::new());
        if game.result(position).is_none() {
            for (bit, m, keeps, next) in branches(game, position) {
                if let Some(value) = self.value_below(next) {
                    moves.push((bit, m, value.one_ply_earlier(keeps)));
                }
            }
        }
        moves
    }
}
