//! OpenSpiel's text of a `connect_four` state (github.com/google-deepmind/open_spiel): rows from
//! the top, `x` first player, `o` second, `.` empty, each ended by a line feed.
//!
//! On one line the line feeds are the two characters `\n`, as in JSON and in Python's `repr`.
//! OpenSpiel reads that format too, since it skips all characters that are no cells.

use super::rows::{Marks, dimensions, mark_of, read_cells};
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
    let lengths = rows.split(LINE_FEED).map(|cells| cells.chars().count());
    if let Some(found) = lengths.into_iter().find(|found| *found != width) {
        let remedy = "a row has a cell for every column: x, o or .";
        return Err(RecordError::count("cells in a row", found, width, remedy));
    }
    let cells = rows
        .split(LINE_FEED)
        .flat_map(|cells| cells.char_indices().map(|(at, mark)| &cells[at..at + mark.len_utf8()]));
    let cells = cells.enumerate().map(|(i, found)| (found, i % width, i / width));
    let expected = "x (first player), o (second player) or . (empty)";
    read_cells(game, (MARKS, expected), cells, |i| {
        format!("row {}, column {}", i / width + 1, i % width + 1)
    })
}

pub(super) fn write(game: &ConnectFour, position: Stones) -> String {
    let (width, height) = dimensions(game);
    let mut text = String::with_capacity((width + LINE_FEED.len()) * height);
    for row in 0..height {
        for column in 0..width {
            text.push_str(mark_of(game, position, MARKS, (column, row)));
        }
        text.push_str(LINE_FEED);
    }
    text
}
