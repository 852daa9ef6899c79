//! Writes the rows about a run: the run itself and its counts.

use rusqlite::{Connection, params, params_from_iter};

use super::super::reader::numbered_games;
use super::super::run_sums;
use super::{Ending, RunId};
use everyply_core::game::GameId;
use everyply_core::statistics::PlyCounts;

/// Now, as RFC 3339 in UTC.
const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/// Adds the game if it is new and a run, commits, and returns the ids of both.
pub(super) fn begin(
    connection: &Connection,
    game: &GameId,
    command: &str,
    threads: usize,
) -> rusqlite::Result<(i64, RunId)> {
    let transaction =
        rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
    let games = numbered_games(&transaction)?;
    let game_id = match games.into_iter().find(|(_, of)| of == game) {
        Some((id, _)) => id,
        None => {
            let [width, height, line] = game.parameters;
            transaction.execute(
                "INSERT INTO game (name, width, height, line) VALUES (?1, ?2, ?3, ?4)",
                params![game.name, width, height, line],
            )?;
            transaction.last_insert_rowid()
        }
    };
    transaction.execute(
        &format!(
            "INSERT INTO run (game_id, command, version, started_at, threads, status)
             VALUES (?1, ?2, ?3, {NOW}, ?4, 'running')"
        ),
        params![game_id, command, env!("CARGO_PKG_VERSION"), threads],
    )?;
    let run = RunId(transaction.last_insert_rowid());
    run_sums::seal(&transaction, run)?;
    transaction.commit()?;
    Ok((game_id, run))
}

/// Marks a run as ended now, inside the caller's transaction.
pub(super) fn end(connection: &Connection, run: RunId, ending: Ending) -> rusqlite::Result<()> {
    connection.execute(
        &format!("UPDATE run SET status = ?2, finished_at = {NOW} WHERE id = ?1"),
        params![run.0, ending.word()],
    )?;
    run_sums::seal(connection, run)
}

pub(super) fn ply_counts(
    connection: &Connection,
    run: RunId,
    counts: &[PlyCounts],
) -> rusqlite::Result<()> {
    let mut insert = connection.prepare(&format!(
        "REPLACE INTO ply_count (run_id, ply, {}) VALUES (?, ?{})",
        PlyCounts::NAMES.join(", "),
        ", ?".repeat(PlyCounts::NAMES.len())
    ))?;
    for c in counts {
        let key = [run.0.cast_unsigned(), c.ply.0.into()].map(Some);
        insert.execute(params_from_iter(key.into_iter().chain(c.counts())))?;
    }
    run_sums::seal(connection, run)
}
