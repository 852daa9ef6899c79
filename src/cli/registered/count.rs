//! `analyze count GAME`: counts per ply of a game of the registry.

use clap::ArgMatches;
use serde::Serialize;

use super::{LINES, given, keeping, refuse, running, study};
use crate::cli::count::CSV_FILES;
use crate::cli::failure::Failure;
use crate::cli::output::{self, Run};
use crate::cli::session::Session;
use crate::cli::text;
use crate::export::write_plies;
use crate::registry::{Capability, Entry};
use crate::statistics::PlyCounts;

#[derive(Serialize)]
struct Document {
    game: &'static str,
    title: String,
    parameters: [u8; 3],
    position: String,
    complete: bool,
    threads: usize,
    elapsed_s: f64,
    plies: Vec<PlyCounts>,
}

pub(super) fn run(entry: &Entry, matches: &ArgMatches, command: &str) -> Result<(), Failure> {
    let others = ["board", "line", "method", "values", "work", "codec"];
    refuse(matches, &others, entry.name, LINES)?;
    let (keeping, running) = (keeping(matches)?, running(matches)?);
    let study = study(entry, matches)?;
    let plies = given::<u32>(matches, "plies").copied();
    let most = match (plies, study.plies_left()) {
        (Some(plies), left) => plies.min(left.unwrap_or(u32::from(MOST))),
        (None, Some(left)) => left,
        (None, None) => {
            return Err(Failure::Usage(format!(
                "{} is not {}: say with --plies N how many plies to count",
                entry.name,
                Capability::Tiered
            )));
        }
    };
    if let Some(plies) = plies.filter(|&plies| plies > u32::from(MOST) && most >= u32::from(MOST)) {
        return Err(Failure::Usage(format!("--plies {plies}: at most {MOST} are counted")));
    }
    let session = Session::start(&running)?;
    let files = output::csv_files(keeping.csv.as_deref(), CSV_FILES)?;
    let (database, unkept) = output::open(&keeping)?;
    let run = Run::begin(database, &study.game_id(), command, &session)?;
    let counted = session.work("counting", "positions", |control| study.count(most, control));
    let Ok(counted) = counted else { return run.finish(&session).map(drop) };
    if let Some(writer) = run.writer() {
        // If the writer has failed, ending the run says why.
        let _ = writer.ply_counts(&counted.counts);
    }
    run.finish(&session)?;
    if let Some([file]) = files {
        output::write_file(file, |file| write_plies(file, &counted.counts))?;
    }
    let document = Document {
        game: study.name(),
        title: study.title(),
        parameters: study.parameters(),
        position: study.picture(),
        complete: counted.complete,
        threads: session.threads,
        elapsed_s: session.started.elapsed().as_secs_f64(),
        plies: counted.counts,
    };
    let text = || {
        format!(
            "{}\n{}\n\n{}{}\n\n{}\n",
            document.title,
            document.position,
            text::ply_table(&document.plies),
            "(nodes and games: move sequences; the rest: distinct positions of each ply)",
            text::time(document.elapsed_s, document.threads)
        )
    };
    text::print_result(running.json, &document, text).and(unkept)
}

/// The most plies that a database keeps counts of.
const MOST: u8 = 64;
