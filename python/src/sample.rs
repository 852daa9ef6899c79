//! Random positions with their exact values.

use everyply::cli::available_memory;
use everyply::export::{Draw, ExportError, Sample};
use everyply::oracle::{Oracle, OracleFiles};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::{oracle_error, solve_error, stopped, value_error};
use crate::position::Position;
use crate::run::{Pool, Progress};
use crate::table::{Column, Table};

/// The plies of the positions wanted, below the root: one, or from the first to the last.
#[derive(FromPyObject)]
pub enum Plies {
    One(u32),
    Range((u32, u32)),
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of the function in Python")]
pub fn _sample(
    py: Python<'_>,
    root: &Position,
    number: usize,
    plies: Option<Plies>,
    per_ply: bool,
    uniform: bool,
    balance: bool,
    seed: u64,
    all_moves: bool,
    mirror: bool,
    threads: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    root.rules.check_keys()?;
    let root = &*root.state;
    if number == 0 || number > Draw::MOST {
        return Err(value_error(format!("number {number}: from 1 to {}", Draw::MOST)));
    }
    if !root.info().has_tiers && plies.is_some() {
        return Err(value_error("plies: positions of endless or very long play have none"));
    }
    let plies = plies.map(|plies| match plies {
        Plies::One(ply) => ply.to_string(),
        Plies::Range((first, last)) => format!("{first}-{last}"),
    });
    let plies = plies.map(|text| text.parse()).transpose();
    let plies = plies.map_err(|why| value_error(format!("plies: {why}")))?;
    let most = || (available_memory() / root.bytes(false) as f64) as u64;
    let draw = Draw { number, per_ply, plies, seed, uniform: uniform.then(most) };
    let mib = (available_memory() / 2.0 / f64::from(1 << 20)) as u64;
    let oracle = Oracle::new(OracleFiles::default(), mib);
    let pool = Pool::new(threads)?;
    let progress = Progress::of(progress, 0, "positions")?;
    let (draw, threads) = (&draw, pool.threads);
    let columns = pool.run(py, progress.as_ref(), move |control| {
        let columns = || {
            let mut sample = Sample::draw(root, draw, (all_moves, mirror), control)?;
            if balance {
                sample.balance(&oracle, threads, control, &mut |_| ())?;
            }
            sample.columns(&oracle, threads, control)
        };
        columns().map_err(sample_error)
    })?;
    Ok(Table::new(columns.into_iter().map(|column| (column.name, Column::from(column.data)))))
}

fn sample_error(error: ExportError) -> PyErr {
    match error {
        ExportError::Stopped(error) => stopped(error),
        ExportError::TooFew { wanted, .. } => value_error(format!("number {wanted}: {error}")),
        ExportError::Unsolved(error) => solve_error(error),
        ExportError::NoValue(error) => oracle_error(error),
        error => PyRuntimeError::new_err(error.to_string()),
    }
}
