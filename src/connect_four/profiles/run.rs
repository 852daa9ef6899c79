//! A plan, made from its first unit to its last on the threads of one process.

use std::collections::HashMap;

use rayon::prelude::*;

use super::making::{Maker, PassError};
use super::storage::StorageError;
use super::unit::{Content, Unit};
use crate::game::Ply;

/// What is made of values before they are given up.
pub(super) trait Harvest: Sync {
    /// The content of the units it makes.
    fn content(&self) -> Content;
    /// True if a summary is that of a unit made for the same purpose.
    fn is_made(&self, summary: &[u64]) -> bool;
    /// Makes a unit of its content.
    fn make(&self, maker: &Maker<'_>, unit: Unit) -> Result<(), PassError>;
}

/// How often a unit is made again because it was damaged, before that is an error.
const TRIES: u32 = 3;

/// A run of a plan.
pub(super) struct Run<'a> {
    pub(super) maker: Maker<'a>,
    pub(super) harvest: Option<&'a dyn Harvest>,
    /// Whether arrays stay when nobody needs them any more.
    pub(super) keep: bool,
}

impl Run<'_> {
    /// Finds the positions of all tiers. Without values to come, a unit is given up after its
    /// last reader.
    pub(super) fn forward(&self, values: bool) -> Result<(), PassError> {
        for ply in 0..self.maker.plan.tiers.len() {
            let readers = match (values, ply) {
                (false, 1..) => self.readers(Content::NonTerminal, ply, Content::NonTerminal),
                _ => HashMap::new(),
            };
            self.tier(Content::NonTerminal, ply, readers)?;
        }
        Ok(())
    }

    /// Computes the values of all tiers, the last first, and harvests them.
    pub(super) fn backward(&self) -> Result<(), PassError> {
        for ply in (0..self.maker.plan.tiers.len()).rev() {
            let readers = self.readers(Content::Values, ply, Content::Values);
            self.tier(Content::Values, ply, readers)?;
            if let Some(harvest) = self.harvest {
                self.tier(harvest.content(), ply, HashMap::new())?;
            }
            self.discard(self.units(Content::NonTerminal, ply))?;
        }
        // Nothing reads the first of them, and units that were made again may be anywhere.
        for ply in 0..self.maker.plan.tiers.len() {
            self.discard(self.units(Content::Values, ply))?;
            self.discard(self.units(Content::NonTerminal, ply))?;
        }
        Ok(())
    }

    fn units(&self, content: Content, ply: usize) -> impl Iterator<Item = Unit> + use<> {
        self.maker.plan.units(content, Ply(ply as u8))
    }

    fn discard(&self, mut units: impl Iterator<Item = Unit>) -> Result<(), PassError> {
        if self.keep {
            return Ok(());
        }
        Ok(units.try_for_each(|unit| self.maker.storage.discard(unit))?)
    }

    /// For every unit of some content, how many units of a tier read it.
    fn readers(&self, content: Content, ply: usize, of: Content) -> HashMap<Unit, usize> {
        let mut readers = HashMap::new();
        for unit in self.units(content, ply) {
            let inputs = self.maker.plan.inputs(unit);
            for input in inputs.into_iter().filter(|input| input.content == of) {
                *readers.entry(input).or_default() += 1;
            }
        }
        readers
    }

    /// Makes the units of a tier, some at a time. Units in `readers` are given up after the last
    /// of their readers.
    fn tier(
        &self,
        content: Content,
        ply: usize,
        mut readers: HashMap<Unit, usize>,
    ) -> Result<(), PassError> {
        let units: Vec<Unit> = self.units(content, ply).collect();
        // As many at a time as there are threads: work within units is shared as well, so that none
        // waits for long, and memory is bounded.
        for some in units.chunks(rayon::current_num_threads()) {
            some.par_iter().try_for_each(|&unit| self.unit(unit))?;
            if readers.is_empty() {
                continue;
            }
            for &unit in some {
                for input in self.maker.plan.inputs(unit) {
                    if let Some(left) = readers.get_mut(&input) {
                        *left -= 1;
                        if *left == 0 {
                            self.discard([input].into_iter())?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes a unit unless it was made, and again what it turns out to need.
    fn unit(&self, unit: Unit) -> Result<(), PassError> {
        let lanes = || self.maker.plan.tiers[unit.ply.index()].unit(unit.number as usize).len();
        match self.maker.storage.summary(unit) {
            Ok(Some(summary)) if self.is_made(unit, &summary) => {
                if matches!(unit.content, Content::NonTerminal | Content::Values) {
                    self.maker.control.advance(lanes() as u64);
                }
                return Ok(());
            }
            Ok(_) => {}
            Err(StorageError::Damaged { .. }) => self.maker.storage.forget(unit)?,
            Err(error) => return Err(error.into()),
        }
        self.force(unit, TRIES)
    }

    fn is_made(&self, unit: Unit, summary: &[u64]) -> bool {
        use super::summaries::{Evaluation, PositionCounts};
        match unit.content {
            Content::NonTerminal => PositionCounts::from_summary(summary).is_some(),
            Content::Values => Evaluation::from_summary(summary).is_some(),
            _ => self.harvest.is_some_and(|harvest| harvest.is_made(summary)),
        }
    }

    /// Makes a unit, whether it was made or not. An input that is missing, because another run has
    /// given it up, or that is damaged is made again first, with what it needs in its turn.
    fn force(&self, unit: Unit, tries: u32) -> Result<(), PassError> {
        let mut tries = tries;
        loop {
            let made = match (unit.content, self.harvest) {
                (Content::NonTerminal | Content::Values, _) | (_, None) => self.maker.make(unit),
                (_, Some(harvest)) => harvest.make(&self.maker, unit),
            };
            let again = match made {
                Err(PassError::Storage(StorageError::Missing { unit: input })) if input != unit => {
                    input
                }
                Err(PassError::Storage(StorageError::Damaged { unit: Some(input), .. }))
                    if tries > 0 && input != unit =>
                {
                    tries -= 1;
                    self.maker.storage.forget(input)?;
                    input
                }
                made => return made,
            };
            self.force(again, tries)?;
        }
    }
}
