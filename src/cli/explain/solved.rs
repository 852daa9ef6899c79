//! Forks, forced replies and short wins of games small enough to be solved.

use std::cell::Cell;

use crate::cli::explain::Args;
use crate::cli::failure::Failure;
use crate::cli::session::{Session, available_memory};
use crate::cli::text;
use crate::exhaustive::SolveError;
use crate::export::ReasonsDocument;
use crate::oracle::{Oracle, OracleFiles};
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
    let document = ReasonsDocument::new(study, answers.as_ref(), elapsed);
    print(study, args, &session, &document)
}

/// Explains a position by values from files.
pub(super) fn explain_stored(study: &dyn Study, args: &Args) -> Result<(), Failure> {
    let failed = |error| Failure::Runtime(anyhow::Error::from(error).context("--book"));
    let session = args.session()?;
    let files = OracleFiles::open(&args.book).map_err(failed)?.with_whole_values_only();
    // Without an engine: it is asked for known values alone.
    let oracle = Oracle::new(files, 1);
    let (missing, failure) = (Cell::new(false), Cell::new(None));
    let values = |at: &dyn Study| {
        let known = oracle.known(at).unwrap_or_else(|error| {
            failure.set(Some(error));
            None
        });
        missing.set(missing.get() || known.is_none());
        Some(known?.value)
    };
    let document = values(study).map(|worth| {
        ReasonsDocument::of_values(study, worth, None, &values, session.started.elapsed())
    });
    if let Some(error) = failure.take() {
        return Err(failed(error));
    }
    match document {
        Some(document) if !missing.get() => print(study, args, &session, &document),
        _ => Err(Failure::usage(
            "--book: the files do not hold the position and all that follow it, with their distances: \
             leave it out, and they are solved",
        )),
    }
}

fn print(
    study: &dyn Study,
    args: &Args,
    session: &Session,
    document: &ReasonsDocument,
) -> Result<(), Failure> {
    text::print_result(args.running.json, document, || {
        let time = text::time(session.started.elapsed().as_secs_f64(), session.threads);
        let board = text::board_of(study);
        format!("{}\n\n{board}\n{}\n{time}\n", study.title(), document.text())
    })
}
