//! Games by their names: for callers, in databases, and pickled.

use std::sync::Arc;

use everyply::game::{Chosen, GameId};
use everyply::registry::Entry;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;
use crate::game::BuiltinGame;
use crate::rules::Rules;

/// Columns and rows, as (7, 6) or "7x6".
#[derive(FromPyObject)]
pub enum BoardSize {
    Text(String),
    Numbers((i64, i64)),
}

/// Returns the game of this name; `games()` lists them.
///
/// size: columns and rows, as "7x6" or (7, 6), for games with boards of several sizes.
/// line: the length of a winning line, for games of stones and lines.
/// position: the start as text, for a game whose board follows from it, as nim's heaps "3,5,7".
/// options: other options of the game by name, such as misere=True for nim and men=4 for morris.
///
/// Raises ValueError with the possible choices if there is no such game.
#[pyfunction]
#[pyo3(signature = (name, *, size=None, line=None, position=None, **options))]
pub fn game(
    name: &str,
    size: Option<BoardSize>,
    line: Option<i64>,
    position: Option<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<BuiltinGame> {
    let games = everyply::registry::builtin();
    let entry = games.called(name).ok_or_else(|| {
        let all: Vec<&str> = games.entries().iter().map(|entry| entry.name).collect();
        value_error(format!("no game is called '{name}': choose one of {}", all.join(", ")))
    })?;
    let mut chosen = Chosen { position, ..Chosen::default() };
    if let Some(size) = size {
        let text = match size {
            BoardSize::Text(text) => text,
            BoardSize::Numbers((width, height)) => format!("{width}x{height}"),
        };
        choose(&mut chosen, entry, "size", &text)?;
    }
    if let Some(line) = line {
        choose(&mut chosen, entry, "line", &line.to_string())?;
    }
    for (option, value) in options.into_iter().flatten() {
        let rule = value.extract::<bool>().map(|rule| rule.to_string());
        choose(&mut chosen, entry, option.extract()?, &rule.unwrap_or(value.to_string()))?;
    }
    let start = entry.choose(&chosen).map_err(value_error)?;
    if let Some(text) = &chosen.position
        && start.read(text).map_err(value_error)?.identity() != start.identity()
    {
        return Err(PyTypeError::new_err(format!(
            "position: {name} starts from {}; game.position(...) gives others",
            start.picture()
        )));
    }
    Ok(BuiltinGame { rules: Rules::new(start, None) })
}

/// Returns the game that a database names.
pub fn of_id(id: &GameId) -> PyResult<Arc<Rules>> {
    let games = everyply::registry::builtin();
    let entry = games.find(&id.name).ok_or_else(|| {
        value_error(format!("{} is a game that this package does not know", id.name))
    })?;
    Ok(Rules::new(entry.of_parameters(id.parameters).map_err(value_error)?, None))
}

/// Adds an option to the chosen ones.
fn choose(chosen: &mut Chosen, entry: &Entry, option: &str, text: &str) -> PyResult<()> {
    let parameter = entry.parameters.iter().find(|known| known.name == option);
    let Some(parameter) = parameter else {
        let known: Vec<&str> = entry.parameters.iter().map(|known| known.name).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(PyTypeError::new_err(format!(
            "{} has no option '{option}'; its options: {known}",
            entry.name
        )));
    };
    Entry::read_choice(chosen, parameter, text)
        .map_err(|possible| value_error(format!("{option}={text}: {possible}")))
}

/// Returns the names of all games, with a description of each.
#[pyfunction]
pub fn games() -> Vec<(&'static str, &'static str)> {
    let games = everyply::registry::builtin();
    games.entries().iter().map(|entry| (entry.name, entry.about)).collect()
}

/// Checks a number of MiB.
pub fn at_least_one(argument: &str, number: i64) -> PyResult<u64> {
    u64::try_from(number)
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| value_error(format!("{argument} {number}: at least 1 is needed")))
}
