//! Errors of the library as the exceptions that Python has for them.

use std::fmt::Display;

use everyply::connect_four::solver::SolverError;
use everyply::control::Stopped;
use everyply::oracle::OracleError;
use everyply::search::TableError;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// What was given is wrong.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Work ended by its control; whoever asked it to stop raises his own exception, which goes first.
pub fn stopped(_: Stopped) -> PyErr {
    PyRuntimeError::new_err("stopped before the work was done")
}

pub fn table_error(error: &TableError) -> PyErr {
    match error {
        TableError::Size(1..) => PyMemoryError::new_err(error.to_string()),
        error => value_error(error),
    }
}

pub fn solver_error(error: SolverError) -> PyErr {
    match error {
        SolverError::Table(error) => table_error(&error),
        error => value_error(error),
    }
}

pub fn oracle_error(error: OracleError) -> PyErr {
    match error {
        OracleError::Stopped(error) => stopped(error),
        OracleError::Engine { .. } => PyMemoryError::new_err(error.to_string()),
        error => PyOSError::new_err(error.to_string()),
    }
}
