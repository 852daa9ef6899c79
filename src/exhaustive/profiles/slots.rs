//! Codes as bytes, in the order of a solution file.
//!
//! The *slot* of a colouring is its rank among the colourings of its profile: the engine's order
//! without the padding of its blocks.

use super::board::{Board, Geometry, Profile};
use super::code::{Codes, MAX_PLANES};
use super::lane::Lane;
use super::solution::Detail;
use crate::game::{Outcome, Ply};

/// Values that remote are found by the rules alone and not stored: a win by a move that completes
/// a line, a loss to two of them, a win by making two.
pub(super) const NEAR: u8 = 3;

/// The colourings of a profile, block by block of the engine.
pub(super) struct Slots<'a> {
    codes: &'a [Lane],
    alive: &'a [Lane],
    planes: usize,
    /// What is stored for each code, and whether it has to be.
    stored: [(u8, bool); 1 << MAX_PLANES],
    /// First slot and first lane of every block, and of the end.
    blocks: Vec<(u64, usize)>,
}

impl<'a> Slots<'a> {
    pub(super) fn new(
        board: &Board,
        detail: Detail,
        profile: Profile,
        codes: &'a [Lane],
        alive: &'a [Lane],
    ) -> Self {
        let geometry = Geometry::new(board, profile);
        let values = Codes::new(board);
        let ply = Ply(geometry.n as u8);
        let nearest = values.nearest(ply, NEAR);
        let stored = std::array::from_fn(|code| {
            let byte = match detail {
                Detail::Remoteness => code as u8,
                Detail::Outcome if code >> values.planes() > 0 => 0,
                Detail::Outcome => match values.value(ply, code as u8).outcome {
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
        Self { codes, alive, planes: values.planes(), stored, blocks }
    }

    /// The number of slots.
    pub(super) fn len(&self) -> u64 {
        self.blocks[self.blocks.len() - 1].0
    }

    /// The bytes of the slots from `first` on, at most so many. A slot whose value need not be
    /// stored repeats the byte before it, at the beginning the first that has to be.
    pub(super) fn bytes(&self, first: u64, most: usize) -> Vec<u8> {
        let end = self.len().min(first + most as u64);
        let mut bytes = Vec::with_capacity((end - first) as usize);
        let mut last = None;
        let mut block = self.blocks.partition_point(|&(slot, _)| slot <= first) - 1;
        let mut slot = first;
        while slot < end {
            let (begin, lane) = self.blocks[block];
            let stop = self.blocks[block + 1].0.min(end);
            while slot < stop {
                // One word: 64 slots, fewer at the ends.
                let within = slot - begin;
                let (word, bit) = ((within / 64) as usize, within % 64);
                let count = (64 - bit).min(stop - slot);
                self.word(lane + word / 8, word % 8, bit, count, &mut last, &mut bytes);
                slot += count;
            }
            block += 1;
        }
        bytes
    }

    fn word(
        &self,
        lane: usize,
        word: usize,
        bit: u64,
        count: u64,
        last: &mut Option<u8>,
        bytes: &mut Vec<u8>,
    ) {
        let alive = self.alive[lane].0[word] >> bit;
        let mut codes = [0; MAX_PLANES];
        for (code, plane) in codes.iter_mut().zip(&self.codes[lane * self.planes..][..self.planes]) {
            *code = plane.0[word] >> bit;
        }
        if alive == 0 {
            bytes.extend(std::iter::repeat_n(last.unwrap_or(0), count as usize));
            return;
        }
        for i in 0..count {
            if alive >> i & 1 == 1 {
                let code =
                    (0..self.planes).fold(0, |code, p| code | ((codes[p] >> i & 1) as usize) << p);
                let (byte, needed) = self.stored[code];
                if needed {
                    if last.is_none() {
                        bytes.fill(byte);
                    }
                    *last = Some(byte);
                }
            }
            bytes.push(last.unwrap_or(0));
        }
    }
}

/// Appends first slot and first lane of every block below a node; returns those after it.
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
