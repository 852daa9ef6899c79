//! Depth-limited searches and their statistics.

use std::sync::Arc;

use everyply::control::{Control, Stopped};
use everyply::game::{Move, Value as Exact};
use everyply::games::line::{AnyGame, Stones};
use everyply::registry::{Branch, Study};
use everyply::search::{Report as Found, Settings, SharedTable, search as run_search};
use everyply::statistics::{Iteration, RootMove, Score, SearchCounters};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{stopped, table_error};
use crate::position::{Position, root_of};
use crate::rules::MoveName;
use crate::run::Pool;
use crate::table::{Column, Table};
use crate::value::Value;

/// Results of a search to a depth, for the side to move at the root.
#[pyclass(frozen, module = "everyply")]
pub struct Report {
    root: Position,
    depth: u32,
    score: Score,
    value: Option<Value>,
    best: Vec<MoveName>,
    variation: Vec<MoveName>,
    moves: Vec<(MoveName, Option<Score>, u64)>,
    iterations: Vec<Iteration>,
}

/// Searches a game's start or a position to a depth by alpha-beta with iterative deepening, move
/// ordering and a transposition table. The score is the minimax value at that depth, whatever the
/// threads and the table.
///
/// depth: plies below the root, from 1 on; no more than are left to the end of the game.
/// table_mib: MiB of the transposition table.
///
/// Raises ValueError for a game whose play may be endless, which has no such search.
#[pyfunction]
#[pyo3(signature = (position, depth, *, threads=None, table_mib=64))]
pub fn search(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    depth: i64,
    threads: Option<i64>,
    table_mib: i64,
) -> PyResult<Report> {
    let root = root_of(position)?;
    let wanted = depth_of(depth)?;
    let pool = Pool::new(threads)?;
    let mib = u64::try_from(table_mib).unwrap_or(0);
    let study = Arc::clone(root.state());
    let Some(left) = study.plies_left() else {
        return Err(PyValueError::new_err(format!(
            "play of {} may be endless, and searches are for games that end",
            study.title()
        )));
    };
    let depth = wanted.min(left);
    let table = SharedTable::new(mib, study.key_bits()).map_err(|error| table_error(&error))?;
    pool.run(py, None, |control| match root.rules().stones(&study) {
        Some((game, stones)) => {
            let found = of_lines(game, stones, depth, &table, control);
            if found.stopped { Err(stopped(Stopped)) } else { Ok(of_found(root, found)) }
        }
        None => of_named(root, &*study, depth, &table, control),
    })
}

/// A number of plies to search.
pub fn depth_of(depth: i64) -> PyResult<u32> {
    match depth {
        1..=255 => Ok(depth as u32),
        _ => Err(PyValueError::new_err(format!("depth {depth}: from 1 to 255 plies are searched"))),
    }
}

/// Compiled for each kind of board.
fn of_lines(
    game: &AnyGame,
    root: Stones,
    depth: u32,
    table: &SharedTable,
    control: &Control,
) -> Found {
    let settings = Settings::to_depth(depth);
    macro_rules! searched {
        ($($kind:ident)*) => {
            match game {
                $(AnyGame::$kind(game) => {
                    run_search(game, root, &settings, table, None, control, &mut |_| ())
                })*
            }
        };
    }
    searched!(TicTacToe Mnk Standard ConnectFour)
}

fn of_found(root: Position, found: Found) -> Report {
    let empties = root.empties();
    let number = |m: Move| MoveName::Number(m.number());
    let told = |row: &RootMove| (number(row.m), row.score, row.nodes);
    Report {
        depth: found.depth,
        score: found.score,
        value: found.value.map(|value| Value::exact(value, empties)),
        best: found.best.into_iter().map(number).collect(),
        variation: found.principal_variation.iter().copied().map(number).collect(),
        moves: found.root_moves.iter().map(told).collect(),
        iterations: found.iterations,
        root,
    }
}

