//! Errors of solution files.

use std::io;
use std::path::PathBuf;

use super::super::storage::PassError;
use super::layout::VERSION;
use crate::disk::FileError;

/// The reason why a solution file could not be written, read or verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionError {
    /// Solving ended early.
    #[error(transparent)]
    Pass(#[from] PassError),
    /// The file could not be created or finished.
    #[error(transparent)]
    Output(#[from] FileError),
    /// A file could not be read.
    #[error("{}: {source}; correct the path or the permissions, then run the same command again", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The file is no solution file.
    #[error("{} is not a solution file: write one with `analyze solve`", path.display())]
    NotASolution {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version.
    #[error(
        "{} has version {found} of the format and this program reads {VERSION}: use the program \
         that wrote it, or solve the board again", path.display()
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u32,
    },
    /// The bytes are not those that were written.
    #[error("{} is damaged: {what}; copy it again from its source, or solve the board again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The fault and its place.
        what: String,
    },
    /// The file holds outcomes only.
    #[error("{} holds outcomes without remoteness: solve the board again with remoteness", .0.display())]
    NoRemoteness(PathBuf),
}
