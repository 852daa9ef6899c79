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

/// A picture as people have it, as rows of `X`, `O` and `.` separated by `/`: rows may be divided by line
/// breaks or `|` too, or not at all; `x`, `o` and, without other digits, `0` are stones, `-` and `_`
/// empty; a list of numbers, as Python and NumPy print it, has 1 for X and -1 or 2 for O.
fn plain_picture(text: &str, (width, height): (usize, usize)) -> String {
    let text = text.trim();
    let numbers: Option<Vec<f64>> = text
        .split(|c: char| c.is_whitespace() || "[](),".contains(c))
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().ok().filter(|n| [-1.0, 0.0, 1.0, 2.0].contains(n)))
        .collect();
    let numbers = numbers.filter(|numbers| numbers.len() == width * height && width * height > 1);
    let cells: Option<Vec<char>> = numbers.and_then(|numbers| {
        let has_both = numbers.contains(&-1.0) && numbers.contains(&2.0);
        let cell = |n: &f64| {
            if *n == 0.0 {
                '.'
            } else if *n == 1.0 {
                'X'
            } else {
                'O'
            }
        };
        (!has_both).then(|| numbers.iter().map(cell).collect())
    });
    let is_divided = text.contains(['/', '|', '\n', '\r']);
    let all = || text.chars().collect::<Vec<char>>();
    let cells = cells.or_else(|| (!is_divided).then(all).filter(|all| all.len() == width * height));
    let rows: Vec<String> = match cells {
        Some(cells) => cells.chunks(width).map(|row| row.iter().collect()).collect(),
        None => text.split(['/', '|', '\n']).map(|row| row.trim_end_matches('\r').into()).collect(),
    };
    let has_digits = text.contains(|c: char| c.is_ascii_digit() && c != '0');
    let plain = |c| match c {
        'x' => 'X',
        'o' => 'O',
        '0' if !has_digits => 'O',
        '-' | '_' => '.',
        c => c,
    };
    rows.join("/").chars().map(plain).collect()
}

/// Reads a board picture; gives the position and some order of moves that leads to it.
///
/// ```
/// # use everyply_core as everyply;
/// use everyply::games::line::{TicTacToe, notation::parse_picture};
/// let game = TicTacToe::fixed();
/// let [(position, _), ..] = ["XO./.X./..O", "xo-|-x-|--o", "xo__x___o", "[[1, -1, 0], [0, 1, 0], [0, 0, -1]]"]
///     .map(|text| parse_picture(&game, text).unwrap());
/// assert_eq!(parse_picture(&game, "1 2 0 0 1 0 0 0 2").unwrap().0, position);
/// ```
pub fn parse_picture<W: Word, G: LineGame<W>>(
    game: &G,
    text: &str,
) -> Result<(Stones<W>, Vec<Move>), Unreadable> {
    let size = game.size();
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let text = &plain_picture(text, (width, height))[..];
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
    fn pictures_are_read_as_people_have_them() {
        let game = Standard::fixed();
        let plain = "......./......./......./......./...X.../..OXO..";
        let (expected, _) = parse_picture(&game, plain).unwrap();
        let rows: Vec<&str> = plain.split('/').collect();
        let of = |x: &str, o: &str| {
            let cell = |c| [" 0", x, o][".XO".find(c).unwrap()].to_owned();
            rows.iter()
                .map(|row| row.chars().map(cell).collect::<Vec<_>>().join(","))
                .collect::<Vec<_>>()
        };
        let lists = [of("1", "2"), of("1", "-1"), of("1.", "-1.0")];
        let texts = [rows.join("\n"), rows.join("\r\n") + "\r\n", rows.join("|"), rows.concat()];
        let lower =
            texts.iter().map(|text| text.to_lowercase().replace('.', "-").replace('o', "0"));
        let nested = lists.iter().map(|rows| format!("[[{}]]", rows.join("],\n [")));
        let numpy =
            lists.iter().map(|rows| format!("[[{}]]", rows.join("]\n [").replace(',', " ")));
        for text in texts.iter().cloned().chain(lower).chain(nested).chain(numpy) {
            let (found, _) =
                parse_picture(&game, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(found, expected, "{text}");
        }
        // Marks of two kinds of lists, and a nought beside other digits.
        for text in ["[1,-1,2,0,0,0,0,0,0]", "X0./1../..."] {
            assert!(parse_picture(&TicTacToe::fixed(), text).is_err(), "{text}");
        }
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
