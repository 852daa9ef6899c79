//! The counts of a whole board, and of its values.

use std::cmp::Reverse;

use super::backward::Histogram;
use super::board::Board;
use super::code::Codes;
use super::passes::{Evaluation, Example, PassError, Passes, TierCounts};
use super::storage::{Content, Storage, StorageError};
use super::tier::Tier;
use crate::control::Control;
use crate::game::{Outcome, Ply, Remoteness, Value};
use crate::games::line::Stones;
use crate::statistics::PlyCounts;

/// How far to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// The whole board.
    #[default]
    Whole,
    /// The positions up to a ply.
    Plies(u8),
    /// The whole board, and the value of every position.
    WholeWithValues,
}

/// The counts of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Per ply: positions, canonical, terminal; wins, draws and losses if values were asked for.
    /// The last is the last that any game reaches.
    pub plies: Vec<PlyCounts>,
    /// The non-terminal positions and their moves: the quotient is the average branching factor.
    pub branching: Branching,
    /// The values, if they were asked for.
    pub values: Option<Values>,
}

impl Counts {
    /// Leaves out the plies that no game reaches, as every other way to count does.
    fn end_with_the_longest_game(&mut self) {
        let reached = self.plies.iter().take_while(|ply| ply.positions != Some(0)).count();
        self.plies.truncate(reached);
        if let Some(values) = &mut self.values {
            values.plies.truncate(reached);
        }
    }
}

/// The moves of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branching {
    /// Non-terminal positions.
    pub positions: u64,
    /// The moves of all of them.
    pub moves: u64,
}

/// The values of all positions of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The value of the empty board.
    pub start: Value,
    /// Per ply: every value that occurs, the best first, and the number of positions with it.
    pub plies: Vec<Vec<(Value, u64)>>,
    /// The win that takes longest, if the side to move can win anywhere.
    pub longest_win: Option<Longest>,
    /// The loss that takes longest, if any.
    pub longest_loss: Option<Longest>,
}

/// The slowest value of an outcome and an example: the first position with it by ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest {
    /// The value.
    pub value: Value,
    /// A position with it.
    pub position: Stones,
}

/// Counts the positions of a board, tier by tier.
///
/// The results are the same for any number of threads and any storage. A run that was cut off is
/// continued from the tiers in the storage.
///
/// The control sees lanes as units of work: 512 colourings of a profile in one pass.
///
/// # Errors
/// If the control stops it, or the storage cannot keep a tier.
pub fn count(
    board: &Board,
    extent: Extent,
    storage: &mut dyn Storage,
    control: &Control,
) -> Result<Counts, PassError> {
    run(board, extent, storage, control, &mut |_, _| Ok(()))
}

/// What is done with a tier whose values are complete, before they are given up.
pub(super) type Valued<'v> = dyn FnMut(&mut Passes<'_>, &Tier) -> Result<(), PassError> + 'v;

/// Both passes; `valued` sees the tiers from the last to the first.
pub(super) fn run(
    board: &Board,
    extent: Extent,
    storage: &mut dyn Storage,
    control: &Control,
    valued: &mut Valued<'_>,
) -> Result<Counts, PassError> {
    match run_once(board, extent, storage, control, valued) {
        // The storage served a run of another extent and has given up tiers that this one needs.
        Err(PassError::Storage(StorageError::Missing { .. })) => {
            storage.clear()?;
            run_once(board, extent, storage, control, valued)
        }
        result => result,
    }
}

