//! Positions as text: move strings, board pictures, and the reasons why a text is refused.
//!
//! A **move string** lists the moves as played, counted from 1: `4453` for columns, `159` for
//! cells row by row from the top left. Boards with more than nine moves to choose from separate
//! them by commas: `12,1,7`. A **picture** shows the board, top row first, rows separated by `/`:
//! `X` first player, `O` second, `.` empty, as in `X.O/.X./..O`.

mod contract;
mod moves;
mod reachable;
mod score;

pub use moves::{parse_moves, parse_moves_from, write_moves, write_moves_from};
pub use reachable::some_moves_to;
pub use score::{ScoreField, moves_and_score};

use super::{LineGame, Rules, Size, Stones, Word};
use crate::game::{Move, MoveStyle, Unreadable};
use crate::games::masks;

/// Returns `X` for the side that moves at even plies, `O` for the other.
pub fn side_to_move<W: Word>(position: Stones<W>) -> char {
    if position.ply().is_second_players_turn() { 'O' } else { 'X' }
}

pub(super) fn side_moved_last<W: Word>(position: Stones<W>) -> char {
    if position.ply().is_second_players_turn() { 'X' } else { 'O' }
}

/// Returns the choice of a move: a column or a cell.
pub const fn move_style(rules: Rules) -> MoveStyle {
    if rules.stones_fall() { MoveStyle::Column } else { MoveStyle::Cell }
}

/// Returns the word for a column or cell that cannot be played: `full` or `taken`.
pub(super) fn occupied_word<W: Word, G: LineGame<W>>(game: &G) -> &'static str {
    if game.rules().stones_fall() { "full" } else { "taken" }
}

/// Returns the first characters of a text that may be of any length.
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
    masks::picture(size.width.into(), size.height.into(), |column, row| {
        let cell = game.cell(column, row);
        match (first & cell != W::ZERO, second & cell != W::ZERO) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '.',
        }
    })
}

/// The parts of a game that its texts need, for code that is compiled once.
#[derive(Clone, Copy)]
struct TextBoard {
    rules: Rules,
    size: Size,
}

impl TextBoard {
    fn of<W: Word, G: LineGame<W>>(game: &G) -> Self {
        Self { rules: game.rules(), size: game.size() }
    }
}

/// The number that the first column or cell has in a move string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexBase {
    Zero,
    One,
}

impl IndexBase {
    pub const fn least(self) -> u32 {
        match self {
            Self::Zero => 0,
            Self::One => 1,
        }
    }

    /// Returns the number of the last column or cell.
    fn most(self, board: TextBoard) -> u32 {
        let moves = match board.rules.stones_fall() {
            true => board.size.width.into(),
            false => board.size.cells(),
        };
        moves - 1 + self.least()
    }

    pub const fn number(self, m: Move) -> u32 {
        m.0 as u32 + self.least()
    }

    fn move_of(self, board: TextBoard, number: usize) -> Option<Move> {
        let number = u32::try_from(number).ok()?;
        (self.least()..=self.most(board))
            .contains(&number)
            .then(|| Move((number - self.least()) as u8))
    }

    /// Returns true if a digit is a move by itself.
    fn digits_are_moves(self, board: TextBoard) -> bool {
        self.most(board) <= 9
    }
}

/// A cell of a picture: the number of its character, and `X`, `O`, `.` or any other.
type Cell = (usize, char);

