//! Errors of exports of positions.

use std::io;
use std::path::PathBuf;

use crate::oracle::OracleError;
use crate::stored::StoredError;
use everyply_core::control::Stopped;
use everyply_core::exhaustive::SolveError;
use everyply_core::game::{GameId, Unreached};
use everyply_core::statistics::counted;

/// The reason why an export ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    #[error(transparent)]
    Stored(#[from] StoredError),
    #[error(transparent)]
    File(#[from] io::Error),
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(
        "{}: key {key} at ply {ply} is no position of {game}; `analyze verify` lists the faults; if the \
         rules of the game were changed, solve it again into another file",
        .path.display()
    )]
    NoPosition { path: PathBuf, key: u64, ply: u8, game: GameId },
    #[error(transparent)]
    Way(#[from] Unreached),
    #[error("{}", too_few(*found, *ply, *are_all))]
    TooFew {
        wanted: usize,
        found: usize,
        /// The ply, in a draw of each ply.
        ply: Option<u8>,
        /// True if these are all positions to draw from.
        are_all: bool,
    },
    #[error(transparent)]
    Unsolved(#[from] SolveError),
    #[error(transparent)]
    NoValue(#[from] OracleError),
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
