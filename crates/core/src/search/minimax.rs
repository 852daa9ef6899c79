//! The oracle: plain, obvious, slow minimax.

use super::evaluation::Evaluation;
use super::points::Points;
use crate::control::{Control, Stopped};
use crate::game::{Evaluate, Outcome, branches};
use crate::statistics::SearchCounters;

/// Returns the minimax score at a depth, for the side to move, by visiting every history up to it.
///
/// The search prunes, orders and remembers nothing: it is the definition that every faster search must
/// agree with.
pub fn minimax<G: Evaluate>(
    game: &G,
    position: G::Position,
    depth: u32,
    evaluation: Evaluation,
    control: &Control,
    counters: &mut SearchCounters,
) -> Result<Points, Stopped> {
    below(game, position, (depth, 0), evaluation, control, counters)
}

fn below<G: Evaluate>(
    game: &G,
    position: G::Position,
    (depth, from_root): (u32, u32),
    evaluation: Evaluation,
    control: &Control,
    counters: &mut SearchCounters,
) -> Result<Points, Stopped> {
    counters.nodes += 1;
    if counters.nodes.is_multiple_of(1 << 14) {
        control.check()?;
    }
    if let Some(outcome) = game.result(position) {
        return Ok(over(outcome, from_root));
    }
    if depth == 0 {
        counters.leaf_evaluations += 1;
        return Ok(evaluation.points(game, position));
    }
    let mut best = -Points::INFINITY;
    for (_, _, keeps_turn, next) in branches(game, position) {
        let points = below(game, next, (depth - 1, from_root + 1), evaluation, control, counters)?;
        best = best.max(if keeps_turn { points } else { -points });
    }
    Ok(best)
}

/// Returns the score of a game that is over, for the side to move.
#[inline(always)]
pub(super) fn over(outcome: Outcome, from_root: u32) -> Points {
    match outcome {
        Outcome::Loss => Points::lost_at(from_root),
        Outcome::Draw => Points::ZERO,
        Outcome::Win => -Points::lost_at(from_root),
    }
}
