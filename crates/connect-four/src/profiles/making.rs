//! Making units: the two passes, a unit at a time, and the inputs of a unit, gathered in memory.
//!
//! Making a unit is idempotent: the result depends on the unit's inputs alone. Any number of
//! threads and processes may make the same unit at once.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::backward::{Evaluation, backward};
use super::board::{Board, Profile};
use super::code::Codes;
use super::forward::{PositionCounts, Reached, forward, symmetric};
use super::lane::Lane;
use super::lanes::{Lanes, Pool, Pooled};
use super::mirror::{View, mirrored};
use super::piece::{Direction, Geometry, InputPiece, Piece};
use super::plan::{Plan, Tier};
use super::storage::Storage;
use super::traversal::Traversal;
use super::unit::{Content, PassError, Result, StorageError, Unit};
use everyply_core::control::Control;
use everyply_core::game::Ply;

/// The maker of units: a plan, the storage of its units, and the control of the work.
pub(super) struct Maker<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) storage: &'a dyn Storage,
    pub(super) control: &'a Control,
    mirrors: Pool,
}

impl<'a> Maker<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, storage: &'a dyn Storage, control: &'a Control) -> Self {
        Self { plan, storage, control, mirrors: Pool::default() }
    }

    pub(super) fn arrays(&self, content: Content, ply: usize) -> Arrays<'a> {
        let fill = match content {
            Content::Values => {
                let codes = Codes::new(self.plan.board.size());
                let lost = codes.loss(ply);
                let plane = |p| if lost >> p & 1 == 1 { Lane::ONES } else { Lane::ZERO };
                (0..codes.planes()).map(plane).collect()
            }
            _ => vec![Lane::ZERO],
        };
        Arrays { content, tier: &self.plan.tiers[ply], fill }
    }

    /// Reads the summary of a unit, which must be made; an invalid summary counts as missing.
    pub(super) fn made<T>(
        &self,
        unit: Unit,
        read: impl Fn(&[u64]) -> Option<T>,
    ) -> Result<T, StorageError> {
        let summary = self.storage.summary(unit)?;
        summary.and_then(|summary| read(&summary)).ok_or(StorageError::Missing(unit))
    }

    pub(super) fn make(&self, unit: Unit) -> Result<(), PassError> {
        match unit.content {
            Content::NonTerminal if unit.ply.0 == 0 => self.first(unit),
            Content::NonTerminal => self.positions(unit),
            Content::Values => self.values(unit),
            content => unreachable!("{content} is made by its consumer"),
        }
    }

    fn first(&self, unit: Unit) -> Result<(), PassError> {
        let mut out = self.storage.pool().take(1)?;
        out[0] = Lane([1, 0, 0, 0, 0, 0, 0, 0]);
        let reached = Reached { positions: 1, without_line: 1 };
        let moves = self.plan.board.width as u64;
        let counts = PositionCounts { reached, symmetric: 1, moves };
        self.control.advance(1);
        Ok(self.storage.keep(unit, out, &[Lane::ZERO], &counts.to_summary())?)
    }

    fn positions(&self, unit: Unit) -> Result<(), PassError> {
        let Self { plan, storage, control, .. } = *self;
        let board = plan.board;
        let sources = self.arrays(Content::NonTerminal, unit.ply.index() - 1);
        let inputs = UnitInputs::new(self, unit, Direction::Before, &sources)?;
        let arrays = self.arrays(Content::NonTerminal, unit.ply.index());
        let mut out = storage.pool().take(inputs.lanes(1))?;
        let parts = inputs.run(&mut out, 1, control, |piece, _, out| {
            let traversal = Traversal::new(board, *piece, Direction::Before);
            let before = inputs.views(&traversal, &sources)?;
            let forward = forward(&traversal, &before, control, out);
            let heights = &traversal.geometry.heights[..board.width];
            let open = heights.iter().filter(|&&h| usize::from(h) < board.height).count() as u64;
            let mut reached = Reached::default();
            reached.add(forward, images(board, piece.profile));
            let symmetric = symmetric(&traversal, &before);
            Ok(PositionCounts { reached, symmetric, moves: open * reached.without_line })
        })?;
        drop(inputs);
        let mut counts = PositionCounts::default();
        parts.into_iter().for_each(|part| counts.add(part));
        Ok(storage.keep(unit, out, &arrays.fill, &counts.to_summary())?)
    }

    fn values(&self, unit: Unit) -> Result<(), PassError> {
        let Self { plan, storage, control, .. } = *self;
        let (board, ply) = (plan.board, unit.ply.index());
        let codes = Codes::new(board.size());
        let planes = codes.planes();
        let arrays = self.arrays(Content::Values, ply);
        let after = self.arrays(Content::Values, (ply + 1).min(board.cells()));
        let here = self.arrays(Content::NonTerminal, ply);
        let tier = arrays.tier;
        let lanes = tier.unit(unit.number as usize);
        let non_terminal = Fetched::new(storage, &here, vec![lanes])?;
        let inputs = UnitInputs::new(self, unit, Direction::After, &after)?;
        let mut out = storage.pool().take(inputs.lanes(planes))?;
        let parts = inputs.run(&mut out, planes, control, |piece, number, out| {
            let traversal = Traversal::new(board, *piece, Direction::After);
            let next = inputs.views(&traversal, &after)?;
            let non_terminal = non_terminal.lanes(&tier.piece(number));
            let histogram = backward(&traversal, codes, &next, non_terminal, control, out);
            let slowest = codes.slowest(&histogram.0).map(|code| {
                let code = code?;
                let (lane, bit) = find(out, planes, non_terminal, code)?;
                let Geometry { n, block, .. } = traversal.geometry;
                let ones = traversal.geometry.ones();
                let place = (lane + piece.lane(board, &traversal.geometry), bit);
                let bits = board.sizes.colouring(block, n, ones, place);
                Some((code, piece.profile, bits))
            });
            let mut evaluation = Evaluation { slowest, ..Evaluation::default() };
            evaluation.histogram.add(&histogram, images(board, piece.profile));
            Ok(evaluation)
        })?;
        drop((inputs, non_terminal));
        let mut evaluation = Evaluation::default();
        parts.iter().for_each(|part| evaluation.add(codes, part));
        Ok(storage.keep(unit, out, &arrays.fill, &evaluation.to_summary())?)
    }
}

