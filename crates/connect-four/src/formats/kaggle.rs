//! Boards of Kaggle's ConnectX (`observation.board`): a list of whole numbers row by row from the
//! top left, 0 empty, 1 the first player, 2 the second.

use super::rows::{Marks, dimensions, mark_of};
use everyply_core::games::line::{ConnectFour, Stones};

const MARKS: Marks = ["0", "1", "2"];

pub(super) fn write(game: &ConnectFour, position: Stones) -> String {
    let (width, height) = dimensions(game);
    let cells: Vec<&str> = (0..width * height)
        .map(|i| mark_of(game, position, MARKS, (i % width, i / width)))
        .collect();
    format!("[{}]", cells.join(","))
}
