//! Boards that formats write cell by cell.

use std::fmt::Display;

use super::error::abbreviated;
use super::{Record, RecordError};
use crate::games::line::notation::position_of_players;
use crate::games::line::{ConnectFour, LineGame, Stones};

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Empty,
    First,
    Second,
}

/// The marks of a format for an empty cell, the first player's and the second's.
pub(super) type Marks = [&'static str; 3];

impl Cell {
    /// Reads a mark; `place` and `expected` describe the cell and the marks in an error.
    pub fn read(
        found: &str,
        marks: Marks,
        place: impl Display,
        expected: &str,
    ) -> Result<Self, RecordError> {
        let cells = [Self::Empty, Self::First, Self::Second].into_iter().zip(marks);
        let cell = cells.into_iter().find_map(|(cell, mark)| (mark == found).then_some(cell));
        cell.ok_or_else(|| {
            RecordError::Invalid(format!(
                "{place} ('{}') is no cell: {expected}",
                abbreviated(found)
            ))
        })
    }

    pub const fn mark(self, marks: Marks) -> &'static str {
        marks[self as usize]
    }
}

/// A board that is being filled.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BoardBuilder {
    first: u64,
    second: u64,
}

impl BoardBuilder {
    /// Fills the cell in this column and row, counted from 0 at the top left.
    pub fn put(&mut self, game: &ConnectFour, column: usize, row: usize, cell: Cell) {
        let bit = game.cell(column as u32, row as u32);
        match cell {
            Cell::Empty => {}
            Cell::First => self.first |= bit,
            Cell::Second => self.second |= bit,
        }
    }

    /// Returns the position, which may be one that no game reaches.
    pub fn stones(self) -> Stones {
        Stones::from_players(self.first, self.second)
    }

    /// Returns the position as a record, if a game reaches it.
    pub fn record(self, game: &ConnectFour) -> Result<Record, RecordError> {
        let (position, moves) = position_of_players(game, self.first, self.second)?;
        Ok(Record { position, moves, value: None })
    }
}

/// Returns the cell in this column and row, counted from 0 at the top left.
pub(super) fn cell_of(game: &ConnectFour, position: Stones, column: usize, row: usize) -> Cell {
    let (first, second) = position.by_player();
    let bit = game.cell(column as u32, row as u32);
    if first & bit != 0 {
        Cell::First
    } else if second & bit != 0 {
        Cell::Second
    } else {
        Cell::Empty
    }
}

/// Returns the numbers of columns and rows of a board.
pub(super) fn dimensions(game: &ConnectFour) -> (usize, usize) {
    let size = game.size();
    (usize::from(size.width), usize::from(size.height))
}
