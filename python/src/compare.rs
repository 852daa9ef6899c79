//! Savings of each idea of the search, depth by depth.

use std::time::Duration;

use everyply::export::{Comparison, ComparisonError, ComparisonRow};
use everyply::search::{Evaluation, MoveOrder};
use everyply::statistics::Score;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::choice::named;
use crate::errors::{stopped, value_error};
use crate::position::{missing, position_and, root_at};
use crate::run::Pool;
use crate::search::{depth_of, plies_left, table_of};
use crate::table::{Column, Table};

/// Searches the start of a game, or a position, by plain minimax and then with one more idea at a time, to
/// every depth up to the one given. All searches give the same score.
///
/// game: a game, its name, or a position. position: one of that game, as moves or a Position.
/// depth: the deepest. limit_s: seconds a search may take; one that would take longer is left out, with the deeper ones
/// of its algorithm, so that they have no row. So is one that is the same as without its idea: that
/// of all threads where it is too short to be shared.
/// order: "best" tries promising moves first from the idea of move ordering on, "worst" last;
/// "natural" leaves the idea out.
/// evaluation: of positions at the depth: "own", the game's, or "none".
///
/// Returns a Table: algorithm, depth, threads, score (for the side to move), nodes,
/// leaf_evaluations, effective_branching_factor, saved_factor (nodes of minimax divided by those of
/// the row; null if they are not known), elapsed_s in seconds and first_player_score.
#[pyfunction]
#[pyo3(signature = (game, position=None, depth=None, *, limit_s=30.0, order="best", evaluation="own", threads=None, table_mib=64))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python")]
pub fn compare(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    position: Option<&Bound<'_, PyAny>>,
    depth: Option<i64>,
    limit_s: f64,
    order: &str,
    evaluation: &str,
    threads: Option<i64>,
    table_mib: i64,
) -> PyResult<Table> {
    let (position, depth) = position_and(position, depth);
    let root = root_at(game, position)?;
    let wanted = depth_of(depth.ok_or_else(|| missing("depth"))?)?;
    if !(0.001..=1e9).contains(&limit_s) {
        return Err(value_error(format!("limit_s {limit_s}: a number of seconds, at least 0.001")));
    }
    let order = named("order", order, &MoveOrder::ALL.map(|order| (order.name(), order)))?;
    let evaluations = Evaluation::ALL.map(|evaluation| (evaluation.name(), evaluation));
    let evaluation = named("evaluation", evaluation, &evaluations)?;
    let pool = Pool::new(threads)?;
    let study = &root.state;
    let left = plies_left(&**study)?;
    if wanted > left || study.result().is_some() {
        return Err(value_error(format!("depth {wanted}: {left} plies are left")));
    }
    let (memory, limit) = (table_of(table_mib, &**study)?, Duration::from_secs_f64(limit_s));
    let mut comparison = Comparison::new(&**study, wanted, (order, evaluation), memory, limit);
    pool.run(py, None, |control| {
        let mut searches = comparison.searches();
        let done = searches.try_for_each(|(rung, n)| comparison.search(rung, n, control).map(drop));
        done.map_err(|error| match error {
            ComparisonError::Stopped(error) => stopped(error),
            error @ ComparisonError::Different { .. } => PyRuntimeError::new_err(error.to_string()),
        })
    })?;
    let rows = comparison.rows().iter().filter(|row| row.score.is_some());
    Ok(table(&rows.cloned().collect::<Vec<ComparisonRow>>()))
}

fn table(rows: &[ComparisonRow]) -> Table {
    let number =
        |of: fn(&ComparisonRow) -> Option<f64>| Column::Number(rows.iter().map(of).collect());
    let count = |of: fn(&ComparisonRow) -> Option<u64>| {
        Column::Key(rows.iter().map(|row| of(row).unwrap_or_default()).collect())
    };
    let name = |row: &ComparisonRow| Some(row.algorithm.to_string());
    Table::new([
        ("algorithm", Column::Text(rows.iter().map(name).collect())),
        ("depth", Column::Small(rows.iter().map(|row| row.depth as u8).collect())),
        ("threads", count(|row| Some(row.threads as u64))),
        ("score", number(|row| row.score.map(Score::as_f64))),
        ("nodes", count(|row| row.nodes)),
        ("leaf_evaluations", count(|row| row.leaf_evaluations)),
        ("effective_branching_factor", number(|row| row.effective_branching_factor)),
        ("saved_factor", number(|row| row.saved_factor)),
        ("elapsed_s", number(|row| row.elapsed_s)),
        ("first_player_score", number(|row| row.first_player_score.map(Score::as_f64))),
    ])
}
