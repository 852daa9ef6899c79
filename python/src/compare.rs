//! Savings of each idea of the search, depth by depth.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use everyply::control::{Control, Stopped};
use everyply::registry::Study;
use everyply::search::{Algorithm, SharedTable, effective_branching_factor};
use everyply::statistics::{Score, SearchCounters};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::{stopped, table_error};
use crate::position::root_of;
use crate::run::{Pool, Progress};
use crate::search::depth_of;
use crate::table::{Column, Table};

/// A search and its time.
struct Row {
    algorithm: Algorithm,
    depth: u32,
    score: Score,
    counters: SearchCounters,
    elapsed: Duration,
}

/// Searches a game's start or a position by plain minimax and then with one more idea at a time, to
/// every depth up to the one given. All searches give the same score.
///
/// limit_s: seconds a search may take; the deeper ones of an algorithm that took longer are left
/// out, so that they have no row.
/// progress: True for a bar (needs tqdm), or a function of (searches done, all searches).
///
/// Returns a Table: algorithm, depth, threads, score, nodes, leaf_evaluations,
/// effective_branching_factor, saved_factor (nodes of minimax divided by those of the row; null if
/// minimax was left out) and elapsed_s in seconds.
#[pyfunction]
#[pyo3(signature = (game, depth, *, limit_s=30.0, threads=None, table_mib=64, progress=None))]
pub fn compare(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    depth: i64,
    limit_s: f64,
    threads: Option<i64>,
    table_mib: i64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let root = root_of(game)?;
    let wanted = depth_of(depth)?;
    if !(0.001..=1e9).contains(&limit_s) {
        return Err(PyValueError::new_err(format!(
            "limit_s {limit_s}: a number of seconds, at least 0.001"
        )));
    }
    let pool = Pool::new(threads)?;
    let study = root.state();
    match study.plies_left() {
        Some(left) if wanted <= left && study.result().is_none() => {}
        Some(left) => {
            return Err(PyValueError::new_err(format!("depth {wanted}: {left} plies are left")));
        }
        None => {
            return Err(PyValueError::new_err(format!(
                "play of {} may be endless, and searches are for games that end",
                study.title()
            )));
        }
    }
    let mib = u64::try_from(table_mib).unwrap_or(0);
    // Refused before any work.
    SharedTable::new(mib, study.key_bits()).map_err(|error| table_error(&error))?;
    let all = Algorithm::ALL.len() as u64 * u64::from(wanted);
    let progress = Progress::of(progress, all, "searches")?;
    let (limit, done) = (Duration::from_secs_f64(limit_s), AtomicU64::new(0));
    let rows = pool.run_counting(py, progress.as_ref(), Some(&done), |control| {
        let mut rows: Vec<Row> = Vec::new();
        for (algorithm, rung) in Algorithm::ALL.into_iter().zip(1..) {
            for depth in 1..=wanted {
                let Some(row) = attempt(&**study, algorithm, depth, mib, limit, control)? else {
                    break;
                };
                if let Some(other) = rows.iter().find(|other| other.depth == depth)
                    && other.score != row.score
                {
                    return Err(PyRuntimeError::new_err(format!(
                        "at depth {depth} {} gives {} and {} {}: please report this as a bug",
                        other.algorithm.name(),
                        other.score,
                        algorithm.name(),
                        row.score
                    )));
                }
                rows.push(row);
                done.fetch_add(1, Relaxed);
            }
            done.store(rung * u64::from(wanted), Relaxed);
        }
        Ok(rows)
    })?;
    Ok(table(&rows, pool.threads()))
}

/// A search with empty tables; `None` if it takes longer than its limit.
fn attempt(
    study: &dyn Study,
    algorithm: Algorithm,
    depth: u32,
    table_mib: u64,
    limit: Duration,
    control: &Control,
) -> PyResult<Option<Row>> {
    let table = if algorithm.uses_table() {
        let table = SharedTable::new(table_mib, study.key_bits());
        let table = table.map_err(|error| table_error(&error))?;
        // The first touch of its memory is not part of the search.
        table.clear();
        Some(table)
    } else {
        None
    };
    control.limit(Some(limit));
    let begun = Instant::now();
    let found = study.attempt(algorithm, depth, table.as_ref(), control);
    let elapsed = begun.elapsed();
    control.limit(None);
    match found.expect("play ends") {
        Ok((score, counters)) => Ok(Some(Row { algorithm, depth, score, counters, elapsed })),
        Err(Stopped) if control.is_asked_to_stop() => Err(stopped(Stopped)),
        Err(Stopped) => Ok(None),
    }
}

fn table(rows: &[Row], threads: usize) -> Table {
    let number = |of: &dyn Fn(&Row) -> Option<f64>| Column::Number(rows.iter().map(of).collect());
    let saved = |row: &Row| {
        let of_minimax =
            |other: &&Row| other.algorithm == Algorithm::Minimax && other.depth == row.depth;
        let minimax = rows.iter().find(of_minimax)?;
        Some(minimax.counters.nodes as f64 / row.counters.nodes as f64)
    };
    let name = |row: &Row| Some(row.algorithm.name().to_owned());
    let threads = |row: &Row| if row.algorithm == Algorithm::Threads { threads as u64 } else { 1 };
    let branching = |row: &Row| effective_branching_factor(row.counters.nodes, row.depth);
    Table::new([
        ("algorithm", Column::Text(rows.iter().map(name).collect())),
        ("depth", Column::Small(rows.iter().map(|row| row.depth as u8).collect())),
        ("threads", Column::Key(rows.iter().map(threads).collect())),
        ("score", number(&|row| Some(row.score.as_f64()))),
        ("nodes", Column::Key(rows.iter().map(|row| row.counters.nodes).collect())),
        (
            "leaf_evaluations",
            Column::Key(rows.iter().map(|row| row.counters.leaf_evaluations).collect()),
        ),
        ("effective_branching_factor", number(&|row| Some(branching(row)))),
        ("saved_factor", number(&saved)),
        ("elapsed_s", number(&|row| Some(row.elapsed.as_secs_f64()))),
    ])
}
