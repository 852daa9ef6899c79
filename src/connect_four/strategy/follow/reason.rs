//! Why a follower moves as it does.

use std::fmt;

use crate::connect_four::strategy::Strategy;
use crate::connect_four::strategy::file::column_letter;
use crate::game::Move;
use crate::statistics::counted;

/// A cell of the board, both from 0, the bottom row first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its column.
    pub column: u32,
    /// Its row.
    pub row: u32,
}

/// Why the follower makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It completes a line.
    Completes,
    /// It leads to a position of the strategy.
    Leads {
        /// Which one, as an index into the entries.
        entry: usize,
        /// How many columns its plan does not meet.
        exits: u32,
    },
    /// It blocks the attacker, who would complete a line in this cell.
    Blocks(Cell),
    /// The plan has it as the answer to a cell.
    Answers {
        /// The cell the attacker took.
        cell: Cell,
        /// Where the answer goes.
        answer: Answer,
    },
}

/// Where an answer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// On top of the attacker's stone.
    OnTop,
    /// Into the column that the plan has for the cell.
    InColumn(Move),
    /// On top, since the column that the plan has for the cell, this one, is full.
    OnTopOf(Move),
    /// Into the first column with room, since the others are full.
    FirstWithRoom {
        /// From the right: the plan is followed in its mirror image.
        from_right: bool,
    },
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.column), self.row + 1)
    }
}

/// What the move does, as `4: ...` has it.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completes => f.write_str("completes a line"),
            Self::Leads { exits: 0, .. } => {
                f.write_str("leads to a position of the strategy that its plan settles")
            }
            Self::Leads { exits, .. } => {
                let exits = counted(u64::from(*exits), "exit");
                write!(f, "leads to a position of the strategy with {exits}")
            }
            Self::Blocks(cell) => write!(f, "blocks a line that {cell} would complete"),
            Self::Answers { cell, answer } => write!(f, "answers {cell} by the plan, {answer}"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnTop => f.write_str("on top"),
            Self::InColumn(column) => write!(f, "in column {}", column.number()),
            Self::OnTopOf(column) => write!(f, "on top, as column {} is full", column.number()),
            Self::FirstWithRoom { from_right: false } => {
                f.write_str("in the first column with room")
            }
            Self::FirstWithRoom { from_right: true } => f.write_str("in the last column with room"),
        }
    }
}

impl Strategy {
    /// What it claims, as `the first player wins on 7x6`.
    #[must_use]
    pub fn title(&self) -> String {
        let Self { size, claim, moves, .. } = self;
        let line = if size.line == 4 { String::new() } else { format!(", {} in a row", size.line) };
        let after = if moves.is_empty() { String::new() } else { format!(" after {moves}") };
        format!("{} on {}{line}{after}", claim.words(*size), size.board())
    }
}
