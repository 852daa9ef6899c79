//! `analyze export --csv`: the tables of a database as CSV files.

use std::io;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::rows::{RowError, RowFormat, write_rows};
use crate::cli::{output, text};
use crate::control::Control;
use crate::database::Database;
use crate::disk::in_directory;
use crate::game::GameId;

/// The files, each with its query of the games in the table `wanted`.
const TABLES: [(&str, &str); 5] = [
    (
        "runs.csv",
        "SELECT run.id AS run, name AS game, width || 'x' || height AS size, line, command, version,
                started_at, finished_at, threads, status
         FROM run JOIN wanted USING (game_id) JOIN game ON game.id = game_id ORDER BY run.id",
    ),
    (
        "plies.csv",
        "SELECT run_id AS run, ply, nodes, games, positions, canonical, terminal, wins, draws, losses
         FROM ply_count JOIN run ON run.id = run_id JOIN wanted USING (game_id)
         ORDER BY run_id, ply",
    ),
    (
        "iterations.csv",
        "SELECT run_id AS run, depth, score, nodes, leaf_evaluations, table_probes, table_hits,
                table_stores, cutoffs, first_move_cutoffs, elapsed_s
         FROM search_iteration JOIN run ON run.id = run_id JOIN wanted USING (game_id)
         ORDER BY run_id, depth",
    ),
    (
        "root-moves.csv",
        "SELECT run_id AS run, move,
                CASE outcome WHEN 1 THEN 'win' WHEN 0 THEN 'draw' WHEN -1 THEN 'loss' END AS outcome,
                remoteness, score, nodes
         FROM root_move JOIN run ON run.id = run_id JOIN wanted USING (game_id)
         ORDER BY run_id, move",
    ),
    (
        "solution.csv",
        "SELECT game_id, game, size, line, ply, key, to_move, outcome, remoteness,
                '[' || best || ']' AS best
         FROM wanted CROSS JOIN solution USING (game_id) ORDER BY game_id, key",
    ),
];

/// Writes the rows of these games.
pub(super) fn run(
    database: &Database,
    games: &[GameId],
    directory: &Path,
    json: bool,
) -> Result<(), Failure> {
    database.check().map_err(Failure::runtime)?;
    let connection = database.for_queries().map_err(Failure::runtime)?;
    let numbered = database.numbered_games().map_err(Failure::runtime)?;
    let wanted: Vec<String> = numbered
        .iter()
        .filter(|(_, game)| games.contains(game))
        .map(|(number, _)| format!("({number})"))
        .collect();
    let wanted = format!("WITH wanted (game_id) AS (VALUES {})", wanted.join(", "));
    let names = TABLES.map(|(name, _)| name);
    let files = in_directory(directory, names).map_err(Failure::runtime)?;
    let mut written = Tables { files: Vec::new() };
    for (file, (name, query)) in files.into_iter().zip(TABLES) {
        let query = format!("{wanted} {query}");
        let mut statement =
            connection.prepare(&query).map_err(|error| Failure::runtime(database.error(error)))?;
        output::write_file(file, |file| {
            let written = write_rows(&mut statement, RowFormat::Csv, file, &Control::default());
            written.map_err(|error| match error {
                RowError::Output(error) => error.into(),
                RowError::Query(error) => io::Error::other(database.error(error)).into(),
            })
        })?;
        written.files.push(directory.join(name).display().to_string());
    }
    text::print_result(json, &written, || written.files.join("\n") + "\n")
}

/// The files written.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Tables {
    files: Vec<String>,
}

impl Tables {
    /// A single file.
    pub fn of(path: &Path) -> Self {
        Self { files: vec![path.display().to_string()] }
    }
}
