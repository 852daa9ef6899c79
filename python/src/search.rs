//! Depth-limited searches and their statistics.

use std::sync::Arc;

use everyply::control::Stopped;
use everyply::search::{Report, Settings, SharedTable};
use everyply::statistics::{Iteration, Score, SearchCounters};
use pyo3::prelude::*;

use crate::errors::{stopped, table_error, value_error};
use crate::position::Position;
use crate::run::Pool;
use crate::table::{Column, Table};
use crate::value::Value;

#[pyfunction]
pub fn _search<'py>(
    py: Python<'py>,
    root: &Position,
    depth: i64,
    threads: Option<i64>,
    table_mib: i64,
) -> PyResult<Bound<'py, PyAny>> {
    if !(1..=255).contains(&depth) {
        return Err(value_error(format!("depth {depth}: from 1 to 255 plies are searched")));
    }
    let position = Arc::clone(&root.state);
    let Some(left) = position.plies_left() else {
        return Err(value_error(format!(
            "play of {} may be endless, and searches are for games that end",
            position.info().title
        )));
    };
    let depth = left.min(depth as u32);
    let (pool, mib) = (Pool::new(threads)?, u64::try_from(table_mib).unwrap_or(0));
    let table =
        SharedTable::new(mib, position.info().key_bits).map_err(|error| table_error(&error))?;
    let report = pool.run(py, None, |control| {
        let report = position.search(&Settings::to_depth(depth), Some(&table), control);
        let report = report.expect("play ends");
        if report.stopped { Err(stopped(Stopped)) } else { Ok(report) }
    })?;
    to_python(py, root.clone(), &report)
}

/// Returns the results of a search as an `everyply.Report`.
fn to_python<'py>(py: Python<'py>, root: Position, report: &Report) -> PyResult<Bound<'py, PyAny>> {
    let branches = root.state.branches();
    let text_of = |bit: u32| {
        let branch = branches.iter().find(|branch| branch.bit == bit);
        branch.expect("the search knows the moves of its root").text.clone()
    };
    let best = report.best.into_iter().map(|m| text_of(m.0.into()));
    let best_moves = root.rules.move_names(best);
    let mut variation = Vec::new();
    let mut at = Arc::clone(&root.state);
    for m in report.principal_variation() {
        let mut branches = at.branches().into_iter();
        let Some(branch) = branches.find(|branch| branch.bit == u32::from(m.0)) else { break };
        variation.push(root.rules.move_name(branch.text));
        at = branch.to.into();
    }
    let value = report.value.map(|value| Value::of(value.into(), root.empties()));
    let nodes: u64 = report.iterations.iter().map(|iteration| iteration.counters.nodes).sum();
    let (depth, score) = (report.depth, report.score.as_f64());
    let moves = &report.root_moves;
    let texts = moves.iter().map(|row| Some(text_of(row.m.0.into()))).collect();
    let scores = moves.iter().map(|row| row.score.map(Score::as_f64)).collect();
    let moves = Table::new([
        ("move", Column::Text(texts)),
        ("score", Column::Number(scores)),
        ("nodes", Column::Key(moves.iter().map(|row| row.nodes).collect())),
    ]);
    let iterations = iterations(&report.iterations);
    let parts = (root, depth, score, value, best_moves, variation, nodes, moves, iterations);
    py.import("everyply._search")?.getattr("Report")?.call1(parts)
}

fn iterations(all: &[Iteration]) -> Table {
    let counters = SearchCounters::NAMES.into_iter().enumerate().map(|(at, name)| {
        (name, Column::Key(all.iter().map(|one| one.counters.counts()[at]).collect()))
    });
    let number = |of: &dyn Fn(&Iteration) -> f64| {
        Column::Number(all.iter().map(|one| Some(of(one))).collect())
    };
    let small = |of: &dyn Fn(&Iteration) -> u8| Column::Small(all.iter().map(of).collect());
    let first =
        [("depth", small(&|one| one.depth as u8)), ("score", number(&|one| one.score.as_f64()))];
    let last = [
        ("elapsed_s", number(&|one| one.elapsed.as_secs_f64())),
        ("threads", small(&|one| one.threads as u8)),
    ];
    Table::new(first.into_iter().chain(counters).chain(last))
}
