//! Strategies made.

use std::time::{Duration, Instant};

use super::claim::{Claim, Side};
use super::field::Field;
use super::finder::{Answers, Patience};
use super::improve::Choices;
use super::tree::{Asked, Tree};
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

/// What the solver is asked about on boards whose positions with few stones take it minutes.
const ASKED_ON_LARGE_BOARDS: Asked = Asked { at_once: 28, when_grown: 36 };

/// Makes a strategy.
///
/// # Errors
/// If the claim does not hold, the board or the moves do not fit, or the control asks it to stop
/// before there is a strategy. Stopped later, it gives what it has.
pub fn make(
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
    let asked = match field.cells {
        cells @ ..=42 => Asked { at_once: cells, when_grown: cells },
        _ => ASKED_ON_LARGE_BOARDS,
    };
    let patience = Patience { conflicts: 300, positions: 30_000 };
    let mut tree = Tree::new(field, claim, solver, asked, patience, answers);
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
        let frontier = tree.frontier(root, GROWN_AT_ONCE);
        tree.grow(&frontier, control)?;
        grown += frontier.len() as u64;
        control.advance(frontier.len() as u64);
        if tree.bytes() > memory {
            return Err(MakeError::Memory { positions: grown, memory });
        }
        see(Progress { grown, cost, positions: None });
    }
    let deadline = improve_for.map(|limit| Instant::now() + limit);
    let mut choices = Choices::new(&tree, root);
    choices.improve(&mut tree, deadline, control, |positions| {
        see(Progress { grown, cost: positions as f64, positions: Some(positions as u64) });
    });
    let entries = entries(&tree, &choices);
    Ok(Strategy { size, claim, moves, entries })
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
