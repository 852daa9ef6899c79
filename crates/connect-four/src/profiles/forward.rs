//! The forward pass: the reachable positions, and counts of non-terminal and symmetric ones.

use super::board::Board;
use super::lane::{Lane, Machine, on_processor, spread_or};
use super::mirror::View;
use super::piece::{Geometry, Neighbour};
use super::traversal::{Block, Traversal, Visitor};
use everyply_core::control::Control;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) positions: u64,
    /// Reachable positions without a line of the last mover.
    pub(super) without_line: u64,
}

impl Reached {
    /// Adds the counts of one of `alike` equal pieces for all of them.
    pub(super) fn add(&mut self, other: Self, alike: u64) {
        self.positions += alike * other.positions;
        self.without_line += alike * other.without_line;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PositionCounts {
    pub(super) reached: Reached,
    pub(super) symmetric: u64,
    /// Moves from all non-terminal positions.
    pub(super) moves: u64,
}

impl PositionCounts {
    pub(super) fn add(&mut self, other: Self) {
        self.reached.add(other.reached, 1);
        self.symmetric += other.symmetric;
        self.moves += other.moves;
    }

    pub(super) fn to_summary(self) -> Vec<u64> {
        vec![self.reached.positions, self.reached.without_line, self.symmetric, self.moves]
    }

    pub(super) fn from_summary(summary: &[u64]) -> Option<Self> {
        let &[positions, without_line, symmetric, moves] = summary else { return None };
        Some(Self { reached: Reached { positions, without_line }, symmetric, moves })
    }
}

/// Computes the non-terminal positions of a piece, full boards without a line included, from the
/// positions of the profiles with one stone less.
pub(super) fn forward(
    traversal: &Traversal<'_>,
    before: &[View<'_>],
    control: &Control,
    out: &mut [Lane],
) -> Reached {
    let arrays = before.iter().map(|view| &**view).collect();
    traversal.run(&Forward { traversal, arrays }, control, out)
}

struct Forward<'a> {
    traversal: &'a Traversal<'a>,
    arrays: Vec<&'a [Lane]>,
}

impl Visitor for Forward<'_> {
    type Findings = Reached;
    const PLANES: usize = 1;

    fn block(&self, block: &Block<'_>, findings: &mut Reached, out: &mut [Lane]) {
        let reached = on_processor!(
            self.traversal.board.processor,
            reach,
            (this: &Forward<'_> = self, b: &Block<'_> = block, o: &mut [Lane] = out) -> Reached
        );
        findings.add(reached, 1);
    }

    fn merge(into: &mut Reached, from: Reached) {
        into.add(from, 1);
    }
}

#[inline(always)]
fn count(lanes: &[Lane]) -> u64 {
    lanes.iter().map(|lane| lane.count_ones()).sum()
}

/// Computes a block, the kernel of the pass: the OR of the sources, less the lines.
#[inline(always)]
fn reach<M: Machine>(this: &Forward<'_>, block: &Block<'_>, out: &mut [Lane]) -> Reached {
    let Traversal { board, geometry, sources, lines, last, .. } = this.traversal;
    let (length, size) = (geometry.block, out.len());
    let patterns = &board.patterns;
    let mut empty = true;
    let mut live = block.live;
    while live != 0 {
        let i = live.trailing_zeros() as usize;
        live &= live - 1;
        let Neighbour { bit, low, .. } = sources[i];
        let array = &this.arrays[i][block.offsets[i]..];
        if low {
            // The block of the source has one bit less, of the last mover's colour.
            let Some(ones) = block.ones.checked_sub(last.ones()) else { continue };
            if ones >= length {
                continue;
            }
            let source = &array[..board.sizes.lanes(length - 1, length - 1, ones)];
            let mask = patterns.get(length, block.ones, size, bit, *last);
            if empty {
                out.fill(Lane::ZERO);
            }
            spread_or::<M>(out, source, mask);
        } else if empty {
            out.copy_from_slice(&array[..size]);
        } else {
            for (out, &source) in out.iter_mut().zip(&array[..size]) {
                *out = *out | source;
            }
        }
        empty = false;
    }
    if empty {
        out.fill(Lane::ZERO);
        return Reached::default();
    }
    let positions = count(out);
    if block.ended {
        out.fill(Lane::ZERO);
        return Reached { positions, without_line: 0 };
    }
    if block.lines == 0 {
        return Reached { positions, without_line: positions };
    }
    let mut active = block.lines;
    while active != 0 {
        let line = &lines[active.trailing_zeros() as usize];
        active &= active - 1;
        clear_line(out, line, |bit| {
            patterns.get(length, block.ones, size, usize::from(bit), *last)
        });
    }
    Reached { positions, without_line: count(out) }
}

/// Clears the bits at which all patterns of a line are set.
#[inline(always)]
fn clear_line<'p>(out: &mut [Lane], bits: &[u8], pattern: impl Fn(u8) -> &'p [Lane]) {
    match *bits {
        [a] => {
            for (out, &a) in out.iter_mut().zip(pattern(a)) {
                *out = *out & !a;
            }
        }
        [a, b] => {
            for ((out, &a), &b) in out.iter_mut().zip(pattern(a)).zip(pattern(b)) {
                *out = *out & !(a & b);
            }
        }
        _ => {
            for (i, out) in out.iter_mut().enumerate() {
                let line = bits.iter().fold(Lane::ONES, |line, &bit| line & pattern(bit)[i]);
                *out = *out & !line;
            }
        }
    }
}

