//! The plan of a whole board and the store of its units, for the processes of a cluster.
//!
//! Units are numbers, each higher than those of its inputs. Their data stay between the store and
//! the process that makes or reads them.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use everyply::connect_four::profiles::{
    Board, Content, Objects, PassError, Plan, SCHEDULED_UNIT_BYTES, SolutionDetail, SolutionError,
    Storage, StorageError, Store, Unit, finish, make, open_store,
};
use everyply::control::Control;
use everyply::games::line::LineGame;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::errors::{os_error, solution_error, stopped, storage_error, value_error};
use crate::game::BuiltinGame;
use crate::run::{Pool, Progress};

/// The plan of a solution file: the units of a board of Connect Four, and their store.
#[pyclass(frozen, module = "everyply._everyply", name = "_Plan")]
pub struct BoardPlan {
    plan: Plan<'static>,
    units: Vec<Unit>,
    numbers: HashMap<Unit, u32>,
    store: Arc<dyn Store>,
    storage: Objects,
    detail: SolutionDetail,
    pool: Pool,
}

#[pymethods]
impl BoardPlan {
    /// game: Connect Four. work: a folder, or s3://bucket/prefix.
    /// unit_bytes: the most bytes of a unit, for one of the bits of a value; a store keeps the
    /// number that it was begun with. threads: the number of threads of a unit; all of the machine
    /// for None.
    #[new]
    #[pyo3(signature = (game, work, *, unit_bytes=None, outcome_only=false, threads=None))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, BuiltinGame>,
        work: PathBuf,
        unit_bytes: Option<u64>,
        outcome_only: bool,
        threads: Option<i64>,
    ) -> PyResult<Self> {
        let Some(game) = game.get().rules.board() else {
            return Err(PyValueError::new_err("only Connect Four has plans"));
        };
        let board = Board::new(game.size()).map_err(value_error)?;
        let pool = Pool::new(threads)?;
        let work = work.to_str().ok_or_else(|| PyValueError::new_err("work is no text"))?;
        let store = open_store(work).map_err(|error| os_error(&error, error.to_string()))?;
        let bytes = unit_bytes.unwrap_or(SCHEDULED_UNIT_BYTES);
        let opened = py.detach(|| Objects::open(Arc::clone(&store), board.size(), bytes));
        let storage = opened.map_err(storage_error)?;
        // A process has one plan, or a few, until it ends; and a board is small.
        let board: &'static Board = Box::leak(Box::new(board));
        let plan = Plan::new(board, storage.cut(), usize::MAX);
        let (detail, packed) = match outcome_only {
            false => (SolutionDetail::Remoteness, Content::Packed),
            true => (SolutionDetail::Outcome, Content::PackedOutcomes),
        };
        let units: Vec<Unit> = plan.of_solution(packed).collect();
        let numbers = units.iter().copied().zip(0..).collect();
        Ok(Self { plan, units, numbers, store, storage, detail, pool })
    }

    fn __len__(&self) -> usize {
        self.units.len()
    }

    /// The name of a unit, as alive-07-00012.
    fn name(&self, unit: usize) -> PyResult<String> {
        Ok(self.unit(unit)?.to_string())
    }

    /// The bytes of a unit, before it is compressed.
    fn bytes(&self, unit: usize) -> PyResult<u64> {
        Ok(self.plan.bytes(self.unit(unit)?))
    }

    /// The units that a unit is made from, ascending.
    fn inputs(&self, unit: usize) -> PyResult<Vec<u32>> {
        let inputs = self.plan.inputs(self.unit(unit)?);
        let mut inputs: Vec<u32> = inputs.iter().map(|input| self.numbers[input]).collect();
        inputs.sort_unstable();
        Ok(inputs)
    }

    /// True if a unit is a part of the file.
    fn is_result(&self, unit: usize) -> PyResult<bool> {
        Ok(matches!(self.unit(unit)?.content, Content::Packed | Content::PackedOutcomes))
    }

    /// The units that the store has a summary of, whether or not their data still exist.
    fn made(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let names = py.detach(|| self.store.list(""));
        let names = names.map_err(|error| os_error(&error, error.to_string()))?;
        let names: HashSet<String> = names.into_iter().collect();
        let units = self.units.iter().zip(0..);
        let made = units.filter(|(unit, _)| names.contains(&format!("{unit}.summary")));
        Ok(made.map(|(_, number)| number).collect())
    }

    /// True if the data of a unit exist.
    fn exists(&self, py: Python<'_>, unit: usize) -> PyResult<bool> {
        let unit = self.unit(unit)?;
        py.detach(|| self.storage.holds(unit)).map_err(storage_error)
    }

    /// Makes a unit, unless it has a summary. Gives None, or the unit that is missing or damaged.
    ///
    /// progress: a function that is called ten times a second, whose exception ends the work.
    #[pyo3(signature = (unit, *, progress=None))]
    fn make(
        &self,
        py: Python<'_>,
        unit: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<u32>> {
        let unit = self.unit(unit)?;
        let progress = Progress::of(progress, 0, "profiles")?;
        self.pool.run(py, progress.as_ref(), |control| {
            let mut made = make(&self.plan, &self.storage, unit, control);
            if matches!(&made, Err(PassError::Storage(error)) if faulty(error) == Some(unit)) {
                // The summary of the unit itself is damaged: it has to be made again.
                self.storage.forget(unit).map_err(storage_error)?;
                made = make(&self.plan, &self.storage, unit, control);
            }
            match made {
                Ok(_) => Ok(None),
                Err(error) => self.lost(error).map(Some),
            }
        })
    }

    /// Removes the data of a unit; its summary stays.
    fn discard(&self, py: Python<'_>, unit: usize) -> PyResult<()> {
        let unit = self.unit(unit)?;
        let discard = || self.storage.discard(unit).and_then(|()| self.storage.settle());
        py.detach(discard).map_err(storage_error)
    }

    /// Removes a unit and its summary, so that it can be made again.
    fn forget(&self, py: Python<'_>, unit: usize) -> PyResult<()> {
        let unit = self.unit(unit)?;
        let forget = || self.storage.forget(unit).and_then(|()| self.storage.settle());
        py.detach(forget).map_err(storage_error)
    }

    /// Writes the solution file of a plan whose units are made. Gives the value of the empty board
    /// in words, the positions and the bytes of the file; or None for these and the unit that is
    /// missing or damaged.
    fn finish(&self, py: Python<'_>, out: PathBuf) -> PyResult<(Option<Joined>, Option<u32>)> {
        let join = |control: &Arc<Control>| {
            let written = match finish(&self.plan, self.detail, &self.storage, &out, control) {
                Ok(written) => written,
                Err(SolutionError::Pass(error)) => return Ok((None, Some(self.lost(error)?))),
                Err(error) => return Err(solution_error(&error)),
            };
            let plies = &written.counts.plies;
            let positions = plies.iter().filter_map(|ply| ply.positions).sum();
            let value = written.counts.values.as_ref().map(|values| values.start.to_string());
            Ok((Some((value.unwrap_or_default(), positions, written.bytes)), None))
        };
        self.pool.run(py, None, join)
    }
}

/// The value of the empty board in words, positions, bytes.
type Joined = (String, u64, u64);

impl BoardPlan {
    fn unit(&self, number: usize) -> PyResult<Unit> {
        self.units.get(number).copied().ok_or_else(|| {
            PyIndexError::new_err(format!("unit {number}: the plan has {}", self.units.len()))
        })
    }

    /// The unit that an error is about, if making it again helps.
    fn lost(&self, error: PassError) -> PyResult<u32> {
        match error {
            PassError::Stopped(error) => Err(stopped(error)),
            PassError::Storage(error) => match faulty(&error) {
                Some(unit) => Ok(self.numbers[&unit]),
                None => Err(storage_error(error)),
            },
            error => Err(PyValueError::new_err(error.to_string())),
        }
    }
}

/// The unit that is missing or damaged, if that is the error.
fn faulty(error: &StorageError) -> Option<Unit> {
    match error {
        StorageError::Missing(unit) => Some(*unit),
        StorageError::Damaged { unit, .. } => *unit,
        _ => None,
    }
}
