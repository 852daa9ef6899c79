//! The table behind line tests and moves inside a block.

use super::combinadic::{Binomials, Sizes, next_string};
use super::lane::{LANE_BITS, Lane};

/// The colour of a stone as an index bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8);

impl Colour {
    pub(super) const SECOND: Self = Self(0);
    pub(super) const FIRST: Self = Self(1);

    /// The number of ones that this stone adds to an index.
    #[inline(always)]
    pub(super) const fn ones(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn other(self) -> Self {
        Self(1 - self.0)
    }
}

/// For every block (length, ones), every index bit and both colours, a mask of the ranks whose
/// string has that colour at that bit. The padding is zero.
///
/// ```text
/// block (4, 2):  rank        0    1    2    3    4    5
///                string   0011 0101 0110 1001 1010 1100
///                bit 0 one   1    1    0    1    0    0
///                bit 0 zero  0    0    1    0    1    1
/// ```
#[derive(Debug)]
pub(super) struct Patterns {
    low: usize,
    /// The first lane of block (length, ones), at `length * (low + 2) + ones`.
    starts: Vec<usize>,
    /// The masks of each block: for bit 0, colour 0, then colour 1; for bit 1 ...
    lanes: Vec<Lane>,
}

impl Patterns {
    pub(super) fn new(binomials: &Binomials, sizes: &Sizes, low: usize) -> Self {
        let mut patterns = Self { low, starts: vec![0; (low + 1) * (low + 2)], lanes: Vec::new() };
        for length in 0..=low {
            for ones in 0..=length {
                let start = patterns.lanes.len();
                let size = sizes.lanes(length, length, ones);
                patterns.starts[length * (low + 2) + ones] = start;
                patterns.lanes.resize(start + size * 2 * length, Lane::ZERO);
                let mut string = (1u64 << ones) - 1;
                for rank in 0..binomials.choose(length, ones) {
                    let lane = (rank / LANE_BITS) as usize;
                    let (word, bit) = (rank % LANE_BITS / 64, rank % 64);
                    for p in 0..length {
                        let plane = 2 * p + (string >> p & 1) as usize;
                        patterns.lanes[start + plane * size + lane].0[word as usize] |= 1 << bit;
                    }
                    string = next_string(string);
                }
            }
        }
        patterns
    }

    /// The mask of block (length, ones), of `size` lanes, for this colour at this index bit.
    #[inline(always)]
    pub(super) fn get(
        &self,
        length: usize,
        ones: usize,
        size: usize,
        bit: usize,
        colour: Colour,
    ) -> &[Lane] {
        let start = self.starts[length * (self.low + 2) + ones] + (2 * bit + colour.ones()) * size;
        &self.lanes[start..start + size]
    }
}
