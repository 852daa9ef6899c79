//! Errors of exports of positions.

use std::io;
use std::path::PathBuf;

use crate::connect_four::profiles::SolutionError;
use crate::control::Stopped;
use crate::database::DatabaseError;
use crate::exhaustive::SolveError;
use crate::game::{GameId, Unreached};
use crate::oracle::OracleError;
use crate::statistics::counted;

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
    Way(#[from] Unreached),
    /// There are fewer positions than are to be drawn, or random games lead to fewer.
    #[error("{}", too_few(*found, *ply, *are_all))]
    TooFew {
        /// How many were to be drawn.
        wanted: usize,
        /// How many were found.
        found: usize,
        /// The ply, if so many of each were to be drawn.
        ply: Option<u8>,
        /// True if these are all that there are to draw from.
        are_all: bool,
    },
    /// The positions to draw from cannot be solved.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
    /// A value cannot be found.
    #[error(transparent)]
    NoValue(#[from] OracleError),
    /// A position cannot be written in the format.
    #[error("{0}")]
    Unsuitable(String),
}

fn too_few(found: usize, ply: Option<u8>, are_all: bool) -> String {
    let positions = counted(found as u64, "position");
    let ply = ply.map_or_else(String::new, |ply| format!("of ply {ply} "));
    match (are_all, found) {
        (true, 1) => format!("there is only 1 position {ply}to draw from"),
        (true, _) => format!("there are only {positions} {ply}to draw from"),
        (false, _) => format!("random games lead to only {positions} {ply}up to symmetry"),
    }
}
