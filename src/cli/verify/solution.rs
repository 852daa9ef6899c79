//! `analyze verify` on solution files: every checksum, and the proof of every value or a sample to be
//! solved anew.

use super::document::{Document, SolutionChecks};
use super::{Args, failed};
use crate::cli::prelude::*;
use everyply_registry::solutions::SolutionFile;
use everyply_results::verify::Sample;

/// Checks a solution and adds the findings to a document; returns the rows to be solved anew.
pub(super) fn check(
    start: &dyn Position,
    (file, solution): (&StoredFile, &SolutionFile),
    mut sample: Sample,
    document: &mut Document,
    args: &Args,
    session: &Session,
) -> Result<Vec<PositionRow>, Failure> {
    let failed = |error: StoredError, kept: &str| failed(error.into(), session, kept);
    let (chunks, positions) = (solution.chunks() as u64, solution.positions());
    let mut checks = SolutionChecks { chunks, positions: Some(positions), proved: None };
    document.findings =
        format!("checksums  {} are as they were written\n", counted(chunks, "chunk"));
    document.findings += &format!("positions  {}: {}\n", grouped(positions), solution.holds());
    let mut drawn = Vec::new();
    if args.sample.is_some() {
        let sampled = session.work("checking chunks", "positions", |control| {
            solution.check(control)?;
            if solution.board().is_some() {
                drawn = sample.of_games(file, start, control)?;
                return Ok(());
            }
            file.visit(start, control, &mut |row, _| {
                sample.offer(*row);
                Ok(())
            })
        });
        sampled.map_err(|error| failed(error, ""))?;
    } else {
        let verified = match solution.board() {
            Some(board) => {
                let need = board.estimate(usize::MAX);
                let storage = args.room.storage(board.size(), need.solve, &need)?;
                session.work("verifying", "profiles", |control| {
                    solution.verify_board(&*storage, control)
                })
            }
            None => {
                check_memory(args, solution, start)?;
                session.work("verifying", "positions", |control| solution.verify(start, control))
            }
        };
        verified.map_err(|error| failed(error.into(), &args.room.kept()))?;
        let how = match solution.is_scored() {
            true => "have the points that solving them anew finds",
            false => "proved by their children",
        };
        document.findings += &format!("values     {} {how}\n", counted(positions, "position"));
        checks.proved = Some(positions);
    }
    document.solution = Some(checks);
    drawn.extend(sample.drawn());
    Ok(drawn)
}

fn check_memory(args: &Args, file: &SolutionFile, game: &dyn Position) -> Result<(), Failure> {
    let need = file.bytes_to_verify(game) as f64;
    let allowed = args.room.memory_alone()?;
    if need <= allowed {
        return Ok(());
    }
    Err(usage!(
        "{}: {} of memory are needed, and {} are allowed: check a --sample",
        args.file.display(),
        text::bytes(need),
        text::bytes(allowed.min(available_memory())),
    ))
}
