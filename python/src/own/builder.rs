//! A table in the making: Python hands over positions, many at a time.

use everyply::game::Outcome;
use everyply::games::table::TableMove;
use everyply::games::table::TableRows;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyStringMethods};

use super::game_of;
use super::keys::Keys;
use crate::errors::{at_place, value_error};
use crate::game::BuiltinGame;

/// The most moves of a position: engines keep sets of them in a word.
const MOST_MOVES: usize = 64;

/// Positions and moves as numbers, in the order in which they are found.
#[pyclass(module = "everyply._everyply", name = "_Builder")]
pub struct Builder {
    keys: Keys,
    rows: TableRows,
    most: u64,
    /// The last position that had a move of each text, to find moves given twice.
    seen: Vec<u32>,
    finished: bool,
}

/// Many positions, one after the other: "win", "draw", "loss" or None for each, and its number of
/// moves; then for each move the key of the next position, the number of its text, and whether it
/// keeps the turn (empty if none does).
type Found<'py> = (Bound<'py, PyList>, Vec<u32>, Bound<'py, PyList>, Vec<u32>, Vec<bool>);

#[pymethods]
impl Builder {
    #[new]
    fn new(most: u64) -> Self {
        Self {
            keys: Keys::default(),
            rows: TableRows::default(),
            // Positions are numbered in 32 bits.
            most: most.min(u64::from(u32::MAX) - 1),
            seen: Vec::new(),
            finished: false,
        }
    }

    fn start(&mut self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        self.keys.number(key).map(drop)
    }

    /// Adds the next positions, in the order in which they were found.
    ///
    /// Returns the moves that lead to new positions, which are to be added later.
    fn add(&mut self, positions: &Bound<'_, PyList>, found: Found<'_>) -> PyResult<Vec<usize>> {
        let (results, counts, keys, texts, keeps) = found;
        let moves_in_all: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let fits = |length: usize| length as u64 == moves_in_all;
        if self.finished
            || [results.len(), counts.len()] != [positions.len(); 2]
            || ![keys.len(), texts.len()].into_iter().all(fits)
            || !(keeps.is_empty() || fits(keeps.len()))
        {
            return Err(changed("the moves of positions are not those that were counted"));
        }
        let mut new = Vec::new();
        let mut moves = Vec::new();
        let mut at = 0;
        for (index, &count) in counts.iter().enumerate() {
            let at_position = |error: PyErr| named(error, positions, index);
            let result = outcome(&results.get_item(index)?).map_err(at_position)?;
            let count = count as usize;
            if result.is_none() {
                self.check(count, &texts[at..at + count]).map_err(at_position)?;
            }
            moves.clear();
            for (n, &text) in texts.iter().enumerate().skip(at).take(count) {
                let key = keys.get_item(n)?;
                let (to, is_new) = self.keys.number(&key).map_err(at_position)?;
                if is_new {
                    new.push(n);
                }
                let keeps_turn = keeps.get(n).copied().unwrap_or(false);
                moves.push(TableMove { text, to, keeps_turn });
            }
            at += count;
            if self.keys.len() as u64 > self.most {
                return Err(PyMemoryError::new_err(format!(
                    "the start leads to more than {} positions: take a smaller game, or allow \
                     more (memory_mib)",
                    self.most
                )));
            }
            self.rows.push(result, moves.iter().copied()).map_err(value_error)?;
        }
        Ok(new)
    }

    /// Makes the game of all positions added; `key` is the function that returns their keys.
    fn finish(
        &mut self,
        name: &str,
        title: String,
        texts: Vec<String>,
        painter: Py<PyAny>,
        key: Py<PyAny>,
    ) -> PyResult<BuiltinGame> {
        if std::mem::replace(&mut self.finished, true) || self.rows.len() != self.keys.len() {
            return Err(changed("positions were found that were not added"));
        }
        if texts.len() < self.seen.len() {
            return Err(changed("a move was found that has no text"));
        }
        let (rows, keys) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.keys));
        game_of(name, title, texts, rows, (keys, key), painter)
    }
}

impl Builder {
    /// Refuses more moves than a position can have, and a move given twice.
    fn check(&mut self, count: usize, texts: &[u32]) -> PyResult<()> {
        if count > MOST_MOVES {
            return Err(value_error(format!("{count} moves: a position has at most {MOST_MOVES}")));
        }
        let here = self.rows.len() as u32 + 1;
        for &text in texts {
            let text = text as usize;
            if text >= self.seen.len() {
                self.seen.resize(text + 1, 0);
            }
            if std::mem::replace(&mut self.seen[text], here) == here {
                return Err(value_error("moves() gives a move twice"));
            }
        }
        Ok(())
    }
}

/// Returns the error of a game whose answers differ from call to call.
fn changed(what: &str) -> PyErr {
    PyRuntimeError::new_err(what.to_owned())
}

fn outcome(result: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    if result.is_none() {
        return Ok(None);
    }
    let word = result.cast::<PyString>().ok().map(PyStringMethods::to_cow).transpose()?;
    word.as_deref().and_then(Outcome::of_word).map(Some).ok_or_else(|| {
        let given = result.repr().map_or_else(|_| "?".into(), |text| text.to_string());
        value_error(format!(
            "result() gives {given}: None while play goes on, else 'win', 'draw' or 'loss' for the \
             side to move"
        ))
    })
}

/// Adds the position to an error.
fn named(error: PyErr, positions: &Bound<'_, PyList>, index: usize) -> PyErr {
    let position = positions.get_item(index).and_then(|position| position.repr());
    let position = position.map_or_else(|_| "?".into(), |text| text.to_string());
    at_place(positions.py(), &error, format_args!("position {position}"))
}
