//! The two passes over the tiers of a board, on any storage.

use std::sync::Arc;

use rayon::prelude::*;

use super::backward::{Histogram, backward};
use super::board::{Board, Geometry, Profile};
use super::code::Codes;
use super::forward::{Reached, forward};
use super::lane::Lane;
use super::storage::{Content, Storage, StorageError, Stored, TierKey};
use super::symmetric::symmetric;
use super::tier::Tier;
use crate::control::{Control, Stopped};
use crate::game::Ply;

/// Why a pass ended early. What is stored stays: the same call continues from there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    /// The control asked for it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A tier could not be kept or read.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// the counts of a tier, by the forward pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TierCounts {
    pub(super) reached: Reached,
    /// Positions that equal their mirror image.
    pub(super) symmetric: u64,
    /// Moves from all non-terminal positions.
    pub(super) moves: u64,
}

impl TierCounts {
    fn add(mut self, other: Self) -> Self {
        self.reached.add(other.reached, 1);
        self.symmetric += other.symmetric;
        self.moves += other.moves;
        self
    }

    fn to_summary(self) -> [u64; 4] {
        [self.reached.positions, self.reached.without_line, self.symmetric, self.moves]
    }

    fn from_summary(summary: &[u64]) -> Option<Self> {
        let &[positions, without_line, symmetric, moves] = summary else { return None };
        Some(Self { reached: Reached { positions, without_line }, symmetric, moves })
    }
}

/// A code and where it first occurs: profile and colouring.
pub(super) type Example = (u8, Profile, u64);

/// What the backward pass finds out about a tier. Finished lines are not in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluation {
    pub(super) histogram: Histogram,
    /// The slowest win and the slowest loss.
    pub(super) slowest: [Option<Example>; 2],
}

impl Evaluation {
    fn to_summary(&self) -> Vec<u64> {
        let mut summary = self.histogram.0.to_vec();
        for example in self.slowest {
            let (code, profile, bits) =
                example.map_or((u64::MAX, 0, 0), |(c, p, b)| (u64::from(c), p.0, b));
            summary.extend([code, profile, bits]);
        }
        summary
    }

    fn from_summary(summary: &[u64]) -> Option<Self> {
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

/// A board being worked on.
pub(super) struct Passes<'a> {
    pub(super) board: &'a Board,
    pub(super) storage: &'a mut dyn Storage,
    pub(super) control: &'a Control,
}

pub(super) fn key(content: Content, ply: usize) -> TierKey {
    TierKey { content, ply: Ply(ply as u8) }
}

/// The ranges of profiles to be computed at a time, none with more lanes than `most` unless it is
/// a single profile.
fn batches(tier: &Tier, planes: usize, most: usize) -> Vec<std::ops::Range<usize>> {
    let mut batches = Vec::new();
    let mut first = 0;
    for i in 0..tier.profiles.len() {
        let end = tier.starts[i + 1] * planes;
        if end - tier.starts[first] * planes > most && i > first {
            batches.push(first..i);
            first = i;
        }
    }
    batches.push(first..tier.profiles.len());
    batches
}

impl<'a> Passes<'a> {
    pub(super) fn new(
        board: &'a Board,
        storage: &'a mut dyn Storage,
        control: &'a Control,
    ) -> Self {
        Self { board, storage, control }
    }

