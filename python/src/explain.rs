//! Reasons for the values of positions.

use everyply::cli::available_memory;
use everyply::connect_four::strategy::{ExplainError, explain};
use everyply::export::reasons_in_words;
use everyply::games::line::GraphEstimate;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::engine::{Engine, stones};
use crate::errors::{solve_error, stopped, value_error};
use crate::solver::Solver;

/// The explanation of a position as a JSON document.
#[pyfunction]
pub fn _explain(py: Python<'_>, solver: &Solver, position: &Bound<'_, PyAny>) -> PyResult<String> {
    let position = solver.read(position)?;
    let Engine::Solver(exact) = solver.engine() else {
        let (study, rules) = (position.state(), position.rules());
        rules.check_keys()?;
        study.check().map_err(value_error)?;
        let most = (available_memory() / study.bytes_per_position() as f64) as u64;
        if let Some((game, stones)) = rules.stones(study)
            && GraphEstimate::of_graph(game, stones).positions > most as f64
        {
            return Err(PyMemoryError::new_err(format!(
                "{}: explaining this position solves all positions below it, which do not fit \
                 memory: begin at a later one",
                rules.title()
            )));
        }
        let text = solver.pool().run(py, None, |control| {
            let answers = study.solve(most, control).map_err(solve_error)?;
            Ok(reasons_in_words(&**study, &*answers))
        })?;
        let dict = PyDict::new(py);
        dict.set_item("plans", PyList::empty(py))?;
        dict.set_item("text", text)?;
        return py.import("json")?.call_method1("dumps", (dict,))?.extract();
    };
    let stones = stones(&**position.state());
    solver.pool().run(py, None, |control| {
        let explanation = explain(exact, stones, control).map_err(|error| match error {
            ExplainError::Stopped(error) => stopped(error),
            error => value_error(error),
        })?;
        Ok(explanation.to_json(exact.game()))
    })
}
