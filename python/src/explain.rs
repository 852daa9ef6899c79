//! Reasons for the values of positions.

use everyply::cli::available_memory;
use everyply::connect_four::strategy::{ExplainError, explain};
use everyply::export::reasons_in_words;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::engine::{Engine, stones};
use crate::errors::{solve_error, stopped, value_error};
use crate::solution::check_graph;
use crate::solver::Solver;

/// The explanation of a position as a JSON document.
#[pyfunction]
pub fn _explain(py: Python<'_>, solver: &Solver, position: &Bound<'_, PyAny>) -> PyResult<String> {
    let position = solver.read(position)?;
    let Engine::Solver(exact) = &solver.engine else {
        let (study, rules) = (&position.state, &position.rules);
        rules.check_keys()?;
        study.check().map_err(value_error)?;
        check_graph(rules, study, available_memory())?;
        let most = (available_memory() / study.bytes_per_position() as f64) as u64;
        let text = solver.pool.run(py, None, |control| {
            let answers = study.solve(most, control).map_err(solve_error)?;
            Ok(reasons_in_words(&**study, &*answers))
        })?;
        let dict = PyDict::new(py);
        dict.set_item("plans", PyList::empty(py))?;
        dict.set_item("text", text)?;
        return py.import("json")?.call_method1("dumps", (dict,))?.extract();
    };
    let stones = stones(&*position.state);
    solver.pool.run(py, None, |control| {
        let explanation = explain(exact, stones, control).map_err(|error| match error {
            ExplainError::Stopped(error) => stopped(error),
            error => value_error(error),
        })?;
        Ok(explanation.to_json(exact.game()))
    })
}
