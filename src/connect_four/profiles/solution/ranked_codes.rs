//! Codes as bytes by rank, the order of a solution file.
//!
//! The *rank* of a colouring is that among the colourings of its profile, see `combinadic`: the
//! engine's order without the padding of its blocks.

use super::super::board::{Board, Geometry, Profile};
use super::super::code::{Codes, MAX_PLANES};
use super::super::lane::Lane;
use super::layout::{NEAR, SolutionDetail};
use crate::game::{Outcome, Ply};

/// The colourings of a profile, block by block of the engine.
pub(super) struct RankedCodes<'a> {
    codes: &'a [Lane],
    non_terminal: &'a [Lane],
    planes: usize,
    /// What is stored for each code, and whether it has to be.
    stored: [(u8, bool); 1 << MAX_PLANES],
    /// First rank and first lane of every block, and of the end.
    blocks: Vec<(u64, usize)>,
}

impl<'a> RankedCodes<'a> {
    pub(super) fn new(
        board: &Board,
        detail: SolutionDetail,
        profile: Profile,
        codes: &'a [Lane],
        non_terminal: &'a [Lane],
    ) -> Self {
        let geometry = Geometry::new(board, profile);
        let values = Codes::new(board.size());
        let ply = Ply(geometry.n as u8);
        let nearest = values.nearest(ply, NEAR);
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
        let mut blocks = Vec::new();
        let end = list(board, &geometry, geometry.n, geometry.ones(), (0, 0), &mut blocks);
        blocks.push(end);
        Self { codes, non_terminal, planes: values.planes(), stored, blocks }
    }

    /// The number of ranks: the colourings of the profile.
    pub(super) fn len(&self) -> u64 {
        self.blocks[self.blocks.len() - 1].0
    }

    /// The bytes of at most `most` ranks from `first` on. A rank whose value need not be
    /// stored repeats the byte before it, at the beginning the first that has to be.
    pub(super) fn bytes(&self, first: u64, most: usize) -> Vec<u8> {
        let end = self.len().min(first + most as u64);
        let mut bytes = vec![0; (end - first) as usize];
        // Up to where they are filled, and with what the last of them is.
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
                let mut non_terminal = self.non_terminal[lane + word / 8].0[word % 8] >> bit;
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

    /// The code at a bit of a word behind the first word of a lane.
    #[inline(always)]
    fn code(&self, lane: usize, word: usize, bit: u64) -> usize {
        let planes = &self.codes[(lane + word / 8) * self.planes..][..self.planes];
        let mut code = 0;
        for plane in planes.iter().rev() {
            code = code << 1 | (plane.0[word % 8] >> bit & 1) as usize;
        }
        code
    }
}

/// Appends first rank and first lane of every block below a node; returns those after it.
fn list(
    board: &Board,
    geometry: &Geometry,
    left: usize,
    ones: usize,
    at: (u64, usize),
    blocks: &mut Vec<(u64, usize)>,
) -> (u64, usize) {
    let lanes = board.sizes.lanes(geometry.block, left, ones);
    if lanes == 0 {
        return at;
    }
    if left == geometry.block {
        blocks.push(at);
        return (at.0 + board.binomials.choose(left, ones), at.1 + lanes);
    }
    let at = list(board, geometry, left - 1, ones, at, blocks);
    if ones > 0 { list(board, geometry, left - 1, ones - 1, at, blocks) } else { at }
}
