//! Errors of positions as text.

use std::fmt;

/// The reason why a text is not a position.
///
/// Characters, moves, rows and columns are counted from 1, as people count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// Something in a move string is not a move of the board.
    #[error("character {character} ('{}') is no move: {expected}", .found.escape_debug())]
    NotAMove {
        /// The place of its first character, from 1.
        character: usize,
        /// The text found there.
        found: String,
        /// The description of a move on this board.
        expected: String,
    },
    /// A number that can be read as one move or as several.
    #[error(
        "character {character} ('{found}') can be read as one move or as several: \
         on this board separate moves by commas, as in '{split}', or write '{found},' for one"
    )]
    Ambiguous {
        /// The place of its first character, from 1.
        character: usize,
        /// The digits.
        found: String,
        /// The digits as moves of one digit.
        split: String,
    },
    /// The move is not possible: the column is full or the cell taken.
    #[error("move {number} ('{found}', character {character}): {place} is {state}")]
    NotPlayable {
        /// The number of the move in the string.
        number: usize,
        /// The place of its first character, from 1.
        character: usize,
        /// The move as written.
        found: String,
        /// The column or cell.
        place: String,
        /// `full` or `taken`.
        state: &'static str,
    },
    /// The game was over before this move.
    #[error(
        "move {number} ('{found}', character {character}): the game is over, {}",
        Ending(*.winner, *.number - 1)
    )]
    AlreadyOver {
        /// The number of the move in the string.
        number: usize,
        /// The place of its first character, from 1.
        character: usize,
        /// The move as written.
        found: String,
        /// The winner of the game before it, `None` if the board was full.
        winner: Option<char>,
    },
    /// A picture with too many or too few rows.
    #[error(
        "the picture has {found} rows, the board {expected}: rows are separated by '/', top row first"
    )]
    Rows {
        /// Rows in the text.
        found: usize,
        /// Rows of the board.
        expected: usize,
    },
    /// A row with too many or too few cells.
    #[error("row {row} ('{}') of the picture has {found} cells, the board {expected} columns", beginning(.text, 40))]
    Columns {
        /// The number of the row, from the top.
        row: usize,
        /// The row as written.
        text: String,
        /// Cells in the row.
        found: usize,
        /// Columns of the board.
        expected: usize,
    },
    /// A character that is no cell.
    #[error(
        "row {row}, column {column} of the picture (character {character}, '{}'): \
         a cell is X (first player), O (second player) or . (empty)",
        .found.escape_debug()
    )]
    NotACell {
        /// From the top.
        row: usize,
        /// From the left.
        column: usize,
        /// In the whole text.
        character: usize,
        /// The text found there.
        found: char,
    },
    /// The sides cannot have so many stones.
    #[error(
        "X has {first} stones and O {second}: X moves first, so X has as many as O or one more"
    )]
    Counts {
        /// Stones of the first player.
        first: u32,
        /// Stones of the second player.
        second: u32,
    },
    /// A stone without one below it.
    #[error(
        "row {row}, column {column} of the picture: the stone floats, the cell below it is empty"
    )]
    Floating {
        /// From the top.
        row: usize,
        /// From the left.
        column: usize,
    },
    /// Both sides have a complete line.
    #[error("X and O both have {line} in a row: the first line ends the game")]
    BothComplete {
        /// The line length.
        line: u8,
    },
    /// A side has a line and the other side moved after it.
    #[error(
        "{winner} has {line} in a row, yet by the number of stones {other} moved last: play ends at the first line"
    )]
    PlayedOn {
        /// The side that has the line.
        winner: char,
        /// The side that moved after it.
        other: char,
        /// The line length.
        line: u8,
    },
    /// No single last move explains the lines.
    #[error(
        "{winner}'s {line} in a row cannot all have been completed by the last move: play ends at the first line"
    )]
    NoLastMove {
        /// The side that has the lines.
        winner: char,
        /// The line length.
        line: u8,
    },
    /// No order of moves leads here.
    #[error(
        "no game reaches this position: stones fall, sides alternate, and no order of moves puts these stones where they are"
    )]
    Unreachable,
    /// The order of moves was looked for in vain, but not everywhere.
    #[error(
        "no order of moves to this position was found within a million attempts: give the moves as they were played instead"
    )]
    Undecided,
}

/// The end of a game, for an error message.
struct Ending(Option<char>, usize);

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(Some(winner), number) => write!(f, "{winner} won with move {number}"),
            Self(None, number) => write!(f, "the board was full after move {number}"),
        }
    }
}

/// The first characters of a text that may be of any length.
pub fn beginning(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).flat_map(char::escape_debug).collect();
    if text.chars().nth(most).is_some() {
        short.push_str("...");
    }
    short
}
