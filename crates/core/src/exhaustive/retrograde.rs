//! Retrograde analysis: values of all positions of a game whose positions may recur.
//!
//! The positions are listed first and numbered by their keys; then values are found
//! [backwards](super::backwards). A position takes its key, an entry of the table that finds its
//! number, and what the backward passes need.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::backwards::{self, backwards};
use super::code::Code;
use super::error::SolveError;
use super::reached::Reached;
use super::strong::{SolvedPosition, StrongSolution, Totals};
use crate::control::Control;
use crate::game::{Key, PartialValue, Symmetric, branches, check_moves};

/// The values of all positions that a root leads to; play may be endless.
#[derive(Debug)]
pub struct Retrograde<G: Symmetric> {
    reached: Reached<G>,
    /// The numbers, by key.
    numbers: HashTable<u32>,
    /// The values by number.
    codes: Vec<Code>,
}

impl<G: Symmetric<Key = Key>> Retrograde<G> {
    /// The most bytes a position takes, with a few moves.
    pub const BYTES_PER_POSITION: u64 = 100;

    /// Finds every position from the root on, `most` of them at most, and solves them all.
    pub fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        check_moves(&game)?;
        let reached = Reached::find(game, root, most.min(backwards::MOST), control)?;
        let count = reached.keys.len();
        let mut numbers = HashTable::with_capacity(count);
        let hash = |&n: &u32| hash(reached.keys[n as usize]);
        for n in 0..count as u32 {
            numbers.insert_unique(hash(&n), n, hash);
        }
        let mut solution = Self { reached, numbers, codes: Vec::new() };
        control.start(count as u64);
        let game = &solution.reached.game;
        let look = |n: usize, at: &mut backwards::Look| {
            let position = solution.reached.position(solution.reached.keys[n]);
            match game.result(position) {
                Some(result) => at.over(result),
                None => branches(game, position).for_each(|(_, _, keeps_turn, child)| {
                    at.to(solution.number(child).expect("the positions are all"), keeps_turn);
                }),
            }
        };
        solution.codes = backwards(count, &look, None, control)?;
        Ok(solution)
    }

    fn number(&self, position: G::Position) -> Option<u32> {
        let key = self.reached.key(position);
        self.numbers.find(hash(key), |&n| self.reached.keys[n as usize] == key).copied()
    }

    fn worth_of(&self, number: usize) -> PartialValue {
        self.codes[number].worth().expect("every number is of a position")
    }
}

fn hash(key: Key) -> u64 {
    FxBuildHasher.hash_one(key)
}

impl<G: Symmetric<Key = Key>> StrongSolution<G> for Retrograde<G> {
    fn game(&self) -> &G {
        &self.reached.game
    }

    fn root(&self) -> G::Position {
        self.reached.root
    }

    fn worth(&self, position: G::Position) -> Option<PartialValue> {
        Some(self.worth_of(self.number(position)? as usize))
    }

    fn canonical(&self, see: &mut dyn FnMut(Vec<SolvedPosition<G::Position, PartialValue>>)) {
        see(self.reached.canonical(|_, n| self.worth_of(n), |position| self.best(position)));
    }

    fn totals(&self) -> Totals {
        self.reached.totals(|_, n| self.worth_of(n))
    }
}
