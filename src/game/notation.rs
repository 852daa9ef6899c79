//! Positions as text: move strings and board pictures, and what is wrong with them.
//!
//! A **move string** lists the moves as played, counted from 1: `4453` for columns, `159` for
//! cells row by row from the top left. Boards with more than nine moves to choose from separate
//! them by commas: `12,1,7`. A **picture** shows the board, top row first, rows separated by `/`:
//! `X` first player, `O` second, `.` empty, as in `X.O/.X./..O`.

mod error;
mod given;
mod reachable;

pub use error::NotationError;
pub(crate) use given::{position_of_moves, position_of_picture};
pub use reachable::some_moves_to;

use super::{Game, Move, Outcome, Stones};

/// `X` for the side that moves at even plies, `O` for the other.
#[must_use]
pub fn side_to_move(position: Stones) -> char {
    if position.ply().is_second_players_turn() { 'O' } else { 'X' }
}

fn side_moved_last(position: Stones) -> char {
    if position.ply().is_second_players_turn() { 'X' } else { 'O' }
}

/// True if stones fall: the moves are columns, not cells.
fn moves_are_columns<G: Game>(game: &G) -> bool {
    game.centre_first().len() < game.size().cells() as usize || game.name() == "connect4"
}

/// `column` or `cell`: what a move of the game is.
#[must_use]
pub fn place_word<G: Game>(game: &G) -> &'static str {
    if moves_are_columns(game) { "column" } else { "cell" }
}

/// True if a digit is a move by itself.
fn digits_are_moves<G: Game>(game: &G) -> bool {
    game.centre_first().len() <= 9
}

/// Reads a move string; the empty string is the empty board.
///
/// # Errors
/// If something in it is no move, a move cannot be played, or the game was over before it; the
/// error names the character and the move.
///
/// ```
/// use everyply::game::{Standard, notation::{parse_moves, picture}};
/// let game = Standard::fixed();
/// let position = parse_moves(&game, "4453").unwrap();
/// assert_eq!(picture(&game, position), "......./......./......./......./...O.../..OXX..");
/// let full = parse_moves(&game, "4444444").unwrap_err();
/// assert_eq!(full.to_string(), "move 7 ('4', character 7): column 4 is full");
/// ```
pub fn parse_moves<G: Game>(game: &G, text: &str) -> Result<Stones, NotationError> {
    parse_game(game, text).map(|(_, position)| position)
}

/// Reads a move string as [`parse_moves`], and gives the moves as well.
///
/// # Errors
/// Those of [`parse_moves`].
pub fn parse_game<G: Game>(game: &G, text: &str) -> Result<(Vec<Move>, Stones), NotationError> {
    let mut position = game.initial();
    let mut moves = Vec::new();
    for (index, written) in split_moves(game, text)?.enumerate() {
        let Written { character, text: found, number } = written?;
        let number_of_move = index + 1;
        let most = game.centre_first().len();
        let m = match number {
            Some(n) if (1..=most).contains(&n) => Move((n - 1) as u8),
            _ => return Err(not_a_move(game, character, found)),
        };
        match game.terminal(position) {
            None => {}
            Some(outcome) => {
                return Err(NotationError::AlreadyOver {
                    number: number_of_move,
                    character,
                    found: found.to_owned(),
                    winner: (outcome == Outcome::Loss).then(|| side_moved_last(position)),
                });
            }
        }
        if !game.moves(position).contains(m) {
            return Err(NotationError::NotPlayable {
                number: number_of_move,
                character,
                found: found.to_owned(),
                place: format!("{} {}", place_word(game), m.number()),
                state: if moves_are_columns(game) { "full" } else { "taken" },
            });
        }
        position = game.play(position, m);
        moves.push(m);
    }
    Ok((moves, position))
}

fn not_a_move<G: Game>(game: &G, character: usize, found: &str) -> NotationError {
    let found: String = found.chars().take(12).collect();
    let most = game.centre_first().len();
    let expected = if digits_are_moves(game) {
        format!("a move is a {} from 1 to {most}", place_word(game))
    } else {
        format!("a move is a {} from 1 to {most}, moves are separated by commas", place_word(game))
    };
    NotationError::NotAMove { character, found, expected }
}

