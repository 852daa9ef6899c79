//! Forks, forced replies and short wins of games with an engine or with files of values.

use std::cell::Cell;

use crate::cli::analyze::by_tiers;
use crate::cli::explain::Args;
use crate::cli::failure::{Failure, usage};
use crate::cli::session::fitting_table;
use crate::cli::text;
use everyply_registry::registry::{Points, Position};
use everyply_results::export::PositionDocument;
use everyply_results::oracle::{Oracle, OracleError, OracleFiles, SourcedValue};

/// Explains a position by the values of those below it: from files, or else solved all together where they
/// are few, or proved one by one.
pub(super) fn explain_valued(study: &dyn Position, args: &Args) -> Result<(), Failure> {
    let failed =
        |error: OracleError| Failure::Runtime(anyhow::Error::from(error).context("--book"));
    let is_stored = !args.book.is_empty();
    let files = OracleFiles::open(&args.book).map_err(|error| failed(error.into()))?;
    let files = files.with_whole_values_only();
    // Solutions of games that number their positions take four times this while they are made.
    let mib = if is_stored { 1 } else { fitting_table(u64::MAX >> 24) / 4 };
    let session = args.session()?;
    let oracle = Oracle::new(files, mib.max(1));
    let moves = args.game.position.asked_moves(study);
    let document = session.work("solving", "positions", |control| {
        let ask = |at: &dyn Position| -> Result<Option<SourcedValue>, OracleError> {
            if is_stored { oracle.known(at) } else { oracle.prove(at, control).map(Some) }
        };
        let (missing, failure) = (Cell::new(false), Cell::new(None));
        let values = |at: &dyn Position| {
            let known = ask(at).unwrap_or_else(|error| {
                failure.set(Some(error));
                None
            });
            missing.set(missing.get() || known.is_none());
            Some(known?.value)
        };
        if !is_stored {
            // The solution of all positions serves all questions, if there is one.
            oracle.prepare(study, control)?;
        }
        let points = match study.info().counts_points && !is_stored {
            true => Points::of(study, |at| ask(at).map(|known| known?.points))?,
            false => None,
        };
        let Some(value) = values(study) else { return failure.take().map_or(Ok(None), Err) };
        let known = (value, points.as_ref());
        let (document, _) = PositionDocument::of_reasons(study, moves.clone(), known, &values);
        failure.take().map_or(Ok((!missing.get()).then_some(document)), Err)
    });
    let document = document.map_err(|error| match error {
        OracleError::Stopped(_) => args.stopped(&session),
        OracleError::Engine { .. } => {
            let by_tiers = by_tiers(study).map(|way| way + ", and --book FILE explains from it");
            usage!("{error}{}", by_tiers.unwrap_or_default())
        }
        error if is_stored => failed(error),
        error => Failure::runtime(error),
    })?;
    let Some(document) = document else {
        return Err(usage!(
            "--book: the files do not hold the position and all that follow it, with their distances: \
             leave it out, and they are solved",
        ));
    };
    args.print(document, &session, &study.info().title, &text::board_of(study))
}
