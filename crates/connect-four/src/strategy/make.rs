//! Construction of strategies.

use std::mem::replace;
use std::time::Duration;

use super::choices::Choices;
use super::graph::{AndOrGraph, OrId, SearchParameters};
use super::grid::Grid;
use super::plan::{Claim, PositionIndex, Side};
use super::{PlannedPosition, Strategy};
use crate::solver::Solver;
use everyply_core::clock::Instant;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Game, Unreadable};
use everyply_core::games::line::notation::{IndexBase, parse_moves_from, write_moves};
use everyply_core::games::line::{LineGame, SizeError, Stones};

/// Options of [`make`].
#[derive(Clone, Debug)]
pub struct MakeOptions {
    /// The side of the strategy, and the score it claims.
    pub claim: Claim,
    /// The moves to the start of the strategy.
    pub moves: String,
    /// The time for improving the first strategy; `None` to stop when no improvement is found.
    pub improve_for: Option<Duration>,
    /// The limit of the memory of the search, in bytes.
    pub memory: u64,
}

impl MakeOptions {
    /// Creates the options for the first strategy found, in 1 GiB of memory.
    pub const fn of(claim: Claim, moves: String) -> Self {
        Self { claim, moves, improve_for: Some(Duration::ZERO), memory: 1 << 30 }
    }
}

/// Errors of [`make`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The board does not fit.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The moves are not valid.
    #[error(transparent)]
    Moves(#[from] Unreadable),
    /// The game is over at the start.
    #[error("the game is over: there is nothing to claim")]
    Over,
    /// The claim is too high.
    #[error("the claim does not hold: the {side} player gets less", side = .0.name())]
    DoesNotHold(Side),
    /// After this number of positions the search needs more memory than this limit in bytes.
    #[error(
        "after {0} positions the search needs more than {1} bytes of memory: start from a position \
         with more stones, or claim less"
    )]
    Memory(u64, u64),
    /// The control stopped the search before there was a strategy.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Nodes expanded together. The number does not depend on the number of threads, so that the
/// strategy does not either.
const EXPANDED_AT_ONCE: usize = 32;

/// Estimates of unexpanded positions after a quick first strategy, one after the other: fractions
/// of the cost of solved positions with as many stones.
const COST_FACTORS: [f64; 2] = [0.6, 0.3];

/// The contradictions allowed in a search for a plan when the improvement with bases alone ends. The
/// first strategy and the first improvements are with bases alone: there are fewer plans to search,
/// and the result is smaller.
const LAST_CONFLICTS_OF_BASES: u32 = 2000;

/// Makes a strategy.
///
/// # Errors
/// If the claim does not hold, the board or the moves do not fit, or the control stops the search
/// before a strategy is complete. A later stop ends the improvement, without an error.
///
/// The control counts the positions expanded. `report` receives the number of positions of the
/// strategy, once there is one, and after every improvement.
pub fn make(
    solver: &Solver,
    options: &MakeOptions,
    control: &Control,
    report: impl FnMut(usize),
) -> Result<Strategy, MakeError> {
    make_in(SearchParameters::of(solver.game().size().cells()), solver, options, control, report)
}

