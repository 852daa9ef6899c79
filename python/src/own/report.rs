//! A page of figures of a game written in Python, through a temporary database.

use std::io::Write;
use std::path::Path;

use everyply::control::Control;
use everyply::database::{Database, Ending, PositionRow};
use everyply::disk::NewFile;
use everyply::registry::Registry;
use everyply::report::{gather, page};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use super::OwnTable;
use crate::errors::{solve_error, stopped};

/// Rows on their way to the database at a time.
const BATCH: usize = 8192;

pub fn write(own: &OwnTable, path: &Path, command: &str, control: &Control) -> PyResult<()> {
    let failed = |error: &dyn std::fmt::Display| PyOSError::new_err(error.to_string());
    // A page that cannot be written is refused before any work.
    let mut file = NewFile::create(path).map_err(|error| failed(&error))?;
    let folder = tempfile::tempdir()?;
    let start = own.rules.start();
    let answers = start.solve(u64::MAX, control).map_err(solve_error)?;
    let database = folder.path().join(start.name());
    let run = Database::create_or_open(&database)
        .and_then(|database| database.begin_run(&start.game_id(), command, 1))
        .map_err(|error| failed(&error))?;
    answers.rows(&mut |rows| {
        for part in rows.chunks(BATCH).take_while(|_| control.check().is_ok()) {
            let rows = part.iter().map(|row| PositionRow {
                key: row.key,
                ply: row.tier,
                value: row.worth.into(),
                best: Some(row.best),
            });
            // If the writer has failed, the end of the run reports the reason.
            let _ = run.sink().send(rows.collect());
        }
    });
    if start.plies_left().is_some() {
        let plies = answers.plies(u32::MAX, control).map_err(stopped)?;
        let _ = run.ply_counts(&plies.counts);
    }
    control.check().map_err(stopped)?;
    run.finish(Ending::Finished).map_err(|error| failed(&error))?;
    let registry = Registry::new().with_table(own.table().clone());
    let mut sections = gather(&[database], &registry, control)
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let place = format!("{}/", folder.path().display());
    for section in &mut sections {
        section.title = section.title.replace(&place, "");
    }
    let facts = [
        ("made by".to_owned(), format!("everyply {}", env!("CARGO_PKG_VERSION"))),
        ("command".to_owned(), command.to_owned()),
    ];
    let html = page(&start.title(), &facts, &sections);
    file.write_all(html.as_bytes())?;
    file.commit().map_err(|error| failed(&error))
}
