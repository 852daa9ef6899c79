//! The oracle: plain, obvious, slow.

use super::points::Points;
use crate::control::{Control, Stopped};
use crate::game::{Evaluate, Outcome, branches};
use crate::statistics::SearchCounters;

/// The minimax score at a depth, by visiting every history up to it, for the side to move.
///
/// Nothing is pruned, ordered or remembered: this is the definition that every faster search has
/// to agree with.
///
/// # Errors
/// If the control asks it to stop.
pub fn minimax<G: Evaluate>(
    game: &G,
    position: G::Position,
    depth: u32,
    control: &Control,
    counters: &mut SearchCounters,
) -> Result<Points, Stopped> {
    below(game, position, depth, 0, control, counters)
}

fn below<G: Evaluate>(
    game: &G,
    position: G::Position,
    depth: u32,
    from_root: u32,
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
        return Ok(Points::evaluated(game.evaluate(position)));
    }
    let mut best = -Points::INFINITY;
    for (_, _, keeps_turn, next) in branches(game, position) {
        let points = below(game, next, depth - 1, from_root + 1, control, counters)?;
        best = best.max(if keeps_turn { points } else { -points });
    }
    Ok(best)
}

/// The score of a game that is over, for the side to move.
#[inline(always)]
pub(super) fn over(outcome: Outcome, from_root: u32) -> Points {
    match outcome {
        Outcome::Loss => Points::lost_at(from_root),
        Outcome::Draw => Points::ZERO,
        Outcome::Win => -Points::lost_at(from_root),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::walk;
    use crate::game::Game;
    use crate::game::{Remoteness, Value};
    use crate::games::line::{Standard, TicTacToe};

    #[test]
    fn minimax_visits_every_history() {
        let game = Standard::fixed();
        let mut counters = SearchCounters::default();
        minimax(&game, game.initial(), 7, &Control::default(), &mut counters).unwrap();
        let histories = walk(&game, game.initial(), 7, &Control::default()).unwrap();
        assert_eq!(counters.nodes, histories.nodes());
    }

    #[test]
    fn to_the_end_minimax_gives_the_exact_value() {
        let game = TicTacToe::fixed();
        let control = Control::default();
        let mut counters = SearchCounters::default();
        let root = minimax(&game, game.initial(), 9, &control, &mut counters).unwrap();
        assert_eq!((root, counters.nodes, counters.leaf_evaluations), (Points::ZERO, 549_946, 0));
        let edge = crate::games::line::notation::parse_moves(&game, "12").unwrap();
        let edge = minimax(&game, edge, 7, &control, &mut counters).unwrap();
        assert_eq!(edge.decided(), Some(Value::new(Outcome::Win, Remoteness(5))));
    }
}
