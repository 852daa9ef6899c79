//! Errors of solution files.

use std::io;
use std::path::PathBuf;

use super::super::storage::PassError;
use crate::disk::FileError;

/// The version of the format.
pub(super) const VERSION: u32 = 1;

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
    #[error("{}: {}; correct the path or the permissions, then run the same command again", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The file is no solution file.
    #[error("{} is not a solution file: write one with `analyze solve`", .0.display())]
    NotASolution(PathBuf),
    /// The file was written by this other version.
    #[error(
        "{} has version {} of the format and this program reads {VERSION}: use the program that \
         wrote it, or solve the board again", .0.display(), .1
    )]
    OtherVersion(PathBuf, u32),
    /// The bytes are not those that were written; the fault and its place.
    #[error("{} is damaged: {}; copy it again from its source, or solve the board again", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// The file holds outcomes only.
    #[error("{} holds outcomes without remoteness: solve the board again with remoteness", .0.display())]
    NoRemoteness(PathBuf),
}
