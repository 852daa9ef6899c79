//! Reasons for the values of positions.

use everyply::cli::available_memory;
use everyply::connect_four::strategy::{ExplainError, explain};
use everyply::export::PositionDocument;
use pyo3::prelude::*;

use crate::engine::{Engine, stones};
use crate::errors::{solve_error, stopped, value_error};
use crate::solution::check_graph;
use crate::solver::Solver;

/// Returns the document of `analyze explain` for a position.
#[pyfunction]
pub fn _explain(py: Python<'_>, solver: &Solver, position: &Bound<'_, PyAny>) -> PyResult<String> {
    let position = solver.rules.position(position)?;
    let Engine::Solver(exact) = &solver.engine else {
        let (state, rules) = (&position.state, &position.rules);
        rules.check_keys()?;
        state.check().map_err(value_error)?;
        check_graph(rules, state, available_memory())?;
        let most = (available_memory() / state.bytes(false) as f64) as u64;
        return solver.pool.run(py, None, |control| {
            let answers = state.solve(most, control).map_err(solve_error)?;
            Ok(PositionDocument::of_solution(&**state, None, &answers).0.to_json())
        });
    };
    let stones = stones(&*position.state);
    solver.pool.run(py, None, |control| {
        let explanation = explain(exact, stones, control).map_err(|error| match error {
            ExplainError::Stopped(error) => stopped(error),
            error => value_error(error),
        })?;
        Ok(PositionDocument::of_explanation(&*position.state, None, &explanation).to_json())
    })
}
