//! Connect Four: the exact solver, whole boards on bit arrays, books, batches, a built-in opening
//! book, the file formats of other programs, and published counts. The rules are in
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

/// Returns the standard board: 7x6, 4 in a row.
#[must_use]
pub const fn usual_board() -> AnyGame {
    AnyGame::Standard(Standard::fixed())
}
