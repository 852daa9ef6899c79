//! The promises of the command line, through the binary as a user runs it.

mod book_runs;
mod books;
mod checkpoints;
mod databases;
mod engine_authors;
mod exact;
mod explain;
mod exports;
mod first_steps;
mod inputs;
mod interrupts;
mod json;
#[cfg(target_os = "linux")]
mod limits;
mod outputs;
mod queries;
mod refusals;
mod samples;
mod signals;
mod sql;
mod strategies;
mod streams;
mod threads;
mod trees;
mod whole_boards;
mod wide_boards;
mod work_folders;

use std::path::Path;

use everyply::database::{Database, Ending, PositionRow, Run};
use everyply::game::GameId;
use everyply::statistics::PlyCounts;
use serde_json::Value;

use crate::support::{Place, positions};

/// The JSON document of a command in a directory of its own, in which it writes no file.
fn json_alone(arguments: &str) -> Value {
    let place = Place::new();
    let document = place.json(&format!("{arguments} --no-db"));
    assert!(place.entries().is_empty(), "{:?}", place.entries());
    document
}

/// The moves of a document with their outcomes and distances, as text.
pub fn valued_moves(document: &Value) -> Vec<[String; 3]> {
    let text = |value: &Value| value.to_string().replace('"', "");
    let moves = document["values"].as_array().unwrap().iter();
    moves.map(|m| ["move", "outcome", "remoteness"].map(|field| text(&m[field]))).collect()
}

/// The whole content of a database without the times and numbers of its runs.
#[derive(Debug, PartialEq)]
struct Content {
    games: Vec<GameId>,
    positions: Vec<Vec<PositionRow>>,
    ply_counts: Vec<Vec<PlyCounts>>,
}

fn content(path: &Path) -> Content {
    let database = Database::open(path).unwrap();
    let games = database.games().unwrap();
    let runs = database.runs().unwrap();
    Content {
        positions: games.iter().map(|game| positions(&database, game).unwrap()).collect(),
        ply_counts: runs.iter().map(|run| database.ply_counts(run.id).unwrap()).collect(),
        games,
    }
}

fn runs(path: &Path) -> Vec<Run> {
    Database::open(path).unwrap().runs().unwrap()
}

fn endings(path: &Path) -> Vec<Option<Ending>> {
    runs(path).iter().map(|run| run.ending).collect()
}
