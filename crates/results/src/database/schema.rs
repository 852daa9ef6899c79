//! The tables, and the application id and version in the file's header.

use rusqlite::{Connection, OptionalExtension};

use super::{run_sums, view};

/// Names the program in the header of the file: `EVPL` in ASCII.
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"EVPL");

/// The version of the tables below; goes up with every change to them. Files may hold other
/// tables beside these, as some of this version do.
pub(super) const VERSION: i32 = 4;

/// The tables, in the order of their dependencies. Boards have at most 64 cells, which bounds ply,
/// remoteness and moves.
///
/// The text is in every file and compared when it is opened: it must stay as it is.
const SQL: &str = "
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 255),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 255),
    line INTEGER NOT NULL CHECK (line BETWEEN 1 AND 255),
    UNIQUE (name, width, height, line)
) STRICT;
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES game (id),
    command TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    threads INTEGER NOT NULL CHECK (threads >= 1),
    status TEXT NOT NULL CHECK (status IN ('running', 'finished', 'interrupted', 'failed')),
    CHECK ((finished_at IS NULL) = (status = 'running'))
) STRICT;
CREATE TABLE position (
    game_id INTEGER NOT NULL REFERENCES game (id),
    key INTEGER NOT NULL,
    ply INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 255),
    outcome INTEGER NOT NULL CHECK (outcome IN (-1, 0, 1)),
    remoteness INTEGER CHECK (remoteness BETWEEN 0 AND 254),
    best INTEGER,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE bound (
    game_id INTEGER NOT NULL REFERENCES game (id),
    key INTEGER NOT NULL,
    ply INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 255),
    worst_outcome INTEGER NOT NULL CHECK (worst_outcome IN (-1, 0, 1)),
    worst_remoteness INTEGER NOT NULL CHECK (worst_remoteness BETWEEN 0 AND 254),
    best_outcome INTEGER NOT NULL CHECK (best_outcome IN (-1, 0, 1)),
    best_remoteness INTEGER NOT NULL CHECK (best_remoteness BETWEEN 0 AND 254),
    sum INTEGER NOT NULL,
    PRIMARY KEY (game_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE ply_count (
    run_id INTEGER NOT NULL REFERENCES run (id),
    ply INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 255),
    nodes INTEGER CHECK (nodes >= 0),
    games INTEGER CHECK (games >= 0),
    positions INTEGER CHECK (positions >= 0),
    canonical INTEGER CHECK (canonical >= 0),
    terminal INTEGER CHECK (terminal >= 0),
    wins INTEGER CHECK (wins >= 0),
    draws INTEGER CHECK (draws >= 0),
    losses INTEGER CHECK (losses >= 0),
    PRIMARY KEY (run_id, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE search_iteration (
    run_id INTEGER NOT NULL REFERENCES run (id),
    depth INTEGER NOT NULL CHECK (depth >= 0),
    score REAL NOT NULL,
    nodes INTEGER NOT NULL CHECK (nodes >= 0),
    leaf_evaluations INTEGER NOT NULL CHECK (leaf_evaluations >= 0),
    table_probes INTEGER NOT NULL CHECK (table_probes >= 0),
    table_hits INTEGER NOT NULL CHECK (table_hits >= 0),
    table_stores INTEGER NOT NULL CHECK (table_stores >= 0),
    cutoffs INTEGER NOT NULL CHECK (cutoffs >= 0),
    first_move_cutoffs INTEGER NOT NULL CHECK (first_move_cutoffs >= 0),
    elapsed_s REAL NOT NULL CHECK (elapsed_s >= 0),
    PRIMARY KEY (run_id, depth)
) STRICT, WITHOUT ROWID;
CREATE TABLE root_move (
    run_id INTEGER NOT NULL REFERENCES run (id),
    move INTEGER NOT NULL CHECK (move BETWEEN 1 AND 64),
    outcome INTEGER CHECK (outcome IN (-1, 0, 1)),
    remoteness INTEGER CHECK (remoteness BETWEEN 0 AND 254),
    score REAL,
    nodes INTEGER NOT NULL CHECK (nodes >= 0),
    PRIMARY KEY (run_id, move)
) STRICT, WITHOUT ROWID;
";

/// Makes the tables and signs the header, inside the caller's transaction.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(SQL)?;
    complete(connection)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// True if a file lacks what [`complete`] adds.
pub(super) fn is_incomplete(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(!connection.table_exists(None, "run_sum")? || view::is_wanting(connection)?)
}

/// Adds the view and the table of checksums of runs, inside the caller's transaction.
pub(super) fn complete(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(run_sums::TABLE)?;
    view::add(connection)
}

/// True if the file holds nothing at all yet.
pub(super) fn is_blank(connection: &Connection) -> rusqlite::Result<bool> {
    let entries: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(entries == 0 && signature(connection)? == (0, 0))
}

/// Returns the first fault in the tables' definitions, in words.
pub(super) fn fault(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut find =
        connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1")?;
    for (table, sql) in tables() {
        match find.query_row([table], |row| row.get::<_, String>(0)).optional()? {
            None => return Ok(Some(format!("it has no table {table}"))),
            Some(found) if found != sql => {
                return Ok(Some(format!("the table {table} is not as it was made")));
            }
            Some(_) => (),
        }
    }
    Ok(None)
}

/// The names of the tables, and the text SQLite keeps of each.
fn tables() -> impl Iterator<Item = (&'static str, &'static str)> {
    SQL.trim().trim_end_matches(';').split(";\n").map(|sql| {
        let name = sql.split(' ').nth(2).unwrap_or_default();
        (name, sql)
    })
}

/// The application id and the version in the file's header.
pub(super) fn signature(connection: &Connection) -> rusqlite::Result<(i32, i32)> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((number("application_id")?, number("user_version")?))
}
