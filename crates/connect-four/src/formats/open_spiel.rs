//! OpenSpiel's text of a `connect_four` state (github.com/google-deepmind/open_spiel): rows from
//! the top, `x` first player, `o` second, `.` empty, each ended by a line feed.
//!
//! On one line the line feeds are the two characters `\n`, as in JSON and in Python's `repr`.
//! OpenSpiel reads that format too, since it skips all characters that are no cells.

use super::rows::{BoardBuilder, Cell, Marks, cell_of, dimensions};
use super::{Record, RecordError};
use crate::games::line::{ConnectFour, Stones};

/// A line feed in the one-line form.
pub(super) const LINE_FEED: &str = "\\n";

const MARKS: Marks = [".", "x", "o"];

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    let (width, height) = dimensions(game);
    let rows = text.strip_suffix(LINE_FEED).unwrap_or(text);
    let found = rows.split(LINE_FEED).count();
    if found != height {
        let remedy = "a board is its rows from the top, each ended by \\n or a line of its own";
        return Err(RecordError::count("rows", found, height, remedy));
    }
    let mut board = BoardBuilder::default();
    for (row, cells) in rows.split(LINE_FEED).enumerate() {
        let found = cells.chars().count();
        if found != width {
            let remedy = "a row has a cell for every column: x, o or .";
            return Err(RecordError::count("cells in a row", found, width, remedy));
        }
        for (column, found) in cells.chars().enumerate() {
            let place = format_args!("row {}, column {}", row + 1, column + 1);
            let expected = "x (first player), o (second player) or . (empty)";
            let cell = Cell::read(found.encode_utf8(&mut [0; 4]), MARKS, place, expected)?;
            board.put(game, column, row, cell);
        }
    }
    board.record(game)
}

pub(super) fn write(game: &ConnectFour, position: Stones) -> String {
    let (width, height) = dimensions(game);
    let mut text = String::with_capacity((width + LINE_FEED.len()) * height);
    for row in 0..height {
        for column in 0..width {
            text.push_str(cell_of(game, position, column, row).mark(MARKS));
        }
        text.push_str(LINE_FEED);
    }
    text
}
