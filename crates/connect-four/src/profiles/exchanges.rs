//! Exchanges of neighbouring index bits in blocks, see `mirror`.

use super::combinadic::{Binomials, Sizes, next_string};
use super::lane::{LANE_BITS, Lane};

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
