//! The counts of a whole board, and of its values.

use std::cmp::Reverse;

use super::backward::Histogram;
use super::board::Board;
use super::code::Codes;
use super::error::{PassError, StorageError};
use super::making::Maker;
use super::plan::Plan;
use super::run::{Consumer, Run};
use super::storage::Storage;
use super::summaries::{Evaluation, Example, PositionCounts};
use super::tier::Tier;
use super::unit::Content;
use crate::control::Control;
use crate::game::{Outcome, Ply, Remoteness, Value};
use crate::games::line::Stones;
use crate::statistics::PlyCounts;

/// The extent of a count.
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
    /// The last entry is the last ply that a game reaches.
    pub plies: Vec<PlyCounts>,
    /// The non-terminal positions and their moves: the quotient is the average branching factor.
    pub branching: Branching,
    /// The values, if they were asked for.
    pub values: Option<Values>,
}

impl Counts {
    /// Drops the plies that no game reaches, as all other engines do.
    fn end_with_the_longest_game(&mut self) {
        let reached = self.plies.iter().take_while(|ply| ply.positions != Some(0)).count();
        self.plies.truncate(reached);
        if let Some(values) = &mut self.values {
            values.plies.truncate(reached);
        }
    }
}

/// The moves of all non-terminal positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branching {
    /// Non-terminal positions.
    pub positions: u64,
    /// The number of their moves.
    pub moves: u64,
}

/// The values of all positions of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The value of the empty board.
    pub start: Value,
    /// Per ply: every value that occurs, the best first, and its number of positions.
    pub plies: Vec<Vec<(Value, u64)>>,
    /// The longest win, if the side to move wins any position.
    pub longest_win: Option<Longest>,
    /// The longest loss, if there is one.
    pub longest_loss: Option<Longest>,
}

/// The slowest value of an outcome, and an example: the first position by ply that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest {
    /// The value.
    pub value: Value,
    /// A position with this value.
    pub position: Stones,
}

/// Counts the positions of a board, tier by tier.
///
/// The results are the same for any number of threads and any storage. An interrupted run continues
/// from the units in the storage.
///
/// The control counts lanes: 512 colourings of a profile in one pass.
///
/// # Errors
/// If the control stops it, or the storage cannot keep a unit.
pub fn count(
    board: &Board,
    extent: Extent,
    storage: &dyn Storage,
    control: &Control,
) -> Result<Counts, PassError> {
    run(board, extent, storage, control, None)
}

/// Runs both passes; the consumer gets the tiers from the last to the first.
pub(super) fn run(
    board: &Board,
    extent: Extent,
    storage: &dyn Storage,
    control: &Control,
    consumer: Option<&dyn Consumer>,
) -> Result<Counts, PassError> {
    let plan = extent.plan(board, storage);
    let run = Run { maker: Maker::new(&plan, storage, control), consumer };
    run_plan(&run, extent)?;
    gather(&run.maker, extent == Extent::WholeWithValues)
}

/// Runs both passes of a given plan.
pub(super) fn run_plan(run: &Run<'_>, extent: Extent) -> Result<(), PassError> {
    let Maker { plan, control, .. } = &run.maker;
    let with_values = extent == Extent::WholeWithValues;
    let lanes: usize = plan.tiers.iter().map(Tier::lanes).sum();
    control.start(lanes as u64 * if with_values { 2 } else { 1 });
    run.forward(with_values)?;
    if with_values {
        run.backward()?;
    }
    Ok(run.maker.storage.settle()?)
}

impl Extent {
    /// The plan of a board up to this extent, in units for a storage.
    pub(super) fn plan<'a>(self, board: &'a Board, storage: &dyn Storage) -> Plan<'a> {
        let last = match self {
            Self::Plies(plies) => usize::from(plies),
            Self::Whole | Self::WholeWithValues => board.cells(),
        };
        Plan::new(board, storage.cut(), last)
    }
}

/// Adds up the counts of a board from the summaries of its units, all of which must be made.
pub(super) fn gather(maker: &Maker<'_>, with_values: bool) -> Result<Counts, PassError> {
    let board = maker.plan.board;
    let mut of_positions = Vec::new();
    for ply in 0..maker.plan.tiers.len() {
        let mut sum = PositionCounts::default();
        for unit in maker.plan.units(Content::NonTerminal, Ply(ply as u8)) {
            let made = maker.made(unit, PositionCounts::from_summary)?;
            sum.add(made.ok_or(StorageError::Missing { unit })?);
        }
        of_positions.push(sum);
    }
    let mut plies: Vec<PlyCounts> = of_positions
        .iter()
        .enumerate()
        .map(|(ply, counts)| counts_of(board, ply, counts))
        .collect();
    let mut branching = Branching::default();
    for counts in of_positions.iter().take(board.cells()) {
        branching.positions += counts.reached.without_line;
        branching.moves += counts.moves;
    }
    let mut values = None;
    if with_values {
        let codes = Codes::new(board.size());
        let mut evaluations = Vec::new();
        for ply in 0..maker.plan.tiers.len() {
            let mut sum = Evaluation::default();
            for unit in maker.plan.units(Content::Values, Ply(ply as u8)) {
                let made = maker.made(unit, Evaluation::from_summary)?;
                sum.add(codes, &made.ok_or(StorageError::Missing { unit })?);
            }
            evaluations.push(sum);
        }
        for (counts, (of_positions, evaluation)) in
            plies.iter_mut().zip(of_positions.iter().zip(&evaluations))
        {
            add_values(counts, codes, of_positions, &evaluation.histogram);
        }
        values = Some(gather_values(board, codes, &of_positions, &evaluations));
    }
    let mut counts = Counts { plies, branching, values };
    counts.end_with_the_longest_game();
    Ok(counts)
}

fn counts_of(board: &Board, ply: usize, of_positions: &PositionCounts) -> PlyCounts {
    let positions = of_positions.reached.positions;
    let full = ply == board.cells();
    PlyCounts {
        ply: Ply(ply as u8),
        positions: Some(positions),
        canonical: Some((positions + of_positions.symmetric) / 2),
        terminal: Some(positions - if full { 0 } else { of_positions.reached.without_line }),
        ..PlyCounts::default()
    }
}

/// The number of positions with a line, which are lost in no plies and not in the histogram.
const fn finished(of_positions: &PositionCounts) -> u64 {
    of_positions.reached.positions - of_positions.reached.without_line
}

fn add_values(
    counts: &mut PlyCounts,
    codes: Codes,
    of_positions: &PositionCounts,
    histogram: &Histogram,
) {
    let mut sums = [finished(of_positions), 0, 0];
    for (value, count) in codes.tabulate(counts.ply, &histogram.0) {
        sums[(value.outcome.sign() + 1) as usize] += count;
    }
    let [losses, draws, wins] = sums.map(Some);
    *counts = PlyCounts { wins, draws, losses, ..*counts };
}

fn gather_values(
    board: &Board,
    codes: Codes,
    of_positions: &[PositionCounts],
    evaluations: &[Evaluation],
) -> Values {
    let mut longest = [None; 2];
    let mut plies = Vec::new();
    for (ply, (of_positions, evaluation)) in of_positions.iter().zip(evaluations).enumerate() {
        let mut values: Vec<_> = codes.tabulate(Ply(ply as u8), &evaluation.histogram.0).collect();
        if finished(of_positions) > 0 {
            values.push((Value::new(Outcome::Loss, Remoteness(0)), finished(of_positions)));
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
