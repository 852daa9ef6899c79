//! What only Connect Four has: the exact solver, whole boards on bit arrays, books, batches, an
//! opening book that is part of the program, and the formats and figures of others. The rules are
//! [`games::line::ConnectFour`](crate::games::line::ConnectFour).

pub mod batch;
pub mod book;
pub mod formats;
mod opening;
pub mod profiles;
pub mod published;
pub mod solver;
#[cfg(feature = "solutions")]
pub mod strategy;

pub use opening::{OpeningBook, OpeningError};

use crate::games::line::{AnyGame, Standard};

/// Returns the board that most programs are about: 7x6, 4 in a row.
#[must_use]
pub const fn usual_board() -> AnyGame {
    AnyGame::Standard(Standard::fixed())
}