/// A game that is known by name: one search a depth, and at the last one a search a move.
fn of_named(
    root: Position,
    study: &dyn Study,
    depth: u32,
    table: &SharedTable,
    control: &Control,
) -> PyResult<Report> {
    let run = |study: &dyn Study, depth, counters: &mut SearchCounters| {
        let settings = Settings { deepening: false, ..Settings::to_depth(depth) };
        let score = study.search(depth, Some(&settings), Some(table), control, counters);
        score.expect("play ends").map_err(stopped)
    };
    let mut iterations = Vec::new();
    for depth in 1..=depth {
        let (begun, mut counters) = (std::time::Instant::now(), SearchCounters::default());
        let score = run(study, depth, &mut counters)?;
        iterations.push(Iteration { depth, score, counters, elapsed: begun.elapsed() });
    }
    let mut moves = Vec::new();
    for Branch { text, keeps_turn, to, .. } in study.branches() {
        let mut counters = SearchCounters::default();
        let below =
            run(&*to, depth.saturating_sub(1).min(to.plies_left().unwrap_or(0)), &mut counters)?;
        moves.push((text, if keeps_turn { below } else { -below }, counters.nodes));
    }
    let best = moves.iter().map(|(_, score, _)| *score).max();
    let score = iterations.last().map_or(Score(0), |iteration| iteration.score);
    let attains = |there: &Score| Some(*there) == best;
    Ok(Report {
        depth,
        score,
        value: study.result().map(|outcome| Value::exact(Exact::over(outcome), None)),
        best: moves
            .iter()
            .filter(|(_, there, _)| attains(there))
            .map(|(text, ..)| MoveName::Text(text.clone()))
            .collect(),
        variation: Vec::new(),
        moves: moves
            .into_iter()
            .map(|(text, there, nodes)| {
                (MoveName::Text(text), attains(&there).then_some(score), nodes)
            })
            .collect(),
        iterations,
        root,
    })
}

#[pymethods]
impl Report {
    /// The position searched.
    #[getter]
    fn root(&self) -> Position {
        Position::new(self.root.rules(), Arc::clone(self.root.state()))
    }

    /// The depth of the last iteration: a proven win or loss ends the search earlier than asked.
    #[getter]
    fn depth(&self) -> u32 {
        self.depth
    }

    /// The score at that depth for the side to move, in points of the game's evaluation; a proven
    /// win in r plies is 1,000,000 - r, a proven loss the negative of that, a draw 0.
    #[getter]
    fn score(&self) -> f64 {
        self.score.as_f64()
    }

    /// The value, if the search proved it.
    #[getter]
    fn value(&self) -> Option<Value> {
        self.value
    }

    /// The moves that attain the score, ascending.
    #[getter]
    fn best_moves(&self) -> Vec<MoveName> {
        self.best.clone()
    }

    /// Best play of both sides as far as the search saw, on boards of stones and lines.
    #[getter]
    fn variation(&self) -> Vec<MoveName> {
        self.variation.clone()
    }

    /// Positions visited in all iterations.
    #[getter]
    fn nodes(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.counters.nodes).sum()
    }

    /// The moves of the root, as a Table: move as text, score for the side that makes it (null where
    /// the search proved no more than that another move is better), nodes.
    #[getter]
    fn moves(&self) -> Table {
        let text = |name: &MoveName| match name {
            MoveName::Number(number) => number.to_string(),
            MoveName::Text(text) => text.clone(),
        };
        let score = |score: &Option<Score>| score.map(Score::as_f64);
        Table::new([
            ("move", Column::Text(self.moves.iter().map(|(name, ..)| Some(text(name))).collect())),
            (
                "score",
                Column::Number(self.moves.iter().map(|(_, there, _)| score(there)).collect()),
            ),
            ("nodes", Column::Key(self.moves.iter().map(|(.., nodes)| *nodes).collect())),
        ])
    }

    /// The iterations, as a Table: depth, score, nodes, leaf_evaluations, table_probes, table_hits,
    /// table_stores, cutoffs, first_move_cutoffs, elapsed_s in seconds; each of that iteration
    /// alone.
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
        Table::new(first.into_iter().chain(counters).chain([last]))
    }

    fn __repr__(&self) -> String {
        format!("<Report of depth {}: score {}, {} nodes>", self.depth, self.score, self.nodes())
    }
}
