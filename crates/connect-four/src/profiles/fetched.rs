//! The inputs of a unit, gathered in memory.

use std::ops::Range;
use std::sync::Arc;

use super::lane::Lane;
use super::lanes::{Lanes, Pooled};
use super::plan::Tier;
use super::storage::Storage;
use super::unit::{Content, Result, Unit};
use crate::game::Ply;

/// The arrays of a tier, and the fill of their meaningless places, one lane a plane.
#[derive(Clone, Debug)]
pub(super) struct Arrays<'a> {
    pub(super) content: Content,
    pub(super) tier: &'a Tier,
    pub(super) fill: Vec<Lane>,
}

impl Arrays<'_> {
    pub(super) fn planes(&self) -> usize {
        self.fill.len()
    }

    fn unit(&self, number: usize) -> Unit {
        Unit { content: self.content, ply: Ply(self.tier.ply as u8), number: number as u32 }
    }
}

/// Ranges of a tier's arrays, in memory until this value is dropped.
pub(super) struct Fetched<'a> {
    storage: &'a dyn Storage,
    planes: usize,
    /// The parts, ascending by their first lanes.
    parts: Vec<Part<'a>>,
}

/// A range of lanes of the tier, for one plane, and its memory.
struct Part<'a> {
    lanes: Range<usize>,
    held: Held<'a>,
}

enum Held<'a> {
    Shared(Arc<Lanes>),
    Own(Pooled<'a>),
}

impl<'a> Fetched<'a> {
    /// Gathers ranges of lanes; [`lanes`](Self::lanes) then gives each as a whole.
    pub(super) fn new(
        storage: &'a dyn Storage,
        arrays: &Arrays<'_>,
        mut ranges: Vec<Range<usize>>,
    ) -> Result<Self> {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        let mut fetched = Self { storage, planes: arrays.planes(), parts: Vec::new() };
        let mut open: Option<Range<usize>> = None;
        for range in ranges {
            let units = arrays.tier.units_of(&range);
            if units.len() == 1 && fetched.share(arrays, units.start)? {
                continue;
            }
            // Overlapping ranges are read once.
            match &mut open {
                Some(open) if range.start <= open.end => open.end = open.end.max(range.end),
                _ => {
                    if let Some(whole) = open.replace(range) {
                        fetched.read(arrays, whole)?;
                    }
                }
            }
        }
        if let Some(whole) = open {
            fetched.read(arrays, whole)?;
        }
        fetched.parts.sort_by_key(|part| part.lanes.start);
        Ok(fetched)
    }

    /// The whole arrays of a tier, if they are one unit that the storage has in memory.
    pub(super) fn whole(storage: &'a dyn Storage, arrays: &Arrays<'_>) -> Result<Option<Self>> {
        let mut fetched = Self { storage, planes: arrays.planes(), parts: Vec::new() };
        let is_whole = arrays.tier.units() == 1 && fetched.share(arrays, 0)?;
        Ok(is_whole.then_some(fetched))
    }

    /// Shares a whole unit if the storage has it in memory; returns false if not.
    fn share(&mut self, arrays: &Arrays<'_>, number: usize) -> Result<bool> {
        let lanes = arrays.tier.unit(number);
        if self.parts.last().is_some_and(|part| part.lanes == lanes) {
            return Ok(true);
        }
        let Some(shared) = self.storage.shared(arrays.unit(number))? else { return Ok(false) };
        self.parts.push(Part { lanes, held: Held::Shared(shared) });
        Ok(true)
    }

    /// Reads lanes of any number of units into new memory.
    fn read(&mut self, arrays: &Arrays<'_>, lanes: Range<usize>) -> Result<()> {
        let planes = self.planes;
        let mut own = self.storage.pool().lend(lanes.len() * planes)?;
        for number in arrays.tier.units_of(&lanes) {
            let unit = arrays.tier.unit(number);
            let part = unit.start.max(lanes.start)..unit.end.min(lanes.end);
            let out = &mut own.lanes
                [(part.start - lanes.start) * planes..(part.end - lanes.start) * planes];
            let first = (part.start - unit.start) * planes;
            self.storage.read(arrays.unit(number), first, &arrays.fill, out)?;
        }
        self.parts.push(Part { lanes, held: Held::Own(own) });
        Ok(())
    }

    /// The lanes of a gathered range, with all planes.
    ///
    /// # Panics
    /// If the range was not gathered.
    pub(super) fn lanes(&self, range: &Range<usize>) -> &[Lane] {
        if range.is_empty() {
            return &[];
        }
        let after = self.parts.partition_point(|part| part.lanes.start <= range.start);
        // Parts with the same start, or a copy and its unit, are neighbours in the list.
        let found = self.parts[..after].iter().rev().find(|part| part.lanes.end >= range.end);
        let part = found.expect("a range that was fetched");
        let lanes: &[Lane] = match &part.held {
            Held::Shared(lanes) => lanes,
            Held::Own(pooled) => &pooled.lanes,
        };
        let first = range.start - part.lanes.start;
        &lanes[first * self.planes..(first + range.len()) * self.planes]
    }
}
