//! Errors of exports of positions.

use std::io;
use std::path::PathBuf;

use crate::connect_four::profiles::SolutionError;
use crate::control::Stopped;
use crate::database::DatabaseError;
use crate::game::GameId;
use crate::games::line::notation::NotationError;

/// The reason why an export ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The solution file cannot be read.
    #[error(transparent)]
    Solution(#[from] SolutionError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The control stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A row is not about a position of its game.
    #[error(
        "{}: key {key} at ply {ply} is no position of {game}; `analyze verify` lists the faults; if the \
         rules of the game were changed, solve it again into another file",
        .path.display()
    )]
    NoPosition {
        /// The database.
        path: PathBuf,
        /// The key.
        key: u64,
        /// The ply of the row.
        ply: u8,
        /// The game.
        game: GameId,
    },
    /// No way to a position was found.
    #[error(transparent)]
    Way(#[from] NotationError),
    /// A position cannot be written in the format.
    #[error("{0}")]
    Unsuitable(String),
}