/// A move as it stands in the text.
struct Written<'t> {
    character: usize,
    text: &'t str,
    number: Option<usize>,
}

/// The moves of a text, one after the other.
fn split_moves<'t, G: Game>(
    game: &'t G,
    text: &'t str,
) -> Result<Box<dyn Iterator<Item = Result<Written<'t>, NotationError>> + 't>, NotationError> {
    if text.is_empty() {
        return Ok(Box::new(std::iter::empty()));
    }
    if digits_are_moves(game) && !text.contains(',') {
        return Ok(Box::new(text.char_indices().enumerate().map(|(i, (at, c))| {
            let number = c.is_ascii_digit().then(|| usize::from(c as u8 - b'0'));
            Ok(Written { character: i + 1, text: &text[at..at + c.len_utf8()], number })
        })));
    }
    // One trailing comma is allowed: it says that a single number is a single move.
    let list = text.strip_suffix(',').unwrap_or(text);
    if list.len() == text.len() && list.len() > 1 && list.bytes().all(|b| b.is_ascii_digit()) {
        let found: String = list.chars().take(12).collect();
        let split: Vec<String> = found.chars().map(String::from).collect();
        return Err(NotationError::Ambiguous { character: 1, split: split.join(","), found });
    }
    let mut character = 1;
    Ok(Box::new(list.split(',').map(move |item| {
        let at = character;
        character += item.chars().count() + 1;
        let digits =
            !item.is_empty() && item.len() <= 3 && item.bytes().all(|b| b.is_ascii_digit());
        if item.is_empty() {
            return Err(not_a_move(game, at, ","));
        }
        let number = if digits { item.parse().ok() } else { None };
        Ok(Written { character: at, text: item, number })
    })))
}

/// Writes moves as [`parse_moves`] reads them.
#[must_use]
pub fn write_moves<G: Game>(game: &G, moves: &[Move]) -> String {
    let numbers: Vec<String> = moves.iter().map(|m| m.number().to_string()).collect();
    if digits_are_moves(game) {
        return numbers.concat();
    }
    let mut text = numbers.join(",");
    if moves.len() == 1 && text.len() > 1 {
        text.push(',');
    }
    text
}

/// Draws the board on one line: rows separated by `/`, top row first.
#[must_use]
pub fn picture<G: Game>(game: &G, position: Stones) -> String {
    let size = game.size();
    let (first, second) = position.by_player();
    let mut text = String::with_capacity(size.cells() as usize + usize::from(size.height));
    for row in 0..u32::from(size.height) {
        if row > 0 {
            text.push('/');
        }
        for column in 0..u32::from(size.width) {
            let cell = game.cell(column, row);
            text.push(match (first & cell != 0, second & cell != 0) {
                (true, _) => 'X',
                (_, true) => 'O',
                _ => '.',
            });
        }
    }
    text
}

