//! Strong solutions: the interface and the totals of engines that solve every position.

use dashmap::DashSet;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::error::SolveError;
use super::fold::Fold;
use super::layer::Layer;
use super::plies::{Plies, count_plies};
use crate::control::{Control, Stopped};
use crate::game::{Key, MoveSet, Outcome, PartialValue, Ply, Symmetric, Value, branches};
use crate::statistics::PlyCounts;

/// The numbers of positions that a root leads to, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub positions: u64,
    pub canonical: u64,
    pub terminal: u64,
    pub wins: u64,
    /// Drawn positions, endless play included.
    pub draws: u64,
    /// Positions drawn by endless play.
    pub endless: u64,
    pub losses: u64,
}

impl Totals {
    /// The numbers of positions of a layer, all images of the kept ones counted. `value` gets a kept
    /// position and its slot; without a value the position is in no number of won, drawn or lost ones.
    pub(super) fn of<G: Symmetric<Key = Key>>(
        game: &G,
        fold: &Fold,
        layer: &Layer,
        value: impl Fn(G::Position, usize) -> Option<PartialValue> + Sync,
    ) -> Self {
        let canonical = DashSet::with_hasher(FxBuildHasher);
        let sums = layer.map_slots(&|slots| {
            let mut sum = Self::default();
            for (slot, key) in layer.keys_in(slots) {
                let position = game.position_of(key).expect("only keys of positions are kept");
                if !fold.is_whole() {
                    canonical.insert(game.canonical(position).0);
                }
                let (value, orbit) = (value(position, slot), fold.orbit(game, position));
                let outcome = value.map(|value| value.outcome);
                let counted = |counts: bool| if counts { orbit } else { 0 };
                sum = sum.plus(Self {
                    positions: orbit,
                    canonical: 1,
                    terminal: counted(game.result(position).is_some()),
                    wins: counted(outcome == Some(Outcome::Win)),
                    draws: counted(outcome == Some(Outcome::Draw)),
                    endless: counted(value == Some(PartialValue::ENDLESS)),
                    losses: counted(outcome == Some(Outcome::Loss)),
                });
            }
            sum
        });
        let mut totals = sums.into_iter().fold(Self::default(), Self::plus);
        if !fold.is_whole() {
            totals.canonical = canonical.len() as u64;
        }
        totals
    }

    /// The sums over plies, where no position is reached at two of them.
    pub fn of_plies(plies: &[PlyCounts]) -> Self {
        let sum = |f: fn(&PlyCounts) -> Option<u64>| plies.iter().filter_map(f).sum();
        Self {
            positions: sum(|c| c.positions),
            canonical: sum(|c| c.canonical),
            terminal: sum(|c| c.terminal),
            wins: sum(|c| c.wins),
            draws: sum(|c| c.draws),
            endless: 0,
            losses: sum(|c| c.losses),
        }
    }

    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            canonical: self.canonical + other.canonical,
            terminal: self.terminal + other.terminal,
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            endless: self.endless + other.endless,
            losses: self.losses + other.losses,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedPosition<P> {
    pub position: P,
    pub key: Key,
    pub value: Value,
    /// The bits of the moves that attain the value or, if play is endless, a draw; empty if the
    /// game is over.
    pub best: MoveSet,
}

/// The key of a canonical position, with its value.
pub type ValuedKey = (Key, PartialValue);

/// The values of every position that a root leads to.
pub trait StrongSolution<G: Symmetric<Key = Key>>: Sync {
    fn game(&self) -> &G;

    /// The root: every other position follows from it.
    fn root(&self) -> G::Position;

    /// The value of a position; `None` if the root does not lead to it.
    fn worth(&self, position: G::Position) -> Option<PartialValue>;

    /// The value of a child of a position that the root leads to. It skips the check that the root leads
    /// there, which holds for every child.
    fn worth_below(&self, position: G::Position) -> Option<PartialValue> {
        self.worth(position)
    }

    /// The final points of a position for the side to move if both sides play for points; `None` if
    /// the game counts none, or the root does not lead to the position.
    fn points(&self, position: G::Position, control: &Control) -> Result<Option<i32>, SolveError> {
        let _ = (position, control);
        Ok(None)
    }

    /// Gives every canonical position to `see`, by ascending key, in parts.
    fn canonical(&self, see: &mut dyn FnMut(&[SolvedKey]));

    /// Gives the value of every canonical position to `see`, by ascending key, in parts.
    fn values(&self, see: &mut dyn FnMut(&[ValuedKey])) {
        self.canonical(&mut |part| {
            let values: Vec<_> = part.iter().map(|solved| (solved.key, solved.value)).collect();
            see(&values);
        });
    }

    fn totals(&self) -> Totals;

    /// Counts up to `plies` moves from the root, with the values of positions.
    fn plies(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        let outcome = |position| self.worth(position).map(|value| value.outcome);
        count_plies(self.game(), self.root(), Ply(0), plies, &outcome, control)
    }

    /// The moves that attain the value of a position or, if play is endless, all moves to a draw;
    /// none if the game is over or the root does not lead to the position.
    fn best(&self, position: G::Position) -> MoveSet {
        let game = self.game();
        let Some(worth) = self.worth(position).filter(|_| game.result(position).is_none()) else {
            return MoveSet::EMPTY;
        };
        let attains = |&(.., keeps, next): &(u32, G::Move, bool, G::Position)| {
            self.worth_below(next).is_some_and(|there| there.one_ply_earlier(keeps).attains(worth))
        };
        let best = branches(game, position).filter(attains);
        MoveSet(best.fold(0, |set, (bit, ..)| set | 1 << bit))
    }

    /// The bit of every move of a position, the move, and its value for the side that makes it, in
    /// move order.
    fn moves(&self, position: G::Position) -> Vec<(u32, G::Move, PartialValue)> {
        if self.game().result(position).is_some() {
            return Vec::new();
        }
        let valued =
            |(bit, m, keeps, next)| Some((bit, m, self.worth_below(next)?.one_ply_earlier(keeps)));
        branches(self.game(), position).filter_map(valued).collect()
    }
}

/// A solved position of any game, by key: sorting is compiled once for all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedKey {
    pub key: Key,
    pub value: PartialValue,
    /// The bits of the best moves, as in a [`SolvedPosition`].
    pub best: MoveSet,
}

/// Solved positions by ascending key, each once.
pub(super) fn sorted(mut solved: Vec<SolvedKey>) -> Vec<SolvedKey> {
    solved.par_sort_unstable_by_key(|solved| solved.key);
    solved.dedup_by_key(|solved| solved.key);
    solved
}
