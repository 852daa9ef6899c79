//! The rows about a run: the run itself and its numbers.

use rusqlite::{Connection, params};

use super::{Ending, GameId, RunId};
use crate::statistics::{Iteration, PlyCounts, RootMove};

/// Now, as RFC 3339 in UTC.
const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/// Adds the game if it is new and a run, and commits: the ids of both.
pub(super) fn begin(
    connection: &Connection,
    game: &GameId,
    command: &str,
    threads: usize,
) -> rusqlite::Result<(i64, RunId)> {
    let transaction =
        rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
    let size = game.size;
    let dimensions = params![game.name, size.width, size.height, size.line];
    transaction.execute(
        "INSERT INTO game (name, width, height, line) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO NOTHING",
        dimensions,
    )?;
    let game_id = transaction.query_row(
        "SELECT id FROM game WHERE name = ?1 AND width = ?2 AND height = ?3 AND line = ?4",
        dimensions,
        |row| row.get(0),
    )?;
    transaction.execute(
        &format!(
            "INSERT INTO run (game_id, command, version, started_at, threads, status)
             VALUES (?1, ?2, ?3, {NOW}, ?4, 'running')"
        ),
        params![game_id, command, env!("CARGO_PKG_VERSION"), threads],
    )?;
    let run = RunId(transaction.last_insert_rowid());
    transaction.commit()?;
    Ok((game_id, run))
}

/// Marks a run as ended now.
pub(super) fn end(connection: &Connection, run: RunId, ending: Ending) -> rusqlite::Result<()> {
    connection
        .execute(
            &format!("UPDATE run SET status = ?2, finished_at = {NOW} WHERE id = ?1"),
            params![run.0, ending.word()],
        )
        .map(drop)
}

pub(super) fn ply_counts(
    connection: &Connection,
    run: RunId,
    counts: &[PlyCounts],
) -> rusqlite::Result<()> {
    let mut insert =
        connection.prepare("REPLACE INTO ply_count VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    for c in counts {
        insert.execute(params![
            run.0,
            c.ply.0,
            c.nodes,
            c.games,
            c.positions,
            c.canonical,
            c.terminal,
            c.wins,
            c.draws,
            c.losses,
        ])?;
    }
    Ok(())
}

pub(super) fn iterations(
    connection: &Connection,
    run: RunId,
    iterations: &[Iteration],
) -> rusqlite::Result<()> {
    let mut insert = connection
        .prepare("REPLACE INTO search_iteration VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    for i in iterations {
        let c = &i.counters;
        insert.execute(params![
            run.0,
            i.depth,
            i.score.as_f64(),
            c.nodes,
            c.leaf_evaluations,
            c.table_probes,
            c.table_hits,
            c.table_stores,
            c.cutoffs,
            c.first_move_cutoffs,
            i.elapsed.as_secs_f64(),
        ])?;
    }
    Ok(())
}

pub(super) fn root_moves(
    connection: &Connection,
    run: RunId,
    moves: &[RootMove],
) -> rusqlite::Result<()> {
    let mut insert = connection.prepare("REPLACE INTO root_move VALUES (?, ?, ?, ?, ?, ?)")?;
    for m in moves {
        insert.execute(params![
            run.0,
            m.m.number(),
            m.outcome.map(crate::game::Outcome::sign),
            m.remoteness.map(|remoteness| remoteness.0),
            m.score.map(crate::statistics::Score::as_f64),
            m.nodes,
        ])?;
    }
    Ok(())
}
