//! Values as arrays.

use everyply::game::PartialValue;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::value::Value;

/// The outcome of a position with an unknown value.
pub const UNKNOWN: i8 = i8::MIN;
/// The remoteness of a value without one.
pub const NO_REMOTENESS: i16 = -1;
/// The score of a value without one.
pub const NO_SCORE: i16 = i16::MIN;

/// Values of many positions, in their order.
#[derive(Default)]
pub struct Columns {
    outcome: Vec<i8>,
    remoteness: Vec<i16>,
    score: Vec<i16>,
}

impl Columns {
    pub fn with_capacity(positions: usize) -> Self {
        Self {
            outcome: Vec::with_capacity(positions),
            remoteness: Vec::with_capacity(positions),
            score: Vec::with_capacity(positions),
        }
    }

    /// Adds the value of a position with this many empty cells, if it is on a board.
    pub fn push(&mut self, value: Option<PartialValue>, empties: Option<u32>) {
        let value = value.map(|value| Value::of(value, empties));
        let known = value.map(|value| value.value);
        self.outcome.push(known.map_or(UNKNOWN, |known| known.outcome.sign()));
        let remoteness = known.and_then(|known| known.remoteness);
        self.remoteness.push(remoteness.map_or(NO_REMOTENESS, |plies| plies.0.into()));
        let score = value.and_then(|value| value.score);
        self.score.push(score.map_or(NO_SCORE, |score| score as i16));
    }

    pub fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let arrays = (
            PyArray1::from_vec(py, self.outcome),
            PyArray1::from_vec(py, self.remoteness),
            PyArray1::from_vec(py, self.score),
        );
        py.import("everyply._values")?.getattr("Values")?.call1(arrays)
    }
}
