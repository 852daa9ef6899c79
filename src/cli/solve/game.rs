//! `analyze solve` of any game but Connect Four.

use std::fmt::Write;

use serde::Serialize;

use super::{Args, last_lines};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::text::{self, Table};
use crate::cli::work_folder::failed_solution;
use crate::disk::NewFile;
use crate::exhaustive::SolveError;
use crate::export::GameFields;
use crate::game::{ValueRow, tiers_below};
use crate::registry::Study;
use crate::solutions::{self, Tier, WriteError};
use crate::statistics::{counted, grouped};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "GameSolution"))]
pub(in crate::cli) struct Document {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    value: ValueRow,
    /// Positions up to symmetry.
    positions: u64,
    tiers: Vec<Tier>,
    bytes: u64,
    bits_per_position: f64,
    threads: usize,
    elapsed_s: f64,
}

pub(super) fn run(args: &Args, study: &dyn Study) -> Result<(), Failure> {
    if args.outcome_only {
        return Err(Failure::Usage(format!(
            "--outcome-only: solution files of {} hold distances, which prove the values; leave it \
             out",
            study.name()
        )));
    }
    study.check().map_err(Failure::usage)?;
    let is_ranked = !study.ranked_tiers().is_empty();
    let memory = if is_ranked { args.room.memory() } else { args.room.memory_alone()? };
    let most = (memory / study.bytes_per_position() as f64) as u64;
    let Some(out) = args.out.as_deref().filter(|_| !args.plan) else {
        return plan(args, study, most);
    };
    Session::check_graph(study, "Take a smaller board or a later POSITION")?;
    // The file is created before any work, so that an unwritable path is refused at once.
    let file = NewFile::create(out).map_err(Failure::runtime)?;
    let work = args.room.tiers()?;
    let session = Session::start(&args.running)?;
    let written = session.work("solving", "positions", |control| {
        solutions::solve(study, most, work.as_deref(), file, control)
    });
    let interrupted = || session.interrupted(&args.room.kept());
    let written = written.map_err(|error| match error {
        WriteError::Solve(SolveError::Stopped(_)) => interrupted(),
        WriteError::Solve(error) => failed(study, &session, error),
        WriteError::File(error) => failed_solution(error).unwrap_or_else(interrupted),
    })?;
    let positions = written.tiers.iter().map(Tier::positions).sum();
    let document = Document {
        game: GameFields::of(study),
        position: study.picture(),
        value: written.value.into(),
        positions,
        tiers: written.tiers,
        bytes: written.bytes,
        bits_per_position: 8.0 * written.bytes as f64 / positions as f64,
        threads: session.threads,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    };
    text::print_result(args.running.json, &document, || {
        let mut text = format!("{}\n\n", study.title());
        let mut table =
            Table::new(&["tier", "positions", "wins", "draws", "endless", "losses", "longest"]);
        for tier in &document.tiers {
            let Tier { wins, draws, endless, losses, longest, .. } = *tier;
            let numbers = [tier.positions(), wins, draws, endless, losses, longest].map(grouped);
            let [positions, wins, draws, endless, losses, longest] = numbers;
            table.row([tier.name.clone(), positions, wins, draws, endless, losses, longest]);
        }
        text.push_str(&table.render());
        let _ = writeln!(text, "\nvalue      {}", study.value_for_mover(written.value));
        let Document { bytes, bits_per_position, elapsed_s, threads, .. } = document;
        text + &last_lines(out, bytes, bits_per_position, &text::time(elapsed_s, threads))
    })
}

/// Positions that are solved for a plan.
const LISTED: u64 = 1 << 20;

/// Bytes of a position in a file with keys and without, of the games measured in `benches/ranked.md`.
const IN_FILE: [f64; 2] = [0.6, 0.5];

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "GamePlan"))]
pub(in crate::cli) struct Plan {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    /// Positions up to symmetry: all of them, or those that were listed before the listing ended; the
    /// ranks of a game that numbers its positions.
    positions: u64,
    /// True if there are no others.
    complete: bool,
    /// The tiers of a game that numbers its positions; else 0.
    tiers: u64,
    /// Bytes of memory while they are solved.
    memory: u64,
    /// The most positions that fit memory.
    most: u64,
    /// Bytes of the file, about.
    file: u64,
}

/// Prints the expected size of a solution.
fn plan(args: &Args, study: &dyn Study, most: u64) -> Result<(), Failure> {
    let all = study.ranked_tiers();
    let needed = study.rank().map_or_else(Vec::new, |(last, _)| tiers_below(&all, last));
    let tiers = needed.len() as u64;
    let (positions, complete) = if tiers > 0 {
        (needed.iter().map(|id| all[id.index()].ranks).sum(), true)
    } else {
        let session = Session::start(&args.running)?;
        match session.work("listing", "positions", |control| study.solve(LISTED, control)) {
            Ok(answers) => (answers.totals().canonical, true),
            Err(SolveError::Positions(most)) => (most, false),
            Err(error) => return Err(failed(study, &session, error)),
        }
    };
    let in_file = IN_FILE[usize::from(tiers > 0)];
    let document = Plan {
        game: GameFields::of(study),
        position: study.picture(),
        positions,
        complete,
        tiers,
        memory: positions * study.bytes_per_position(),
        most,
        file: (positions as f64 * in_file) as u64,
    };
    text::print_result(args.running.json, &document, || {
        let least = if complete { "" } else { "more than " };
        let kind = match tiers {
            0 => "up to symmetry".to_owned(),
            tiers => format!("by rank in {}", counted(tiers, "tier")),
        };
        let bytes = |bytes: u64| text::bytes(bytes as f64);
        format!(
            "{}\n\n\
             positions  {least}{} {kind}; at most {} fit memory\n\
             memory     {least}{}\n\
             file       {least}{}, at {in_file} bytes a position\n",
            study.title(),
            grouped(document.positions),
            text::magnitude(most as f64),
            bytes(document.memory),
            bytes(document.file),
        )
    })
}

/// The failure of a game that is not solved.
fn failed(study: &dyn Study, session: &Session, error: SolveError) -> Failure {
    match error {
        SolveError::Stopped(_) => session.interrupted(""),
        error => Failure::Usage(format!("{}: {error}", study.title())),
    }
}
