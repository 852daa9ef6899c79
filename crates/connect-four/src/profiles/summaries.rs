//! Summaries: counts of a unit that are kept when its arrays are discarded.

use super::backward::Histogram;
use super::board::Profile;
use super::code::Codes;
use super::forward::Reached;

/// The counts of a unit, by the forward pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PositionCounts {
    pub(super) reached: Reached,
    /// Positions that equal their mirror image.
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

/// A code and its first occurrence: profile and colouring.
pub(super) type Example = (u8, Profile, u64);

/// The counts of a unit by the backward pass, without positions that have a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluation {
    pub(super) histogram: Histogram,
    /// The slowest win and the slowest loss.
    pub(super) slowest: [Option<Example>; 2],
}

impl Evaluation {
    /// Adds the counts of a later part.
    pub(super) fn add(&mut self, codes: Codes, other: &Self) {
        self.histogram.add(&other.histogram, 1);
        for (best, new) in self.slowest.iter_mut().zip(other.slowest) {
            let slower = |a: Example, b: Example| codes.is_slower(a.0, b.0);
            if new.is_some_and(|new| best.is_none_or(|best| slower(new, best))) {
                *best = new;
            }
        }
    }

    pub(super) fn to_summary(&self) -> Vec<u64> {
        let mut summary = self.histogram.0.to_vec();
        for example in self.slowest {
            let (code, profile, bits) =
                example.map_or((u64::MAX, 0, 0), |(c, p, b)| (u64::from(c), p.0, b));
            summary.extend([code, profile, bits]);
        }
        summary
    }

    pub(super) fn from_summary(summary: &[u64]) -> Option<Self> {
        let (counts, examples) = summary.split_first_chunk()?;
        let &[win, p, b, loss, q, c] = examples else { return None };
        let example = |code, profile, bits| {
            (code != u64::MAX).then_some((code as u8, Profile(profile), bits))
        };
        Some(Self {
            histogram: Histogram(*counts),
            slowest: [example(win, p, b), example(loss, q, c)],
        })
    }
}
