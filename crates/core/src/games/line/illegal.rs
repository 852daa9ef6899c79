//! Moves that the rules forbid.

use std::fmt;

use crate::game::Move;

/// The reason why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The board has no such column or cell.
    #[error("move {} is not on the board: a move is a {place} from 1 to {most}", .tried.number())]
    NotOnBoard {
        /// The move.
        tried: Move,
        /// `column` or `cell`.
        place: &'static str,
        /// The greatest number a move can have.
        most: u32,
    },
    /// A line is complete or the board is full.
    #[error("move {}: the game is over, {}", .tried.number(), Ending(*.winner))]
    AlreadyOver {
        /// The move.
        tried: Move,
        /// The winner, `X` or `O`; `None` if it is a draw.
        winner: Option<char>,
    },
    /// The column is full or the cell taken.
    #[error("move {0}: {place} {0} is {state}", .tried.number())]
    NotPlayable {
        /// The move.
        tried: Move,
        /// `column` or `cell`.
        place: &'static str,
        /// `full` or `taken`.
        state: &'static str,
    },
}

/// The end of a game, for an error message.
struct Ending(Option<char>);

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(winner) => write!(f, "{winner} has won"),
            None => f.write_str("the board is full"),
        }
    }
}
