//! The machine as an opponent.

use std::time::Duration;

use everyply::cli::available_memory;
use everyply::opponent::Level;
use everyply::oracle::{Oracle, OracleFiles};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{oracle_error, value_error};
use crate::position::root_of;
use crate::rules::MoveName;
use crate::run::Pool;

/// A player of every game that the library knows.
///
/// level: "perfect" (always a best move, and always the same), "varied" (a best move, at random
///     among equals), "casual" (looks four plies ahead) or "beginner" (wins at once, or stops
///     the other side from winning at once, else plays at random).
/// seconds: the time limit of a move; after it the best move of a short search. None for no limit.
/// threads: the number of threads; all of the machine for None.
///
/// It can be called like a function: `opponent(position)` is `opponent.move(position)`.
#[pyclass(frozen, module = "everyply", name = "Opponent")]
pub struct Opponent {
    level: Level,
    limit: Option<Duration>,
    oracle: Oracle,
    pool: Pool,
}

#[pymethods]
impl Opponent {
    #[new]
    #[pyo3(signature = (level="perfect", *, seconds=None, threads=None))]
    fn new(level: &str, seconds: Option<f64>, threads: Option<i64>) -> PyResult<Self> {
        let Some(level) = Level::ALL.into_iter().find(|known| known.name() == level) else {
            let all: Vec<String> =
                Level::ALL.iter().map(|level| format!("'{}'", level.name())).collect();
            let all = all.join(", ");
            return Err(PyValueError::new_err(format!("level '{level}': choose one of {all}")));
        };
        let limit = seconds.map(Duration::try_from_secs_f64).transpose().map_err(value_error)?;
        /// MiB of a table for each second of a move: a larger one is not filled in that time, and
        /// its new pages take some of it.
        const MIB_PER_SECOND: f64 = 64.0;
        let memory = (available_memory() / f64::from(1 << 20) / 4.0).clamp(64.0, 1024.0);
        let filled = limit.map_or(memory, |limit| (limit.as_secs_f64() * MIB_PER_SECOND).max(32.0));
        let oracle = Oracle::new(OracleFiles::default(), memory.min(filled) as u64);
        Ok(Self { level, limit, oracle, pool: Pool::new(threads)? })
    }

    /// The name of its level.
    #[getter]
    fn level(&self) -> &'static str {
        self.level.name()
    }

    /// Gives its move in a position of any game.
    ///
    /// position: a Position, or a game or its name for its start. Of a game written in Python,
    ///     `game.position(p)` of the game that `tabulate` gives is the Position of an object p.
    ///
    /// Raises ValueError if the game is over.
    fn r#move(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<MoveName> {
        let position = root_of(position)?;
        let choice = self.pool.run(py, None, |control| {
            control.limit(self.limit);
            let reply = self.level.reply(&self.oracle, &**position.state(), control);
            reply.map_err(oracle_error)
        })?;
        let over = || PyValueError::new_err("the game is over: there is no move");
        Ok(position.rules().move_name(choice.ok_or_else(over)?.m.text))
    }

    fn __call__(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<MoveName> {
        self.r#move(py, position)
    }

    fn __repr__(&self) -> String {
        format!("Opponent('{}')", self.level.name())
    }
}
