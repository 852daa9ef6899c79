//! `analyze verify` on a solution file.

use serde::Serialize;

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::text;
use crate::cli::work_folder::failed_solution;
use crate::connect_four::profiles::{SolutionError, SolutionFile};
use crate::statistics::counted;

#[derive(Serialize)]
struct Document {
    board: String,
    line: u8,
    profiles: u64,
    blocks: u64,
    positions: u64,
    elapsed_s: f64,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    // What cannot be opened as a solution is not a wrong value; what is damaged inside is.
    let solution = SolutionFile::open(&args.file).map_err(of_damage)?;
    let size = solution.board().size();
    let need = solution.board().estimate(usize::MAX);
    let storage = args.room.storage(size, need.solve, need.folder)?;
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
    if args.running.json {
        return text::print_json(&document);
    }
    text::print(&format!(
        "{}: {}\n\
         checksums  {} of {} are as they were written\n\
         values     {} have the value that follows from their children\n\
         time       {} on {}\n",
        args.file.display(),
        text::title(solution.board().game()),
        counted(document.blocks, "block"),
        counted(document.profiles, "profile"),
        counted(document.positions, "position"),
        text::seconds(session.started.elapsed()),
        text::threads(session.threads)
    ))
}

fn of_damage(error: SolutionError) -> Failure {
    match error {
        SolutionError::Damaged { .. } => Failure::Mismatch(error.to_string()),
        error => Failure::runtime(error),
    }
}
