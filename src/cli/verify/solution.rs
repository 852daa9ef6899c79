//! `analyze verify` on a solution file.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::document::SampleDocument;
use super::game::of_damage;
use super::{Args, game, solved_anew, verifier};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::text;
use crate::cli::work_folder::failed_solution;
use crate::connect_four::profiles::{SolutionError, SolutionFile};
use crate::database::PositionRow;
use crate::game::{Game, Keyed};
use crate::games::line::{LineGame, Stones};
use crate::oracle::OracleError;
use crate::registry::{Registry, study_of};
use crate::solutions::AnySolution;
use crate::statistics::{counted, grouped};
use crate::verify::{self, Disagreement, Sample};

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SolutionCheck")]
pub(in crate::cli) struct Document {
    board: String,
    line: u8,
    profiles: u64,
    blocks: u64,
    positions: u64,
    elapsed_s: f64,
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    // A file that is no solution is a failure; damage inside is a mismatch.
    let solution = match AnySolution::open(&args.file).map_err(of_damage)? {
        AnySolution::Board(board) => board,
        AnySolution::Game(file) => return game::run(args, &file, registry),
    };
    if let Some(sample) = args.sample {
        return sampled(args, &solution, sample);
    }
    let size = solution.board().size();
    let need = solution.board().estimate(usize::MAX);
    let storage = args.room.storage(size, need.solve, &need)?;
    let session = Session::start(&args.running)?;
    let verified = session
        .work("verifying", "profiles", |control| solution.verify(&*storage, control))
        .map_err(|error| match error {
            error @ SolutionError::Damaged { .. } => of_damage(error),
            error => {
                failed_solution(error).unwrap_or_else(|| session.interrupted(&args.room.kept()))
            }
        })?;
    let document = Document {
        board: size.board(),
        line: size.line,
        profiles: verified.profiles,
        blocks: verified.blocks,
        positions: verified.positions,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    };
    text::print_result(args.running.json, &document, || {
        format!(
            "{}: {}\n\
             checksums  {} of {} are as they were written\n\
             values     {} have the value that follows from their children\n\
             {}\n",
            args.file.display(),
            text::title(solution.board().game()),
            counted(document.blocks, "block"),
            counted(document.profiles, "profile"),
            counted(document.positions, "position"),
            text::time(document.elapsed_s, session.threads)
        )
    })
}

#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Sampled<'a> {
    board: String,
    line: u8,
    blocks: u64,
    sample: SampleDocument,
    /// Positions of the sample by ply.
    plies: Vec<u64>,
    disagreements: &'a [Disagreement],
    elapsed_s: f64,
}

/// Checks the checksums, and solves a sample anew.
fn sampled(args: &Args, solution: &SolutionFile, sample: usize) -> Result<(), Failure> {
    let game = *solution.board().game();
    let session = Session::start(&args.running)?;
    let start = study_of(&game.into(), game.initial());
    let blocks = session.work("checking blocks", "blocks", |control| {
        control.start(0);
        solution.check(control)
    });
    let failed = |error| match error {
        error @ SolutionError::Damaged { .. } => of_damage(error),
        error => failed_solution(error).unwrap_or_else(|| session.interrupted("")),
    };
    let blocks = blocks.map_err(failed)?;
    let mut plies = vec![0; game.size().cells() as usize + 1];
    let row = |position: Stones| {
        plies[position.ply().index()] += 1;
        let value = solution.partial_value(position)?.expect("a position that a game leads to");
        Ok(PositionRow { key: game.key(position), ply: position.ply(), value, best: None })
    };
    let rows = Sample::of_games(&game, sample, args.seed).into_iter().map(row);
    let rows = rows.collect::<Result<Vec<_>, SolutionError>>().map_err(failed)?;
    let oracle = verifier();
    let resolved = solved_anew(&session, "solving the sample", rows.len(), None, |controls| {
        verify::resolve(start.as_ref(), &rows, &oracle, controls)
    });
    let resolved = resolved.map_err(|error| match error {
        OracleError::Stopped(_) => session.interrupted(""),
        error => Failure::runtime(error),
    })?;
    let (wrong, size) = (&resolved.disagreements, game.size());
    let document = Sampled {
        board: size.board(),
        line: size.line,
        blocks,
        sample: SampleDocument::new(args.seed, &resolved),
        plies,
        disagreements: wrong,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    };
    text::print_result(args.running.json, &document, || {
        let mut text = format!(
            "{}: {}\n\
             checksums  {} are as they were written\n\
             sample     {} of {} solved anew agree (seed {}){}\n\
             {}\n",
            args.file.display(),
            text::title(&game),
            counted(blocks, "block"),
            grouped(document.sample.agreements),
            counted(document.sample.solved, "position"),
            args.seed,
            document.sample.unsolved_words(),
            text::time(document.elapsed_s, session.threads)
        );
        for wrong in wrong {
            let _ = writeln!(text, "{wrong}");
        }
        text
    })?;
    match wrong.len() as u64 {
        0 => Ok(()),
        found => Err(Failure::Mismatch(counted(found, "disagreement"))),
    }
}
