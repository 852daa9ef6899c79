//! OpenSpiel's text of a `connect_four` state (github.com/google-deepmind/open_spiel): rows from
//! the top, `x` first player, `o` second, `.` empty, each ended by a line feed.
//!
//! On one line the line feeds are the two characters `\n`, as in JSON and in Python's `repr`.
//! OpenSpiel reads that format too, since it skips all characters that are no cells.

use super::rows::{BoardBuilder, Cell, cell_of, dimensions};
use super::{Record, RecordError};
use crate::games::line::{ConnectFour, Stones};

/// A line feed in the one-line form.
pub(super) const LINE_FEED: &str = "\\n";

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    let (width, height) = dimensions(game);
    let rows = text.strip_suffix(LINE_FEED).unwrap_or(text);
    let found = rows.split(LINE_FEED).count();
    if found != height {
        return Err(RecordError::Count {
            what: "rows",
            found,
            expected: height.to_string(),
            remedy: "a board is its rows from the top, each ended by \\n or a line of its own",
        });
    }
    let mut board = BoardBuilder::default();
    for (row, cells) in rows.split(LINE_FEED).enumerate() {
        let found = cells.chars().count();
        if found != width {
            return Err(RecordError::Count {
                what: "cells in a row",
                found,
                expected: width.to_string(),
                remedy: "a row has a cell for every column: x, o or .",
            });
        }
        for (column, found) in cells.chars().enumerate() {
            let cell = match found {
                '.' => Cell::Empty,
                'x' => Cell::First,
                'o' => Cell::Second,
                _ => {
                    return Err(RecordError::NotACell {
                        place: format!("row {}, column {}", row + 1, column + 1),
                        found: found.to_string(),
                        expected: "x (first player), o (second player) or . (empty)",
                    });
                }
            };
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
            text.push(match cell_of(game, position, column, row) {
                Cell::Empty => '.',
                Cell::First => 'x',
                Cell::Second => 'o',
            });
        }
        text.push_str(LINE_FEED);
    }
    text
}
