//! Errors of databases, each with its path and the remedy.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::PositionRow;
use everyply_core::game::{GameId, Ply};

/// An error of opening, reading or writing a solved-position database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    #[error("{} does not exist: give the database of an earlier run", .0.display())]
    Missing(PathBuf),
    #[error("{} is empty: give the database of an earlier run", .0.display())]
    Empty(PathBuf),
    #[error("{} is a directory: give the name of a file in it", .0.display())]
    Directory(PathBuf),
    #[error("{} is not a regular file: choose another file", .0.display())]
    NotAFile(PathBuf),
    #[error("{} is not a database, it was left as it is: choose another file", .0.display())]
    NotADatabase(PathBuf),
    #[error(
        "{} is an SQLite database of another program, it was left as it is: choose another file",
        .0.display()
    )]
    Foreign(PathBuf),
    #[error(
        "{} was made by another version of everyply (format {found}, this one knows {known}): use \
         that version, or run the analysis again into another file",
        .path.display()
    )]
    OtherVersion { path: PathBuf, found: i32, known: i32 },
    #[error(
        "{} is damaged ({reason}): restore it from a copy, or delete it and run the analysis again",
        .path.display()
    )]
    Damaged { path: PathBuf, reason: String },
    #[error(
        "{} cannot be written: make the file and its directory writable or choose another file",
        .0.display()
    )]
    ReadOnly(PathBuf),
    #[error("{} cannot be opened ({source}): check the path or choose another file", .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("another process is writing to {}: wait for it or choose another file", .0.display())]
    Busy(PathBuf),
    #[error("another process is at work on {}: wait for it or choose another file", .0.display())]
    Locked(PathBuf),
    #[error(
        "the disk is full: free some space to continue writing to {}; its content until now is intact",
        .0.display()
    )]
    DiskFull(PathBuf),
    #[error(transparent)]
    Conflict(Box<Conflict>),
    #[error(
        "{}: {game}, {position} is stored at ply {}, and the game has it at ply {}: the file is from \
         before the game was changed; solve it again into another file",
        .path.display(), .plies[0], .plies[1]
    )]
    OtherRules { path: PathBuf, game: GameId, position: String, plies: [Ply; 2] },
    #[error("{}: a count per ply above 2^63 - 1 cannot be stored", .0.display())]
    TooLarge(PathBuf),
    #[error("the writer of {} stopped unexpectedly: run the analysis again", .0.display())]
    WriterLost(PathBuf),
    #[error("{}: {source}; if this stays, choose another file", .path.display())]
    Sqlite { path: PathBuf, source: rusqlite::Error },
}

/// A contradiction between two values of one position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}: {game}, position with key {}: stored is {stored}, but this run found {offered}; one of \
     them is wrong, so the stored one was kept: compare with what a run into another file finds; if \
     the rules of the game were changed, use that file from now on",
    .path.display(), .stored.key.0
)]
pub struct Conflict {
    pub path: PathBuf,
    pub game: GameId,
    pub stored: PositionRow,
    pub offered: PositionRow,
}

impl DatabaseError {
    /// Returns true if another file is a remedy.
    pub const fn is_mended_by_another_file(&self) -> bool {
        !matches!(
            self,
            Self::Missing(_)
                | Self::Empty(_)
                | Self::Directory(_)
                | Self::Damaged { .. }
                | Self::DiskFull(_)
                | Self::TooLarge(_)
                | Self::WriterLost(_)
        )
    }

    pub(super) fn of_sqlite(path: &Path, source: rusqlite::Error) -> Self {
        use rusqlite::Error;
        let path = path.to_owned();
        match source.sqlite_error_code() {
            // A value that does not fit its type can only come from a damaged file.
            None => match source {
                Error::FromSqlConversionFailure(_, _, reason) => {
                    Self::Damaged { path, reason: reason.to_string() }
                }
                Error::IntegralValueOutOfRange(..)
                | Error::InvalidColumnType(..)
                | Error::Utf8Error(..) => Self::Damaged { path, reason: source.to_string() },
                _ => Self::Sqlite { path, source },
            },
            Some(ErrorCode::NotADatabase) => Self::NotADatabase(path),
            Some(ErrorCode::DatabaseCorrupt) => {
                Self::Damaged { path, reason: "it was cut short or overwritten in part".to_owned() }
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(path),
            Some(ErrorCode::DiskFull) => Self::DiskFull(path),
            _ => Self::Sqlite { path, source },
        }
    }
}

/// Adds the path of a database to an error of SQLite.
pub(super) trait At<T> {
    fn at(self, path: &Path) -> Result<T, DatabaseError>;
}

impl<T> At<T> for rusqlite::Result<T> {
    fn at(self, path: &Path) -> Result<T, DatabaseError> {
        self.map_err(|error| DatabaseError::of_sqlite(path, error))
    }
}