pub(super) fn make_in(
    parameters: SearchParameters,
    solver: &Solver,
    options: &MakeOptions,
    control: &Control,
    mut report: impl FnMut(usize),
) -> Result<Strategy, MakeError> {
    let size = solver.game().size();
    let grid = Grid::new(size)?;
    let MakeOptions { claim, ref moves, improve_for, memory } = *options;
    let (start, played) = parse_moves_from(&grid.game, moves, IndexBase::One)?;
    let moves = write_moves(&grid.game, &played);
    if grid.game.result(start).is_some() {
        return Err(MakeError::Over);
    }
    let occupied = start.occupied();
    let stones = occupied.count_ones() + 1;
    let is_to_move = Side::to_move(start) == claim.side;
    let wins_at_once = grid.completes_now(start.own, occupied).is_some();
    if wins_at_once && is_to_move && claim.met_by_win(grid.cells, stones) {
        return Ok(Strategy { size, claim, moves, positions: Vec::new() });
    }
    if wins_at_once && (is_to_move || !claim.met_by_loss(grid.cells, stones)) {
        return Err(MakeError::DoesNotHold(claim.side));
    }
    let mut graph = AndOrGraph::new(grid, claim, solver, parameters);
    let root = if is_to_move {
        graph.or_root(Stones { own: start.other, other: start.own }, control)?
    } else {
        let and = graph.and_root(start);
        graph.single_choice(and)
    };
    let mut expanded = 0;
    while !graph.ors[root as usize].is_solved {
        if graph.ors[root as usize].cost.is_infinite() {
            return Err(MakeError::DoesNotHold(claim.side));
        }
        expanded += expand(&mut graph, root, control)?;
        if graph.bytes() > memory {
            return Err(MakeError::Memory(expanded, memory));
        }
    }
    let begun = Instant::now();
    let mut choices = Choices::new(&graph, root);
    report(choices.count);
    if parameters.is_quick {
        let deadline = improve_for.map(|limit| begun + limit / 2);
        let is_over = |graph: &AndOrGraph<'_>| {
            deadline.is_some_and(|at| Instant::now() >= at) || graph.bytes() > memory
        };
        choices = refine(&mut graph, root, choices, &is_over, control);
        report(choices.count);
    }
    let deadline = improve_for.map(|limit| begun + limit);
    let is_over = |graph: &AndOrGraph<'_>| {
        control.check().is_err()
            || deadline.is_some_and(|at| Instant::now() >= at)
            || graph.bytes() > memory
    };
    let mut improve = |graph: &mut AndOrGraph<'_>, last_conflicts| {
        choices.improve(graph, last_conflicts, control, &is_over, &mut report);
    };
    improve(&mut graph, LAST_CONFLICTS_OF_BASES);
    graph.allow_any_answers();
    improve(&mut graph, parameters.last_conflicts);
    let chosen = chosen_positions(&graph, &choices);
    let positions = reachable_positions(&graph.grid, claim, start, chosen);
    Ok(Strategy { size, claim, moves, positions })
}

/// Expands open positions of the cheapest strategy, and returns their number.
fn expand(graph: &mut AndOrGraph<'_>, root: OrId, control: &Control) -> Result<u64, Stopped> {
    let frontier = graph.frontier(root, EXPANDED_AT_ONCE);
    graph.expand(&frontier, control)?;
    control.advance(frontier.len() as u64);
    Ok(frontier.len() as u64)
}

/// Searches for a strategy smaller than a quick first one, and returns the smallest found.
fn refine(
    graph: &mut AndOrGraph<'_>,
    root: OrId,
    mut choices: Choices,
    is_over: &dyn Fn(&AndOrGraph<'_>) -> bool,
    control: &Control,
) -> Choices {
    for factor in COST_FACTORS {
        if is_over(graph) {
            break;
        }
        graph.reestimate(factor);
        while !graph.ors[root as usize].is_solved && !is_over(graph) {
            if expand(graph, root, control).is_err() {
                break;
            }
        }
        graph.recompute_costs(true);
        let others = Choices::new(graph, root);
        if others.count < choices.count {
            choices = others;
        }
    }
    choices
}

fn chosen_positions(graph: &AndOrGraph<'_>, choices: &Choices) -> Vec<PlannedPosition> {
    let planned = |and| {
        let node = &graph.ands[and as usize];
        PlannedPosition { position: node.position, plan: node.plan }
    };
    let mut positions: Vec<PlannedPosition> = choices.and_nodes().map(planned).collect();
    positions.sort_unstable_by_key(|planned| (planned.position.other, planned.position.own));
    positions
}

/// Keeps the positions that are reached when the strategy is followed. The follower makes the
/// leftmost move that leads to a position of the strategy, which can differ from the chosen move.
pub(super) fn reachable_positions(
    grid: &Grid,
    claim: Claim,
    start: Stones,
    positions: Vec<PlannedPosition>,
) -> Vec<PlannedPosition> {
    let index = PositionIndex::of(&positions);
    let mut stack: Vec<usize> = index.first(grid, start, claim.side).into_iter().collect();
    let mut is_reached = vec![false; positions.len()];
    while let Some(at) = stack.pop() {
        if replace(&mut is_reached[at], true) {
            continue;
        }
        let PlannedPosition { position, plan } = &positions[at];
        for after in plan.after_exits(grid, *position) {
            let wins = grid.completes_now(after.other, after.occupied()).is_some()
                && claim.met_by_win(grid.cells, after.occupied().count_ones() + 1);
            if !wins {
                stack.extend(index.leading_move(grid, after).map(|(_, at)| at));
            }
        }
    }
    let mut is_reached = is_reached.into_iter();
    positions.into_iter().filter(|_| is_reached.next() == Some(true)).collect()
}
