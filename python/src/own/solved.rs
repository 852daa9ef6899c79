//! The values of all positions of a game written in Python.

use std::sync::Arc;

use everyply::game::{Key, Worth};
use everyply::registry::Answers;
use pyo3::prelude::*;

use super::keys::Keys;
use super::value;
use crate::counts::plies_table;
use crate::errors::stopped;
use crate::run::Pool;
use crate::table::Table;
use crate::value::Value;

/// Values by key.
#[pyclass(frozen, module = "everyply._everyply", name = "_Solved")]
pub struct Solved {
    answers: Box<dyn Answers>,
    keys: Arc<Keys>,
}

impl Solved {
    pub fn new(answers: Box<dyn Answers>, keys: Arc<Keys>) -> Self {
        Self { answers, keys }
    }

    fn worth(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Worth>> {
        let number = self.keys.get(key)?;
        Ok(number.and_then(|number| self.answers.worth_of(Key(number.into()))))
    }
}

#[pymethods]
impl Solved {
    /// The value of the position of a key; None if the start does not lead to it.
    fn value(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        Ok(self.worth(key)?.map(value))
    }

    /// For each move, given by the key of the next position and whether it keeps the turn: its
    /// value for the side that makes it, and whether it is a best one.
    fn moves(&self, moves: Vec<(Bound<'_, PyAny>, bool)>) -> PyResult<Vec<Option<(Value, bool)>>> {
        let worth = |(key, keeps): &(Bound<'_, PyAny>, bool)| {
            Ok(self.worth(key)?.map(|worth| worth.one_ply_earlier(*keeps)))
        };
        let worths: Vec<Option<Worth>> = moves.iter().map(worth).collect::<PyResult<_>>()?;
        let best = worths.iter().flatten().max().copied();
        let told = |worth: Worth| (value(worth), best.is_some_and(|best| worth.attains(best)));
        Ok(worths.into_iter().map(|worth| worth.map(told)).collect())
    }

    /// Positions, and of them: terminal, won, drawn, drawn by endless play, lost.
    fn totals(&self, py: Python<'_>) -> [u64; 6] {
        let t = py.detach(|| self.answers.totals());
        [t.positions, t.terminal, t.wins, t.draws, t.endless, t.losses]
    }

    /// Counts of every ply, with the values of positions.
    fn plies(&self, py: Python<'_>) -> PyResult<Table> {
        let plies = Pool::new(None)?.run(py, None, |control| {
            self.answers.plies(u32::from(u8::MAX), control).map_err(stopped)
        })?;
        Ok(plies_table(&plies.counts, 0))
    }
}
