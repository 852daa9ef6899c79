//! Solution files: the value of every position that a root leads to. `docs/solution-format.md`
//! describes their bytes.

mod board;
#[cfg(test)]
mod board_tests;
mod chunk;
mod count;
mod error;
mod file;
mod layout;
mod ranks;
mod rules;
mod solving;
mod verify;
mod work;
mod write;

#[cfg(test)]
pub(crate) mod tests;

pub use board::{fill_board, solve_board};
pub use count::ValueCount;
pub use error::SolutionError;
pub use file::SolutionFile;
pub use layout::Tier;
pub use solving::{fill, solve};
pub use write::{WriteError, WrittenGame};
