//! Positions as text: move strings and board pictures, and what is wrong with them.
//!
//! A **move string** lists the moves as played, counted from 1: `4453` for columns, `159` for
//! cells row by row from the top left. Boards with more than nine moves to choose from separate
//! them by commas: `12,1,7`. A **picture** shows the board, top row first, rows separated by `/`:
//! `X` first player, `O` second, `.` empty, as in `X.O/.X./..O`.

mod contract;
mod moves;
mod reachable;

pub use moves::{IndexBase, parse_moves, parse_moves_from, write_moves, write_moves_from};
pub use reachable::some_moves_to;

use super::{LineGame, Rules, Stones, Word};
use crate::game::{Move, Unreadable};

/// `X` for the side that moves at even plies, `O` for the other.
pub fn side_to_move<W: Word>(position: Stones<W>) -> char {
    if position.ply().is_second_players_turn() { 'O' } else { 'X' }
}

pub(super) fn side_moved_last<W: Word>(position: Stones<W>) -> char {
    if position.ply().is_second_players_turn() { 'X' } else { 'O' }
}

/// `column` or `cell`: what a move of the game is.
pub const fn place_word(rules: Rules) -> &'static str {
    if rules.stones_fall() { "column" } else { "cell" }
}

/// `full` or `taken`: what a column or cell is that cannot be played.
pub(super) fn occupied_word<W: Word, G: LineGame<W>>(game: &G) -> &'static str {
    if game.rules().stones_fall() { "full" } else { "taken" }
}

/// The first characters of a text that may be of any length.
pub fn beginning(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).flat_map(char::escape_debug).collect();
    if text.chars().nth(most).is_some() {
        short.push_str("...");
    }
    short
}

/// Draws the board on one line: rows separated by `/`, top row first.
pub fn picture<W: Word, G: LineGame<W>>(game: &G, position: Stones<W>) -> String {
    let size = game.size();
    let (first, second) = position.by_player();
    let mut text = String::with_capacity(size.cells() as usize + usize::from(size.height));
    for row in 0..u32::from(size.height) {
        if row > 0 {
            text.push('/');
        }
        for column in 0..u32::from(size.width) {
            let cell = game.cell(column, row);
            text.push(match (first & cell != W::ZERO, second & cell != W::ZERO) {
                (true, _) => 'X',
                (_, true) => 'O',
                _ => '.',
            });
        }
    }
    text
}

/// Reads a board picture; gives the position and some order of moves that leads to it.
pub fn parse_picture<W: Word, G: LineGame<W>>(
    game: &G,
    text: &str,
) -> Result<(Stones<W>, Vec<Move>), Unreadable> {
    let size = game.size();
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let rows = text.split('/').count();
    if rows != height {
        return Err(Unreadable(format!(
            "the picture has {rows} rows, the board {height}: rows are separated by '/', top row first"
        )));
    }
    let (mut first, mut second, mut character) = (W::ZERO, W::ZERO, 0);
    for (row, cells) in text.split('/').enumerate() {
        for (column, found) in cells.chars().enumerate() {
            character += 1;
            let on_board = column < width;
            let cell = if on_board { game.cell(column as u32, row as u32) } else { W::ZERO };
            match found {
                'X' => first |= cell,
                'O' => second |= cell,
                '.' => {}
                _ => {
                    return Err(Unreadable(format!(
                        "row {}, column {} of the picture (character {character}, '{}'): a cell is X \
                         (first player), O (second player) or . (empty)",
                        row + 1,
                        column + 1,
                        found.escape_debug()
                    )));
                }
            }
        }
        character += 1;
        let found = cells.chars().count();
        if found != width {
            let (row, text) = (row + 1, beginning(cells, 40));
            return Err(Unreadable(format!(
                "row {row} ('{text}') of the picture has {found} cells, the board {width} columns"
            )));
        }
    }
    position_of_players(game, first, second)
}

pub fn position_of_players<W: Word, G: LineGame<W>>(
    game: &G,
    first: W,
    second: W,
) -> Result<(Stones<W>, Vec<Move>), Unreadable> {
    let (x, o) = (first.count_ones(), second.count_ones());
    if x != o && x != o + 1 {
        return Err(Unreadable(format!(
            "X has {x} stones and O {o}: X moves first, so X has as many as O or one more"
        )));
    }
    let position = Stones::from_players(first, second);
    some_moves_to(game, position).map(|moves| (position, moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::line::{Mnk, Size, Standard, TicTacToe};

    #[test]
    fn pictures_that_no_game_reaches_are_refused_with_the_rule() {
        let game = TicTacToe::fixed();
        let said = |text| parse_picture(&game, text).unwrap_err().to_string();
        assert!(said("XX./.../...").contains("X has 2 stones and O 0"));
        assert!(said("XXX/OOO/...").contains("both have 3 in a row"));
        assert!(said("XXX/OO./O..").contains("X has 3 in a row, yet by the number of stones O"));
        assert!(said("XXX/.../...X").contains("row 3 ('...X') of the picture has 4 cells"));
        assert!(said("X?./.../...").contains("row 1, column 2 of the picture (character 2, '?')"));
        // Nine stones, two X lines that share their corner: one move completed both.
        assert!(parse_picture(&game, "XXX/XOO/XOO").is_ok());
        let game = Mnk::new(Size::new(4, 2, 2).unwrap()).unwrap();
        assert!(parse_picture(&game, "XX.O/OO.X").unwrap_err().to_string().contains("both"));
        assert!(parse_picture(&game, "X.XX/O.O.").is_ok());
        let game = Mnk::new(Size::new(7, 1, 2).unwrap()).unwrap();
        let refused = parse_picture(&game, "XXOXXO.").unwrap_err().to_string();
        assert!(refused.contains("4 stones and O 2"), "{refused}");
        let refused = parse_picture(&game, "XXOXXOO").unwrap_err().to_string();
        assert!(refused.contains("both have 2"), "{refused}");
    }

    #[test]
    fn stones_that_fall_in_no_order_are_refused() {
        let game = Standard::fixed();
        let said = |text| parse_picture(&game, text).unwrap_err().to_string();
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