/// Reads a board picture.
///
/// # Errors
/// If the text is not a picture of this board, or shows a position that no game reaches; the
/// error names the place and the rule.
pub fn parse_picture<G: Game>(game: &G, text: &str) -> Result<Stones, NotationError> {
    let size = game.size();
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let rows = text.split('/').count();
    if rows != height {
        return Err(NotationError::Rows { found: rows, expected: height });
    }
    let (mut first, mut second, mut character) = (0, 0, 0);
    for (row, cells) in text.split('/').enumerate() {
        for (column, found) in cells.chars().enumerate() {
            character += 1;
            let cell = if column < width { game.cell(column as u32, row as u32) } else { 0 };
            match found {
                'X' => first |= cell,
                'O' => second |= cell,
                '.' => {}
                _ => {
                    let (row, column) = (row + 1, column + 1);
                    return Err(NotationError::NotACell { row, column, character, found });
                }
            }
        }
        character += 1;
        let found = cells.chars().count();
        if found != width {
            let text = cells.to_owned();
            return Err(NotationError::Columns { row: row + 1, text, found, expected: width });
        }
    }
    let (x, o) = (first.count_ones(), second.count_ones());
    if x != o && x != o + 1 {
        return Err(NotationError::Counts { first: x, second: o });
    }
    let position = Stones::from_players(first, second);
    some_moves_to(game, position).map(|_| position)
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;
    use crate::game::{Mnk, Size, Standard, TicTacToe};

    fn message<T: fmt::Debug>(result: Result<T, NotationError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn move_strings_name_what_is_wrong() {
        let game = Standard::fixed();
        let said = |text| message(parse_moves(&game, text));
        assert_eq!(said("44x"), "character 3 ('x') is no move: a move is a column from 1 to 7");
        assert_eq!(said("48"), "character 2 ('8') is no move: a move is a column from 1 to 7");
        assert_eq!(said("0"), "character 1 ('0') is no move: a move is a column from 1 to 7");
        assert_eq!(said("4444444"), "move 7 ('4', character 7): column 4 is full");
        assert_eq!(
            said("12121213"),
            "move 8 ('3', character 8): the game is over, X won with move 7"
        );
        let game = TicTacToe::fixed();
        let said = |text| message(parse_moves(&game, text));
        assert_eq!(said("55"), "move 2 ('5', character 2): cell 5 is taken");
        assert_eq!(
            said("152934"),
            "move 6 ('4', character 6): the game is over, X won with move 5"
        );
        assert_eq!(
            said("1,2,3,5,4,6,8,7,9,1"),
            "move 10 ('1', character 19): the game is over, the board was full after move 9"
        );
    }

    #[test]
    fn boards_of_more_than_nine_cells_separate_moves_by_commas() {
        let game = Mnk::new(Size::new(4, 4, 4).unwrap()).unwrap();
        let twelve = parse_moves(&game, "12,").unwrap();
        assert_eq!(picture(&game, twelve), "..../..../...X/....");
        assert_eq!(write_moves(&game, &some_moves_to(&game, twelve).unwrap()), "12,");
        assert!(
            message(parse_moves(&game, "12")).contains("separate moves by commas, as in '1,2'")
        );
        assert_eq!(
            message(parse_moves(&game, "1,,2")),
            "character 3 (',') is no move: a move is a cell from 1 to 16, moves are separated by commas"
        );
        assert!(parse_moves(&game, "7").is_ok());
    }

    #[test]
    fn pictures_that_no_game_reaches_are_refused_with_the_rule() {
        let game = TicTacToe::fixed();
        let said = |text| message(parse_picture(&game, text));
        assert!(said("XX./.../...").contains("X has 2 stones and O 0"));
        assert!(said("XXX/OOO/...").contains("both have 3 in a row"));
        assert!(said("XXX/OO./O..").contains("X has 3 in a row, yet by the number of stones O"));
        assert!(said("XXX/.../...X").contains("row 3 ('...X') of the picture has 4 cells"));
        assert!(said("X?./.../...").contains("row 1, column 2 of the picture (character 2, '?')"));
        // Nine stones, two X lines that share their corner: one move completed both.
        assert!(parse_picture(&game, "XXX/XOO/XOO").is_ok());
        let game = Mnk::new(Size::new(4, 2, 2).unwrap()).unwrap();
        assert!(message(parse_picture(&game, "XX.O/OO.X")).contains("both"));
        assert!(parse_picture(&game, "X.XX/O.O.").is_ok());
        let game = Mnk::new(Size::new(7, 1, 2).unwrap()).unwrap();
        let refused = message(parse_picture(&game, "XXOXXO."));
        assert!(refused.contains("4 stones and O 2"), "{refused}");
        let refused = message(parse_picture(&game, "XXOXXOO"));
        assert!(refused.contains("both have 2"), "{refused}");
    }

    #[test]
    fn stones_that_fall_in_no_order_are_refused() {
        let game = Standard::fixed();
        let said = |text| message(parse_picture(&game, text));
        assert!(
            said("......./......./......./......./X....../O......").contains("no game reaches")
        );
        assert!(
            said("......./......./......./X....../......./O......").contains("row 4, column 1")
        );
        let upright = "......./......./X....../X....../X....../XOOO...";
        assert!(parse_picture(&game, upright).is_ok());
        // The line lies at the bottom under a later stone of its own column.
        let buried = "......./......./......./O....../OXOX.../XXXXOO.";
        assert!(said(buried).contains("last move"), "{}", said(buried));
    }
}
