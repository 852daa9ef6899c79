//! The view `solution`: the positions of a file in words, for whoever reads it without this program.

use rusqlite::{Connection, OptionalExtension};

/// The text of the view, which explains the file to whoever looks at its schema. It takes a game's
/// rows by their primary key, and works out no column that is not asked for.
///
/// It is in files and compared when they are opened: where it changes, [`FORMER`] has to know the
/// text before. A file without it is complete, since a view holds no data: so the version does not
/// rise with it.
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
-- commands that wrote here, `task` what each was asked for; `ply_count`, `search_iteration` and
-- `root_move` are what each counted and found. `span`, `tally` and `digest` are checksums, by
-- which a change from outside is noticed: write to this file with everyply alone.
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
    -- X moves first. NULL in games of another kind, where ply does not say whose turn it is;
    -- `analyze sql` names the side where the position does.
    CASE WHEN game.name IN ('connect4', 'ttt') THEN substr('XO', position.ply % 2 + 1, 1) END,
    -- For the side to move.
    CASE position.outcome WHEN 1 THEN 'win' WHEN 0 THEN 'draw' ELSE 'loss' END,
    -- Plies to the end when the winner hurries and the loser delays; NULL where that is not known,
    -- or a draw is one by play without an end.
    position.remoteness,
    -- All best moves: columns, or cells row by row from the top left, counted from 1. Empty when
    -- the game is over, NULL where they are not known. NULL also in games of another kind, where
    -- only the rules say what move a bit of position.best is: `analyze sql` writes them out.
    CASE WHEN game.name IN ('connect4', 'ttt') AND position.best IS NOT NULL THEN
        coalesce((SELECT group_concat(n, ' ') FROM number WHERE position.best >> (n - 1) & 1), '')
    END
FROM game CROSS JOIN position ON position.game_id = game.id";

/// CRC-32 of the texts that earlier programs gave the view.
const FORMER: [u32; 1] = [0xa841_664b];

/// True if a text is that of the view, now or in an earlier program.
pub(super) fn is_known(text: &str) -> bool {
    text == SOLUTION || FORMER.contains(&crc32fast::hash(text.as_bytes()))
}

/// True if a file lacks the view, or has that of an earlier program.
pub(super) fn is_wanting(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(stored(connection)?.as_deref() != Some(SOLUTION))
}

/// Gives the view to a file that lacks it or has another one, inside the caller's transaction.
pub(super) fn add(connection: &Connection) -> rusqlite::Result<()> {
    if is_wanting(connection)? {
        connection.execute_batch("DROP VIEW IF EXISTS main.solution")?;
        connection.execute_batch(SOLUTION)?;
    }
    Ok(())
}

/// The text of the view in a file, if it has one.
pub(super) fn stored(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let find = "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = 'solution'";
    connection.query_row(find, [], |row| row.get(0)).optional()
}

/// What stands in the view of [`show`] in place of parts of the plain one.
#[cfg(feature = "cli")]
const FILLED: [(&str, &str); 3] = [
    ("CREATE VIEW", "CREATE TEMP VIEW"),
    ("2 + 1, 1) END", "2 + 1, 1) ELSE to_move(game.id, position.key) END"),
    (
        "& 1), '')\n    END",
        "& 1), '')\n    ELSE best_moves(game.id, position.key, position.best) END",
    ),
];

/// Takes the view out of a file, inside the caller's transaction.
pub(super) fn drop(connection: &Connection) -> rusqlite::Result<()> {
    let only: bool = connection.pragma_query_value(None, "query_only", |row| row.get(0))?;
    connection.pragma_update(None, "query_only", false)?;
    let dropped = connection.execute_batch("DROP VIEW IF EXISTS main.solution");
    connection.pragma_update(None, "query_only", only)?;
    dropped
}

/// Shows queries of this connection the view with the columns filled that take the rules of a game,
/// by the functions `to_move` and `best_moves`, in place of that of the file.
#[cfg(feature = "cli")]
pub(super) fn show(connection: &Connection) -> rusqlite::Result<()> {
    let text = FILLED.iter().fold(SOLUTION.to_owned(), |text, (plain, filled)| {
        debug_assert_eq!(text.matches(plain).count(), 1, "{plain}");
        text.replacen(plain, filled, 1)
    });
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
