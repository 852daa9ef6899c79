//! Reasons for a follower's moves.

use std::fmt;

use crate::strategy::file::column_letter;
use everyply_core::game::Move;
use everyply_core::statistics::counted;

/// A cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The column, from 0.
    pub column: u32,
    /// The row, from 0 at the bottom.
    pub row: u32,
}

/// The reason for a follower's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The move completes a line.
    Completes,
    /// The move leads to a position of the strategy.
    Leads {
        /// The index of that position.
        index: usize,
        /// The number of columns that its plan does not meet.
        exits: u32,
    },
    /// The move blocks this cell, in which the attacker would complete a line.
    Blocks(Cell),
    /// The move is the answer of the plan to a cell.
    Answers {
        /// The cell the attacker took.
        cell: Cell,
        /// The rule for the column of the answer.
        answer: AnswerRule,
    },
}

/// The rule for the column of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerRule {
    /// On top of the attacker's stone.
    OnTop,
    /// Into the column that the plan has for the cell.
    InColumn(Move),
    /// On top, since this column, which the plan has for the cell, is full.
    OnTopOf(Move),
    /// Into the first column with room, since the others are full.
    FirstWithRoom {
        /// True if counted from the right: the plan is followed in its mirror image.
        from_right: bool,
    },
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.column), self.row + 1)
    }
}

/// A phrase that continues `4: `, the move.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completes => f.write_str("completes a line"),
            Self::Leads { exits: 0, .. } => {
                f.write_str("leads to a position of the strategy that a plan settles")
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

impl fmt::Display for AnswerRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnTop => f.write_str("on top"),
            Self::InColumn(column) => write!(f, "in column {}", column.number()),
            Self::OnTopOf(column) => {
                write!(f, "on top, because column {} is full", column.number())
            }
            Self::FirstWithRoom { from_right: false } => {
                f.write_str("in the first column with room")
            }
            Self::FirstWithRoom { from_right: true } => f.write_str("in the last column with room"),
        }
    }
}
