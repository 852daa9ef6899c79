//! `analyze query` on a game of the registry.

use std::fmt::Write;

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::game_filter::worth;
use crate::cli::text::{self, Table};
use crate::database::Database;
use crate::export::SituationDocument;
use crate::game::Worth;
use crate::registry::{Situation, Study};

pub(super) fn run(database: &Database, start: Box<dyn Study>, args: &Args) -> Result<(), Failure> {
    if args.search {
        let name = start.name();
        return Err(Failure::Usage(format!("--search: there is no solver for {name}")));
    }
    let study = args.position.study(start)?;
    let study = study.as_ref();
    let mut lookup = database.lookup(&study.game_id()).map_err(Failure::runtime)?;
    let situation = Situation::of(study, |study| worth(&mut lookup, study));
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
