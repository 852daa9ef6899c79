//! Integrity checks.
//!
//! The checksum of a position or bound is checked whenever the row is read (`checksum.rs`). Damage
//! can also lose rows: SQLite follows a damaged inner page without complaint. A lost row looks like
//! one never stored, which costs a search but gives no wrong answer. Commands that add rows or
//! report on all of them check the whole file first: its pages, and the checksums of its runs.

use rusqlite::types::Type;
use rusqlite::{Connection, Transaction};

use super::error::At;
use super::{Database, DatabaseError, run_sums};

impl Database {
    /// Checks the structure of the file and the checksum of every position and bound.
    pub fn check(&self) -> Result<(), DatabaseError> {
        let _snapshot = snapshot(&self.connection).at(&self.path)?;
        self.check_structure()?;
        for game in self.games()? {
            self.scan(&game, |_| Ok::<(), DatabaseError>(()))?;
            self.bounds(&game, |_| ())?;
        }
        Ok(())
    }

    /// Checks all pages of the file, the checksums of its runs, and that every row belongs to a game
    /// or a run. The checksums of positions and bounds are checked when they are read.
    pub fn check_structure(&self) -> Result<(), DatabaseError> {
        match fault(&self.connection).at(&self.path)? {
            None => Ok(()),
            Some(reason) => Err(DatabaseError::Damaged { path: self.path.clone(), reason }),
        }
    }
}

/// Returns the first fault in the structure of a file, in words.
pub(super) fn fault(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let _snapshot = snapshot(connection)?;
    if let Some(finding) = integrity(connection)? {
        return Ok(Some(finding));
    }
    if let Some(run) = run_sums::broken_run(connection)? {
        return Ok(Some(format!("run {} fails its checksum", run.0)));
    }
    let mut orphans = connection.prepare("PRAGMA foreign_key_check")?;
    let mut orphans = orphans.query_map([], |row| Ok((row.get(0)?, row.get(2)?)))?;
    Ok(orphans.next().transpose()?.map(|(table, parent): (String, String)| {
        format!("a row of the table {table} belongs to no row of the table {parent}")
    }))
}

/// Returns the first finding of SQLite's check of all pages, in words.
fn integrity(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let check = || {
        let mut finding = String::new();
        connection.pragma(None, "integrity_check", 1, |row| {
            finding = row.get(0)?;
            Ok(())
        })?;
        Ok((finding != "ok").then_some(finding))
    };
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if number("freelist_count")? == 0 {
        return check();
    }
    // SQLite skips the list of free pages if the first object of its schema in memory has no root
    // page (`aRoot[0] == 0` in `sqlite3BtreeIntegrityCheck`), such as a view.
    let only = number("query_only")?;
    connection.pragma_update(None, "query_only", 0)?;
    // This fails on a file that cannot be written to; no new rows go into its free pages then.
    let _ = connection.execute_batch("SAVEPOINT without_view; DROP VIEW IF EXISTS main.solution");
    let finding = check();
    connection.execute_batch("ROLLBACK TO without_view; RELEASE without_view")?;
    connection.pragma_update(None, "query_only", only)?;
    finding
}

/// Begins a transaction for reading, in which the file does not change, unless there is one.
pub(super) fn snapshot(connection: &Connection) -> rusqlite::Result<Option<Transaction<'_>>> {
    connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()
}

/// Returns the error for content that only a damaged file can have.
pub(super) fn damaged(reason: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Null, reason.into())
}
