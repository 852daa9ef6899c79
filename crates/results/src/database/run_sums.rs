//! Checksums of runs: the table `run_sum`, with one number for all rows about a run.
//!
//! A program that deletes a run or adds one of its own need not know the table: a run without a
//! checksum is not checked.

use crc32fast::Hasher;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::RunId;

const ROWS: [&str; 2] = [
    "run JOIN game ON game.id = game_id WHERE run.id = ?1",
    "ply_count WHERE run_id = ?1 ORDER BY ply",
];

/// Stores the checksum of a run as it is now, inside the caller's transaction.
pub(super) fn seal(connection: &Connection, run: RunId) -> rusqlite::Result<()> {
    let sum = checksum(connection, run)?;
    connection.execute("REPLACE INTO run_sum VALUES (?1, ?2)", params![run.0, sum]).map(drop)
}

/// Returns the first run whose checksum does not match.
pub(super) fn broken_run(connection: &Connection) -> rusqlite::Result<Option<RunId>> {
    let mut sums = connection.prepare("SELECT id, sum FROM run_sum JOIN run ON run.id = run_id")?;
    let mut sums = sums.query([])?;
    while let Some(row) = sums.next()? {
        let run = RunId(row.get(0)?);
        if row.get::<_, i64>(1)? != i64::from(checksum(connection, run)?) {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// Computes the CRC-32 of all values in the rows about a run.
fn checksum(connection: &Connection, run: RunId) -> rusqlite::Result<u32> {
    let mut hasher = Hasher::new();
    for rows in ROWS {
        let mut statement = connection.prepare(&format!("SELECT * FROM {rows}"))?;
        let columns = statement.column_count();
        let mut rows = statement.query([run.0])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                hash(&mut hasher, row.get_ref(column)?);
            }
        }
    }
    Ok(hasher.finalize())
}

/// Adds a value: a byte for its type, then its eight bytes, or its length and its bytes.
fn hash(hasher: &mut Hasher, value: ValueRef<'_>) {
    let (kind, number) = match value {
        ValueRef::Null => (0, 0),
        ValueRef::Integer(number) => (1, number.cast_unsigned()),
        ValueRef::Real(number) => (2, number.to_bits()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => (3, bytes.len() as u64),
    };
    hasher.update(&[kind]);
    hasher.update(&number.to_le_bytes());
    if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = value {
        hasher.update(bytes);
    }
}
