//! The exact values of positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::Columns;
use crate::batch::read_all;
use crate::choice::at_least_one;
use crate::engine::Engine;
use crate::errors::solver_error;
use crate::game::BuiltinGame;
use crate::position::root_of;
use crate::rules::{MoveName, Rules};
use crate::run::{Pool, Progress};
use crate::value::Value;

/// A solver of a game: the exact value of every position, by the engine that suits the game. Its
/// table keeps results for all calls and threads.
///
/// game: a game, its name, or a position of it; of a game written in Python, positions are its own
///     objects, or moves by their texts, and moves come back as texts.
/// threads: the number of threads of a call; all of the machine for None.
/// table_mib: MiB of its table; for None the size that measured best on the board.
/// book: use the opening book of 7x6 Connect Four that is part of the library.
///
/// Ctrl-C stops every call. The interpreter's lock is released while it works.
#[pyclass(frozen, module = "everyply")]
pub struct Solver {
    pub rules: Arc<Rules>,
    pub pool: Pool,
    pub engine: Engine,
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (game, *, threads=None, table_mib=None, book=true))]
    fn new(
        game: &Bound<'_, PyAny>,
        threads: Option<i64>,
        table_mib: Option<i64>,
        book: bool,
    ) -> PyResult<Self> {
        let table_mib = table_mib.map(|mib| at_least_one("table_mib", mib)).transpose()?;
        let (rules, pool) = (root_of(game)?.rules, Pool::new(threads)?);
        let engine = Engine::new(&rules, pool.threads, table_mib, book).map_err(solver_error)?;
        Ok(Self { rules, pool, engine })
    }

    /// The game.
    #[getter]
    fn game(&self) -> BuiltinGame {
        BuiltinGame { rules: Arc::clone(&self.rules) }
    }

    /// Returns the exact value of a position, for the side to move.
    ///
    /// position: a Position of the game, or the moves that lead to it.
    fn value(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Value> {
        let position = self.rules.position(position)?;
        let state = &position.state;
        let value = match self.engine.known(state) {
            Some(value) => value,
            None => self.pool.run(py, None, |control| self.engine.value(state, control))?,
        };
        Ok(Value::of(value, position.empties()))
    }

    /// Returns the exact value of every move for the side that makes it, by ascending move; empty
    /// if the game is over.
    fn moves<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = self.rules.position(position)?;
        let state = &position.state;
        let values = self.pool.run(py, None, |control| self.engine.moves(state, control))?;
        let moves = PyDict::new(py);
        for (m, value) in values {
            moves.set_item(self.rules.move_name(m), Value::of(value, position.empties()))?;
        }
        Ok(moves)
    }

    /// Returns the moves that attain the value of a position, ascending; empty if the game is over.
    fn best_moves(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<MoveName>> {
        let position = self.rules.position(position)?;
        let ask = |control: &Arc<_>| self.engine.best_moves(&position.state, control);
        Ok(self.rules.move_names(self.pool.run(py, None, ask)?))
    }

    /// Best moves of both sides to the end of the game. If play is endless, they stop at the first
    /// position that is repeated.
    fn variation(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<MoveName>> {
        let position = self.rules.position(position)?;
        let ask = |control: &Arc<_>| self.engine.variation(&position.state, control);
        Ok(self.rules.move_names(self.pool.run(py, None, ask)?))
    }

    /// Returns the exact values of many positions, for the side to move, in their order.
    ///
    /// positions: keys, as an array of shape (n,) and type uint64, or an iterable of arguments of
    ///     `value`.
    /// progress: True for a bar (needs tqdm), or a function of (positions done, all positions).
    ///
    /// Returns Values: arrays of shape (n,), outcome int8 (1 win, 0 draw, -1 loss), remoteness int16
    /// in plies (-1 for endless play), score int16 (-32768 if a game has none).
    ///
    /// Raises ValueError with the index of the first item that is not a position.
    #[pyo3(signature = (positions, *, progress=None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let states = read_all(&self.rules, positions)?;
        let progress = Progress::of(progress, states.len() as u64, "positions")?;
        let done = AtomicU64::new(0);
        let columns = self.pool.run_counting(py, progress.as_ref(), Some(&done), |control| {
            let mut columns = Columns::with_capacity(states.len());
            let mut empties = states.iter().map(|state| self.rules.empties(state));
            self.engine.values(&states, self.pool.threads, control, |value| {
                columns.push(Some(value), empties.next().flatten());
                done.fetch_add(1, Relaxed);
            })?;
            Ok(columns)
        })?;
        columns.into_python(py)
    }

    fn __repr__(&self) -> String {
        format!("<Solver of {} with {} threads>", self.rules.title(), self.pool.threads)
    }
}