/// Divides a picture as people have it into rows: at `/`, line breaks (`\n` in one line too) and the ends of
/// nested lists, else at `|`.
///
/// `x` is X, `o` is O, `-` and `_` are empty; without an `o`, `0` is O. If there are digits and no letters, 1
/// is X, -1 or 2 is O, 0 is empty. Blanks, commas, quotes and brackets are ignored.
pub fn picture_rows(text: &str) -> Vec<Vec<Cell>> {
    let text = text.replace("\\n", " \n").replace("array(", "      ");
    let is_of_numbers =
        !text.contains(['x', 'X', 'o', 'O']) && text.contains(|c: char| c.is_ascii_digit());
    let has_minus = text.contains("-1");
    // A list that is not nested may be printed on several lines.
    let is_flat = text.matches('[').count() == 1;
    let ends: &[char] = match text.trim().contains(['/', '\n', '\r', ']']) {
        _ if is_flat => &[],
        true => &['/', '\n', '\r', ']'],
        false => &['|'],
    };
    let mut rows = vec![Vec::new()];
    let mut rest = (1..).zip(text.chars()).peekable();
    while let Some((number, character)) = rest.next() {
        let mark = match character {
            _ if ends.contains(&character) => {
                rows.push(Vec::new());
                continue;
            }
            '[' | ']' | '(' | ')' | ',' | '|' | '\'' | '"' => continue,
            _ if character.is_whitespace() => continue,
            '-' if is_of_numbers && rest.next_if(|next| next.1 == '1').is_some() => 'O',
            '2' if is_of_numbers && !has_minus => 'O',
            '1' if is_of_numbers => 'X',
            '0' if is_of_numbers => '.',
            '0' if !text.contains(['o', 'O']) => 'O',
            'x' => 'X',
            'o' => 'O',
            '-' | '_' => '.',
            other => other,
        };
        if is_of_numbers && character != '.' && rest.next_if(|next| next.1 == '.').is_some() {
            // Decimals, as NumPy prints them.
            while rest.next_if(|next| next.1 == '0').is_some() {}
        }
        rows.last_mut().expect("it begins with one").push((number, mark));
    }
    if text.contains('/') {
        // A separator may stand before the first row, and after the last.
        rows.pop_if(|row| row.is_empty());
        if rows.first().is_some_and(Vec::is_empty) {
            rows.remove(0);
        }
    } else {
        rows.retain(|row| !row.is_empty());
    }
    rows
}

/// Returns true if a text that may be moves is a picture: it has rows, or marks of no move.
pub fn is_picture(text: &str) -> bool {
    let plain = text.replace("array(", "").replace("\\n", "\n");
    if plain.contains(|c: char| c.is_alphabetic() && !"xXoO".contains(c)) {
        return false;
    }
    let has_digits = plain.contains(|c: char| c.is_ascii_digit());
    let mut words = plain.split(|c: char| c.is_whitespace() || "[],".contains(c));
    let are_cells = words.clone().filter(|word| !word.is_empty()).count() == 1
        || words.all(|word| word.trim_start_matches('-').len() < 2);
    let cells = picture_rows(&plain).concat();
    plain.contains(['/', '|', '\n', '.'])
        || plain.contains(['x', 'X', 'o', 'O']) && !plain.contains(|c| ('3'..='9').contains(&c))
        || plain.contains("[[")
        || plain.contains(['-', '_']) && !has_digits
        || are_cells
            && cells.len() > 8
            && plain.contains('0')
            && cells.iter().all(|cell| "XO.".contains(cell.1))
}

/// Reads a board picture; returns the position and some order of moves that leads to it.
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
    let rows = cells_of(game.size(), text)?;
    let (mut first, mut second) = (W::ZERO, W::ZERO);
    for (row, cells) in (0..).zip(&rows) {
        for (column, &(_, mark)) in (0..).zip(cells) {
            match mark {
                'X' => first |= game.cell(column, row),
                'O' => second |= game.cell(column, row),
                _ => {}
            }
        }
    }
    position_of_players(game, first, second)
}

