//! The solved-position database: proven values, kept for good in one SQLite file.
//!
//! Any language that opens SQLite files can read it; the tables are in `schema.rs`. For readers
//! and writers without this crate:
//!
//! - `position.key` is the unsigned [`Key`](everyply_core::game::Key) bit for bit in SQLite's signed
//!   integer, so keys from 2^63 on appear as negative numbers, and ascending order is
//!   `ORDER BY key < 0, key`. `position.best` is a bit mask in the same sense.
//! - Values are for the side to move; only canonical keys are stored.
//! - NULL means unknown, never 0. If `remoteness` is NULL, only the outcome is proven, and `best`
//!   holds the moves that attain it; `bound` holds bounds of positions whose outcome is not
//!   proven, or whose distance has bounds.
//! - `sum` is a checksum ([`checksum`](fn@checksum)); a row that fails it is refused as damaged.
//!   Other programs may delete rows, and add or change rows with the right checksum.
//!
//! The view `solution` shows positions in words, and its text explains the tables.
//!
//! # Rules of writing
//! Only proven values enter. Writing an analysis again only adds a run; a row may fill a NULL
//! remoteness or set of best moves of the stored row (a remoteness narrows the best moves from those
//! that attain the outcome to those that attain it in time, so they come with it or are unknown
//! again); a row that contradicts the stored one is an error ([`DatabaseError::Conflict`]).
//!
//! # Files
//! While a run writes, SQLite keeps its write-ahead log in `-wal` and `-shm` files beside the
//! database. A run that has ended without a crash leaves the one file, in a form that can be read
//! from a read-only medium. After a crash the next opening recovers the committed rows.

mod bounds;
mod check;
mod checksum;
mod error;
mod lock;
mod lookup;
mod open;
mod positions;
mod reader;
mod rows;
mod run_file;
mod run_sums;
mod schema;
#[cfg(test)]
mod tests;
mod writer;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use everyply_core::game::GameId;

pub use checksum::checksum;
pub use error::{Conflict, DatabaseError};
pub use everyply_core::game::PositionRow;
pub use lock::DatabaseLock;
pub use lookup::Lookup;
pub(crate) use open::SQLITE;
pub use rows::{BoundRow, Ending, Run, RunId, WriteSummary};
pub use writer::{PositionSink, RunWriter, WriterStopped};

/// An open solved-position database.
///
/// # Errors
/// Methods that read fail with [`DatabaseError::Damaged`] on values that this program never writes,
/// and with SQLite's error if the file cannot be read. A visit ends at the first error of its
/// function.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    /// The path as the caller wrote it, for messages.
    path: PathBuf,
}

impl Database {
    /// Opens a database for writing. A missing or empty file becomes a new database; another one is
    /// checked first, as by [`check_structure`](Self::check_structure).
    ///
    /// # Errors
    /// Everything that would keep a run from writing is refused here, before any work: see the
    /// variants of [`DatabaseError`]. A file that is not a database of this program is left
    /// unchanged, byte for byte.
    pub fn create_or_open(path: &Path) -> Result<Self, DatabaseError> {
        let connection = open::for_writing(path)?;
        Ok(Self { connection, path: path.to_owned() })
    }

    /// Opens an existing database for reading. Nothing is created, and the file may be
    /// read-only, in a read-only directory; rows that a crashed run had committed are recovered.
    ///
    /// # Errors
    /// If the file is missing, unreadable, damaged, or not a database of this program and
    /// version: see the variants of [`DatabaseError`].
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let connection = open::for_reading(path)?;
        Ok(Self { connection, path: path.to_owned() })
    }

    /// Starts a run: adds the game if it is new, and the run with no ending. Both are committed
    /// when this returns. Start and end are stamped in UTC.
    ///
    /// `command` is the command line as the user would type it.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`] if another process is writing for more than a few seconds;
    /// [`DatabaseError::ReadOnly`] if the database was opened for reading; or SQLite's error.
    pub fn begin_run(
        self,
        game: &GameId,
        command: &str,
        threads: usize,
    ) -> Result<RunWriter, DatabaseError> {
        RunWriter::begin(self, game, command, threads)
    }

    /// Returns the connection, for the user's queries; on a file opened for reading they change
    /// nothing.
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Adds the path to an error of SQLite on the connection.
    pub fn failure(&self, error: rusqlite::Error) -> DatabaseError {
        DatabaseError::of_sqlite(&self.path, error)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}
