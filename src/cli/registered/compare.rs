//! `analyze compare GAME` on a game of the registry.

use clap::ArgMatches;
use serde::Serialize;

use super::{LINES, given, refuse, running, study};
use crate::cli::compare::{self, Subject};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::{output, text};
use crate::control::{Control, Stopped};
use crate::export::ComparisonRow;
use crate::registry::{Capability, Entry, Study};
use crate::search::{Algorithm, Table};
use crate::statistics::{Score, SearchCounters};

/// A position of a game that ends.
struct Ending<'s> {
    study: &'s dyn Study,
    table_mib: u64,
}

impl Subject for Ending<'_> {
    fn heading(&self) -> String {
        format!("{}\n{}", self.study.title(), self.study.picture())
    }

    fn moves(&self) -> u32 {
        self.study.branches().len() as u32
    }

    fn name(&self, algorithm: Algorithm) -> &'static str {
        match algorithm {
            Algorithm::Ordering => "+ move ordering",
            other => other.name(),
        }
    }

    fn histories(&self, depth: u32, control: &Control) -> Result<u64, Stopped> {
        let counted = self.study.count(depth, control)?;
        let nodes = counted.counts.iter().map(|ply| ply.nodes.unwrap_or(u64::MAX));
        Ok(nodes.fold(0, u64::saturating_add))
    }

    fn attempt(
        &self,
        algorithm: Algorithm,
        depth: u32,
        control: &Control,
    ) -> Result<(Score, SearchCounters), Stopped> {
        let mut counters = SearchCounters::default();
        let table = algorithm.uses_table().then(|| {
            Table::new(self.table_mib, self.study.key_bits()).expect("the size is in range")
        });
        let settings = (algorithm != Algorithm::Minimax).then(|| algorithm.settings(depth));
        let score =
            self.study.search(depth, settings.as_ref(), table.as_ref(), control, &mut counters);
        Ok((score.expect("play of this game ends")?, counters))
    }
}

#[derive(Serialize)]
struct Document<'a> {
    game: &'static str,
    title: String,
    parameters: [u8; 3],
    position: String,
    threads: usize,
    limit_s: f64,
    rows: &'a [ComparisonRow],
}

pub(super) fn run(entry: &Entry, matches: &ArgMatches) -> Result<(), Failure> {
    refuse(matches, &["board", "line"], entry.name, LINES)?;
    let running = running(matches)?;
    let study = study(entry, matches)?;
    let Some(left) = study.plies_left() else {
        return Err(Failure::Usage(format!(
            "{} is not {}, which depth-limited searches ask for: `analyze {}` solves it by \
             retrograde analysis",
            entry.name,
            Capability::Tiered,
            entry.name
        )));
    };
    study.check().map_err(Failure::usage)?;
    if study.result().is_some() {
        return Err(Failure::usage("POSITION: the game is over, there is nothing to search"));
    }
    let number = |id: &str| matches.get_one::<f64>(id).copied();
    let limit_s = number("limit").unwrap_or(30.0);
    let table_mib = matches.get_one::<u64>("table_size").copied().unwrap_or(64);
    let depth = matches.get_one::<u32>("depth").copied().unwrap_or(1);
    if depth > left {
        return Err(Failure::Usage(format!("--depth {depth}: at most {left} plies are left")));
    }
    let session = Session::start(&running)?;
    let directory = given::<std::path::PathBuf>(matches, "csv");
    let files = output::csv_files(directory.map(AsRef::as_ref), ["compare.csv"])?;
    let subject = Ending { study: study.as_ref(), table_mib };
    let rows = compare::compare(&subject, depth, limit_s, &session)?;
    compare::write(&rows, files)?;
    let document = Document {
        game: study.name(),
        title: study.title(),
        parameters: study.parameters(),
        position: study.picture(),
        threads: session.threads,
        limit_s,
        rows: &rows,
    };
    text::print_result(running.json, &document, || compare::table(&subject, &rows))
}
