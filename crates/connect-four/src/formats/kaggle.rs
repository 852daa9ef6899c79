//! Boards of Kaggle's ConnectX (`observation.board`): a list of whole numbers row by row from the
//! top left, 0 empty, 1 the first player, 2 the second.

use super::rows::{Marks, dimensions, mark_of, read_cells};
use super::{Record, RecordError};
use crate::games::line::{ConnectFour, Stones};

const MARKS: Marks = ["0", "1", "2"];

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    let (width, height) = dimensions(game);
    let text = text.trim();
    let inner = match (text.strip_prefix('['), text.ends_with(']')) {
        (Some(rest), true) => rest.strip_suffix(']').unwrap_or(rest),
        (None, false) => text,
        _ => {
            let expected = "a board begins with [ and ends with ], or has neither";
            return Err(RecordError::field("list", text, expected));
        }
    };
    let found = inner.split(',').count();
    if found != width * height {
        let remedy = "a board is a list of cells row by row from the top, separated by commas";
        return Err(RecordError::count("cells", found, width * height, remedy));
    }
    let cells = inner.split(',').enumerate();
    let cells = cells.map(|(i, found)| (found.trim(), i % width, i / width));
    let expected = "0 (empty), 1 (first player) or 2 (second player)";
    read_cells(game, (MARKS, expected), cells, |i| format!("number {}", i + 1))
}

pub(super) fn write(game: &ConnectFour, position: Stones) -> String {
    let (width, height) = dimensions(game);
    let cells: Vec<&str> = (0..width * height)
        .map(|i| mark_of(game, position, MARKS, (i % width, i / width)))
        .collect();
    format!("[{}]", cells.join(","))
}
