//! Errors of the library as the exceptions that Python has for them.

use std::fmt::Display;
use std::io;

use everyply::connect_four::profiles::{PassError, StorageError};
use everyply::connect_four::solver::SolverError;
use everyply::control::Stopped;
use everyply::database::DatabaseError;
use everyply::exhaustive::SolveError;
use everyply::oracle::OracleError;
use everyply::search::TableError;
use everyply::solutions::{SolutionError, WriteError};
use pyo3::exceptions::{
    PyFileNotFoundError, PyMemoryError, PyOSError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;

pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Adds the place of the item to its error.
pub fn at_place(py: Python<'_>, error: &PyErr, place: impl Display) -> PyErr {
    let text = format!("at {place}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(text)
    } else {
        PyValueError::new_err(text)
    }
}

/// Returns the exception of work that its control ended; the exception of the caller that
/// requested the stop takes precedence.
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

pub fn solve_error(error: SolveError) -> PyErr {
    match error {
        SolveError::Stopped(error) => stopped(error),
        SolveError::Positions(_) | SolveError::Plies(_) | SolveError::Memory { .. } => {
            PyMemoryError::new_err(error.to_string())
        }
        SolveError::Unsuited(error) => value_error(error),
    }
}

pub fn write_error(error: WriteError) -> PyErr {
    match error {
        WriteError::Solve(error) => solve_error(error),
        WriteError::File(error) | WriteError::Unfinished { source: error, .. } => {
            solution_error(&error)
        }
    }
}

/// Returns the exception of a failed operation on a file, with the message of the library.
pub fn os_error(source: &io::Error, text: String) -> PyErr {
    match source.raw_os_error() {
        // With a number Python chooses the subclass: FileNotFoundError, PermissionError.
        Some(number) => PyOSError::new_err((number, text)),
        None => PyOSError::new_err(text),
    }
}

pub fn solution_error(error: &SolutionError) -> PyErr {
    match error {
        SolutionError::Pass(error) => pass_error(error),
        SolutionError::File(path, source) => {
            os_error(source, format!("{}: {source}", path.display()))
        }
        SolutionError::NotASolution(path) => PyOSError::new_err(format!(
            "{} is not a solution file: solve(..., path=...) writes one",
            path.display()
        )),
        error => PyOSError::new_err(error.to_string()),
    }
}

pub fn storage_error(error: &StorageError) -> PyErr {
    let text = error.to_string();
    match error {
        StorageError::Memory { .. } => PyMemoryError::new_err(text),
        StorageError::Place(source) => os_error(source, text),
        _ => PyOSError::new_err(text),
    }
}

pub fn pass_error(error: &PassError) -> PyErr {
    match error {
        PassError::Stopped(error) => stopped(*error),
        PassError::Storage(error) => storage_error(error),
        error => value_error(error),
    }
}

pub fn database_error(error: &DatabaseError) -> PyErr {
    let text = error.to_string();
    match error {
        DatabaseError::Missing(_) => PyFileNotFoundError::new_err(text),
        DatabaseError::Io { source, .. } => os_error(source, text),
        _ => PyOSError::new_err(text),
    }
}
