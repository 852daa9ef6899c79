//! The reasons why solution files cannot be written, read or verified.

use std::io;
use std::path::PathBuf;

use super::layout::VERSION;
use everyply_connect_four::profiles::PassError;
use everyply_core::game::GameId;
use everyply_files::disk::FileError;

/// The reason why a solution file could not be written, read or verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionError {
    #[error(transparent)]
    Pass(#[from] PassError),
    #[error(transparent)]
    Output(#[from] FileError),
    #[error("{}: {}; correct the path or the permissions, then try again", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    #[error("{} is not a solution file: write one with `analyze solve`", .0.display())]
    NotASolution(PathBuf),
    #[error(
        "{} has version {} of the format and this program reads {VERSION}: use the program that wrote it, or \
         solve the game again", .0.display(), .1
    )]
    OtherVersion(PathBuf, u32),
    /// The file differs from what was written; the fault and its place.
    #[error("{} is damaged: {}; copy it again from its source, or solve it again", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// The file was written for other rules of the game of this name.
    #[error(
        "{} was written for other rules of {} than this program has: use the program that wrote it, or \
         solve the game again", .0.display(), .1
    )]
    OtherRules(PathBuf, GameId),
}
