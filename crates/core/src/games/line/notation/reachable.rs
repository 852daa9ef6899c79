//! Whether a game can reach a position.

use super::{NotationError, side_moved_last, side_to_move};
use crate::game::{Move, Unreached, shortest_moves};
use crate::games::line::{LineGame, Stones, Word};

/// The moves that lead to a position, in the order whose first moves are lowest: the proof that a
/// game can reach it.
///
/// # Errors
/// If there is none; the error names the rule the position breaks.
pub fn some_moves_to<W: Word, G: LineGame<W>>(
    game: &G,
    position: Stones<W>,
) -> Result<Vec<Move>, NotationError> {
    let size = game.size();
    if game.rules().stones_fall() {
        no_stone_floats(game, position)?;
    }
    let line = size.line;
    let (mover, other) = (side_moved_last(position), side_to_move(position));
    match (game.lines().is_complete(position.own), game.lines().is_complete(position.other)) {
        (true, true) => return Err(NotationError::BothComplete { line }),
        (true, false) => {
            return Err(NotationError::PlayedOn { winner: other, other: mover, line });
        }
        (false, true) => {
            let ends = |m| {
                let before = game.take_back(position, m);
                !game.lines().is_complete(before.own)
            };
            if !game.last_moves(position).into_iter().any(ends) {
                return Err(NotationError::NoLastMove { winner: mover, line });
            }
        }
        (false, false) => {}
    }
    shortest_moves(game, position).map_err(|error| match error {
        Unreached::NoWay => NotationError::Unreachable,
        Unreached::Undecided => NotationError::Undecided,
    })
}

fn no_stone_floats<W: Word, G: LineGame<W>>(
    game: &G,
    position: Stones<W>,
) -> Result<(), NotationError> {
    let size = game.size();
    for row in 0..u32::from(size.height) - 1 {
        for column in 0..u32::from(size.width) {
            let here = position.occupied() & game.cell(column, row) != W::ZERO;
            let below = position.occupied() & game.cell(column, row + 1) != W::ZERO;
            if here && !below {
                let (row, column) = (row as usize + 1, column as usize + 1);
                return Err(NotationError::Floating { row, column });
            }
        }
    }
    Ok(())
}
