//! Whole Connect Four boards: solutions in files, look-ups in them, and counts.

use std::path::Path;
use std::sync::Arc;

use everyply::cli::available_memory;
use everyply::connect_four::profiles::{
    Board, Extent, Memory, Objects, Storage, UNIT_BYTES, count,
};
use everyply::control::Control;
use everyply::disk::NewFile;
use everyply::game::PartialValue;
use everyply::games::line::Stones;
use everyply::solutions::{SolutionFile, WrittenGame, solve_board};
use everyply::statistics::PlyCounts;
use everyply::store::Folder;
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;

use crate::errors::{os_error, pass_error, solution_error, stopped, storage_error, write_error};

/// Positions looked up between two checks for a stop.
const PART: usize = 1 << 20;

/// Solves a board into a file at `path`. With `work` its units are kept in a folder, so that an
/// interrupted run continues.
pub fn solve(
    board: &Board,
    work: Option<&str>,
    path: &Path,
    control: &Control,
) -> PyResult<WrittenGame> {
    let storage: Box<dyn Storage> = match work {
        None => Box::new(Memory::new()),
        Some(work) => {
            let store = Folder::open(Path::new(work));
            let store = store.map_err(|error| os_error(&error, error.to_string()))?;
            let units = Objects::open(Arc::new(store), board.size(), UNIT_BYTES);
            Box::new(units.map_err(|error| storage_error(&error))?)
        }
    };
    let file = NewFile::create(path).map_err(|error| PyOSError::new_err(error.to_string()))?;
    solve_board(board, &*storage, file, control).map_err(write_error)
}

/// Hands over the values of many positions, in their order.
pub fn values(
    file: &SolutionFile,
    all: &[Stones],
    control: &Control,
    mut see: impl FnMut(Option<PartialValue>, Stones),
) -> PyResult<()> {
    for part in all.chunks(PART) {
        control.check().map_err(stopped)?;
        let values = file.values_of_stones(part).map_err(|error| solution_error(&error))?;
        let known = values.into_iter().map(|value| value.map(PartialValue::from));
        known.zip(part).for_each(|(value, stones)| see(value, *stones));
    }
    Ok(())
}

/// Counts a board by solving it again.
pub fn counts(board: &Board, control: &Control) -> PyResult<Vec<PlyCounts>> {
    check_memory(board, available_memory(), "counting the positions of")?;
    let counts = count(board, Extent::WholeWithValues, &Memory::new(), control);
    Ok(counts.map_err(|error| pass_error(&error))?.plies)
}

/// Refuses a board that does not fit.
pub fn check_memory(board: &Board, available: f64, work: &str) -> PyResult<()> {
    let need = board.estimate(usize::MAX).solve as f64;
    if need <= available {
        return Ok(());
    }
    let gib = |bytes: f64| bytes / f64::from(1 << 30);
    Err(PyMemoryError::new_err(format!(
        "{work} {} takes about {:.1} GiB of memory and {:.1} are allowed: work on a disk \
         (work=\"folder\", with path=), or ask `Solver` for single positions",
        board.size(),
        gib(need),
        gib(available)
    )))
}
