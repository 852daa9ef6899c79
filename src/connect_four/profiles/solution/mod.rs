//! Solution files: the value of every position of a board, read where it is.
//!
//! They are read, not mapped: a file that is cut while it is mapped would end the process by a
//! signal, a file that is read gives an error.

mod batch;
#[cfg(test)]
mod crashes;
mod error;
mod file;
mod layout;
mod near_end;
mod ranked_codes;
mod verify;
mod write;

pub use error::SolutionError;
pub use file::SolutionFile;
pub use layout::SolutionDetail;
pub use verify::Verified;
pub use write::{WrittenSolution, finish, make, solve};
