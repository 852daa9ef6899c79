//! Is the file what was written?
//!
//! When it is opened: its tables and, by their checksums, all small ones, in a time that does not
//! depend on the positions. When it is read: every row by its checksum, a row that is not there
//! by the range of its key, and whoever reads all rows compares their number and their checksums
//! by ply. Before rows are added: the ranges that they go to. So no command answers from, or
//! builds on, what is not as it was written, and none reads the whole file for a question about
//! one position.
//!
//! [`Database::check`] does read the whole file.

use rusqlite::{Connection, Transaction};

use super::checksum::Checksum;
use super::reader::numbered_games;
use super::spans::{Content, Spans};
use super::{Database, DatabaseError, digest, inventory, schema, view};

/// What a file of this version shows to be wrong without reading its positions, in words. Files
/// of a version without counts are read whole.
///
/// The caller holds a transaction.
pub(super) fn at_opening(
    connection: &Connection,
    version: i32,
) -> rusqlite::Result<Option<String>> {
    if let Some(fault) = schema::fault(connection, version)? {
        return Ok(Some(fault));
    }
    if version < schema::WITH_COUNTS {
        return whole(connection, version);
    }
    let broken = digest::broken_table(connection, version)?;
    Ok(broken.map(|table| format!("the table {table} is not as it was written")))
}

/// What is wrong with a file anywhere, in words; damaged rows are errors.
fn whole(connection: &Connection, version: i32) -> rusqlite::Result<Option<String>> {
    if let Some(finding) = integrity(connection)? {
        return Ok(Some(finding));
    }
    for (game_id, game) in numbered_games(connection)? {
        let checksum = Checksum::new(&game);
        for content in Content::ALL {
            if version < schema::WITH_COUNTS {
                let mut spans = Spans::new(connection, game_id, content, checksum)?;
                spans.visit(i64::MIN, i64::MAX, |_, _, _| Ok(()))?;
            } else {
                inventory::check(connection, game_id, content, checksum)?;
            }
        }
    }
    let orphans: i64 = connection.query_row(
        "SELECT (SELECT count(*) FROM position WHERE game_id NOT IN (SELECT id FROM game))
              + (SELECT count(*) FROM bound WHERE game_id NOT IN (SELECT id FROM game))",
        [],
        |row| row.get(0),
    )?;
    Ok((orphans > 0).then(|| format!("{orphans} positions are of no game")))
}

/// What SQLite finds wrong with the pages of a file, in words.
pub(super) fn integrity(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let check = || {
        let mut finding = String::new();
        connection.pragma(None, "integrity_check", 1, |row| {
            finding = row.get(0)?;
            Ok(())
        })?;
        Ok((finding != "ok").then_some(finding))
    };
    let free: i64 = connection.pragma_query_value(None, "freelist_count", |row| row.get(0))?;
    if free == 0 {
        return check();
    }
    // SQLite leaves out the list of free pages if the first object of its schema in memory has no
    // root page (`aRoot[0] == 0` in `sqlite3BtreeIntegrityCheck`), as a view has none.
    let _undone = snapshot(connection)?;
    connection.execute_batch("SAVEPOINT without_view")?;
    // A file that cannot be written to gets no new rows into its free pages either.
    let _ = view::drop(connection);
    let finding = check();
    connection.execute_batch("ROLLBACK TO without_view; RELEASE without_view")?;
    finding
}

/// A view of the file that other processes do not change, unless there is one already.
pub(super) fn snapshot(connection: &Connection) -> rusqlite::Result<Option<Transaction<'_>>> {
    connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()
}

impl Database {
    /// Checks that the whole file is what was written: its pages and their order, the checksum of
    /// every row, their number by ply and by range of keys, and all other tables.
    ///
    /// # Errors
    /// [`DatabaseError::Damaged`] with what is wrong; or if the file cannot be read.
    pub fn check(&self) -> Result<(), DatabaseError> {
        let check = || {
            let _snapshot = snapshot(&self.connection)?;
            match at_opening(&self.connection, self.version)? {
                None => whole(&self.connection, self.version),
                fault => Ok(fault),
            }
        };
        match check().map_err(|error| self.failure(error))? {
            None => Ok(()),
            Some(reason) => Err(DatabaseError::Damaged { path: self.path.clone(), reason }),
        }
    }
}
