//! The scheduler: makes all units of a plan on the threads of one process.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

use super::backward::Evaluation;
use super::forward::PositionCounts;
use super::making::Maker;
use super::unit::{Content, PassError, StorageError, Unit};
use everyply_core::game::Ply;
use everyply_core::parallel::{self, lock};

/// A consumer of values, run before they are discarded.
pub(super) trait Consumer: Sync {
    fn content(&self) -> Content;
    /// Returns true if a summary belongs to a unit made by the same consumer.
    fn is_made(&self, _: &[u64]) -> bool {
        true
    }
    fn make(&self, maker: &Maker<'_>, unit: Unit) -> Result<(), PassError>;
}

/// The most times that a damaged or lost unit is made again for one reader.
const TRIES: u32 = 5;

pub(super) struct Scheduler<'a> {
    pub(super) maker: Maker<'a>,
    pub(super) consumer: Option<&'a dyn Consumer>,
}

/// The state of the scheduler at one tier.
#[derive(Default)]
struct AtTier {
    /// Units of the consumer that were read without an error.
    sound: Mutex<HashSet<Unit>>,
    /// True if discarded arrays are needed again; `None` until that is known.
    wanted: Mutex<Option<bool>>,
}

impl Scheduler<'_> {
    /// Finds the positions of all tiers. If no values follow, a unit is discarded after its last
    /// reader.
    pub(super) fn forward(&self, values: bool) -> Result<(), PassError> {
        let tiers = self.maker.plan.tiers.len();
        for ply in 0..tiers {
            let readers = match (values, ply) {
                (false, 1..) => self.readers(Content::NonTerminal, ply),
                _ => HashMap::new(),
            };
            let wanted = Mutex::new(if values { None } else { Some(false) });
            let at = AtTier { wanted, ..AtTier::default() };
            self.tier(Content::NonTerminal, ply, readers, &at)?;
        }
        if !values {
            // Units that were made again may be in any tier. The last tier stays for a run that
            // continues from it, unless the board is full there.
            let last = tiers - usize::from(tiers <= self.maker.plan.board.cells());
            (0..last).try_for_each(|ply| self.discard(self.units(Content::NonTerminal, ply)))?;
        }
        Ok(())
    }

    /// Computes the values of all tiers, the last first, and runs the consumer on them.
    pub(super) fn backward(&self) -> Result<(), PassError> {
        for ply in (0..self.maker.plan.tiers.len()).rev() {
            let readers = self.readers(Content::Values, ply);
            let at = AtTier::default();
            self.tier(Content::Values, ply, readers, &at)?;
            if let Some(consumer) = self.consumer {
                self.tier(consumer.content(), ply, HashMap::new(), &at)?;
            }
            self.discard(self.units(Content::NonTerminal, ply))?;
        }
        // The first tier has no reader, and units that were made again may be in any tier.
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
        Ok(units.try_for_each(|unit| self.maker.storage.discard(unit))?)
    }

    /// Counts the units of a tier that read each unit of the same content.
    fn readers(&self, content: Content, ply: usize) -> HashMap<Unit, usize> {
        let mut readers = HashMap::new();
        for unit in self.units(content, ply) {
            let inputs = self.maker.plan.inputs(unit);
            for input in inputs.into_iter().filter(|input| input.content == content) {
                *readers.entry(input).or_default() += 1;
            }
        }
        readers
    }

    /// Makes the units of a tier, several at a time. Units in `readers` are discarded after their
    /// last reader.
    fn tier(
        &self,
        content: Content,
        ply: usize,
        mut readers: HashMap<Unit, usize>,
        at: &AtTier,
    ) -> Result<(), PassError> {
        let mut units: Vec<Unit> = self.units(content, ply).collect();
        if self.maker.storage.is_shared() {
            // In one fixed order, processes that share a store would make every unit twice.
            let order = RandomState::new();
            units.sort_by_cached_key(|unit| order.hash_one(unit.number));
        }
        // As many units at a time as threads: threads share the work within units as well, so no
        // thread waits for long, and memory is bounded.
        for some in units.chunks(rayon::current_num_threads()) {
            for made in parallel::map(some.len(), &|i| self.unit(some[i], at)) {
                made?;
            }
            if readers.is_empty() {
                continue;
            }
            for &unit in some {
                for input in self.maker.plan.inputs(unit) {
                    if let Some(left) = readers.get_mut(&input) {
                        *left -= 1;
                        if *left == 0 {
                            self.maker.storage.discard(input)?;
                        }
                    }
                }
            }
        }
        Ok(self.maker.storage.settle()?)
    }

    /// Makes a unit unless it is done, and makes missing inputs again.
    fn unit(&self, unit: Unit, at: &AtTier) -> Result<(), PassError> {
        if !self.is_done(unit, at)? {
            return self.force(unit, &|| self.is_done(unit, at));
        }
        if matches!(unit.content, Content::NonTerminal | Content::Values) {
            let tier = &self.maker.plan.tiers[unit.ply.index()];
            self.maker.control.advance(tier.unit(unit.number as usize).len() as u64);
        }
        Ok(())
    }

    /// Returns true if a unit needs no work: it was made, and its array exists or is no longer
    /// needed. A unit of the consumer must exist and be sound, since it cannot be made again once
    /// its inputs are discarded.
    fn is_done(&self, unit: Unit, at: &AtTier) -> Result<bool, PassError> {
        let storage = self.maker.storage;
        match storage.summary(unit) {
            Ok(Some(summary)) if self.is_made(unit, &summary) => {}
            Ok(_) => return Ok(false),
            Err(StorageError::Damaged { .. }) => {
                storage.forget(unit)?;
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        }
        if matches!(unit.content, Content::NonTerminal | Content::Values) {
            // The order matters: another scheduler discards arrays only when they are not wanted.
            return Ok(storage.holds(unit)? || !self.is_wanted(unit, at)?);
        }
        if !lock(&at.sound).contains(&unit) {
            match storage.bytes(unit) {
                Ok(_) => lock(&at.sound).insert(unit),
                Err(StorageError::Damaged { .. } | StorageError::Missing { .. }) => {
                    storage.forget(unit)?;
                    return Ok(false);
                }
                Err(error) => return Err(error.into()),
            };
        }
        Ok(true)
    }

    /// Returns true if arrays of a unit's tier are needed for a unit that is not made yet. Without
    /// this test, a scheduler would remake all tiers between the last tier and its own, once for each
    /// tier.
    fn is_wanted(&self, unit: Unit, at: &AtTier) -> Result<bool, PassError> {
        let mut wanted = lock(&at.wanted);
        if let Some(wanted) = *wanted {
            return Ok(wanted);
        }
        let ply = unit.ply.index();
        let mut is_needed = false;
        if unit.content == Content::NonTerminal {
            for reader in self.units(Content::Values, ply) {
                let made = self.maker.storage.summary(reader);
                is_needed |= !made.is_ok_and(|made| made.is_some_and(|s| self.is_made(reader, &s)));
            }
        }
        if let Some(consumer) = self.consumer {
            for reader in self.units(consumer.content(), ply) {
                is_needed = is_needed || !self.is_done(reader, at)?;
            }
        }
        *wanted = Some(is_needed);
        Ok(is_needed)
    }

    fn is_made(&self, unit: Unit, summary: &[u64]) -> bool {
        match unit.content {
            Content::NonTerminal => PositionCounts::from_summary(summary).is_some(),
            Content::Values => Evaluation::from_summary(summary).is_some(),
            _ => self.consumer.is_some_and(|consumer| consumer.is_made(summary)),
        }
    }

    /// Makes a unit, even if it was made before. An input that is damaged, or missing because
    /// another scheduler has discarded it, is made again first, with its own inputs, unless the unit
    /// itself is done in the meantime.
    fn force(
        &self,
        unit: Unit,
        is_done: &dyn Fn() -> Result<bool, PassError>,
    ) -> Result<(), PassError> {
        let storage = self.maker.storage;
        let mut made_again: HashMap<Unit, u32> = HashMap::new();
        loop {
            let made = match (unit.content, self.consumer) {
                (Content::NonTerminal | Content::Values, _) | (_, None) => self.maker.make(unit),
                (_, Some(consumer)) => consumer.make(&self.maker, unit),
            };
            let (input, damaged) = match &made {
                Err(PassError::Storage(StorageError::Missing(input))) => (*input, false),
                Err(PassError::Storage(StorageError::Damaged { unit: Some(input), .. })) => {
                    (*input, true)
                }
                _ => return made,
            };
            let times = made_again.entry(input).or_default();
            if input == unit || *times == TRIES {
                return made;
            }
            *times += 1;
            if damaged {
                storage.forget(input)?;
            } else if is_done()? {
                return Ok(());
            }
            self.force(input, &|| Ok(storage.holds(input)?))?;
        }
    }
}
