//! Values for Python.

use std::cmp::Ordering;

use everyply::game::{Outcome, PartialValue, Remoteness};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::value_error;

/// The value of a position for the side to move.
///
/// outcome: "win", "draw" or "loss" under best play of both sides.
/// remoteness: plies to the end of the game if the winner hurries and the loser delays; None
///     for a draw by endless play, and if only the outcome is known.
/// score: Pons' score, on boards of stones and lines: the number of stones before his last one with
///     which the winner wins, negative for a loss, 0 for a draw. None for other games.
///
/// Ordered by preference: quick wins, slow wins, endless draws, draws, slow losses, quick losses.
/// The score is the same on another scale and is not compared. Two wins, or two losses, have no
/// order if one has no remoteness.
#[pyclass(frozen, module = "everyply", name = "Value")]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub value: PartialValue,
    /// The value on Pons' scale; None for games without a board of stones and lines.
    #[pyo3(get)]
    pub score: Option<i32>,
}

impl Value {
    /// The value on a board with this many empty cells, if it is one.
    pub fn of(value: PartialValue, empties: Option<u32>) -> Self {
        let value = match empties {
            Some(empties) => value.on_board(empties).map_or(value, PartialValue::from),
            None => value,
        };
        let score = empties.and_then(|empties| Some(value.exact()?.pons_score(empties)));
        Self { value, score }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let (a, b) = (self.value, other.value);
        match a.preference(b) {
            None if a == b => Some(Ordering::Equal),
            // A draw without a distance is endless play.
            None if a.outcome == Outcome::Draw => Some(b.is_exact().cmp(&a.is_exact())),
            order => order,
        }
    }
}

#[pymethods]
impl Value {
    #[new]
    #[pyo3(signature = (outcome, remoteness=None, score=None))]
    fn new(outcome: &str, remoteness: Option<i64>, score: Option<i32>) -> PyResult<Self> {
        let known = Outcome::of_word(outcome).ok_or_else(|| {
            value_error(format!("outcome '{outcome}': choose 'win', 'draw' or 'loss'"))
        })?;
        let remoteness = remoteness.map(|plies| {
            u8::try_from(plies).map(Remoteness).map_err(|_| {
                value_error(format!("remoteness {plies}: a number of plies from 0 to 255"))
            })
        });
        let value = PartialValue { outcome: known, remoteness: remoteness.transpose()? };
        Ok(Self { value, score })
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("outcome", "remoteness", "score")
    }

    /// "win", "draw" or "loss" under best play, for the side to move.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.value.outcome.word()
    }

    /// Plies to the end of the game under best play; None if there is no end or it is unknown.
    #[getter]
    fn remoteness(&self) -> Option<u8> {
        self.value.remoteness.map(|plies| plies.0)
    }

    fn __richcmp__(&self, other: &Self, op: pyo3::basic::CompareOp, py: Python<'_>) -> Py<PyAny> {
        use pyo3::basic::CompareOp;
        let told = match op {
            CompareOp::Eq => Some(self == other),
            CompareOp::Ne => Some(self != other),
            _ => self.partial_cmp(other).map(|order| op.matches(order)),
        };
        match told {
            Some(told) => pyo3::types::PyBool::new(py, told).to_owned().into_any().unbind(),
            None => py.NotImplemented(),
        }
    }

    /// The same for the other side.
    fn __neg__(&self) -> Self {
        let value = PartialValue { outcome: -self.value.outcome, ..self.value };
        Self { value, score: self.score.map(|score| -score) }
    }

    fn __hash__(&self) -> u64 {
        let remoteness = self.value.remoteness.map_or(256, |plies| u64::from(plies.0));
        remoteness << 2 | (self.value.outcome.sign() + 1) as u64
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Value(outcome='{}', remoteness=", self.outcome());
        let told = |number: Option<i32>| number.map_or_else(|| "None".into(), |n| n.to_string());
        text.push_str(&told(self.remoteness().map(i32::from)));
        if self.score.is_some() {
            text.push_str(", score=");
            text.push_str(&told(self.score));
        }
        text.push(')');
        text
    }

    /// The value in the words of the command line: "win in 3 plies".
    fn __str__(&self) -> String {
        match self.value.exact() {
            Some(value) => value.to_string(),
            None => self.value.outcome.to_string(),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.get();
        let parts = (this.outcome(), this.remoteness(), this.score);
        (slf.get_type(), parts).into_pyobject(slf.py())
    }
}
