//! Pieces of a book or a batch, as the workers of a cluster solve them: one after the other by one
//! thread, within a time.

use std::time::Duration;

use everyply::connect_four::batch::{BatchDetail, BatchPosition, BatchTable};
use everyply::connect_four::book::{BookDetail, solve};
use everyply::connect_four::solver::Solver as Exact;
use everyply::control::{Control, Stopped};
use everyply::game::{Key, Keyed, Symmetric};
use everyply::games::line::LineGame;
use everyply::search::ValueWithBest;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::engine::Engine;
use crate::run::Progress;
use crate::solver::Solver;

/// The sign of an outcome, the remoteness if it is known, and the best moves as bits.
pub type Proven = (i8, Option<u8>, u64);

/// Solves canonical positions of Connect Four with their best moves, by one thread, in this order,
/// as far as the time goes.
///
/// keys: array uint64. outcome_only: prove win, draw and loss only.
/// seconds: after this time the current position is given up; None for no limit.
/// progress: a function that is called ten times a second, whose exception ends the work.
///
/// Returns the results of the first positions, as far as they were solved, and the nodes.
#[pyfunction]
#[pyo3(signature = (solver, keys, *, outcome_only, seconds=None, progress=None))]
pub fn _prove(
    py: Python<'_>,
    solver: &Bound<'_, Solver>,
    keys: PyReadonlyArray1<'_, u64>,
    outcome_only: bool,
    seconds: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Proven>, u64)> {
    let detail = if outcome_only { BookDetail::Outcome } else { BookDetail::Exact };
    let keys: Vec<Key> = keys.as_array().iter().map(|key| Key(*key)).collect();
    let exact = exact(solver.get())?;
    for key in &keys {
        let position = exact.game().position_of(*key);
        if position.is_none_or(|position| exact.game().canonical(position).0 != *key) {
            return Err(PyValueError::new_err(format!("key {}: no canonical position", key.0)));
        }
    }
    within(py, solver.get(), seconds, progress, keys, |key, control| {
        let ValueWithBest { value, best } = solve(exact, key, detail, control)?;
        let remoteness = value.remoteness.map(|plies| plies.0);
        Ok((value.outcome.sign(), remoteness, best.map_or(0, |best| best.0)))
    })
}

/// The row of a line in the table of a batch; the error of the line, if it is not a position; its
/// wrong score.
type Row = (Vec<String>, Option<String>, Option<String>);

/// Solves the lines of a batch of Connect Four, by one thread, in this order, as far as the time
/// goes.
///
/// lines: bytes without the end of the line. detail: "value", "best" or "all".
/// seconds, progress: as for _prove.
///
/// Returns (rows, nodes): for each of the first lines its fields, with 0 as the number of the line, the
/// error of the line or None, and its wrong score in words or None.
#[pyfunction]
#[pyo3(signature = (solver, lines, *, detail, seconds=None, progress=None))]
pub fn _answer(
    py: Python<'_>,
    solver: &Bound<'_, Solver>,
    lines: Vec<Vec<u8>>,
    detail: &str,
    seconds: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Row>, u64)> {
    let exact = exact(solver.get())?;
    let table = BatchTable::new(detail_of(detail)?, exact.game().size().width);
    within(py, solver.get(), seconds, progress, lines, |line, control| {
        let position = match BatchPosition::read(exact.game(), &line) {
            Ok(position) => position,
            Err(bad) => return Ok((table.row(0, Err(&bad)), Some(bad.why), None)),
        };
        let answer = position.solve(exact, table.detail(), control)?;
        Ok((table.row(0, Ok(&answer)), None, answer.mismatch()))
    })
}

/// The names of the columns of a batch's table on a board of this width.
#[pyfunction]
pub fn _batch_header(width: u8, detail: &str) -> PyResult<Vec<String>> {
    Ok(BatchTable::new(detail_of(detail)?, width).header())
}

fn detail_of(word: &str) -> PyResult<BatchDetail> {
    match word {
        "value" => Ok(BatchDetail::Value),
        "best" => Ok(BatchDetail::BestMoves),
        "all" => Ok(BatchDetail::AllMoves),
        _ => Err(PyValueError::new_err(format!("detail '{word}': choose value, best or all"))),
    }
}

fn exact(solver: &Solver) -> PyResult<&Exact> {
    match solver.engine() {
        Engine::Solver(exact) => Ok(exact),
        _ => Err(PyValueError::new_err("only Connect Four has books and batches")),
    }
}

/// The results of `work` on these items, in their order, up to the first that takes too long; and
/// the nodes searched.
fn within<I: Send, T: Send>(
    py: Python<'_>,
    solver: &Solver,
    seconds: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
    items: Vec<I>,
    work: impl Fn(I, &Control) -> Result<T, Stopped> + Sync,
) -> PyResult<(Vec<T>, u64)> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose().map_err(|error| {
        PyValueError::new_err(format!("seconds {}: {error}", seconds.unwrap_or_default()))
    })?;
    let progress = Progress::of(progress, 0, "positions")?;
    // Alone in its pool, a search shares its positions with no other thread.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let alone = alone.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    solver.pool().run(py, progress.as_ref(), |control| {
        control.limit(time);
        let results =
            alone.install(|| items.into_iter().map_while(|i| work(i, control).ok()).collect());
        Ok((results, control.progress().0))
    })
}
