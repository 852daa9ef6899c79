//! The command line: as the command `analyze`, and called inside a program.

use std::ffi::OsString;
use std::process::ExitCode;

use everyply::cli::call;
use everyply::registry::builtin;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTimeoutError};
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::position::Position;
use crate::run::{Pool, Progress};

/// Runs a command line as the program `analyze` does and returns its exit code.
///
/// args: the words of the command line, the program's name first.
///
/// Only for the command `analyze`: signals are handled for the rest of the process.
#[pyfunction]
pub fn _main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| number(everyply::cli::main(args)))
}

/// Returns the number of an exit code, which can only be compared.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(1)
}

/// Runs a command line inside this program and returns its output.
///
/// args: the words of the command line, the program's name first. of: a position of the game, which may be
/// written in Python.
/// progress: a function of (done, all), whose exception ends the work.
///
/// Raises ValueError for what the program calls a usage error, OSError for other failures,
/// RuntimeError for a mismatch, and TimeoutError.
#[pyfunction]
#[pyo3(signature = (args, of=None, progress=None))]
pub fn _run(
    py: Python<'_>,
    args: Vec<OsString>,
    of: Option<&Position>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let games = of.map_or_else(builtin, |of| of.rules.games());
    let progress = Progress::of(progress, 0, "positions")?;
    let called = Pool::new(Some(1))?
        .run(py, progress.as_ref(), |control| Ok(call(&games, args, control)))?;
    // The parser's tips, after an empty line, are for a terminal.
    let message = called.message.strip_prefix("error: ").unwrap_or(&called.message);
    let message = message.split("\n\n").next().unwrap_or_default().to_owned();
    match number(called.code) {
        0 => Ok(called.printed),
        2 => Err(value_error(message)),
        3 => Err(PyRuntimeError::new_err(message)),
        124 => Err(PyTimeoutError::new_err(message)),
        _ => Err(PyOSError::new_err(message)),
    }
}
