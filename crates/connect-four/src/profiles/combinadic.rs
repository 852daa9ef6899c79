//! Combinadic ranking of colourings, which are bit strings with a given number of ones, and its
//! tables for line tests, moves and exchanges inside a block.
//!
//! A string with ones at the bits b(1) < b(2) < ... < b(m) has the rank C(b(1), 1) + C(b(2), 2) +
//! ... + C(b(m), m), its number in the combinatorial number system (Knuth, "The Art of Computer
//! Programming", volume 4A, section 7.2.1.3). Of the 2^n ways to colour n stones only those with
//! ceil(n/2) first-player stones can occur. The strings of n bits with m ones, in ascending numeric
//! order, form a tree: under the top bit, first the C(n-1, m) strings that begin with 0, then the
//! C(n-1, m-1) that begin with 1. So every choice of the highest bits is one contiguous range, and
//! its shape depends only on the numbers of bits and ones that are left:
//!
//! ```text
//!  (n, m):   [ 0.. : (n-1, m) ............ | 1.. : (n-1, m-1) ......... ]
//!            [ 00 : (n-2, m) | 01 : (n-2, m-1) | 10 : (n-2, m-1) | 11 : (n-2, m-2) ]
//! ```
//!
//! The tree ends above the lowest `low` bits: a *block* (low, j) holds the C(low, j) strings of
//! `low` bits with j ones, one bit each, padded to whole lanes.

use super::lane::{LANE_BITS, Lane};
use everyply_core::games::ranks::{self, subset, subset_rank};

/// Returns the number of strings of `length` bits with `ones` ones.
#[inline(always)]
pub(super) fn choose(length: usize, ones: usize) -> u64 {
    ranks::choose(length as u32, ones as u32)
}

/// Returns the next larger string with as many ones; meaningless after the last string.
#[inline(always)]
pub(super) fn next_string(bits: u64) -> u64 {
    let lowest = bits & bits.wrapping_neg();
    let carried = bits.wrapping_add(lowest);
    carried | (bits ^ carried).checked_div(lowest).unwrap_or(0) >> 2
}

/// The numbers of lanes of all subtrees.
#[derive(Debug)]
pub(super) struct Sizes {
    bits: usize,
    /// Rows by (block length, bits), entries by ones + 1, so that -1 is a valid number of ones.
    lanes: Vec<usize>,
}

/// A row of [`Sizes`]: block length and bits fixed, shifted by a number of ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row(u32);

impl Sizes {
    /// Computes the sizes for strings of up to `bits` bits and blocks of up to `low` bits.
    pub(super) fn new(low: usize, bits: usize) -> Self {
        let mut sizes = Self { bits, lanes: vec![0; (low + 2) * (bits + 1) * (bits + 4)] };
        for block in 0..=low {
            for ones in 0..=block {
                let i = sizes.row(block, block, 0).0 as usize + ones;
                sizes.lanes[i] = choose(block, ones).div_ceil(LANE_BITS) as usize;
            }
            for r in block + 1..=bits {
                for ones in 0..=r {
                    let (above, here) = (sizes.row(block, r, 0), sizes.row(block, r - 1, 0));
                    let less = sizes.lanes[here.0 as usize + ones - usize::from(ones > 0)];
                    let less = if ones > 0 { less } else { 0 };
                    let size = sizes.lanes[here.0 as usize + ones].saturating_add(less);
                    sizes.lanes[above.0 as usize + ones] = size;
                }
            }
        }
        sizes
    }

    /// Returns the row of subtrees with `r` bits left, the last `block` of them in blocks; its
    /// entry for `ones` is the size for `ones + shift` ones.
    #[inline(always)]
    pub(super) fn row(&self, block: usize, r: usize, shift: isize) -> Row {
        let start = (block * (self.bits + 1) + r) * (self.bits + 4) + 1;
        Row((start as isize + shift) as u32)
    }

    #[inline(always)]
    pub(super) fn zero_row(&self, low: usize) -> Row {
        self.row(low + 1, 0, 0)
    }

    /// Returns the lanes of a subtree, for -1 to bits + 2 ones; 0 if no string has as many.
    #[inline(always)]
    pub(super) fn at(&self, row: Row, ones: usize) -> usize {
        self.lanes[row.0 as usize + ones]
    }

    /// Returns the lanes of the subtree with `r` bits, `ones` ones and blocks of `block` bits.
    #[inline(always)]
    pub(super) fn lanes(&self, block: usize, r: usize, ones: usize) -> usize {
        self.at(self.row(block, r, 0), ones)
    }