fn run_once(
    board: &Board,
    extent: Extent,
    storage: &mut dyn Storage,
    control: &Control,
    valued: &mut Valued<'_>,
) -> Result<Counts, PassError> {
    let last = match extent {
        Extent::Plies(plies) => board.cells().min(usize::from(plies)),
        Extent::Whole | Extent::WholeWithValues => board.cells(),
    };
    let with_values = extent == Extent::WholeWithValues;
    control.start(board.lanes(last) * if with_values { 2 } else { 1 });
    let mut passes = Passes::new(board, storage, control);
    let mut tiers = vec![Tier::first(board)];
    let mut all_tier_counts = vec![passes.first(&tiers[0])?];
    for ply in 1..=last {
        let next = tiers[tiers.len() - 1].next(board);
        all_tier_counts.push(passes.forward(&tiers[tiers.len() - 1], &next)?);
        if !with_values {
            passes.discard(Content::NonTerminal, ply - 1)?;
            tiers.clear();
        }
        tiers.push(next);
    }
    let mut plies: Vec<PlyCounts> = all_tier_counts
        .iter()
        .enumerate()
        .map(|(ply, tier_counts)| counts_of(board, ply, tier_counts))
        .collect();
    let mut branching = Branching::default();
    for tier_counts in all_tier_counts.iter().take(board.cells()) {
        branching.positions += tier_counts.reached.without_line;
        branching.moves += tier_counts.moves;
    }
    let mut values = None;
    if with_values {
        let codes = Codes::new(board.size());
        let evaluations = evaluate(board, codes, &tiers, &mut passes, valued)?;
        for (counts, (tier_counts, evaluation)) in
            plies.iter_mut().zip(all_tier_counts.iter().zip(&evaluations))
        {
            add_values(counts, codes, tier_counts, &evaluation.histogram);
        }
        values = Some(gather_values(board, codes, &all_tier_counts, &evaluations));
    }
    let mut counts = Counts { plies, branching, values };
    counts.end_with_the_longest_game();
    Ok(counts)
}

/// The backward pass over all tiers; the evaluations by ply.
fn evaluate(
    board: &Board,
    codes: Codes,
    tiers: &[Tier],
    passes: &mut Passes<'_>,
    valued: &mut Valued<'_>,
) -> Result<Vec<Evaluation>, PassError> {
    let mut evaluations = Vec::new();
    for tier in tiers.iter().rev() {
        evaluations.push(passes.backward(codes, tier, tiers.get(tier.ply + 1))?);
        valued(passes, tier)?;
        if tier.ply < board.cells() {
            passes.discard(Content::Values, tier.ply + 1)?;
        }
        passes.discard(Content::NonTerminal, tier.ply)?;
    }
    evaluations.reverse();
    Ok(evaluations)
}

fn counts_of(board: &Board, ply: usize, tier_counts: &TierCounts) -> PlyCounts {
    let positions = tier_counts.reached.positions;
    let full = ply == board.cells();
    PlyCounts {
        ply: Ply(ply as u8),
        positions: Some(positions),
        canonical: Some((positions + tier_counts.symmetric) / 2),
        terminal: Some(positions - if full { 0 } else { tier_counts.reached.without_line }),
        ..PlyCounts::default()
    }
}

/// Positions with a line are lost in no plies; the histogram holds the others.
const fn finished(tier_counts: &TierCounts) -> u64 {
    tier_counts.reached.positions - tier_counts.reached.without_line
}

fn add_values(
    counts: &mut PlyCounts,
    codes: Codes,
    tier_counts: &TierCounts,
    histogram: &Histogram,
) {
    let mut sums = [finished(tier_counts), 0, 0];
    for (value, count) in codes.tabulate(counts.ply, &histogram.0) {
        sums[(value.outcome.sign() + 1) as usize] += count;
    }
    let [losses, draws, wins] = sums.map(Some);
    *counts = PlyCounts { wins, draws, losses, ..*counts };
}

fn gather_values(
    board: &Board,
    codes: Codes,
    all_tier_counts: &[TierCounts],
    evaluations: &[Evaluation],
) -> Values {
    let mut longest = [None; 2];
    let mut plies = Vec::new();
    for (ply, (tier_counts, evaluation)) in all_tier_counts.iter().zip(evaluations).enumerate() {
        let mut values: Vec<_> = codes.tabulate(Ply(ply as u8), &evaluation.histogram.0).collect();
        if finished(tier_counts) > 0 {
            values.push((Value::new(Outcome::Loss, Remoteness(0)), finished(tier_counts)));
        }
        values.sort_unstable_by_key(|&(value, _)| Reverse(value));
        plies.push(values);
        let slowest = evaluation.slowest.map(|example| {
            example.map(|(code, profile, bits): Example| Longest {
                value: codes.value(Ply(ply as u8), code),
                position: board.position(profile, bits),
            })
        });
        for (longest, slowest) in longest.iter_mut().zip(slowest) {
            let remoteness = |longest: &Option<Longest>| longest.map(|l| l.value.remoteness);
            if remoteness(&slowest) > remoteness(longest) {
                *longest = slowest;
            }
        }
    }
    let start = plies[0].first().map_or(Value::new(Outcome::Draw, Remoteness(0)), |&(v, _)| v);
    let [longest_win, longest_loss] = longest;
    Values { start, plies, longest_win, longest_loss }
}