    /// Runs `work` on every profile of a tier and stores the output; the results in order of the
    /// profiles.
    fn tier<R: Send>(
        &mut self,
        key: TierKey,
        tier: &Tier,
        planes: usize,
        work: impl Fn(Profile, Geometry, &mut [Lane]) -> Result<R, PassError> + Sync,
    ) -> Result<Vec<R>, PassError> {
        let mut results = Vec::with_capacity(tier.profiles.len());
        self.storage.create(key, tier.lanes() * planes)?;
        for range in batches(tier, planes, self.storage.batch()) {
            let lanes = |i: usize| tier.starts[i] * planes;
            let mut rest = self.storage.buffer(lanes(range.end) - lanes(range.start))?;
            let mut outputs = Vec::with_capacity(range.len());
            for i in range {
                let (out, more) = rest.split_at_mut(lanes(i + 1) - lanes(i));
                outputs.push((tier.profiles[i], out));
                rest = more;
            }
            let results_of_batch = outputs.into_par_iter().map(|(profile, out)| {
                self.control.check()?;
                let lanes = out.len();
                let result = work(profile, Geometry::new(self.board, profile), out)?;
                self.control.advance((lanes / planes) as u64);
                Ok(result)
            });
            results.extend(results_of_batch.collect::<Result<Vec<R>, PassError>>()?);
            self.control.check()?;
            self.storage.commit()?;
        }
        Ok(results)
    }

    /// Fills the tier after `tier`, unless it is there already.
    pub(super) fn forward(&mut self, tier: &Tier, next: &Tier) -> Result<TierCounts, PassError> {
        let (board, control) = (self.board, self.control);
        let key_of_next = key(Content::NonTerminal, next.ply);
        if let Some(tier_counts) = self.stored(key_of_next, TierCounts::from_summary)? {
            control.advance(next.lanes() as u64);
            return Ok(tier_counts);
        }
        let non_terminal = self.read(Content::NonTerminal, tier, 1)?;
        let found = self.tier(key_of_next, next, 1, |profile, geometry, out| {
            let heights = &geometry.heights[..board.width];
            let open = heights.iter().filter(|&&h| usize::from(h) < board.height).count() as u64;
            let before = |column: usize| {
                tier.view(board, &non_terminal, 1, Profile(profile.0 - board.powers[column]))
            };
            let found = forward(board, geometry, before, control, out)?;
            let mut reached = Reached::default();
            reached.add(found, images(board, profile));
            Ok(TierCounts {
                reached,
                symmetric: symmetric(board, profile, |before| tier.slice(&non_terminal, 1, before)),
                moves: open * reached.without_line,
            })
        })?;
        non_terminal.check()?;
        let tier_counts = found.into_iter().fold(TierCounts::default(), TierCounts::add);
        self.storage.finish(&tier_counts.to_summary())?;
        Ok(tier_counts)
    }

    /// Fills the tier of the empty board, unless it is there already.
    pub(super) fn first(&mut self, tier: &Tier) -> Result<TierCounts, PassError> {
        let key = key(Content::NonTerminal, 0);
        if let Some(tier_counts) = self.stored(key, TierCounts::from_summary)? {
            self.control.advance(tier.lanes() as u64);
            return Ok(tier_counts);
        }
        self.tier(key, tier, 1, |_, _, out| {
            out[0] = Lane([1, 0, 0, 0, 0, 0, 0, 0]);
            Ok(())
        })?;
        let reached = Reached { positions: 1, without_line: 1 };
        let tier_counts = TierCounts { reached, symmetric: 1, moves: self.board.width as u64 };
        self.storage.finish(&tier_counts.to_summary())?;
        Ok(tier_counts)
    }

