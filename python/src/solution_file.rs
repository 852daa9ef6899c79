//! Solution files.

use std::path::PathBuf;
use std::sync::Arc;

use everyply::connect_four::profiles::{SolutionDetail, SolutionFile as File};
use everyply::game::{Key, Keyed, PartialValue, Tiered};
use everyply::games::line::{LineGame, Stones};
use numpy::{PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::Columns;
use crate::choice::of_id;
use crate::engine::stones;
use crate::errors::solution_error;
use crate::game::{BuiltinGame, to_python};
use crate::rules::Rules;
use crate::run::Pool;
use crate::value::Value;

/// Keys looked up between two checks for a stop.
const PART: usize = 1 << 20;

/// A solution file, which `solve_to_file` and `analyze solve` write: the value of every position of
/// a Connect Four board. Blocks are read as they are needed; many threads may ask at a time.
///
/// Raises FileNotFoundError, PermissionError or OSError if the file cannot be read, is not a
/// solution file, or is damaged.
#[pyclass(frozen, module = "everyply", name = "SolutionFile")]
pub struct SolutionFile {
    path: PathBuf,
    file: File,
    rules: Arc<Rules>,
    pool: Pool,
}

impl SolutionFile {
    pub fn open(path: PathBuf, pool: Pool) -> PyResult<Self> {
        let file = File::open(&path).map_err(|error| solution_error(&error))?;
        let rules = of_id(&file.board().game().game_id())?;
        Ok(Self { path, file, rules, pool })
    }

    /// The values of positions, given by their stones.
    fn look_up(&self, py: Python<'_>, all: &[Stones]) -> PyResult<Columns> {
        self.pool.run(py, None, |control| {
            let game = self.file.board().game();
            let mut columns = Columns::with_capacity(all.len());
            for part in all.chunks(PART) {
                control.check().map_err(crate::errors::stopped)?;
                let values = self.file.partial_values(part);
                let values = values.map_err(|error| solution_error(&error))?;
                for (value, position) in values.into_iter().zip(part) {
                    columns.push(value, Some(game.plies_left(*position)));
                }
            }
            Ok(columns)
        })
    }
}

#[pymethods]
impl SolutionFile {
    #[new]
    #[pyo3(signature = (path, *, threads=None))]
    fn new(py: Python<'_>, path: PathBuf, threads: Option<i64>) -> PyResult<Self> {
        let pool = Pool::new(threads)?;
        py.detach(|| Self::open(path, pool))
    }

    /// The path of the file, as given.
    #[getter]
    fn path(&self) -> &PathBuf {
        &self.path
    }

    /// The game, with its board.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, Arc::clone(&self.rules))
    }

    /// True if the file holds win, draw and loss without distances.
    #[getter]
    fn outcome_only(&self) -> bool {
        self.file.detail() == SolutionDetail::Outcome
    }

    /// The value of a position, for the side to move; without remoteness if the file holds none.
    fn value(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Value> {
        let position = BuiltinGame { rules: Arc::clone(&self.rules) }.read(position)?;
        let stones = stones(position.state());
        let value = py.detach(|| self.file.partial_value(stones));
        let value = value.map_err(|error| solution_error(&error))?;
        let value: PartialValue = value.expect("a position of the board has a value");
        Ok(Value::of(value, position.empties()))
    }

    /// The values of many positions, for the side to move, in their order.
    ///
    /// positions: keys, as a NumPy array of shape (n,) and type uint64, or an iterable of arguments
    ///     of `value`. For a key that no game leads to, the answer is meaningless.
    ///
    /// Returns Values: arrays of shape (n,).
    ///
    /// Raises ValueError with the index of the first key that is not a position of the board.
    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all: Vec<Stones> = match positions.extract::<PyReadonlyArray1<'_, u64>>() {
            Ok(keys) => {
                // A copy: others may write to the array meanwhile.
                let keys: Vec<u64> = keys.as_array().iter().copied().collect();
                py.detach(|| self.positions_of(&keys))?
            }
            Err(_) => {
                refuse_other_numbers(positions)?;
                let states = crate::solver::read_all(&self.rules, positions)?;
                states.iter().map(stones).collect()
            }
        };
        self.look_up(py, &all)?.into_python(py)
    }

    fn __repr__(&self) -> String {
        format!("<SolutionFile {} of {}>", self.path.display(), self.rules.title())
    }
}

/// Refuses arrays of numbers that are not keys.
fn refuse_other_numbers(positions: &Bound<'_, PyAny>) -> PyResult<()> {
    let Ok(array) = positions.cast::<PyUntypedArray>() else { return Ok(()) };
    if matches!(array.dtype().kind(), b'O' | b'U') && array.ndim() == 1 {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "keys are an array of shape (n,) and type uint64, not of shape {:?} and type {}",
        array.shape(),
        array.dtype()
    )))
}

impl SolutionFile {
    fn positions_of(&self, keys: &[u64]) -> PyResult<Vec<Stones>> {
        let game = self.file.board().game();
        let position = |(index, key): (usize, &u64)| {
            game.position_of(Key(*key)).ok_or_else(|| {
                PyValueError::new_err(format!(
                    "at index {index}: key {key} is no position of {}",
                    self.rules.title()
                ))
            })
        };
        keys.iter().enumerate().map(position).collect()
    }
}