/// A unit being made: its pieces, and their inputs from a neighbouring tier.
struct UnitInputs<'a> {
    plan: &'a Plan<'a>,
    mirrors: &'a Pool,
    unit: Unit,
    fetched: Fetched<'a>,
}

impl<'a> UnitInputs<'a> {
    fn new(
        maker: &'a Maker<'_>,
        unit: Unit,
        direction: Direction,
        sources: &Arrays<'_>,
    ) -> Result<Self, StorageError> {
        let Maker { plan, storage, ref mirrors, .. } = *maker;
        // A full board has no later tier.
        if plan.input_pieces(unit, direction).next().is_some()
            && let Some(fetched) = Fetched::whole(storage, sources)?
        {
            return Ok(Self { plan, mirrors, unit, fetched });
        }
        let range = |input: InputPiece| sources.tier.range(plan.board, &input.stored);
        let ranges = plan.input_pieces(unit, direction).map(range).collect();
        Ok(Self { plan, mirrors, unit, fetched: Fetched::new(storage, sources, ranges)? })
    }

    fn lanes(&self, planes: usize) -> usize {
        let tier = &self.plan.tiers[self.unit.ply.index()];
        tier.unit(self.unit.number as usize).len() * planes
    }

    /// Returns the arrays that a piece is computed from, one for each source.
    fn views(
        &self,
        traversal: &Traversal<'_>,
        sources: &Arrays<'_>,
    ) -> Result<Vec<View<'_>>, StorageError> {
        let view = |input: &Option<InputPiece>| {
            let Some(InputPiece { seen, stored }) = input else { return Ok(View::Stored(&[])) };
            let board = self.plan.board;
            let lanes = self.fetched.lanes(&sources.tier.range(board, stored));
            if seen.profile == stored.profile {
                return Ok(View::Stored(lanes));
            }
            mirrored(board, self.mirrors, seen, sources.planes(), lanes).map(View::Mirrored)
        };
        traversal.inputs.iter().map(view).collect()
    }

    /// Calls `piece` with every piece of the unit, its number and its part of the array; returns
    /// the results in order.
    fn run<R: Send>(
        &self,
        mut out: &mut [Lane],
        planes: usize,
        control: &Control,
        piece: impl Fn(&Piece, usize, &mut [Lane]) -> Result<R, PassError> + Sync,
    ) -> Result<Vec<R>, PassError> {
        let tier = &self.plan.tiers[self.unit.ply.index()];
        let mut parts = Vec::new();
        for (number, piece) in self.plan.pieces(self.unit) {
            let (part, rest) = out.split_at_mut(tier.piece(number).len() * planes);
            parts.push((piece, number, part));
            out = rest;
        }
        let results = parts.into_par_iter().map(|(of, number, part)| {
            control.check()?;
            let lanes = part.len();
            let result = piece(of, number, part)?;
            control.advance((lanes / planes) as u64);
            Ok(result)
        });
        let results = results.collect::<Result<Vec<R>, PassError>>()?;
        control.check()?;
        Ok(results)
    }
}

