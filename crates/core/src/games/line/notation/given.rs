//! Positions given by a user, on the command line or over HTTP: the same text is refused with the
//! same message, which begins with what was given and its name there.

use super::{IndexBase, parse_moves_from, parse_picture};
use crate::game::Move;
use crate::games::line::{LineGame, Stones, Word};

/// Reads a move string; gives the position and the moves.
pub fn given_moves<W: Word, G: LineGame<W>>(
    game: &G,
    moves: &str,
    name: &str,
) -> Result<(Stones<W>, Vec<Move>), String> {
    parse_moves_from(game, moves, IndexBase::One)
        .map_err(|error| format!("{name} '{}': {error}", beginning(moves)))
}

/// Reads a picture; gives the position and some order of moves that leads to it.
pub fn given_picture<W: Word, G: LineGame<W>>(
    game: &G,
    picture: &str,
    name: &str,
) -> Result<(Stones<W>, Vec<Move>), String> {
    parse_picture(game, picture)
        .map_err(|error| format!("{name} '{}': {error}", beginning(picture)))
}

/// The beginning of an argument that may be of any length.
pub fn beginning(text: &str) -> String {
    const MOST: usize = 80;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}
