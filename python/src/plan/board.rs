//! The units of a whole Connect Four board.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use everyply::connect_four::profiles::{
    Board, Content, Objects, PassError, Plan, SolutionError, Storage, StorageError, Unit, finish,
    make,
};
use everyply::control::Control;
use everyply::games::line::Size;
use everyply::solutions::{FinishedPlan, PlannedUnit, Units, WriteError};
use everyply::store::Store;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::storage_error;

pub struct BoardUnits {
    plan: Plan<'static>,
    units: Vec<Unit>,
    numbers: HashMap<Unit, usize>,
    store: Arc<dyn Store>,
    storage: Objects,
}

impl BoardUnits {
    /// Opens a store for units of at most this many bytes, for one of the bits of a value.
    pub fn open(size: Size, store: Arc<dyn Store>, unit_bytes: u64) -> PyResult<Self> {
        let board = Board::new(size).map_err(|error| PyTypeError::new_err(error.to_string()))?;
        let opened = Objects::open(Arc::clone(&store), board.size(), unit_bytes);
        let storage = opened.map_err(|error| storage_error(&error))?;
        // A process has one plan, or a few, until it ends; and a board is small.
        let board: &'static Board = Box::leak(Box::new(board));
        let plan = Plan::new(board, storage.cut(), usize::MAX);
        let units: Vec<Unit> = plan.of_solution().collect();
        let numbers = units.iter().copied().zip(0..).collect();
        Ok(Self { plan, units, numbers, store, storage })
    }

    /// The unit that an error is about, if making it again helps.
    fn lost(&self, error: PassError) -> Result<usize, WriteError> {
        let unit = match &error {
            PassError::Storage(error) => faulty(error),
            _ => None,
        };
        unit.map(|unit| self.numbers[&unit]).ok_or_else(|| failure(error))
    }
}

impl Units for BoardUnits {
    fn units(&self) -> Vec<PlannedUnit> {
        let planned = |unit: &Unit| {
            let inputs = self.plan.inputs(*unit);
            let mut inputs: Vec<usize> = inputs.iter().map(|input| self.numbers[input]).collect();
            inputs.sort_unstable();
            PlannedUnit {
                name: unit.to_string(),
                bytes: self.plan.bytes(*unit),
                inputs,
                is_result: unit.content == Content::Packed,
            }
        };
        self.units.iter().map(planned).collect()
    }

    fn made(&self) -> Result<Vec<usize>, WriteError> {
        let names = self.store.list("").map_err(StorageError::from).map_err(failure)?;
        let names: HashSet<String> = names.into_iter().collect();
        let units = self.units.iter().zip(0..);
        let made = units.filter(|(unit, _)| names.contains(&format!("{unit}.summary")));
        Ok(made.map(|(_, number)| number).collect())
    }

    fn exists(&self, unit: usize) -> Result<bool, WriteError> {
        self.storage.holds(self.units[unit]).map_err(failure)
    }

    fn make(&self, unit: usize, control: &Control) -> Result<Option<usize>, WriteError> {
        let unit = self.units[unit];
        let mut made = make(&self.plan, &self.storage, unit, control);
        if matches!(&made, Err(PassError::Storage(error)) if faulty(error) == Some(unit)) {
            // The summary of the unit itself is damaged: it has to be made again.
            self.storage.forget(unit).map_err(failure)?;
            made = make(&self.plan, &self.storage, unit, control);
        }
        match made {
            Ok(_) => Ok(None),
            Err(error) => self.lost(error).map(Some),
        }
    }

    fn discard(&self, unit: usize) -> Result<(), WriteError> {
        let discarded = self.storage.discard(self.units[unit]);
        discarded.and_then(|()| self.storage.settle()).map_err(failure)
    }

    fn forget(&self, unit: usize) -> Result<(), WriteError> {
        let forgotten = self.storage.forget(self.units[unit]);
        forgotten.and_then(|()| self.storage.settle()).map_err(failure)
    }

    fn finish(&self, out: &Path, control: &Arc<Control>) -> Result<FinishedPlan, WriteError> {
        let written = match finish(&self.plan, &self.storage, out, control) {
            Ok(written) => written,
            Err(SolutionError::Pass(error)) => return self.lost(error).map(FinishedPlan::Missing),
            Err(error) => return Err(error.into()),
        };
        let counts = &written.counts;
        Ok(FinishedPlan::Written {
            value: counts.values.as_ref().map_or_else(String::new, |v| v.start.to_string()),
            positions: counts.plies.iter().filter_map(|ply| ply.positions).sum(),
            bytes: written.bytes,
        })
    }
}

fn failure(error: impl Into<PassError>) -> WriteError {
    WriteError::File(error.into().into())
}

/// The unit that is missing or damaged, if that is the error.
fn faulty(error: &StorageError) -> Option<Unit> {
    match error {
        StorageError::Missing(unit) => Some(*unit),
        StorageError::Damaged { unit, .. } => *unit,
        _ => None,
    }
}
