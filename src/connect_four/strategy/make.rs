//! Strategies made.

use std::mem::replace;
use std::time::{Duration, Instant};

use super::claim::{Claim, Side};
use super::field::{Field, each};
use super::finder::Answers;
use super::improve::Choices;
use super::index::Index;
use super::tree::{Manner, Or, Tree};
use super::{Entry, Strategy};
use crate::connect_four::solver::Solver;
use crate::control::{Control, Stopped};
use crate::game::Game;
use crate::games::line::notation::{IndexBase, NotationError, parse_moves_from, write_moves};
use crate::games::line::{LineGame, SizeError, Stones};

/// What is to be made.
#[derive(Clone, Debug)]
pub struct Making {
    /// What is claimed, and for whom.
    pub claim: Claim,
    /// The moves to the position it starts from.
    pub moves: String,
    /// How long choices are improved once there is a strategy; until nothing is found any more
    /// if there is no limit.
    pub improve_for: Option<Duration>,
    /// What its plans may be made of.
    pub answers: Answers,
    /// The most memory the search may take, in bytes.
    pub memory: u64,
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions looked into.
    pub grown: u64,
    /// Positions of the cheapest strategy, as far as it is known.
    pub cost: f64,
    /// The positions of the strategy, once there is one.
    pub positions: Option<u64>,
}

/// Why there is no strategy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The board does not fit.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The moves are none.
    #[error(transparent)]
    Moves(#[from] NotationError),
    /// The game is over at the start.
    #[error("the game is over: there is nothing to claim")]
    Over,
    /// It claims too much.
    #[error("the claim does not hold: the {side} player gets less", side = .0.word())]
    DoesNotHold(Side),
    /// It does not fit in memory.
    #[error(
        "after {positions} positions the search needs more than {memory} bytes of memory: start \
         from a position with more stones, or claim less"
    )]
    Memory {
        /// Positions looked into.
        positions: u64,
        /// What was allowed.
        memory: u64,
    },
    /// It was stopped before there was one.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Nodes grown together. It does not depend on the number of threads, so that the strategy does
/// not either.
const GROWN_AT_ONCE: usize = 32;

/// What is hoped of positions that were not looked into by a first, hasty search: the part of what
/// those that were have come to cost, one after the other.
const HOPES: [f64; 3] = [0.3, 0.6, 0.9];

/// Makes a strategy.
///
/// # Errors
/// If the claim does not hold, the board or the moves do not fit, or the control asks it to stop
/// before there is a strategy. Stopped later, it gives what it has.
pub fn make(
    solver: &Solver,
    making: &Making,
    control: &Control,
    see: impl FnMut(Progress),
) -> Result<Strategy, MakeError> {
    make_in(Manner::of(solver.game().size().cells()), solver, making, control, see)
}

/// As [`make`], in a manner of its own.
pub(super) fn make_in(
    manner: Manner,
    solver: &Solver,
    making: &Making,
    control: &Control,
    mut see: impl FnMut(Progress),
) -> Result<Strategy, MakeError> {
    let size = solver.game().size();
    let field = Field::new(size)?;
    let Making { claim, ref moves, improve_for, answers, memory } = *making;
    let (start, played) = parse_moves_from(&field.game, moves, IndexBase::One)?;
    let moves = write_moves(&field.game, &played);
    if field.game.result(start).is_some() {
        return Err(MakeError::Over);
    }
    let occupied = start.occupied();
    let stones = occupied.count_ones() + 1;
    let is_to_move = Side::to_move(start) == claim.side;
    let wins_at_once = field.completes_now(start.own, occupied).is_some();
    if wins_at_once && is_to_move && claim.wins(field.cells, stones) {
        return Ok(Strategy { size, claim, moves, entries: Vec::new() });
    }
    if wins_at_once && (is_to_move || !claim.bears_loss(field.cells, stones)) {
        return Err(MakeError::DoesNotHold(claim.side));
    }
    let mut tree = Tree::new(field, claim, solver, manner, answers);
    let root = if is_to_move {
        tree.choice(Stones { own: start.other, other: start.own }, control)?
    } else {
        let and = tree.root(start);
        tree.only(and)
    };
    let mut grown = 0;
    while !tree.ors[root as usize].is_solved {
        let cost = tree.ors[root as usize].cost;
        if cost.is_infinite() {
            return Err(MakeError::DoesNotHold(claim.side));
        }
        grown += grow(&mut tree, root, control)?;
        if tree.bytes() > memory {
            return Err(MakeError::Memory { positions: grown, memory });
        }
        see(Progress { grown, cost, positions: None });
    }
    let begun = Instant::now();
    let mut choices = Choices::new(&tree, root);
    let mut tell = |positions: usize, grown| {
        let positions = positions as u64;
        see(Progress { grown, cost: positions as f64, positions: Some(positions) });
    };
    if tree.is_hasty() {
        let deadline = improve_for.map(|limit| begun + limit / 2);
        let is_over = |tree: &Tree<'_>| {
            deadline.is_some_and(|at| Instant::now() >= at) || tree.bytes() > memory
        };
        let mut tell = |positions, more| {
            grown += more;
            tell(positions, grown);
        };
        choices = refined(&mut tree, root, choices, &is_over, control, &mut tell);
    }
    let deadline = improve_for.map(|limit| begun + limit);
    choices.improve(&mut tree, deadline, control, |positions| tell(positions, grown));
    let entries = reached(&tree.field, claim, start, entries(&tree, &choices));
    Ok(Strategy { size, claim, moves, entries })
}

