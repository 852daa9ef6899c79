//! Retrograde analysis: values of all positions of a game whose positions may recur.
//!
//! The positions are [listed](super::listed), then values are found [backwards](super::backwards).

use super::code::Code;
use super::error::SolveError;
use super::listed::Listed;
use super::strong::{SolvedKey, StrongSolution, Totals};
use crate::control::Control;
use crate::game::{Key, PartialValue, Symmetric, check_moves};

/// The values of all positions that a root leads to; play may be endless.
#[derive(Debug)]
pub struct Retrograde<G: Symmetric> {
    listed: Listed<G>,
    /// The values by number.
    codes: Vec<Code>,
}

impl<G: Symmetric<Key = Key>> Retrograde<G> {
    pub fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        check_moves(&game)?;
        let listed = Listed::find(game, root, most, control)?;
        Ok(Self { codes: listed.solve(0, control)?, listed })
    }

    fn worth_of(&self, number: usize) -> PartialValue {
        self.codes[number].worth().expect("every number is of a position")
    }
}

impl<G: Symmetric<Key = Key>> StrongSolution<G> for Retrograde<G> {
    fn game(&self) -> &G {
        &self.listed.game
    }

    fn root(&self) -> G::Position {
        self.listed.root
    }

    fn worth(&self, position: G::Position) -> Option<PartialValue> {
        Some(self.worth_of(self.listed.number(position)?))
    }

    fn canonical(&self, see: &mut dyn FnMut(&[SolvedKey])) {
        see(&self.listed.canonical(|_, n| self.worth_of(n), |position| self.best(position)));
    }

    fn totals(&self) -> Totals {
        self.listed.totals(|_, n| self.worth_of(n))
    }
}
