//! The units of a whole Connect Four board.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use everyply::connect_four::profiles::{
    Board, Content, Objects, PassError, Plan, SolutionDetail, SolutionError, Storage, StorageError,
    Store, Unit, finish, make,
};
use everyply::control::Control;
use everyply::games::line::Size;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::{Finished, Units};
use crate::errors::{os_error, solution_error, stopped, storage_error};

/// The units of a whole board, and their store.
pub struct BoardUnits {
    plan: Plan<'static>,
    units: Vec<Unit>,
    numbers: HashMap<Unit, usize>,
    store: Arc<dyn Store>,
    storage: Objects,
    detail: SolutionDetail,
}

impl BoardUnits {
    /// Opens a store for units of at most this many bytes, for one of the bits of a value.
    pub fn open(
        size: Size,
        store: Arc<dyn Store>,
        unit_bytes: u64,
        outcome_only: bool,
    ) -> PyResult<Self> {
        let board = Board::new(size).map_err(|error| PyTypeError::new_err(error.to_string()))?;
        let opened = Objects::open(Arc::clone(&store), board.size(), unit_bytes);
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
        Ok(Self { plan, units, numbers, store, storage, detail })
    }

    /// The unit that an error is about, if making it again helps.
    fn lost(&self, error: PassError) -> PyResult<usize> {
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

impl Units for BoardUnits {
    fn len(&self) -> usize {
        self.units.len()
    }

    fn name(&self, unit: usize) -> String {
        self.units[unit].to_string()
    }

    fn bytes(&self, unit: usize) -> u64 {
        self.plan.bytes(self.units[unit])
    }

    fn inputs(&self, unit: usize) -> Vec<usize> {
        let inputs = self.plan.inputs(self.units[unit]);
        let mut inputs: Vec<usize> = inputs.iter().map(|input| self.numbers[input]).collect();
        inputs.sort_unstable();
        inputs
    }

    fn is_result(&self, unit: usize) -> bool {
        matches!(self.units[unit].content, Content::Packed | Content::PackedOutcomes)
    }

    fn made(&self) -> PyResult<Vec<usize>> {
        let names = self.store.list("").map_err(|error| os_error(&error, error.to_string()))?;
        let names: HashSet<String> = names.into_iter().collect();
        let units = self.units.iter().zip(0..);
        let made = units.filter(|(unit, _)| names.contains(&format!("{unit}.summary")));
        Ok(made.map(|(_, number)| number).collect())
    }

    fn exists(&self, unit: usize) -> PyResult<bool> {
        self.storage.holds(self.units[unit]).map_err(storage_error)
    }

    fn make(&self, unit: usize, control: &Control) -> PyResult<Option<usize>> {
        let unit = self.units[unit];
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
    }

    fn discard(&self, unit: usize) -> PyResult<()> {
        let discarded = self.storage.discard(self.units[unit]);
        discarded.and_then(|()| self.storage.settle()).map_err(storage_error)
    }

    fn forget(&self, unit: usize) -> PyResult<()> {
        let forgotten = self.storage.forget(self.units[unit]);
        forgotten.and_then(|()| self.storage.settle()).map_err(storage_error)
    }

    fn finish(&self, out: &Path, control: &Arc<Control>) -> PyResult<Finished> {
        let written = match finish(&self.plan, self.detail, &self.storage, out, control) {
            Ok(written) => written,
            Err(SolutionError::Pass(error)) => return Ok((None, Some(self.lost(error)?))),
            Err(error) => return Err(solution_error(&error)),
        };
        let plies = &written.counts.plies;
        let positions = plies.iter().filter_map(|ply| ply.positions).sum();
        let value = written.counts.values.as_ref().map(|values| values.start.to_string());
        Ok((Some((value.unwrap_or_default(), positions, written.bytes)), None))
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
