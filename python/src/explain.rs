//! Reasons for the values of positions.

use everyply::connect_four::strategy::{ExplainError, explain};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::engine::{Engine, stones};
use crate::errors::{stopped, value_error};
use crate::solver::Solver;

/// The explanation of a position as a JSON document.
#[pyfunction]
pub fn _explain(py: Python<'_>, solver: &Solver, position: &Bound<'_, PyAny>) -> PyResult<String> {
    let Engine::Solver(exact) = solver.engine() else {
        return Err(PyValueError::new_err(
            "only positions of Connect Four are explained, on boards of at most 64 bits",
        ));
    };
    let position = solver.read(position)?;
    let stones = stones(&**position.state());
    solver.pool().run(py, None, |control| {
        let explanation = explain(exact, stones, control).map_err(|error| match error {
            ExplainError::Stopped(error) => stopped(error),
            error => value_error(error),
        })?;
        Ok(explanation.to_json(exact.game()))
    })
}