/// Looks into the open positions of the cheapest strategy; how many these were.
fn grow(tree: &mut Tree<'_>, root: Or, control: &Control) -> Result<u64, Stopped> {
    let frontier = tree.frontier(root, GROWN_AT_ONCE);
    tree.grow(&frontier, control)?;
    control.advance(frontier.len() as u64);
    Ok(frontier.len() as u64)
}

/// Looks into what may be cheaper than a hasty search's strategy, as far as that can be told from
/// the strategy, and gives the smallest that was found. `see` is told its positions and how many
/// more were looked into.
fn refined(
    tree: &mut Tree<'_>,
    root: Or,
    mut choices: Choices,
    is_over: &dyn Fn(&Tree<'_>) -> bool,
    control: &Control,
    see: &mut dyn FnMut(usize, u64),
) -> Choices {
    for hope in HOPES {
        if is_over(tree) {
            break;
        }
        tree.expect(hope);
        while !tree.ors[root as usize].is_solved && !is_over(tree) {
            let Ok(more) = grow(tree, root, control) else { break };
            see(choices.positions(), more);
        }
        tree.settle_for_what_is_solved();
        let others = Choices::new(tree, root);
        if others.positions() < choices.positions() {
            choices = others;
        }
    }
    choices
}

fn entries(tree: &Tree<'_>, choices: &Choices) -> Vec<Entry> {
    let entry = |and| {
        let node = &tree.ands[and as usize];
        Entry { position: node.position, plan: node.plan }
    };
    let mut entries: Vec<Entry> = choices.stored().map(entry).collect();
    entries.sort_unstable_by_key(|entry| (entry.position.other, entry.position.own));
    entries
}

/// The entries that are reached. Whoever follows a strategy comes to the first of its entries from
/// the left, which need not be the one that was chosen for him.
pub(super) fn reached(
    field: &Field,
    claim: Claim,
    start: Stones,
    entries: Vec<Entry>,
) -> Vec<Entry> {
    let index = Index::of(&entries);
    let lead = |stones| index.lead(field, stones).map(|(_, entry)| entry);
    let mut stack: Vec<usize> = if Side::to_move(start) == claim.side {
        lead(Stones { own: start.other, other: start.own }).into_iter().collect()
    } else {
        index.find(field, start).map(|(entry, _)| entry).into_iter().collect()
    };
    let mut is_reached = vec![false; entries.len()];
    while let Some(entry) = stack.pop() {
        if replace(&mut is_reached[entry], true) {
            continue;
        }
        let Entry { position, plan } = &entries[entry];
        let occupied = position.occupied();
        let is_exit = |cell: &u64| plan.exits >> field.column_of(cell.trailing_zeros()) & 1 == 1;
        for reply in each(field.playable(occupied)).filter(is_exit) {
            let after = Stones { own: position.own | reply, other: position.other };
            let wins = field.completes_now(after.other, after.occupied()).is_some()
                && claim.wins(field.cells, after.occupied().count_ones() + 1);
            if !wins {
                stack.extend(lead(after));
            }
        }
    }
    let mut is_reached = is_reached.into_iter();
    entries.into_iter().filter(|_| is_reached.next() == Some(true)).collect()
}
