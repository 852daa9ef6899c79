//! Queries of games, runs and the counts of runs.

use rusqlite::{Connection, Params, Row};

use super::check::damaged;
use super::error::At;
use super::{Database, DatabaseError, Ending, Run, RunId};
use everyply_core::game::{GameId, Ply};
use everyply_core::statistics::PlyCounts;

impl Database {
    /// Returns the games with their numbers in the tables.
    pub fn numbered_games(&self) -> Result<Vec<(i64, GameId)>, DatabaseError> {
        numbered_games(&self.connection).at(&self.path)
    }

    /// Returns the games, by name and size.
    pub fn games(&self) -> Result<Vec<GameId>, DatabaseError> {
        let mut games: Vec<_> = self.numbered_games()?.into_iter().map(|(_, game)| game).collect();
        games.sort();
        Ok(games)
    }

    pub fn runs(&self) -> Result<Vec<Run>, DatabaseError> {
        self.rows(
            "SELECT run.id, command, version, started_at, finished_at, threads, status,
                    name, width, height, line
             FROM run JOIN game NOT INDEXED ON game.id = game_id ORDER BY run.id",
            [],
            |row| {
                Ok(Run {
                    id: RunId(row.get(0)?),
                    game: game_id(row, 7)?,
                    command: row.get(1)?,
                    version: row.get(2)?,
                    started_at: row.get(3)?,
                    finished_at: row.get(4)?,
                    threads: row.get(5)?,
                    ending: ending(row, 6)?,
                })
            },
        )
    }

    pub fn ply_counts(&self, run: RunId) -> Result<Vec<PlyCounts>, DatabaseError> {
        self.rows(
            &format!(
                "SELECT ply, {} FROM ply_count WHERE run_id = ?1 ORDER BY ply",
                PlyCounts::NAMES.join(", ")
            ),
            [run.0],
            |row| {
                let mut counts = [None; PlyCounts::NAMES.len()];
                for (column, count) in (1..).zip(&mut counts) {
                    *count = row.get(column)?;
                }
                Ok(PlyCounts::new(Ply(row.get(0)?), counts))
            },
        )
    }

    fn rows<T>(
        &self,
        query: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, DatabaseError> {
        self.connection
            .prepare(query)
            .and_then(|mut statement| statement.query_map(params, read)?.collect())
            .at(&self.path)
    }
}

/// Returns all games with their numbers, without the index of their names, whose damage nothing
/// else would show.
pub(super) fn numbered_games(connection: &Connection) -> rusqlite::Result<Vec<(i64, GameId)>> {
    connection
        .prepare("SELECT id, name, width, height, line FROM game NOT INDEXED ORDER BY id")?
        .query_map([], |row| Ok((row.get(0)?, game_id(row, 1)?)))?
        .collect()
}

/// Reads the game in four columns from `first` on.
fn game_id(row: &Row<'_>, first: usize) -> rusqlite::Result<GameId> {
    Ok(GameId {
        name: row.get(first)?,
        parameters: [row.get(first + 1)?, row.get(first + 2)?, row.get(first + 3)?],
    })
}

fn ending(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Ending>> {
    let word: String = row.get(column)?;
    let endings = [Ending::Finished, Ending::Interrupted, Ending::Failed];
    match endings.into_iter().find(|ending| ending.word() == word) {
        None if word != "running" => Err(damaged(format!("a run has the status '{word}'"))),
        ending => Ok(ending),
    }
}
