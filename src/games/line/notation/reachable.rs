//! Whether a game can reach a position.

use std::collections::HashSet;

use super::{NotationError, side_moved_last, side_to_move};
use crate::game::Move;
use crate::games::line::{LineGame, Stones, Word};

/// Some order of moves that leads to a position: the proof that a game can reach it.
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
    let mut backwards = Vec::new();
    let mut stuck = HashSet::new();
    if take_back_all(game, position, &mut backwards, &mut stuck) {
        backwards.reverse();
        Ok(backwards)
    } else if stuck.len() < MOST_STUCK {
        Err(NotationError::Unreachable)
    } else {
        Err(NotationError::Undecided)
    }
}

/// Ways back that are tried before the question is left open. The standard Connect Four board
/// has 7^7 vectors of heights, fewer than this; larger boards can have any number.
const MOST_STUCK: usize = 1 << 20;

/// Takes stones back until the board is empty, the sides in turn; false if that cannot be done.
///
/// The stones of a Connect Four column come off from the top, so the heights left over name the
/// whole position: `stuck` remembers, by occupied cells, from where there is no way on.
fn take_back_all<W: Word, G: LineGame<W>>(
    game: &G,
    position: Stones<W>,
    backwards: &mut Vec<Move>,
    stuck: &mut HashSet<W>,
) -> bool {
    if position.occupied() == W::ZERO {
        return true;
    }
    if stuck.len() >= MOST_STUCK || stuck.contains(&position.occupied()) {
        return false;
    }
    for m in game.last_moves(position) {
        let before = game.take_back(position, m);
        // Only the last move may have completed a line, so what is before it holds none.
        if !game.lines().is_complete(before.own) {
            backwards.push(m);
            if take_back_all(game, before, backwards, stuck) {
                return true;
            }
            backwards.pop();
        }
    }
    stuck.insert(position.occupied());
    false
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
