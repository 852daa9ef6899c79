//! `analyze verify` on a solution file of any game but Connect Four.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::document::SampleDocument;
use super::{Args, solved_anew, verifier};
use crate::cli::failure::Failure;
use crate::cli::session::{Session, available_memory};
use crate::cli::text;
use crate::cli::work_folder::failed_solution;
use crate::cli::{game_filter, input};
use crate::connect_four::profiles::SolutionError;
use crate::control::Control;
use crate::database::PositionRow;
use crate::export::GameFields;
use crate::oracle::OracleError;
use crate::registry::{Registry, Study};
use crate::solutions::GameSolution;
use crate::statistics::{counted, grouped};
use crate::verify::{self, Disagreement, Sample};

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "GameSolutionCheck")]
pub(in crate::cli) struct Document {
    #[serde(flatten)]
    game: GameFields,
    chunks: u64,
    /// Positions up to symmetry.
    positions: u64,
    /// Positions whose values are proved; absent with --sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<u64>,
    /// Positions solved anew, with --sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleDocument>,
    disagreements: Vec<Disagreement>,
    elapsed_s: f64,
}

pub(super) fn run(args: &Args, file: &GameSolution, registry: &Registry) -> Result<(), Failure> {
    let start = game_filter::stored(file.game_id(), registry)?;
    let root = file.root(start.as_ref()).map_err(of_damage)?;
    let session = Session::start(&args.running)?;
    let failed = |error| match error {
        error @ SolutionError::Damaged { .. } => of_damage(error),
        error => failed_solution(error).unwrap_or_else(|| session.interrupted("")),
    };
    let (mut proved, mut resolved) = (None, None);
    if let Some(size) = args.sample {
        let mut sample = Sample::new(size, args.seed);
        let drawn = session.work("checking chunks", "positions", |control| {
            draw(file, root.as_ref(), &mut sample, control)
        });
        drawn.map_err(failed)?;
        let (rows, oracle) = (sample.drawn(), verifier());
        let found = solved_anew(&session, "solving the sample", rows.len(), None, |controls| {
            verify::resolve(root.as_ref(), &rows, &oracle, controls)
        });
        resolved = Some(found.map_err(|error| match error {
            OracleError::Stopped(_) => session.interrupted(""),
            error => Failure::runtime(error),
        })?);
    } else {
        check_memory(args, file, start.as_ref())?;
        let found =
            session.work("verifying", "positions", |control| file.verify(start.as_ref(), control));
        proved = Some(found.map_err(failed)?);
    }
    let wrong = resolved.as_mut().map(|found| std::mem::take(&mut found.disagreements));
    let document = Document {
        game: GameFields::of(start.as_ref()),
        chunks: file.chunks() as u64,
        positions: file.positions(),
        proved: proved.map(|proved| proved.positions),
        sample: resolved.as_ref().map(|found| SampleDocument::new(args.seed, found)),
        disagreements: wrong.unwrap_or_default(),
        elapsed_s: session.started.elapsed().as_secs_f64(),
    };
    text::print_result(args.running.json, &document, || {
        let mut text = format!("{}: {}\n", args.file.display(), start.title());
        let _ = writeln!(
            text,
            "checksums  {} are as they were written",
            counted(document.chunks, "chunk")
        );
        if let Some(positions) = document.proved {
            let positions = counted(positions, "position");
            let how = match file.is_scored() {
                true => "have the points that solving them anew finds",
                false => "up to symmetry proved by their children",
            };
            let _ = writeln!(text, "values     {positions} {how}");
        }
        if let Some(sample) = &document.sample {
            let _ = writeln!(
                text,
                "sample     {} of {} solved anew agree (seed {}){}",
                grouped(sample.agreements),
                counted(sample.solved, "position"),
                sample.seed,
                sample.unsolved_words(),
            );
        }
        for wrong in &document.disagreements {
            let _ = writeln!(text, "{wrong}");
        }
        let _ = writeln!(text, "{}", text::time(document.elapsed_s, session.threads));
        text
    })?;
    match document.disagreements.len() as u64 {
        0 => Ok(()),
        found => Err(Failure::Mismatch(counted(found, "disagreement"))),
    }
}

/// Refuses a file that does not fit memory.
fn check_memory(args: &Args, file: &GameSolution, game: &dyn Study) -> Result<(), Failure> {
    let need = file.bytes_to_verify(game) as f64;
    let allowed = args.room.memory_alone()?;
    if need <= allowed {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{}: {} of memory are needed, and {} are allowed: check a --sample",
        args.file.display(),
        text::bytes(need),
        text::bytes(allowed.min(available_memory())),
    )))
}

/// Checks every chunk, and offers all positions to a sample.
fn draw(
    file: &GameSolution,
    root: &dyn Study,
    sample: &mut Sample,
    control: &Control,
) -> Result<(), SolutionError> {
    file.check(control)?;
    let tier = root.tiers();
    for chunk in 0..file.chunks() {
        control.check().map_err(|stopped| SolutionError::Pass(stopped.into()))?;
        for (key, value) in file.values(root, chunk)? {
            let ply = tier(key).ok_or_else(|| file.no_position(key))?;
            sample.offer(PositionRow { key, ply, value, best: None });
        }
    }
    Ok(())
}

pub(super) fn of_damage(error: SolutionError) -> Failure {
    match error {
        SolutionError::Damaged { .. } => Failure::Mismatch(error.to_string()),
        SolutionError::NotASolution(path) => input::of_no_kind(
            &path,
            "a database nor a solution file nor a strategy nor an opening book",
        ),
        error => Failure::runtime(error),
    }
}
