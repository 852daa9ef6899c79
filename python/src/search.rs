//! Depth-limited searches and their statistics.

use std::sync::Arc;

use everyply::control::Stopped;
use everyply::registry::Position as Study;
use everyply::search::{Report as Found, Settings, SharedTable};
use everyply::statistics::{Iteration, Score, SearchCounters};
use pyo3::prelude::*;

use crate::errors::{stopped, table_error, value_error};
use crate::position::{Position, missing, position_and, root_at};
use crate::rules::MoveName;
use crate::run::Pool;
use crate::table::{Column, Table};
use crate::value::Value;

/// Results of a search to a depth, for the side to move at the root.
#[pyclass(frozen, module = "everyply")]
pub struct Report {
    /// The position searched.
    #[pyo3(get)]
    root: Position,
    /// The depth of the last iteration: a proven win or loss ends the search earlier than asked.
    #[pyo3(get)]
    depth: u32,
    score: Score,
    /// The value, if the search proved it.
    #[pyo3(get)]
    value: Option<Value>,
    /// The moves that attain the score, ascending.
    #[pyo3(get)]
    best_moves: Vec<MoveName>,
    /// Best play of both sides, to the depth of the search.
    #[pyo3(get)]
    variation: Vec<MoveName>,
    moves: Vec<(String, Option<Score>, u64)>,
    iterations: Vec<Iteration>,
}

/// Searches the start of a game, or a position, to a depth by principal variation search with
/// iterative deepening and a transposition table. The score is the minimax value at that depth for any number
/// of threads and any table.
///
/// game: a game, its name, or a position. position: one of that game, as moves or a Position.
/// depth: plies below the root, at least 1; plies after the end of the game are left out.
/// table_mib: MiB of the transposition table.
///
/// Raises ValueError for a game whose play may be endless, which has no such search.
#[pyfunction]
#[pyo3(signature = (game, position=None, depth=None, *, threads=None, table_mib=64))]
pub fn search(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    position: Option<&Bound<'_, PyAny>>,
    depth: Option<i64>,
    threads: Option<i64>,
    table_mib: i64,
) -> PyResult<Report> {
    let (position, depth) = position_and(position, depth);
    let root = root_at(game, position)?;
    let wanted = depth_of(depth.ok_or_else(|| missing("depth"))?)?;
    let pool = Pool::new(threads)?;
    let study = Arc::clone(&root.state);
    let depth = wanted.min(plies_left(&*study)?);
    let table = table_of(table_mib, &*study)?;
    pool.run(py, None, |control| {
        let found = study.search(&Settings::to_depth(depth), Some(&table), control);
        let found = found.expect("play ends");
        if found.stopped { Err(stopped(Stopped)) } else { Ok(Report::new(root, found)) }
    })
}

pub fn depth_of(depth: i64) -> PyResult<u32> {
    match depth {
        1..=255 => Ok(depth as u32),
        _ => Err(value_error(format!("depth {depth}: from 1 to 255 plies are searched"))),
    }
}

/// The most plies below a position; an error if play may be endless.
pub fn plies_left(study: &dyn Study) -> PyResult<u32> {
    study.plies_left().ok_or_else(|| {
        let title = study.info().title.clone();
        value_error(format!("play of {title} may be endless, and searches are for games that end"))
    })
}

pub fn table_of(mib: i64, study: &dyn Study) -> PyResult<SharedTable> {
    let mib = u64::try_from(mib).unwrap_or(0);
    SharedTable::new(mib, study.info().key_bits).map_err(|error| table_error(&error))
}

impl Report {
    fn new(root: Position, found: Found) -> Self {
        let empties = root.empties();
        let branches = root.state.branches();
        let text_of = |bit: u32| {
            let branch = branches.iter().find(|branch| branch.bit == bit);
            branch.expect("the search knows the moves of its root").text.clone()
        };
        let moves = found.root_moves.iter();
        let moves = moves.map(|row| (text_of(row.m.0.into()), row.score, row.nodes)).collect();
        let best = found.best.into_iter().map(|m| text_of(m.0.into()));
        let best_moves = root.rules.move_names(best);
        let mut variation = Vec::new();
        let mut at = Arc::clone(&root.state);
        for m in found.principal_variation() {
            let mut branches = at.branches().into_iter();
            let Some(branch) = branches.find(|branch| branch.bit == u32::from(m.0)) else { break };
            variation.push(root.rules.move_name(branch.text));
            at = branch.to.into();
        }
        Self {
            depth: found.depth,
            score: found.score,
            value: found.value.map(|value| Value::of(value.into(), empties)),
            best_moves,
            variation,
            moves,
            iterations: found.iterations,
            root,
        }
    }
}

#[pymethods]
impl Report {
    /// The score at that depth for the side to move, in points of the game's evaluation; a proven
    /// win in r plies is 1,000,000 - r, a proven loss the negative of that, a draw 0.
    #[getter]
    fn score(&self) -> f64 {
        self.score.as_f64()
    }

    /// Positions visited in all iterations.
    #[getter]
    fn nodes(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.counters.nodes).sum()
    }

    /// The moves of the root, as a Table: move as text, score for the side that makes it (null if
    /// the search proved only that another move is better), nodes.
    #[getter]
    fn moves(&self) -> Table {
        let score = |score: &Option<Score>| score.map(Score::as_f64);
        Table::new([
            (
                "move",
                Column::Text(self.moves.iter().map(|(text, ..)| Some(text.clone())).collect()),
            ),
            (
                "score",
                Column::Number(self.moves.iter().map(|(_, there, _)| score(there)).collect()),
            ),
            ("nodes", Column::Key(self.moves.iter().map(|(.., nodes)| *nodes).collect())),
        ])
    }

    /// The iterations, as a Table: depth, score, nodes, leaf_evaluations, table_probes, table_hits,
    /// table_stores, table_replacements, cutoffs, first_move_cutoffs, elapsed_s in seconds; each of that
    /// iteration alone. threads is the number of those that searched it.
    #[getter]
    fn iterations(&self) -> Table {
        let all = &self.iterations;
        let counters = SearchCounters::NAMES.into_iter().enumerate().map(|(at, name)| {
            (name, Column::Key(all.iter().map(|one| one.counters.counts()[at]).collect()))
        });
        let number = |of: &dyn Fn(&Iteration) -> f64| {
            Column::Number(all.iter().map(|one| Some(of(one))).collect())
        };
        let first = [
            ("depth", Column::Small(all.iter().map(|one| one.depth as u8).collect())),
            ("score", number(&|one| one.score.as_f64())),
        ];
        let last = ("elapsed_s", number(&|one| one.elapsed.as_secs_f64()));
        let threads = Column::Small(all.iter().map(|one| one.threads as u8).collect());
        let last = [last, ("threads", threads)];
        Table::new(first.into_iter().chain(counters).chain(last))
    }
}
