//! The check that a game can reach a position.

use super::{side_moved_last, side_to_move};
use crate::game::{Move, Unreached, Unreadable, shortest_moves};
use crate::games::line::{LineGame, Stones, Word};

/// Returns the moves that lead to a position, the lowest first: the proof that a game can reach it.
pub fn some_moves_to<W: Word, G: LineGame<W>>(
    game: &G,
    position: Stones<W>,
) -> Result<Vec<Move>, Unreadable> {
    if game.rules().stones_fall() {
        no_stone_floats(game, position)?;
    }
    let line = game.size().line;
    let (mover, other) = (side_moved_last(position), side_to_move(position));
    let ends = |m| !game.lines().is_complete(game.take_back(position, m).own);
    let (own, others) = (position.own, position.other);
    let refused = match (game.lines().is_complete(own), game.lines().is_complete(others)) {
        (true, true) => format!("X and O both have {line} in a row: the first line ends the game"),
        (true, false) => format!(
            "{other} has {line} in a row, yet by the number of stones {mover} moved last: play ends \
             at the first line"
        ),
        (false, true) if !game.last_moves(position).into_iter().any(ends) => format!(
            "{mover}'s {line} in a row cannot all have been completed by the last move: play ends \
             at the first line"
        ),
        _ => {
            let moves = shortest_moves(game, position);
            return moves.map_err(|error| Unreadable(unreached(error).to_owned()));
        }
    };
    Err(Unreadable(refused))
}

const fn unreached(error: Unreached) -> &'static str {
    match error {
        Unreached::NoWay => {
            "no game reaches this position: stones fall, sides alternate, and no order of moves \
             puts these stones where they are"
        }
        Unreached::Undecided => {
            "no order of moves to this position was found within a million attempts: give the \
             moves as they were played instead"
        }
    }
}

fn no_stone_floats<W: Word, G: LineGame<W>>(
    game: &G,
    position: Stones<W>,
) -> Result<(), Unreadable> {
    let size = game.size();
    for row in 0..u32::from(size.height) - 1 {
        for column in 0..u32::from(size.width) {
            let here = position.occupied() & game.cell(column, row) != W::ZERO;
            let below = position.occupied() & game.cell(column, row + 1) != W::ZERO;
            if here && !below {
                return Err(Unreadable(format!(
                    "row {}, column {} of the picture: the stone floats, the cell below it is empty",
                    row + 1,
                    column + 1
                )));
            }
        }
    }
    Ok(())
}
