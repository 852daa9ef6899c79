//! What only Connect Four has: the exact solver, whole boards on bit arrays, books, and the
//! formats and figures of others. The rules are [`games::line::ConnectFour`](crate::games::line::ConnectFour).

pub mod book;
pub mod formats;
pub mod profiles;
pub mod published;
pub mod solver;

use crate::games::line::{AnyGame, Standard};

/// The board that most programs are about: 7x6, 4 in a row.
#[must_use]
pub const fn usual_board() -> AnyGame {
    AnyGame::Standard(Standard::fixed())
}
