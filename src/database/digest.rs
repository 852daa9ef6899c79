//! Checksums of the small tables: games, runs and their numbers, and the counts of positions.
//!
//! One number a table, over all rows in order: these tables are read as a whole, so a row that is
//! lost, or that something else than this program changed, shows at once. They are compared
//! whenever a file is opened.

use crc32fast::Hasher;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};

use super::schema;

/// The tables under such a checksum.
const TABLES: [&str; 7] =
    ["game", "run", "ply_count", "search_iteration", "root_move", "tally", "task"];

/// Stores the checksums of tables as they are now, inside the caller's transaction.
pub(super) fn seal(connection: &Connection, tables: &[&str]) -> rusqlite::Result<()> {
    let mut replace = connection.prepare("REPLACE INTO digest VALUES (?, ?, ?)")?;
    for table in tables {
        let (rows, sum) = of(connection, table)?;
        replace.execute(params![table, rows, sum])?;
    }
    Ok(())
}

/// Stores the checksums of all these tables.
pub(super) fn seal_all(connection: &Connection) -> rusqlite::Result<()> {
    seal(connection, &TABLES)
}

/// The first table of a file of this version that is not as it was written. The caller holds a
/// transaction, or another process could write between two of them.
pub(super) fn broken_table(
    connection: &Connection,
    version: i32,
) -> rusqlite::Result<Option<&'static str>> {
    let mut find = connection.prepare("SELECT rows, sum FROM digest WHERE name = ?1")?;
    let is_there = |table: &&str| version >= schema::WITH_TASKS || *table != "task";
    for table in TABLES.into_iter().filter(is_there) {
        let stored: Option<(i64, i64)> =
            find.query_row([table], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let (rows, sum) = of(connection, table)?;
        if stored != Some((rows, i64::from(sum))) {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// The rows of a table, and the CRC-32 of all its values: a byte for the type (0 to 4: NULL,
/// integer, real, text, blob), then eight bytes, lowest first, or the length in eight bytes and
/// the bytes.
fn of(connection: &Connection, table: &str) -> rusqlite::Result<(i64, u32)> {
    // Never through an index, which is another place that could be damaged.
    let from = if table == "game" { "game NOT INDEXED" } else { table };
    let mut statement = connection.prepare(&format!("SELECT * FROM {from} ORDER BY 1, 2, 3"))?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let (mut count, mut hasher) = (0, Hasher::new());
    while let Some(row) = rows.next()? {
        count += 1;
        for column in 0..columns {
            hash(&mut hasher, row.get_ref(column)?);
        }
    }
    Ok((count, hasher.finalize()))
}

fn hash(hasher: &mut Hasher, value: ValueRef<'_>) {
    let mut number = |kind: u8, bytes: [u8; 8]| {
        hasher.update(&[kind]);
        hasher.update(&bytes);
    };
    match value {
        ValueRef::Null => number(0, [0; 8]),
        ValueRef::Integer(integer) => number(1, integer.to_le_bytes()),
        ValueRef::Real(real) => number(2, real.to_bits().to_le_bytes()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            let kind = if matches!(value, ValueRef::Text(_)) { 3 } else { 4 };
            number(kind, (bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
    }
}
