//! The interface of engines that solve every position.

use super::error::SolveError;
use super::plies::{Plies, count_plies};
use super::solved::{SolvedKey, Totals, ValuedKey};
use crate::control::{Control, Stopped};
use crate::game::{Key, MoveSet, PartialValue, Ply, Symmetric, branches};

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
        self.canonical(&mut |part| {
            let values: Vec<_> = part.iter().map(|solved| (solved.key, solved.value)).collect();
            see(&values);
        });
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
        let attains = |&(.., keeps, next): &(u32, G::Move, bool, G::Position)| {
            self.value_below(next).is_some_and(|child| child.one_ply_earlier(keeps).attains(value))
        };
        let best = branches(game, position).filter(attains);
        MoveSet(best.fold(0, |set, (bit, ..)| set | 1 << bit))
    }

    /// Returns the bit of every move of a position, the move, and its value for the side that makes
    /// it, in move order.
    fn moves(&self, position: G::Position) -> Vec<(u32, G::Move, PartialValue)> {
        if self.game().result(position).is_some() {
            return Vec::new();
        }
        let valued =
            |(bit, m, keeps, next)| Some((bit, m, self.value_below(next)?.one_ply_earlier(keeps)));
        branches(self.game(), position).filter_map(valued).collect()
    }
}