    /// Computes the codes of a tier from those of the tier after it (`None` for the full board),
    /// unless they are there already.
    pub(super) fn backward(
        &mut self,
        codes: Codes,
        tier: &Tier,
        next: Option<&Tier>,
    ) -> Result<Evaluation, PassError> {
        let (board, control, planes) = (self.board, self.control, codes.planes());
        let key_of_tier = key(Content::Values, tier.ply);
        if let Some(evaluation) = self.stored(key_of_tier, Evaluation::from_summary)? {
            control.advance(tier.lanes() as u64);
            return Ok(evaluation);
        }
        let non_terminal = self.read(Content::NonTerminal, tier, 1)?;
        let after = match next {
            Some(next) => Some((next, self.read(Content::Values, next, planes)?)),
            None => None,
        };
        let found = self.tier(key_of_tier, tier, planes, |profile, geometry, out| {
            let source = |column: usize| {
                let (next, codes) = after.as_ref().expect("only a full board has no next tier");
                next.view(board, codes, planes, Profile(profile.0 + board.powers[column]))
            };
            let non_terminal = tier.slice(&non_terminal[..], 1, profile);
            let histogram =
                backward(board, geometry.clone(), codes, source, non_terminal, control, out)?;
            let slowest = codes.slowest(&histogram.0).map(|code| {
                let (place, code) = (code.map(|code| find(out, planes, non_terminal, code)), code);
                place.flatten().zip(code).map(|(place, code)| {
                    let Geometry { n, block, .. } = geometry;
                    let ones = geometry.ones();
                    let bits = board.sizes.colouring(&board.binomials, block, n, ones, place);
                    (code, profile, bits)
                })
            });
            let mut evaluation = Evaluation { slowest, ..Evaluation::default() };
            evaluation.histogram.add(&histogram, images(board, profile));
            Ok(evaluation)
        })?;
        non_terminal.check()?;
        after.map_or(Ok(()), |(_, values)| values.check())?;
        let mut evaluation = Evaluation::default();
        for part in found {
            evaluation.histogram.add(&part.histogram, 1);
            for (best, new) in evaluation.slowest.iter_mut().zip(part.slowest) {
                let slower = |a: Example, b: Example| codes.is_slower(a.0, b.0);
                if new.is_some_and(|new| best.is_none_or(|best| slower(new, best))) {
                    *best = new;
                }
            }
        }
        self.storage.finish(&evaluation.to_summary())?;
        Ok(evaluation)
    }

    /// The summary of a tier that is complete; one that makes no sense counts as missing.
    fn stored<T>(
        &mut self,
        key: TierKey,
        read: impl Fn(&[u64]) -> Option<T>,
    ) -> Result<Option<T>, PassError> {
        Ok(self.storage.summary(key)?.and_then(|summary| read(&summary)))
    }

    /// The lanes of a finished tier; those of another number of them count as missing.
    fn read(
        &mut self,
        content: Content,
        tier: &Tier,
        planes: usize,
    ) -> Result<Arc<Stored>, PassError> {
        let key = key(content, tier.ply);
        let stored = self.storage.read(key)?;
        match stored.len() == tier.lanes() * planes {
            true => Ok(stored),
            false => Err(StorageError::Missing { key }.into()),
        }
    }

    /// The positions and the codes of a tier whose values are complete.
    pub(super) fn arrays(&mut self, tier: &Tier) -> Result<(Arc<Stored>, Arc<Stored>), PassError> {
        let planes = Codes::new(self.board.size()).planes();
        let non_terminal = self.read(Content::NonTerminal, tier, 1)?;
        Ok((non_terminal, self.read(Content::Values, tier, planes)?))
    }

    pub(super) fn discard(&mut self, content: Content, ply: usize) -> Result<(), PassError> {
        Ok(self.storage.discard(key(content, ply))?)
    }
}

/// The profiles that a canonical one stands for: itself, and its mirror image.
fn images(board: &Board, profile: Profile) -> u64 {
    if board.mirrored(profile) == profile { 1 } else { 2 }
}

/// Lane and bit of the first position of `non_terminal` with this code.
fn find(codes: &[Lane], planes: usize, non_terminal: &[Lane], code: u8) -> Option<(usize, u32)> {
    codes.chunks_exact(planes).zip(non_terminal).enumerate().find_map(
        |(i, (planes, &non_terminal))| {
            let mut chosen = non_terminal;
            for (p, &plane) in planes.iter().enumerate() {
                chosen = chosen & if code >> p & 1 == 1 { plane } else { !plane };
            }
            let word = chosen.0.iter().position(|&word| word != 0)?;
            Some((i, word as u32 * 64 + chosen.0[word].trailing_zeros()))
        },
    )
}
