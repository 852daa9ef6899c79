//! Values near the end of the game, which the rules alone give.

use crate::game::{Game, Move, Outcome, Remoteness, Value};
use crate::games::line::{ConnectFour, LineGame, Stones};

/// The value of a position if the rules alone give it within [`NEAR_END`](super::layout::NEAR_END)
/// plies, or if it is over.
pub(super) fn value(game: &ConnectFour, position: Stones) -> Option<Value> {
    if let Some(outcome) = game.result(position) {
        return Some(Value::new(outcome, Remoteness(0)));
    }
    let wins = |p: Stones| !game.winning_moves(p).is_empty();
    // Lost in two: after every move the other side completes a line. A full board is a draw, and no
    // move wins there.
    let lost = |p: Stones| game.moves(p).into_iter().all(|m| wins(game.play(p, m)));
    let play = |m: Move| game.play(position, m);
    if wins(position) {
        Some(Value::new(Outcome::Win, Remoteness(1)))
    } else if lost(position) {
        Some(Value::new(Outcome::Loss, Remoteness(2)))
    } else if game
        .moves(position)
        .into_iter()
        .map(play)
        .any(|p| game.result(p).is_none() && !wins(p) && lost(p))
    {
        Some(Value::new(Outcome::Win, Remoteness(3)))
    } else {
        None
    }
}
