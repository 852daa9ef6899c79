//! The oracle: plain, obvious, slow.

use super::evaluate::{DRAWN, evaluate};
use super::points::Points;
use crate::control::{Control, Stopped};
use crate::game::{Game, Outcome, Stones};
use crate::statistics::SearchCounters;

/// The minimax value at a depth, by visiting every history up to it, for the side to move.
///
/// Nothing is pruned, ordered or remembered: this is the definition that every faster search has
/// to agree with.
///
/// # Errors
/// If the control asks it to stop.
pub fn minimax<G: Game>(
    game: &G,
    position: Stones,
    depth: u32,
    control: &Control,
    counters: &mut SearchCounters,
) -> Result<Points, Stopped> {
    below(game, position, depth, 0, control, counters)
}

fn below<G: Game>(
    game: &G,
    position: Stones,
    depth: u32,
    from_root: u32,
    control: &Control,
    counters: &mut SearchCounters,
) -> Result<Points, Stopped> {
    counters.nodes += 1;
    if counters.nodes.is_multiple_of(1 << 14) {
        control.check()?;
    }
    match game.terminal(position) {
        Some(Outcome::Draw) => return Ok(DRAWN),
        Some(_) => return Ok(Points::lost_at(from_root)),
        None => {}
    }
    if depth == 0 {
        counters.leaf_evaluations += 1;
        return Ok(evaluate(game, position));
    }
    let mut best = -Points::INFINITY;
    for m in game.moves(position) {
        let next = game.play(position, m);
        best = best.max(-below(game, next, depth - 1, from_root + 1, control, counters)?);
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::walk;
    use crate::game::{Remoteness, Standard, TicTacToe, Value};

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
        assert_eq!((root, counters.nodes, counters.leaf_evaluations), (DRAWN, 549_946, 0));
        let edge = crate::game::notation::parse_moves(&game, "12").unwrap();
        let edge = minimax(&game, edge, 7, &control, &mut counters).unwrap();
        assert_eq!(edge.decided(), Some(Value::new(Outcome::Win, Remoteness(5))));
    }
}
