//! Codes as bytes by rank, the order of a solution file.
//!
//! The *rank* of a colouring is its index among the colourings of its profile, see `combinadic`:
//! the order of the engine without the padding of blocks.

use std::ops::Range;

use super::super::board::Board;
use super::super::code::{Codes, MAX_PLANES};
use super::super::lane::Lane;
use super::super::piece::Geometry;
use super::super::plan::Packed;
use super::layout::{NEAR_END, SolutionDetail};
use crate::game::{Outcome, Ply};

/// The codes of some colourings of a profile, by block of the engine.
pub(super) struct RankedCodes<'a> {
    /// The lane of the profile at which `codes` and `non_terminal` begin.
    first: usize,
    codes: &'a [Lane],
    non_terminal: &'a [Lane],
    planes: usize,
    /// The byte stored for each code, and true if it must be stored.
    stored: [(u8, bool); 1 << MAX_PLANES],
    /// The first rank and first lane of every block that has some of the ranks, and of the next
    /// block.
    blocks: Vec<(u64, usize)>,
    ranks: Range<u64>,
}

impl<'a> RankedCodes<'a> {
    /// The codes of packed ranks, from the lanes of their profile that hold them.
    pub(super) fn new(
        board: &Board,
        detail: SolutionDetail,
        packed: &Packed,
        codes: &'a [Lane],
        non_terminal: &'a [Lane],
    ) -> Self {
        let Packed { profile, ref ranks } = *packed;
        let geometry = Geometry::new(board, profile);
        let values = Codes::new(board.size());
        let ply = Ply(geometry.n as u8);
        let nearest = values.nearest(ply, NEAR_END);
        let stored = std::array::from_fn(|code| {
            let byte = match detail {
                SolutionDetail::Remoteness => code as u8,
                SolutionDetail::Outcome if code >> values.planes() > 0 => 0,
                SolutionDetail::Outcome => match values.value(ply, code as u8).outcome {
                    Outcome::Loss => 0,
                    Outcome::Draw => 1,
                    Outcome::Win => 2,
                },
            };
            (byte, !nearest[code])
        });
        let mut list = List { board, geometry: &geometry, ranks, blocks: Vec::new() };
        let end = list.node(geometry.n, geometry.ones(), (0, 0));
        list.blocks.push(end);
        let (blocks, ranks) = (list.blocks, ranks.clone());
        let first = packed.lanes(board).start;
        Self { first, codes, non_terminal, planes: values.planes(), stored, blocks, ranks }
    }

    /// The bytes of at most `most` ranks from `first` on. A rank whose value need not be stored
    /// repeats the byte before it or, at the beginning, the first byte that must be stored.
    pub(super) fn bytes(&self, first: u64, most: usize) -> Vec<u8> {
        let end = self.ranks.end.min(first + most as u64);
        let mut bytes = vec![0; (end - first) as usize];
        // The number of bytes filled, and the last stored byte.
        let (mut filled, mut last) = (0, None);
        let mut block = self.blocks.partition_point(|&(rank, _)| rank <= first) - 1;
        let mut rank = first;
        while rank < end {
            let (begin, lane) = self.blocks[block];
            let stop = self.blocks[block + 1].0.min(end);
            while rank < stop {
                // One word: 64 ranks, fewer at the ends.
                let within = rank - begin;
                let (word, bit) = ((within / 64) as usize, within % 64);
                let count = (64 - bit).min(stop - rank);
                let mut non_terminal =
                    self.non_terminal[lane + word / 8 - self.first].0[word % 8] >> bit;
                if count < 64 {
                    non_terminal &= (1 << count) - 1;
                }
                while non_terminal != 0 {
                    let i = u64::from(non_terminal.trailing_zeros());
                    non_terminal &= non_terminal - 1;
                    let (byte, needed) = self.stored[self.code(lane, word, bit + i)];
                    if needed {
                        let at = (rank + i - first) as usize;
                        if filled < at {
                            bytes[filled..at].fill(last.unwrap_or(byte));
                        }
                        bytes[at] = byte;
                        (filled, last) = (at + 1, Some(byte));
                    }
                }
                rank += count;
            }
            block += 1;
        }
        bytes[filled..].fill(last.unwrap_or(0));
        bytes
    }

    /// The code at a bit of a word, counted from the first word of a lane.
    #[inline(always)]
    fn code(&self, lane: usize, word: usize, bit: u64) -> usize {
        let lane = lane + word / 8 - self.first;
        let planes = &self.codes[lane * self.planes..][..self.planes];
        let mut code = 0;
        for plane in planes.iter().rev() {
            code = code << 1 | (plane.0[word % 8] >> bit & 1) as usize;
        }
        code
    }
}

/// The list, being built, of the engine's blocks that hold some ranks.
struct List<'a> {
    board: &'a Board,
    geometry: &'a Geometry,
    ranks: &'a Range<u64>,
    /// The first rank and first lane of each block.
    blocks: Vec<(u64, usize)>,
}

impl List<'_> {
    /// Appends the blocks below a node that begins at this rank and lane; returns the rank and lane
    /// after the last block appended or skipped.
    fn node(&mut self, left: usize, ones: usize, at: (u64, usize)) -> (u64, usize) {
        let Geometry { block, .. } = *self.geometry;
        let lanes = self.board.sizes.lanes(block, left, ones);
        if lanes == 0 || at.0 >= self.ranks.end {
            return at;
        }
        let end = (at.0 + self.board.binomials.choose(left, ones), at.1 + lanes);
        if end.0 <= self.ranks.start {
            return end;
        }
        if left == block {
            self.blocks.push(at);
            return end;
        }
        let at = self.node(left - 1, ones, at);
        if ones > 0 { self.node(left - 1, ones - 1, at) } else { at }
    }
}
