//! The counts of a whole board, and of its values.

use std::cmp::Reverse;

use super::backward::Evaluation;
use super::board::Board;
use super::code::Codes;
use super::forward::{PositionCounts, Reached};
use super::making::Maker;
use super::plan::{Plan, Tier};
use super::scheduler::{Consumer, Scheduler};
use super::storage::Storage;
use super::unit::{Content, PassError};
use everyply_core::control::Control;
use everyply_core::game::{Outcome, Ply, Remoteness, Value};
use everyply_core::games::line::Stones;
use everyply_core::statistics::PlyCounts;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    #[default]
    Whole,
    Plies(u8),
    WholeWithValues,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Per ply: positions, canonical, terminal; wins, draws and losses if values are computed. The
    /// last entry is the last ply that a game reaches.
    pub plies: Vec<PlyCounts>,
    /// The non-terminal positions and their moves: the quotient is the average branching factor.
    pub branching: Branching,
    pub values: Option<Values>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branching {
    pub positions: u64,
    pub moves: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    pub start: Value,
    /// Per ply: every value that occurs, the best first, and its number of positions.
    pub plies: Vec<Vec<(Value, u64)>>,
    pub longest_win: Option<Longest>,
    pub longest_loss: Option<Longest>,
}

/// The slowest value of an outcome, and an example: the first position by ply that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest {
    pub value: Value,
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
/// If the control stops the count, or the storage cannot keep a unit.
pub fn count(
    board: &Board,
    extent: Extent,
    storage: &dyn Storage,
    control: &Control,
) -> Result<Counts, PassError> {
    run(board, extent, storage, control, None)
}

/// Runs both passes; the consumer receives the tiers from the last to the first.
pub(super) fn run(
    board: &Board,
    extent: Extent,
    storage: &dyn Storage,
    control: &Control,
    consumer: Option<&dyn Consumer>,
) -> Result<Counts, PassError> {
    let last = match extent {
        Extent::Plies(plies) => usize::from(plies),
        Extent::Whole | Extent::WholeWithValues => board.cells(),
    };
    let plan = Plan::new(board, storage.cut(), last);
    let scheduler = Scheduler { maker: Maker::new(&plan, storage, control), consumer };
    run_plan(&scheduler, extent)?;
    gather(&scheduler.maker, extent == Extent::WholeWithValues)
}

pub(super) fn run_plan(scheduler: &Scheduler<'_>, extent: Extent) -> Result<(), PassError> {
    let Maker { plan, control, .. } = &scheduler.maker;
    let with_values = extent == Extent::WholeWithValues;
    let lanes: usize = plan.tiers.iter().map(Tier::lanes).sum();
    control.start(lanes as u64 * if with_values { 2 } else { 1 });
    scheduler.forward(with_values)?;
    if with_values {
        scheduler.backward()?;
    }
    Ok(scheduler.maker.storage.settle()?)
}

/// Adds up the counts of a board from the summaries of its units, all of which must be made. Plies
/// that no game reaches are left out, as in all other engines.
pub(super) fn gather(maker: &Maker<'_>, with_values: bool) -> Result<Counts, PassError> {
    let Maker { plan, .. } = *maker;
    let (board, codes) = (plan.board, Codes::new(plan.board.size()));
    let mut counts = Counts { plies: Vec::new(), branching: Branching::default(), values: None };
    let (mut values, mut longest) = (Vec::new(), [None; 2]);
    for ply in (0..plan.tiers.len()).map(|ply| Ply(ply as u8)) {
        let mut sum = PositionCounts::default();
        for unit in plan.units(Content::NonTerminal, ply) {
            sum.add(maker.made(unit, PositionCounts::from_summary)?);
        }
        let Reached { positions, without_line } = sum.reached;
        if positions == 0 {
            break;
        }
        let finished = positions - without_line;
        let mut row = PlyCounts {
            ply,
            positions: Some(positions),
            canonical: Some((positions + sum.symmetric) / 2),
            terminal: Some(if ply == board.last_ply() { positions } else { finished }),
            ..PlyCounts::default()
        };
        if ply < board.last_ply() {
            counts.branching.positions += without_line;
            counts.branching.moves += sum.moves;
        }
        if with_values {
            let mut sum = Evaluation::default();
            for unit in plan.units(Content::Values, ply) {
                sum.add(codes, &maker.made(unit, Evaluation::from_summary)?);
            }
            let mut of_ply: Vec<_> = codes.tabulate(ply, &sum.histogram.0).collect();
            // Positions with a line are losses in 0 plies, which the histogram does not count.
            if finished > 0 {
                of_ply.push((Value::over(Outcome::Loss), finished));
            }
            of_ply.sort_unstable_by_key(|&(value, _)| Reverse(value));
            let mut outcomes = [0; 3];
            for (value, count) in &of_ply {
                outcomes[(value.outcome.sign() + 1) as usize] += count;
            }
            let [losses, draws, wins] = outcomes.map(Some);
            row = PlyCounts { wins, draws, losses, ..row };
            values.push(of_ply);
            for (longest, slowest) in longest.iter_mut().zip(sum.slowest) {
                let slowest = slowest.map(|(code, profile, bits)| Longest {
                    value: codes.value(ply, code),
                    position: board.position(profile, bits),
                });
                let remoteness = |longest: &Option<Longest>| longest.map(|l| l.value.remoteness);
                if remoteness(&slowest) > remoteness(longest) {
                    *longest = slowest;
                }
            }
        }
        counts.plies.push(row);
    }
    if with_values {
        let drawn = Value::new(Outcome::Draw, Remoteness(0));
        let start = values[0].first().map_or(drawn, |&(value, _)| value);
        let [longest_win, longest_loss] = longest;
        counts.values = Some(Values { start, plies: values, longest_win, longest_loss });
    }
    Ok(counts)
}
