//! Forks, forced replies and short wins of games small enough to be solved.

use crate::cli::explain::Args;
use crate::cli::failure::Failure;
use crate::cli::session::available_memory;
use crate::cli::text;
use crate::exhaustive::SolveError;
use crate::export::{ReasonsDocument, Words};
use crate::registry::Study;

/// Explains a position by the solution of all positions below it.
pub(super) fn explain_solved(study: &dyn Study, args: &Args) -> Result<(), Failure> {
    study.check().map_err(Failure::usage)?;
    let session = args.session()?;
    let most = available_memory() / study.bytes_per_position() as f64;
    let solved = session.work("solving", "positions", |control| study.solve(most as u64, control));
    let answers = match solved {
        Ok(answers) => answers,
        Err(SolveError::Stopped(_)) => return Err(args.stopped(&session)),
        Err(error) => return Err(Failure::Usage(format!("{}: {error}", study.title()))),
    };
    let elapsed = session.started.elapsed();
    let words = if study.lines().is_some() { Words::Lines } else { Words::Moves };
    let document = ReasonsDocument::new(study, answers.as_ref(), words, elapsed);
    text::print_result(args.running.json, &document, || {
        let time = text::time(elapsed.as_secs_f64(), session.threads);
        let board = text::board_of(study);
        format!("{}\n\n{board}\n{}\n{time}\n", study.title(), document.text())
    })
}
