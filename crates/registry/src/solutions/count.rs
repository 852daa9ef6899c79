//! The positions of a solution file, counted by value.

use std::collections::BTreeMap;

use super::SolutionError;
use super::chunk::Unpacked;
use super::file::{SolutionFile, tier_of};
use super::layout::Tier;
use crate::registry::Position;
use everyply_core::control::Control;
use everyply_core::exhaustive::Code;

/// The positions of a tier that have one value, up to symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueCount<'f> {
    pub tier: &'f Tier,
    /// The value for the side to move: its distance or, in a [scored](SolutionFile::is_scored) file, the
    /// points still to be made.
    pub code: Code,
    pub positions: u64,
}

impl SolutionFile {
    /// Counts the positions of every tier by value, in the order of the file and then of outcome
    /// (endless play, loss, draw, win) and distance. Holes do not count.
    pub fn count_values(
        &self,
        game: &dyn Position,
        control: &Control,
    ) -> Result<Vec<ValueCount<'_>>, SolutionError> {
        let chunks = self.chunks_of(game)?;
        let count = |chunk: usize, Unpacked { codes, .. }: Unpacked| {
            let mut counts = vec![0_u32; 1 << u16::BITS];
            if let Some(game) = game.ranks().filter(|_| self.is_ranked()) {
                let (tier, first) = tier_of(chunks, chunk);
                let ranks = first..first + codes.len() as u64;
                game.positions_among(tier, ranks, &mut |rank| {
                    counts[usize::from(codes[(rank - first) as usize].0)] += 1;
                });
            } else {
                codes.iter().for_each(|code| counts[usize::from(code.0)] += 1);
            }
            control.advance(codes.len() as u64);
            let numbered = (0..).zip(counts).filter(|(_, positions)| *positions > 0);
            numbered.collect::<Vec<(u16, u32)>>()
        };
        control.start(self.entries());
        let (mut all, mut next) = (Vec::new(), 0);
        for tier in self.tiers() {
            let mut sums = BTreeMap::<u16, u64>::new();
            let of_tier = next..next + tier.chunks() as usize;
            next = of_tier.end;
            self.each_chunk(of_tier, control, &count, &mut |counts| {
                for (code, positions) in counts {
                    *sums.entry(code).or_default() += u64::from(positions);
                }
            })?;
            let row = |(code, positions)| ValueCount { tier, code: Code(code), positions };
            all.extend(sums.into_iter().map(row));
        }
        Ok(all)
    }
}
