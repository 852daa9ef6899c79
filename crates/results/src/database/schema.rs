//! The tables, and the application id and version in the file's header.

use rusqlite::{Connection, OptionalExtension};

/// Names the program in the header of the file: `EVPL` in ASCII.
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"EVPL");

/// The version of the tables below; goes up with every change to them. Files may hold other tables
/// beside these.
pub(super) const VERSION: i32 = 5;

/// The tables, in the order of their dependencies.
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
CREATE TABLE run_sum (
    run_id INTEGER PRIMARY KEY,
    sum INTEGER NOT NULL
) STRICT;
";

/// The view `solution`: the positions of a file in words, for readers without this program. It takes
/// a game's rows by their primary key, and computes no column that a query does not use.
const VIEW: &str = "\
CREATE VIEW solution (game_id, game, size, line, ply, key, to_move, outcome, remoteness, best) AS
-- The solved positions of this database of everyply, in words. Try
--   SELECT * FROM solution LIMIT 5
--
-- Values are proven. Of positions that are images of each other (mirrored, turned) the one with
-- the lowest key is here. `analyze sql FILE QUERY` adds functions: board(game_id, key) draws a
-- position, moves(game_id, key) plays to it.
--
-- The tables below this view: `position` has its rows in numbers (outcome 1, 0, -1; best moves as
-- the bits of a number), `bound` what is known of positions without a value. `run` lists the
-- commands that wrote here, `ply_count` what each counted. The column `sum` of `position` and
-- `bound` is a checksum of the row: a program that changes a row has to change it too, or everyply
-- refuses the row as damaged. `run_sum` has checksums of runs.
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 64)
SELECT
    -- Which game: one board of one set of rules.
    game.id,
    -- 'connect4', 'ttt' (any board of cells on which k in a row win), ...
    game.name,
    -- Columns x rows, and how many in a row win; other games count in their own way.
    game.width || 'x' || game.height,
    game.line,
    -- Stones on the board; in other games how much less play can be left than at the start.
    position.ply,
    -- The position: equal keys of one game are equal positions.
    position.key,
    -- X moves first. NULL in games of another kind, where ply does not say whose turn it is: the
    -- function to_move(game_id, key) of `analyze sql` does where the position says it.
    CASE WHEN game.name IN ('connect4', 'ttt') THEN substr('XO', position.ply % 2 + 1, 1) END,
    -- For the side to move.
    CASE position.outcome WHEN 1 THEN 'win' WHEN 0 THEN 'draw' ELSE 'loss' END,
    -- Plies to the end when the winner hurries and the loser delays; NULL where that is not known,
    -- or a draw is one by play without an end.
    position.remoteness,
    -- All best moves: columns, or cells row by row from the top left, counted from 1. Empty when
    -- the game is over, NULL where they are not known. NULL also in games of another kind, where
    -- only the rules say what move a bit of position.best is: best_moves(game_id, key, bits) of
    -- `analyze sql` writes them out.
    CASE WHEN game.name IN ('connect4', 'ttt') AND position.best IS NOT NULL THEN
        coalesce((SELECT group_concat(n, ' ') FROM number WHERE position.best >> (n - 1) & 1), '')
    END
FROM game CROSS JOIN position ON position.game_id = game.id";

/// Makes the tables and the view and signs the header, inside the caller's transaction.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(SQL)?;
    connection.execute_batch(VIEW)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// Returns true if the file holds nothing yet.
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

/// Returns the names of the tables, and the text that SQLite keeps of each.
fn tables() -> impl Iterator<Item = (&'static str, &'static str)> {
    SQL.trim().trim_end_matches(';').split(";\n").map(|sql| {
        let name = sql.split(' ').nth(2).unwrap_or_default();
        (name, sql)
    })
}

/// Returns the application id and the version in the file's header.
pub(super) fn signature(connection: &Connection) -> rusqlite::Result<(i32, i32)> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((number("application_id")?, number("user_version")?))
}
