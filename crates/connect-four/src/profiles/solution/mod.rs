//! Solution files: the value of every position of a board.
//!
//! The files are read, not mapped: truncating a mapped file would end the process by a signal, but
//! reading a truncated file gives an error.

#[cfg(test)]
mod crashes;
mod file;
mod layout;
mod verify;
mod write;

pub use file::SolutionFile;
pub use layout::SolutionError;
pub use verify::Verified;
pub use write::{WrittenSolution, fill, solve};
