//! Games by their names: for callers, in databases, and pickled.

use std::sync::Arc;

use everyply::game::GameId;
use everyply::game::{Chosen, Parameter};
use everyply::games::line::{Board, Rules as LineRules};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;
use crate::game::{dimension, line_game, to_python};
use crate::rules::{Rules, line_rules};

/// Columns and rows, as (7, 6) or "7x6".
#[derive(FromPyObject)]
pub enum BoardSize {
    Text(String),
    Numbers((i64, i64)),
}

impl BoardSize {
    fn read(self) -> PyResult<(u8, u8)> {
        match self {
            Self::Text(text) => {
                let board: Board = text.parse().map_err(value_error)?;
                Ok((board.width, board.height))
            }
            Self::Numbers((width, height)) => {
                Ok((dimension(width, "width")?, dimension(height, "height")?))
            }
        }
    }
}

/// The game of this name; `games()` lists them.
///
/// size: columns and rows, as "7x6" or (7, 6), for games with boards of several sizes.
/// line: the length of a winning line, for games of stones and lines.
/// position: the start as text, for a game whose board follows from it, as nim's heaps "3,5,7".
/// rules: the game's flags, as misere=True for nim.
///
/// Raises ValueError with the possible choices if there is no such game.
#[pyfunction]
#[pyo3(signature = (name, *, size=None, line=None, position=None, **rules))]
pub fn game(
    py: Python<'_>,
    name: &str,
    size: Option<BoardSize>,
    line: Option<i64>,
    position: Option<String>,
    rules: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let size = size.map(BoardSize::read).transpose()?;
    if let Some(of_lines) = line_rules(name) {
        if let Some(flag) = flags(rules, &[])?.first() {
            return Err(no_flag(name, flag, &[]));
        }
        if position.is_some() {
            return Err(PyTypeError::new_err(format!(
                "position: {name} starts from the empty board; game.position(...) gives others"
            )));
        }
        let usual = of_lines.usual();
        let (width, height) = size.unwrap_or((usual.width, usual.height));
        let line = line.unwrap_or(usual.line.into());
        let game = line_game(of_lines, width.into(), height.into(), line)?;
        return to_python(py, game.rules);
    }
    let games = everyply::registry::builtin();
    let Some(entry) = games.other(name) else {
        let all = LineRules::ALL.iter().map(|rules| rules.word());
        let all: Vec<&str> = all.chain(games.others().map(|entry| entry.name)).collect();
        return Err(PyValueError::new_err(format!(
            "no game is called '{name}': choose one of {}",
            all.join(", ")
        )));
    };
    if line.is_some() {
        return Err(PyTypeError::new_err(format!("line: {name} has no lines")));
    }
    let known: Vec<&Parameter> = entry.rules().collect();
    if let (Some((width, height)), None) = (size, entry.usual_size()) {
        return Err(PyValueError::new_err(format!(
            "{width}x{height}: {name} has no boards of several sizes"
        )));
    }
    let chosen = Chosen { size, rules: flags(rules, &known)?, position, ..Chosen::default() };
    let start = entry.choose(&chosen).map_err(value_error)?;
    to_python(py, Arc::new(Rules::Other(Some(chosen), start)))
}

/// The game that a database names.
pub fn of_id(id: &GameId) -> PyResult<Arc<Rules>> {
    if let Some(rules) = line_rules(&id.name) {
        let [width, height, line] = id.parameters;
        return Ok(line_game(rules, width.into(), height.into(), line.into())?.rules);
    }
    let games = everyply::registry::builtin();
    let entry = games.other(&id.name).ok_or_else(|| {
        PyValueError::new_err(format!("{} is a game that this package does not know", id.name))
    })?;
    let start = entry.of_parameters(id.parameters).map_err(value_error)?;
    Ok(Arc::new(Rules::Other(None, start)))
}

fn no_flag(name: &str, flag: &str, known: &[&Parameter]) -> PyErr {
    let known: Vec<&str> = known.iter().map(|rule| rule.name).collect();
    let possible = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    PyTypeError::new_err(format!("{name} has no rule '{flag}'; its rules: {possible}"))
}

/// The flags that are given as true.
fn flags(given: Option<&Bound<'_, PyDict>>, known: &[&Parameter]) -> PyResult<Vec<String>> {
    let mut flags = Vec::new();
    for (flag, wanted) in given.into_iter().flatten() {
        let flag: String = flag.extract()?;
        if !known.iter().any(|rule| rule.name == flag) {
            return Err(no_flag("the game", &flag, known));
        }
        if wanted.extract::<bool>()? {
            flags.push(flag);
        }
    }
    Ok(flags)
}

/// The names of all games, with a description of each.
#[pyfunction]
pub fn games() -> Vec<(&'static str, &'static str)> {
    let lines = LineRules::ALL.iter().map(|rules| (rules.word(), rules.about()));
    let registry = everyply::registry::builtin();
    lines.chain(registry.others().map(|entry| (entry.name, entry.about))).collect()
}

/// Makes a pickled game again.
#[pyfunction]
pub fn _restore_game(
    py: Python<'_>,
    name: &str,
    size: Option<(i64, i64)>,
    line: Option<i64>,
    position: Option<String>,
    flags: Vec<String>,
) -> PyResult<Py<PyAny>> {
    let rules = PyDict::new(py);
    for flag in flags {
        rules.set_item(flag, true)?;
    }
    game(py, name, size.map(BoardSize::Numbers), line, position, Some(&rules))
}

/// Makes a pickled game of a database again.
#[pyfunction]
pub fn _restore_stored_game(
    py: Python<'_>,
    name: &str,
    parameters: (u8, u8, u8),
) -> PyResult<Py<PyAny>> {
    to_python(py, of_id(&GameId::new(name, parameters.into()))?)
}
