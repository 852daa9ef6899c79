//! The tables behind line tests, moves and exchanges inside a block.

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

/// The steps that exchange two neighbouring index bits in blocks.
#[derive(Debug)]
pub(super) struct Exchanges {
    low: usize,
    /// The first step of each block (length, ones) and lower bit, and the number of steps.
    starts: Vec<usize>,
    steps: Vec<Step>,
    pub(super) masks: Vec<Lane>,
}

/// An exchange of strings with 01 and strings with 10, which come `distance` places later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) distance: u32,
    /// The first of the lanes that mark the strings with 01; the lanes for 10 follow.
    pub(super) masks: usize,
}

impl Exchanges {
    pub(super) fn new(binomials: &Binomials, sizes: &Sizes, low: usize) -> Self {
        let mut exchanges = Self { low, starts: Vec::new(), steps: Vec::new(), masks: Vec::new() };
        for length in 0..=low {
            for ones in 0..=low {
                for bit in 0..low {
                    exchanges.starts.push(exchanges.steps.len());
                    if bit + 1 < length && ones <= length {
                        exchanges.add(
                            binomials,
                            sizes.lanes(length, length, ones),
                            length,
                            ones,
                            bit,
                        );
                    }
                }
            }
        }
        exchanges.starts.push(exchanges.steps.len());
        exchanges
    }

    fn add(&mut self, binomials: &Binomials, size: usize, length: usize, ones: usize, bit: usize) {
        let first = self.steps.len();
        let mut string = (1u64 << ones) - 1;
        for rank in 0..binomials.choose(length, ones) {
            if string >> bit & 3 == 1 {
                let below = (string & ((1 << bit) - 1)).count_ones() as usize;
                let distance = binomials.choose(bit, below) as u32;
                let step = match self.steps[first..].iter().find(|s| s.distance == distance) {
                    Some(step) => *step,
                    None => {
                        let step = Step { distance, masks: self.masks.len() };
                        self.masks.resize(step.masks + 2 * size, Lane::ZERO);
                        self.steps.push(step);
                        step
                    }
                };
                for (masks, rank) in
                    [(step.masks, rank), (step.masks + size, rank + u64::from(distance))]
                {
                    let lane = &mut self.masks[masks + (rank / LANE_BITS) as usize];
                    lane.0[(rank % LANE_BITS / 64) as usize] |= 1 << (rank % 64);
                }
            }
            string = next_string(string);
        }
    }

    /// The steps for bits `bit` and `bit + 1` of a block.
    pub(super) fn steps(&self, length: usize, ones: usize, bit: usize) -> &[Step] {
        let at = (length * (self.low + 1) + ones) * self.low + bit;
        &self.steps[self.starts[at]..self.starts[at + 1]]
    }
}
