//! `analyze query` on a game of the registry.

use std::fmt::Write;

use super::{LINES, refusal};
use crate::cli::failure::Failure;
use crate::cli::query::Args;
use crate::cli::text::{self, Table};
use crate::database::PositionRow;
use crate::database::{Database, DatabaseError, Lookup};
use crate::export::SituationDocument;
use crate::game::Worth;
use crate::registry::{Situation, Study};

/// The value that a database has of a position.
pub(super) fn look_up(
    lookup: &mut Lookup<'_>,
    study: &dyn Study,
) -> Result<Option<Worth>, DatabaseError> {
    Ok(lookup
        .position(study.canonical().expect("games of 64-bit keys are stored").0)?
        .as_ref()
        .and_then(PositionRow::worth))
}

pub(in crate::cli) fn run(
    database: &Database,
    start: &dyn Study,
    args: &Args,
) -> Result<(), Failure> {
    let lines_only = [("board", args.position.board.is_some()), ("search", args.search)];
    if let Some((option, _)) = lines_only.into_iter().find(|(_, given)| *given) {
        return Err(refusal(option, start.name(), LINES));
    }
    let read = args.position.moves.as_deref().map(|text| start.read(text)).transpose();
    let read = read.map_err(Failure::usage)?;
    let study = read.as_deref().unwrap_or(start);
    let mut lookup = database.lookup(&study.game_id()).map_err(Failure::runtime)?;
    let situation = Situation::of(study, |study| look_up(&mut lookup, study));
    let situation = situation.map_err(Failure::runtime)?;
    if args.running.json {
        return text::print_json(&SituationDocument::new(study, &situation));
    }
    let words = |worth: Option<Worth>| {
        worth.map_or_else(|| "not in the database".to_owned(), |worth| worth.to_string())
    };
    let mut text = format!("{}\n{}\n\n", study.title(), study.picture());
    let _ = writeln!(text, "value      {}", words(situation.worth));
    let best: Vec<&str> = situation.best_moves().map(|branch| &branch.text[..]).collect();
    if !best.is_empty() {
        let _ = writeln!(text, "best       {}", best.join(" "));
    }
    if !situation.moves.is_empty() {
        let mut table = Table::new(&["move", "leads to"]);
        for (branch, worth) in &situation.moves {
            table.row([branch.text.clone(), words(*worth)]);
        }
        let _ = write!(text, "\n{}", table.render());
    }
    text::print(&text)
}
