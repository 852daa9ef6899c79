//! The content of a line or a binary record, and boards that formats write cell by cell.

use everyply_core::game::{Move, PartialValue};
use everyply_core::games::line::{LineGame, Stones};

/// The marks of a format for an empty cell, the first player's and the second's.
pub(super) type Marks = [&'static str; 3];

/// Returns the mark of the cell in this column and row, counted from 0 at the top left.
pub(super) fn mark_of(
    game: &impl LineGame,
    position: Stones,
    marks: Marks,
    (column, row): (usize, usize),
) -> &'static str {
    let (first, second) = position.by_player();
    let cell = game.cell(column as u32, row as u32);
    let player = usize::from(first & cell != 0) + 2 * usize::from(second & cell != 0);
    marks[player]
}

/// Writes a board row by row from the top left, with this text between cells and after each row.
fn write_rows(
    game: &impl LineGame,
    position: Stones,
    marks: Marks,
    [between, after]: [&str; 2],
) -> String {
    let (width, height) = dimensions(game);
    let cells = |row| (0..width).map(move |column| mark_of(game, position, marks, (column, row)));
    let row = |row| cells(row).collect::<Vec<_>>().join(between) + after;
    (0..height).map(row).collect()
}

/// Writes `observation.board` of Kaggle's ConnectX.
pub(super) fn write_kaggle(game: &impl LineGame, position: Stones) -> String {
    let cells = write_rows(game, position, ["0", "1", "2"], [",", ","]);
    format!("[{}]", cells.trim_end_matches(','))
}

/// Writes OpenSpiel's text of a `connect_four` state (github.com/google-deepmind/open_spiel). On one
/// line its line feeds are the two characters `\n`, as in JSON and in Python's `repr`; OpenSpiel reads
/// that too, since it skips all characters that are no cells.
pub(super) fn write_open_spiel(game: &impl LineGame, position: Stones) -> String {
    write_rows(game, position, [".", "x", "o"], ["", "\\n"])
}

pub(super) fn dimensions(game: &impl LineGame) -> (usize, usize) {
    let size = game.size();
    (usize::from(size.width), usize::from(size.height))
}

/// A position that was read, perhaps with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub position: Stones,
    /// The moves as played if the format has them; otherwise one order that leads to the position.
    pub moves: Vec<Move>,
    pub value: Option<PartialValue>,
}
