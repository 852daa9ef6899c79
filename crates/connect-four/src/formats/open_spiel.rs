//! OpenSpiel's text of a `connect_four` state (github.com/google-deepmind/open_spiel): rows from
//! the top, `x` first player, `o` second, `.` empty, each ended by a line feed.
//!
//! On one line the line feeds are the two characters `\n`, as in JSON and in Python's `repr`.
//! OpenSpiel reads that format too, since it skips all characters that are no cells.

use super::rows::{Marks, dimensions, mark_of};
use everyply_core::games::line::{ConnectFour, Stones};

/// A line feed in the one-line form.
const LINE_FEED: &str = "\\n";

const MARKS: Marks = [".", "x", "o"];

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
