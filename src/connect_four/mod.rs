//! What only Connect Four has: the exact solver, whole boards on bit arrays, books, and the
//! formats of other programs. The rules are [`games::line::ConnectFour`](crate::games::line::ConnectFour).

pub mod book;
pub mod formats;
pub mod profiles;
pub mod solver;
