//! Counts per ply.

use everyply::statistics::PlyCounts;
use pyo3::prelude::*;

use crate::errors::{solve_error, value_error};
use crate::position::Position;
use crate::run::{Pool, Progress};
use crate::solution::memory;
use crate::table::{Column, Table};

/// Makes a table of counts, with plies counted from `first`.
pub fn plies_table(counts: &[PlyCounts], first: u8) -> Table {
    let origin = counts.first().map_or(0, |ply| ply.ply.0);
    let plies = counts.iter().map(|counts| counts.ply.0 - origin + first).collect();
    let column = |at: usize| Column::Count(counts.iter().map(|ply| ply.counts()[at]).collect());
    let counted = PlyCounts::NAMES.into_iter().enumerate().map(|(at, name)| (name, column(at)));
    Table::new(std::iter::once(("ply", Column::Small(plies))).chain(counted))
}

#[pyfunction]
pub fn _count(
    py: Python<'_>,
    root: &Position,
    plies: Option<i64>,
    threads: Option<i64>,
    memory_mib: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let position = &root.state;
    let most = position.plies_left();
    let plies = match (plies, most) {
        (Some(plies @ 0..=255), most) => most.unwrap_or(u32::MAX).min(plies as u32),
        (Some(plies), _) => {
            return Err(value_error(format!("plies {plies}: from 0 to 255 are counted")));
        }
        (None, Some(most)) => most,
        (None, None) => {
            return Err(value_error(format!(
                "plies: games of {} may be endless: give the number of plies to count",
                position.info().title
            )));
        }
    };
    let (first, memory) = (root.first_ply(), memory(memory_mib)? as u64);
    let progress = Progress::of(progress, 0, "positions")?;
    let counted = Pool::new(threads)?.run(py, progress.as_ref(), |control| {
        position.count(plies, memory, control).map_err(solve_error)
    })?;
    Ok(plies_table(&counted.counts, first))
}
