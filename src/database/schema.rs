//! The tables, and the two numbers in the file's header that say whose and which they are.

use rusqlite::{Connection, OptionalExtension};

use super::{digest, inventory, view};

/// Names the program in the header of the file: `EVPL` in ASCII.
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"EVPL");

/// The version of the tables below; goes up with every change to them.
///
/// 2: rows of positions carry a checksum; bounds.
/// 3: ranges of keys with the number of their rows, rows per ply, checksums of the other tables.
/// 4: what runs were asked for.
pub(super) const VERSION: i32 = 4;

/// The first version with counts and checksums.
pub(super) const WITH_COUNTS: i32 = 3;

/// The first version that says what runs were asked for.
pub(super) const WITH_TASKS: i32 = 4;

/// The oldest version that can be read; the next run that writes brings it up to date.
pub(super) const OLDEST: i32 = 2;

/// The tables since version 2, in the order of their dependencies. Boards have at most 64 cells,
/// which bounds ply, remoteness and moves.
///
/// The text is in every file and compared when it is opened: it must stay as it is.
const SQL_2: &str = "
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
    ply INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 64),
    outcome INTEGER NOT NULL CHECK (outcome IN (-1, 0, 1)),
    remoteness INTEGER CHECK (remoteness BETWEEN 0 AND 64),
    best INTEGER,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE bound (
    game_id INTEGER NOT NULL REFERENCES game (id),
    key INTEGER NOT NULL,
    ply INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 64),
    worst_outcome INTEGER NOT NULL CHECK (worst_outcome IN (-1, 0, 1)),
    worst_remoteness INTEGER NOT NULL CHECK (worst_remoteness BETWEEN 0 AND 64),
    best_outcome INTEGER NOT NULL CHECK (best_outcome IN (-1, 0, 1)),
    best_remoteness INTEGER NOT NULL CHECK (best_remoteness BETWEEN 0 AND 64),
    sum INTEGER NOT NULL,
    PRIMARY KEY (game_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE ply_count (
    run_id INTEGER NOT NULL REFERENCES run (id),
    ply INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 64),
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
    remoteness INTEGER CHECK (remoteness BETWEEN 0 AND 64),
    score REAL,
    nodes INTEGER NOT NULL CHECK (nodes >= 0),
    PRIMARY KEY (run_id, move)
) STRICT, WITHOUT ROWID;
";

/// The tables since version 3. `content` is 0 for the table `position` and 1 for `bound`.
const SQL_3: &str = "
CREATE TABLE span (
    game_id INTEGER NOT NULL REFERENCES game (id),
    content INTEGER NOT NULL CHECK (content IN (0, 1)),
    first INTEGER NOT NULL,
    last INTEGER NOT NULL CHECK (last >= first),
    rows INTEGER NOT NULL CHECK (rows >= 0),
    rows_sum INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game_id, content, first)
) STRICT, WITHOUT ROWID;
CREATE TABLE tally (
    game_id INTEGER NOT NULL REFERENCES game (id),
    content INTEGER NOT NULL CHECK (content IN (0, 1)),
    ply INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 64),
    rows INTEGER NOT NULL CHECK (rows >= 0),
    rows_sum INTEGER NOT NULL,
    PRIMARY KEY (game_id, content, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE digest (
    name TEXT NOT NULL PRIMARY KEY,
    rows INTEGER NOT NULL CHECK (rows >= 0),
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// The table since version 4. `root` is the key of the position a run was about, bit for bit. It is
/// beside `run`, since SQLite would add columns to that table's text in a way of its own.
const SQL_4: &str = "
CREATE TABLE task (
    run_id INTEGER PRIMARY KEY REFERENCES run (id),
    kind TEXT NOT NULL CHECK (kind IN ('solution', 'search', 'count', 'book', 'question')),
    root INTEGER NOT NULL,
    scoring TEXT
) STRICT;
";

/// Makes the tables and signs the header, inside the caller's transaction.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(SQL_2)?;
    connection.execute_batch(SQL_3)?;
    connection.execute_batch(SQL_4)?;
    view::add(connection)?;
    digest::seal_all(connection)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// Brings a file of an older version, which the caller has checked, up to date, inside the caller's
/// transaction.
pub(super) fn upgrade(connection: &Connection, version: i32) -> rusqlite::Result<()> {
    if version < WITH_COUNTS {
        connection.execute_batch(SQL_3)?;
        inventory::count_anew(connection)?;
    }
    connection.execute_batch(SQL_4)?;
    view::add(connection)?;
    digest::seal_all(connection)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// True if the file holds nothing at all yet.
pub(super) fn is_blank(connection: &Connection) -> rusqlite::Result<bool> {
    let entries: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(entries == 0 && signature(connection)? == (0, 0))
}

/// What is wrong with the tables of a file of this version, in words.
pub(super) fn fault(connection: &Connection, version: i32) -> rusqlite::Result<Option<String>> {
    let mut find =
        connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1")?;
    let mut stored = |table| find.query_row([table], |row| row.get::<_, String>(0)).optional();
    let since = |since, sql| tables(sql).map(move |table| (since, table));
    // No version is without the first ones, not even that of a file which was never signed.
    let all = since(0, SQL_2).chain(since(WITH_COUNTS, SQL_3)).chain(since(WITH_TASKS, SQL_4));
    for (since, (table, sql)) in all {
        match stored(table)? {
            None if version < since => (),
            None => return Ok(Some(format!("it has no table {table}"))),
            // In a file of an older version there is none: the version itself is damaged.
            Some(found) if found != sql || version < since => {
                return Ok(Some(format!("the table {table} is not as it was made")));
            }
            Some(_) => (),
        }
    }
    let view = view::stored(connection)?.filter(|view| !view::is_known(view));
    Ok(view.map(|_| "the view solution is not as it was made".to_owned()))
}

/// The names of tables, and the text SQLite keeps of each.
fn tables(sql: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    sql.trim().trim_end_matches(';').split(";\n").map(|sql| {
        let name = sql.split(' ').nth(2).unwrap_or_default();
        (name, sql)
    })
}

/// The application id and the version in the file's header.
pub(super) fn signature(connection: &Connection) -> rusqlite::Result<(i32, i32)> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((number("application_id")?, number("user_version")?))
}