/// Reads the rows of a picture of a board: `X`, `O` or `.` in each cell.
fn cells_of(size: Size, text: &str) -> Result<Vec<Vec<Cell>>, Unreadable> {
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let mut rows = picture_rows(text);
    if text.matches('[').count() != text.matches(']').count() {
        return Err(Unreadable("a list begins with [ and ends with ], or has neither".to_owned()));
    }
    if rows.len() == 1 && rows[0].len() == width * height && !text.contains('/') {
        rows = rows[0].chunks(width).map(<[_]>::to_vec).collect();
    }
    if rows.len() != height {
        let cells = rows.concat().len();
        let count = match rows.len() {
            1 => "1 row".to_owned(),
            rows => format!("{rows} rows"),
        };
        return Err(Unreadable(format!(
            "the picture has {count} (cells: {cells}), the board {height} of {width}: rows are separated \
             by '/', '|' or line breaks, top row first"
        )));
    }
    for (row, cells) in (1..).zip(&rows) {
        for (column, &(character, mark)) in (1..).zip(cells) {
            if !"XO.".contains(mark) {
                return Err(Unreadable(format!(
                    "row {row}, column {column} of the picture (character {character}, '{}'): a cell is X \
                     (first player), O (second player) or . (empty)",
                    mark.escape_debug()
                )));
            }
        }
        let count = cells.len();
        if count != width {
            let text: String = cells.iter().map(|cell| cell.1).collect();
            let text = beginning(&text, 40);
            return Err(Unreadable(format!(
                "row {row} ('{text}') of the picture has {count} cells, the board {width} columns"
            )));
        }
    }
    Ok(rows)
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
        let error = |text| parse_picture(&game, text).unwrap_err().to_string();
        assert!(error("XX./.../...").contains("X has 2 stones and O 0"));
        assert!(error("XXX/OOO/...").contains("both have 3 in a row"));
        assert!(error("XXX/OO./O..").contains("X has 3 in a row, yet by the number of stones O"));
        assert!(error("XXX/.../...X").contains("row 3 ('...X') of the picture has 4 cells"));
        assert!(error("X?./.../...").contains("row 1, column 2 of the picture (character 2, '?')"));
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
            let (position, _) =
                parse_picture(&game, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(position, expected, "{text}");
        }
        // Marks of two kinds of lists, and a nought beside other digits.
        let columns = "[[0,0,0,0,0,0],".to_owned() + &"[0,0,0,0,0,0],".repeat(5) + "[0,0,0,0,0,1]]";
        assert!(parse_picture(&game, &columns).unwrap_err().to_string().contains("7 rows"));
        let game = TicTacToe::fixed();
        for text in [
            "XOXOXOXOX//",
            "XOX//OXO/XOX",
            "[1,-1,2,0,0,0,0,0,0]",
            "X0./1../...",
            "XO0/.../...",
            "XO/ X/  O",
            "1.2/.../...",
        ] {
            assert!(parse_picture(&game, text).is_err(), "{text}");
        }
        let (expected, _) = parse_picture(&game, "XO./.X./..O").unwrap();
        for text in [
            "120010002",
            "120/010/002",
            "X O .\n. X .\n. . O",
            "X|O|.\n.|X|.\n.|.|O",
            "[['x','o','.'],['.','x','.'],['.','.','o']]",
            "array([[ 1., -1.,  0.],\n       [ 0.,  1.,  0.],\n       [ 0.,  0., -1.]])",
            "[1 2 0 0 1\n 0 0 0 2]",
            "xo.\\n.x.\\n..o\\n",
        ] {
            assert_eq!(parse_picture(&game, text).map(|pair| pair.0), Ok(expected), "{text}");
            assert!(is_picture(text), "{text}");
        }
        for text in
            ["4453", "d d e c", "D_Red, D_Yellow", "[4 4 5 3]", "10,1,10,1,2,1,2,10", "bxa3", "1-2"]
        {
            assert!(!is_picture(text), "{text}");
        }
    }

    #[test]
    fn stones_that_fall_in_no_order_are_refused() {
        let game = Standard::fixed();
        let error = |text| parse_picture(&game, text).unwrap_err().to_string();
        assert!(
            error("......./......./......./......./X....../O......").contains("no game reaches")
        );
        assert!(
            error("......./......./......./X....../......./O......").contains("row 4, column 1")
        );
        let upright = "......./......./X....../X....../X....../XOOO...";
        assert!(parse_picture(&game, upright).is_ok());
        // The line lies at the bottom under a later stone of its own column.
        let buried = "......./......./......./O....../OXOX.../XXXXOO.";
        assert!(error(buried).contains("last move"), "{}", error(buried));
    }
}
