//! Games by their names: for callers, in databases, and pickled.

use std::sync::Arc;

use everyply::game::{Chosen, GameId};
use everyply::games::line::Board;
use everyply::registry::{Entry, Registry};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;
use crate::game::{BuiltinGame, dimension};
use crate::rules::Rules;

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
/// options: the game's others by name, as misere=True for nim and men=4 for morris.
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
    let size = size.map(BoardSize::read).transpose()?;
    let games = everyply::registry::builtin();
    let entry = called(&games, name).map_err(value_error)?;
    let mut chosen = Chosen { size, position, ..Chosen::default() };
    if let Some(line) = line {
        if !entry.parameters.iter().any(|parameter| parameter.name == "line") {
            return Err(PyTypeError::new_err(format!("line: {name} has no lines")));
        }
        chosen.numbers.push(("line".to_owned(), dimension(line, "line")?));
    }
    for (option, value) in options.into_iter().flatten() {
        choose(&mut chosen, entry, option.extract()?, &value)?;
    }
    if let (Some((width, height)), None) = (size, entry.usual_size()) {
        return Err(value_error(format!(
            "{width}x{height}: {name} has no boards of several sizes"
        )));
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
    Ok(BuiltinGame { rules: Rules::new(start) })
}

/// The game of this name.
pub fn called<'a>(games: &'a Registry, name: &str) -> Result<&'a Entry, String> {
    games.called(name).ok_or_else(|| {
        let all: Vec<&str> = games.entries().iter().map(|entry| entry.name).collect();
        format!("no game is called '{name}': choose one of {}", all.join(", "))
    })
}

/// The game that a database names.
pub fn of_id(id: &GameId) -> PyResult<Arc<Rules>> {
    let games = everyply::registry::builtin();
    let entry = games.find(&id.name).ok_or_else(|| {
        value_error(format!("{} is a game that this package does not know", id.name))
    })?;
    Ok(Rules::new(entry.of_parameters(id.parameters).map_err(value_error)?))
}

/// Adds an option, a number or a rule, to those that are chosen.
fn choose(
    chosen: &mut Chosen,
    entry: &Entry,
    option: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let parameter = entry.parameters.iter().find(|known| known.name == option);
    let Some(parameter) = parameter else {
        let known: Vec<&str> = entry.parameters.iter().map(|known| known.name).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(PyTypeError::new_err(format!(
            "{} has no option '{option}'; its options: {known}",
            entry.name
        )));
    };
    let text = match parameter.is_rule() {
        true => value.extract::<bool>()?.to_string(),
        false => value.to_string(),
    };
    Entry::read_choice(chosen, parameter, &text)
        .map_err(|possible| value_error(format!("{option}={value}: {possible}")))
}

/// The names of all games, with a description of each.
#[pyfunction]
pub fn games() -> Vec<(&'static str, &'static str)> {
    let games = everyply::registry::builtin();
    games.entries().iter().map(|entry| (entry.name, entry.about)).collect()
}

/// A number of MiB.
pub fn at_least_one(argument: &str, number: i64) -> PyResult<u64> {
    u64::try_from(number)
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| value_error(format!("{argument} {number}: at least 1 is needed")))
}
