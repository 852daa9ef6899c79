//! Values for Python.

use everyply::game::PartialValue;
use pyo3::prelude::*;

/// The value of a position; in Python the class `everyply.Value`.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub value: PartialValue,
    /// The value on Pons' scale; `None` for games without a board of stones and lines.
    pub score: Option<i32>,
}

impl Value {
    /// Creates the value on a board with this many empty cells, if it is one.
    pub fn of(value: PartialValue, empties: Option<u32>) -> Self {
        let value = match empties {
            Some(empties) => value.on_board(empties).map_or(value, PartialValue::from),
            None => value,
        };
        let score = empties.and_then(|empties| Some(value.exact()?.pons_score(empties)));
        Self { value, score }
    }
}

impl<'py> IntoPyObject<'py> for Value {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let remoteness = self.value.remoteness.map(|plies| plies.0);
        let parts = (self.value.outcome.word(), remoteness, self.score);
        py.import("everyply._value")?.getattr("Value")?.call1(parts)
    }
}