    /// Returns the lane of a colouring of `n` stones, and its bit in that lane.
    pub(super) fn locate(&self, block: usize, n: usize, bits: u64) -> (usize, u32) {
        let mut ones = bits.count_ones() as usize;
        let mut lane = 0;
        for b in (block..n).rev() {
            if bits >> b & 1 == 1 {
                lane += self.lanes(block, b, ones);
                ones -= 1;
            }
        }
        let rank = subset_rank(if block == 64 { bits } else { bits & ((1 << block) - 1) });
        (lane + (rank / LANE_BITS) as usize, (rank % LANE_BITS) as u32)
    }

    /// Returns the colouring at a bit of a lane: the inverse of [`locate`](Self::locate). The bit
    /// must not be padding.
    pub(super) fn colouring(
        &self,
        block: usize,
        n: usize,
        mut ones: usize,
        (mut lane, bit): (usize, u32),
    ) -> u64 {
        let mut bits = 0;
        for b in (block..n).rev() {
            let zero = self.lanes(block, b, ones);
            if lane >= zero {
                lane -= zero;
                ones -= 1;
                bits |= 1 << b;
            }
        }
        bits | subset(block as u32, ones as u32, lane as u64 * LANE_BITS + u64::from(bit))
    }
}

/// The colour of a stone as an index bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8);

impl Colour {
    pub(super) const SECOND: Self = Self(0);
    pub(super) const FIRST: Self = Self(1);

    /// Returns the number of ones that this stone adds to an index.
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
    pub(super) fn new(sizes: &Sizes, low: usize) -> Self {
        let mut patterns = Self { low, starts: vec![0; (low + 1) * (low + 2)], lanes: Vec::new() };
        for length in 0..=low {
            for ones in 0..=length {
                let start = patterns.lanes.len();
                let size = sizes.lanes(length, length, ones);
                patterns.starts[length * (low + 2) + ones] = start;
                patterns.lanes.resize(start + size * 2 * length, Lane::ZERO);
                let mut string = (1u64 << ones) - 1;
                for rank in 0..choose(length, ones) {
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

    /// Returns the mask of block (length, ones), of `size` lanes, for this colour at this bit.
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
    steps: Vec<Exchange>,
    pub(super) masks: Vec<Lane>,
}

/// An exchange of strings with 01 and strings with 10, which come `distance` places later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub(super) distance: u32,
    /// The first of the lanes that mark the strings with 01; the lanes for 10 follow.
    pub(super) masks: usize,
}

impl Exchanges {
    pub(super) fn new(sizes: &Sizes, low: usize) -> Self {
        let mut exchanges = Self { low, starts: Vec::new(), steps: Vec::new(), masks: Vec::new() };
        for length in 0..=low {
            for ones in 0..=low {
                for bit in 0..low {
                    exchanges.starts.push(exchanges.steps.len());
                    if bit + 1 < length && ones <= length {
                        exchanges.add(sizes.lanes(length, length, ones), length, ones, bit);
                    }
                }
            }
        }
        exchanges.starts.push(exchanges.steps.len());
        exchanges
    }

    fn add(&mut self, size: usize, length: usize, ones: usize, bit: usize) {
        let first = self.steps.len();
        let mut string = (1u64 << ones) - 1;
        for rank in 0..choose(length, ones) {
            if string >> bit & 3 == 1 {
                let below = (string & ((1 << bit) - 1)).count_ones() as usize;
                let distance = choose(bit, below) as u32;
                let step = match self.steps[first..].iter().find(|s| s.distance == distance) {
                    Some(step) => *step,
                    None => {
                        let step = Exchange { distance, masks: self.masks.len() };
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

    pub(super) fn steps(&self, length: usize, ones: usize, bit: usize) -> &[Exchange] {
        let at = (length * (self.low + 1) + ones) * self.low + bit;
        &self.steps[self.starts[at]..self.starts[at + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_located_one_after_the_other() {
        for (low, n) in [(0, 5), (3, 9), (11, 16), (12, 12), (9, 13)] {
            let sizes = Sizes::new(12, 16);
            for m in 0..=n {
                let mut bits: u64 = (1 << m) - 1;
                let mut last = None;
                let mut seen = 0;
                while bits < 1 << n {
                    let (lane, bit) = sizes.locate(low, n, bits);
                    let place = lane as u64 * LANE_BITS + u64::from(bit);
                    assert!(last < Some(place), "{low} {n} {bits:b}");
                    assert_eq!(sizes.colouring(low, n, m, (lane, bit)), bits);
                    last = Some(place);
                    seen += 1;
                    if m == 0 {
                        break;
                    }
                    bits = next_string(bits);
                }
                assert_eq!(seen, choose(n, m));
                assert!(last.unwrap() < sizes.lanes(low, n, m) as u64 * LANE_BITS);
                // The last string is in the last lane: only padding is unused.
                assert_eq!(last.unwrap() / LANE_BITS + 1, sizes.lanes(low, n, m) as u64);
            }
        }
    }
}