/// Returns the number of profiles stored as one canonical profile: itself, and its mirror image.
fn images(board: &Board, profile: Profile) -> u64 {
    if board.mirrored(profile) == profile { 1 } else { 2 }
}

/// Returns the lane and bit of the first position of `non_terminal` with this code.
fn find(codes: &[Lane], planes: usize, non_terminal: &[Lane], code: u8) -> Option<(usize, u32)> {
    codes.chunks_exact(planes).zip(non_terminal).enumerate().find_map(
        |(i, (planes, &non_terminal))| {
            let mut chosen = non_terminal;
            for (p, &plane) in planes.iter().enumerate() {
                chosen = chosen & if code >> p & 1 == 1 { plane } else { !plane };
            }
            let word = chosen.0.iter().position(|&word| word != 0)?;
            Some((i, word as u32 * 64 + chosen.0[word].trailing_zeros()))
        },
    )
}

/// The arrays of a tier, and the fill of their meaningless places, one lane per plane.
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
    memory: PartMemory<'a>,
}

enum PartMemory<'a> {
    Shared(Arc<Lanes>),
    Own(Pooled<'a>),
}

impl<'a> Fetched<'a> {
    /// Gathers ranges of lanes; [`lanes`](Self::lanes) then returns each as a whole.
    pub(super) fn new(
        storage: &'a dyn Storage,
        arrays: &Arrays<'_>,
        mut ranges: Vec<Range<usize>>,
    ) -> Result<Self> {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        let mut fetched = Self { storage, planes: arrays.planes(), parts: Vec::new() };
        let mut unshared: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            let units = arrays.tier.units_of(&range);
            if units.len() == 1 && fetched.share(arrays, units.start)? {
                continue;
            }
            // Overlapping ranges are read once.
            match unshared.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => unshared.push(range),
            }
        }
        unshared.into_iter().try_for_each(|range| fetched.read(arrays, range))?;
        fetched.parts.sort_by_key(|part| part.lanes.start);
        Ok(fetched)
    }

    /// Returns the whole arrays of a tier, if they are one unit that the storage has in memory.
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
        self.parts.push(Part { lanes, memory: PartMemory::Shared(shared) });
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
        self.parts.push(Part { lanes, memory: PartMemory::Own(own) });
        Ok(())
    }

    /// Returns the lanes of a gathered range, with all planes.
    ///
    /// # Panics
    /// If the range was not gathered.
    pub(super) fn lanes(&self, range: &Range<usize>) -> &[Lane] {
        if range.is_empty() {
            return &[];
        }
        let after = self.parts.partition_point(|part| part.lanes.start <= range.start);
        // Parts with the same start, or a copy and its unit, are neighbours in the list.
        let covering = self.parts[..after].iter().rev().find(|part| part.lanes.end >= range.end);
        let part = covering.expect("a range that was fetched");
        let lanes: &[Lane] = match &part.memory {
            PartMemory::Shared(lanes) => lanes,
            PartMemory::Own(pooled) => &pooled.lanes,
        };
        let first = range.start - part.lanes.start;
        &lanes[first * self.planes..(first + range.len()) * self.planes]
    }
}
