//! The command `analyze`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs a command line as the program `analyze` does and gives its exit code.
///
/// args: the words of the command line, the program's name first.
///
/// Only for the command `analyze`: signals are handled for the rest of the process.
#[pyfunction]
pub fn _main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = everyply::cli::main(args);
        // An exit code does not tell its number, but can be compared.
        (0..=u8::MAX).find(|&number| std::process::ExitCode::from(number) == code).unwrap_or(1)
    })
}
