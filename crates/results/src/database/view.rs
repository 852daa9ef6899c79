//! The view `solution`: the positions of a file in words, for readers without this program.

use rusqlite::{Connection, OptionalExtension};

/// The text of the view, which explains the file to readers of its schema. It takes a game's rows
/// by their primary key, and computes no column that a query does not use.
///
/// A view holds no data, so a file without it is complete and a new text does not raise the version:
/// the next run that writes to the file replaces the view.
pub(super) const SOLUTION: &str = "\
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
-- commands that wrote here; `ply_count`, `search_iteration` and `root_move` are what each counted
-- and found. The column `sum` of `position` and `bound` is a checksum of the row: a program that
-- changes a row has to change it too, or everyply refuses the row as damaged.
-- `run_sum` has checksums of runs.
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

/// True if a file lacks the view, or has another text of it.
pub(super) fn is_wanting(connection: &Connection) -> rusqlite::Result<bool> {
    let find = "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = 'solution'";
    let stored = connection.query_row(find, [], |row| row.get::<_, String>(0)).optional()?;
    Ok(stored.as_deref() != Some(SOLUTION))
}

/// Adds the view to a file, or replaces it, inside the caller's transaction.
pub(super) fn add(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("DROP VIEW IF EXISTS main.solution")?;
    connection.execute_batch(SOLUTION)
}

/// Removes the view from a file, inside the caller's transaction.
pub(super) fn drop(connection: &Connection) -> rusqlite::Result<()> {
    let only: bool = connection.pragma_query_value(None, "query_only", |row| row.get(0))?;
    connection.pragma_update(None, "query_only", false)?;
    let dropped = connection.execute_batch("DROP VIEW IF EXISTS main.solution");
    connection.pragma_update(None, "query_only", only)?;
    dropped
}

/// Shows queries of this connection the present view, whatever the file has under its name.
pub(super) fn show(connection: &Connection) -> rusqlite::Result<()> {
    let text = SOLUTION.replacen("CREATE VIEW", "CREATE TEMP VIEW", 1);
    connection.pragma_update(None, "query_only", false)?;
    let made = connection.execute_batch(&text);
    connection.pragma_update(None, "query_only", true)?;
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_found_by_its_key_and_not_by_reading_all() {
        let connection = Connection::open_in_memory().unwrap();
        crate::database::schema::create(&connection).unwrap();
        let plan = |query: &str| -> String {
            let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {query}")).unwrap();
            let steps = plan.query_map([], |row| row.get::<_, String>(3)).unwrap();
            steps.map(Result::unwrap).collect::<Vec<_>>().join("\n")
        };
        let of_game = plan("SELECT outcome FROM solution WHERE game = 'connect4' AND ply = 3");
        assert!(of_game.contains("SEARCH position USING PRIMARY KEY (game_id=?)"), "{of_game}");
        let one = plan("SELECT outcome FROM solution WHERE game_id = 1 AND key = 7");
        assert!(one.contains("SEARCH game USING INTEGER PRIMARY KEY"), "{one}");
        assert!(one.contains("USING PRIMARY KEY (game_id=? AND key=?)"), "{one}");
    }
}
