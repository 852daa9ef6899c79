//! The tiers of a game that numbers its positions, as units.

use std::path::Path;
use std::sync::Arc;

use everyply::control::Control;
use everyply::solutions::{Joined, Tier, TierPlan};
use pyo3::prelude::*;

use super::{Finished, Units};
use crate::errors::{solution_error, write_error};

impl Units for TierPlan {
    fn len(&self) -> usize {
        self.units()
    }

    fn name(&self, unit: usize) -> String {
        self.cost(unit).name.clone()
    }

    fn bytes(&self, unit: usize) -> u64 {
        self.cost(unit).bytes
    }

    fn inputs(&self, unit: usize) -> Vec<usize> {
        self.inputs(unit)
    }

    fn is_result(&self, _: usize) -> bool {
        true
    }

    fn made(&self) -> PyResult<Vec<usize>> {
        self.made().map_err(|error| solution_error(&error))
    }

    fn exists(&self, unit: usize) -> PyResult<bool> {
        self.exists(unit).map_err(|error| solution_error(&error))
    }

    fn make(&self, unit: usize, control: &Control) -> PyResult<Option<usize>> {
        self.make(unit, control).map_err(write_error)
    }

    fn discard(&self, _: usize) -> PyResult<()> {
        Ok(())
    }

    fn forget(&self, unit: usize) -> PyResult<()> {
        self.forget(unit).map_err(|error| solution_error(&error))
    }

    fn finish(&self, out: &Path, control: &Arc<Control>) -> PyResult<Finished> {
        Ok(match self.finish(out, control).map_err(write_error)? {
            Joined::Missing(unit) => (None, Some(unit)),
            Joined::Written(written) => {
                let positions = written.tiers.iter().map(Tier::positions).sum();
                (Some((self.value_in_words(written.value), positions, written.bytes)), None)
            }
        })
    }
}
