//! What only Connect Four has: the exact solver, whole boards on bit arrays, books, an opening
//! book that is part of the program, and the formats of other programs. The rules are [`games::line::ConnectFour`](crate::games::line::ConnectFour).

pub mod book;
pub mod formats;
mod opening;
pub mod profiles;
pub mod solver;

pub use opening::{OpeningBook, OpeningError};
