//! The forward pass: reachable positions, and those of them that are non-terminal.

use super::lane::{Lane, Machine, on_processor, spread_or};
use super::mirror::View;
use super::neighbour::Neighbour;
use super::traversal::{Block, Traversal, Visitor};
use crate::control::Control;

/// The counts of the forward pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// Reachable positions.
    pub(super) positions: u64,
    /// Reachable positions without a line of the last mover.
    pub(super) without_line: u64,
}

impl Reached {
    /// Adds the counts of one of `alike` equal pieces.
    pub(super) fn add(&mut self, other: Self, alike: u64) {
        self.positions += alike * other.positions;
        self.without_line += alike * other.without_line;
    }
}

/// Computes the non-terminal positions of a piece (and full boards without a line) from those of
/// the profiles with one stone less.
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

/// The kernel: OR of the sources, less the lines.
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
        clear_line(out, &line.low_bits, |bit| {
            patterns.get(length, block.ones, size, usize::from(bit), *last)
        });
    }
    Reached { positions, without_line: count(out) }
}

/// Clears the bits that have all patterns of a line.
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
