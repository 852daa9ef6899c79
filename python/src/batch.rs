//! Many positions at a time: keys in an array, positions, or moves.

use std::sync::Arc;

use everyply::game::{Key, Keyed};
use everyply::games::line::Stones;
use numpy::{PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::engine::stones;
use crate::errors::{at_place, value_error};
use crate::position::Position;
use crate::rules::{Rules, State};

/// Reads the positions of an array of keys or of an iterable.
pub fn read_all(rules: &Arc<Rules>, positions: &Bound<'_, PyAny>) -> PyResult<Vec<State>> {
    // The first access to an array imports NumPy, and panics if Ctrl-C ends the import.
    positions.py().import("numpy")?;
    let at = |error: &PyErr, index: usize| {
        at_place(positions.py(), error, format_args!("index {index}"))
    };
    if let Some(keys) = keys(positions)? {
        let restore =
            |(index, key): (usize, &u64)| rules.restore(*key).map_err(|error| at(&error, index));
        return keys.iter().enumerate().map(restore).collect();
    }
    let mut states = Vec::with_capacity(positions.len().unwrap_or(0));
    for (index, position) in positions.try_iter()?.enumerate() {
        if index % 4096 == 0 {
            positions.py().check_signals()?;
        }
        let state = rules.state(&position?);
        states.push(state.map_err(|error| at(&error, index))?);
    }
    Ok(states)
}

/// Reads positions like [`read_all`], on a board of stones that fits a word of 64 bits.
pub fn read_stones(
    rules: &Arc<Rules>,
    board: &(impl Keyed<Key = Key, Position = Stones> + Sync),
    positions: &Bound<'_, PyAny>,
) -> PyResult<Vec<Stones>> {
    let Some(keys) = keys(positions)? else {
        return Ok(read_all(rules, positions)?.iter().map(|state| stones(&**state)).collect());
    };
    let position = |(index, key): (usize, &u64)| {
        board.position_of(Key(*key)).ok_or_else(|| {
            let title = rules.title();
            value_error(format!("at index {index}: key {key} is no position of {title}"))
        })
    };
    positions.py().detach(|| keys.iter().enumerate().map(position).collect())
}

/// Returns the keys of an array of keys; `None` for another iterable.
fn keys(positions: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u64>>> {
    let is_one = positions.is_instance_of::<pyo3::types::PyString>()
        || positions.is_instance_of::<Position>();
    if is_one {
        return Err(PyTypeError::new_err(
            "positions is an iterable of positions: put a single one into a list",
        ));
    }
    if let Ok(keys) = positions.extract::<PyReadonlyArray1<'_, u64>>() {
        // A copy, since others may write to the array meanwhile.
        return Ok(Some(keys.as_array().iter().copied().collect()));
    }
    // Other arrays of numbers would be read as moves.
    let Ok(array) = positions.cast::<PyUntypedArray>() else { return Ok(None) };
    if matches!(array.dtype().kind(), b'O' | b'U') && array.ndim() == 1 {
        return Ok(None);
    }
    Err(PyTypeError::new_err(format!(
        "keys are an array of shape (n,) and type uint64, not of shape {:?} and type {}",
        array.shape(),
        array.dtype()
    )))
}
