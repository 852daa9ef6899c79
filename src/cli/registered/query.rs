//! `analyze query` on a game of the registry.

use std::fmt::Write;

use clap::ArgMatches;
use serde::Serialize;

use super::{LINES, POSITION, game_id, given, refuse, running};
use crate::cli::failure::Failure;
use crate::cli::text::{self, Table};
use crate::database::{Database, DatabaseError, Lookup};
use crate::game::Outcome;
use crate::registry::Study;

/// What a database says of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Known {
    #[serde(serialize_with = "word")]
    pub outcome: Outcome,
    /// `None` where play is endless.
    pub remoteness: Option<u8>,
}

fn word<S: serde::Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.word())
}

impl Known {
    pub fn one_ply_earlier(self, keeps_turn: bool) -> Self {
        let outcome = if keeps_turn { self.outcome } else { -self.outcome };
        Self { outcome, remoteness: self.remoteness.map(|r| r + 1) }
    }

    pub fn words(self) -> String {
        match self.remoteness {
            Some(r) => format!("{} in {r}", self.outcome),
            None => format!("{} by endless play", self.outcome),
        }
    }
}

/// Reads what a database has of a position.
pub(super) fn look_up(
    lookup: &mut Lookup<'_>,
    study: &dyn Study,
) -> Result<Option<Known>, DatabaseError> {
    let row = lookup.position(study.canonical().0)?;
    Ok(row.map(|row| Known { outcome: row.outcome, remoteness: row.remoteness.map(|r| r.0) }))
}

#[derive(Serialize)]
struct MoveDocument {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    value: Option<Known>,
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    title: String,
    parameters: [u8; 3],
    position: String,
    value: Option<Known>,
    best: Vec<String>,
    moves: Vec<MoveDocument>,
}

pub(super) fn run(
    database: &Database,
    start: &dyn Study,
    matches: &ArgMatches,
) -> Result<(), Failure> {
    refuse(matches, &["board", "search"], start.name(), LINES)?;
    let running = running(matches)?;
    let read = given::<String>(matches, POSITION).map(|text| start.read(text)).transpose();
    let read = read.map_err(Failure::usage)?;
    let study = read.as_deref().unwrap_or(start);
    let mut lookup = database.lookup(&game_id(study)).map_err(Failure::runtime)?;
    let value = look_up(&mut lookup, study).map_err(Failure::runtime)?;
    let mut moves = Vec::new();
    let mut best = Vec::new();
    for branch in study.branches() {
        let there = look_up(&mut lookup, branch.to.as_ref()).map_err(Failure::runtime)?;
        let there = there.map(|there| there.one_ply_earlier(branch.keeps_turn));
        if there.is_some() && there == value {
            best.push(branch.text.clone());
        }
        moves.push(MoveDocument { text: branch.text, value: there });
    }
    let document = Document {
        game: study.name(),
        title: study.title(),
        parameters: study.parameters(),
        position: study.picture(),
        value,
        best,
        moves,
    };
    if running.json {
        return text::print_json(&document);
    }
    let unknown = || "not in the database".to_owned();
    let mut text = format!("{}\n{}\n\n", document.title, document.position);
    let _ = writeln!(text, "value      {}", value.map_or_else(unknown, Known::words));
    if !document.best.is_empty() {
        let _ = writeln!(text, "best       {}", document.best.join(" "));
    }
    if !document.moves.is_empty() {
        let mut table = Table::new(&["move", "leads to"]);
        for m in document.moves {
            table.row([m.text, m.value.map_or_else(unknown, Known::words)]);
        }
        let _ = write!(text, "\n{}", table.render());
    }
    text::print(&text)
}
