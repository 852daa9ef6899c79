//! Pages of figures of solutions, through a temporary database.

use std::io::Write;
use std::path::PathBuf;

use everyply::disk::NewFile;
use everyply::report::{gather, page};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use crate::run::Pool;
use crate::solution::Store;

/// Writes a page of figures.
#[pyfunction]
pub fn _report(py: Python<'_>, store: &Store, path: PathBuf, command: String) -> PyResult<()> {
    let failed = |error: &dyn std::fmt::Display| PyOSError::new_err(error.to_string());
    let folder = tempfile::tempdir()?;
    let start = store.root.state.start();
    let database = folder.path().join(start.info().name);
    store.write(py, &database, &command)?;
    let registry = store.root.rules.games();
    Pool::new(None)?.run(py, None, |control| {
        let mut sections = gather(&[database], &registry, control)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let place = format!("{}/", folder.path().display());
        for section in &mut sections {
            section.source = section.source.replace(&place, "");
        }
        let html = page(&command, &sections);
        let mut file = NewFile::create(&path).map_err(|error| failed(&error))?;
        file.write_all(html.as_bytes())?;
        file.commit().map_err(|error| failed(&error))
    })
}
