//! Output files: one format each, and how they come to be.

mod files;

pub use files::{FileError, NewFile, in_directory};