/// Counts the reachable positions of a piece that equal their mirror image.
///
/// `before` holds the inputs of the piece from the profiles with one stone less. The number of
/// candidates is about the square root of the number of colourings, so each is looked up on its
/// own: it is reachable if taking back a top stone of the last mover leads to a non-terminal
/// position.
pub(super) fn symmetric(traversal: &Traversal<'_>, before: &[View<'_>]) -> u64 {
    let Traversal { board, geometry, piece, .. } = traversal;
    let heights = &geometry.heights[..board.width];
    if !heights.iter().eq(heights.iter().rev()) {
        return 0;
    }
    if geometry.n == 0 {
        return 1;
    }
    // The sets of index bits that must be equal, the highest first: mirrored cells, or a cell of
    // the middle column.
    let mut orbits = Vec::new();
    for row in (0..board.height).rev() {
        for place in (0..board.width).step_by(2).rev() {
            if usize::from(heights[board.places[place]]) > row {
                let bit = geometry.below(board, place, row);
                let alone = place + 1 == board.width;
                orbits.push(if alone { 1u64 << bit } else { 3 << bit });
            }
        }
    }
    let last = Board::to_move(geometry.n).other();
    // Mirrored columns have mirrored sources, so one of the two profiles suffices.
    let sources: Vec<_> = traversal
        .sources
        .iter()
        .zip(&traversal.inputs)
        .zip(before)
        .filter_map(|((source, input), array)| {
            let seen = input.filter(|o| o.seen.profile == o.stored.profile)?.seen;
            let geometry = Geometry::new(board, seen.profile);
            Some((source.bit, geometry.block, seen.lane(board, &geometry), array))
        })
        .collect();
    let reached = |bits: u64| {
        sources.iter().any(|&(bit, block, first, array)| {
            let lower = (1 << bit) - 1;
            let source = bits & lower | bits >> 1 & !lower;
            (bits >> bit & 1) as usize == last.ones() && {
                let n = geometry.n - 1;
                let (lane, bit) = board.sizes.locate(block, n, source);
                array[lane - first].0[bit as usize / 64] >> (bit % 64) & 1 == 1
            }
        })
    };
    let decided = !((1 << piece.left) - 1);
    count_unions(&orbits, geometry.ones() as u32, 0, (piece.prefix, decided), &reached)
}

/// Counts the reachable unions of orbits with `ones` more ones that agree with a prefix.
fn count_unions(
    orbits: &[u64],
    ones: u32,
    bits: u64,
    (prefix, decided): (u64, u64),
    reached: &impl Fn(u64) -> bool,
) -> u64 {
    if ones == 0 {
        return u64::from(bits & decided == prefix && reached(bits));
    }
    let Some((&orbit, rest)) = orbits.split_first() else { return 0 };
    let here = orbit & decided;
    let mut sum = 0;
    // An orbit has at most two bits.
    if prefix & here == 0 && 2 * rest.len() as u32 >= ones {
        sum += count_unions(rest, ones, bits, (prefix, decided), reached);
    }
    if prefix & here == here
        && let Some(left) = ones.checked_sub(orbit.count_ones())
    {
        sum += count_unions(rest, left, bits | orbit, (prefix, decided), reached);
    }
    sum
}
