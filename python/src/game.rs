//! Games in Python.

use everyply::registry::TextForm;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use everyply::game::Chosen;
use everyply::games::line::on_board;
use numpy::{PyArray1, PyArray4, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::batch::read_stones;
use crate::dataset::planes;
use crate::errors::{at_place, value_error};
use crate::position::Position;
use crate::rules::{Rules, State};

/// A game that the library knows, with its board. Immutable; equal games are equal.
#[pyclass(frozen, module = "everyply")]
pub struct BuiltinGame {
    pub rules: Arc<Rules>,
}

#[pymethods]
impl BuiltinGame {
    /// The word for the game on the command line and in databases.
    #[getter]
    fn name(&self) -> &'static str {
        self.rules.start.info().name
    }

    /// The display name of the game, with its board.
    #[getter]
    fn title(&self) -> String {
        self.rules.title()
    }

    /// The numbers that distinguish boards of one game, as in databases: columns, rows and
    /// the line length on boards of stones and lines.
    #[getter]
    fn parameters(&self) -> (u8, u8, u8) {
        self.rules.start.info().parameters.into()
    }

    /// The position that play starts from.
    #[getter]
    fn initial(&self) -> Position {
        Position::new(&self.rules, Arc::clone(&self.rules.start))
    }

    /// Returns the position after these moves from the start: "4453" or [4, 4, 5, 3] for columns of
    /// Connect Four, "1,12,3" for cells of boards with more than nine, the text of another game.
    ///
    /// Raises ValueError with the place and the rule if a move is not legal.
    #[pyo3(signature = (moves=None))]
    fn position(&self, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
        match moves {
            None => Ok(self.initial()),
            Some(moves) => self.rules.position(moves),
        }
    }

    /// Returns the position of a drawing: rows from the top, separated by "/" or on lines of their
    /// own, X for the first player, O for the second, "." for empty, spaces ignored. Or an array or
    /// nested list of 1 for the first player, -1 or 2 for the second, 0 for empty.
    ///
    /// Raises ValueError if no game reaches it, and names the rule.
    #[pyo3(name = "from_board")]
    fn position_of_board(&self, board: &Bound<'_, PyAny>) -> PyResult<Position> {
        let picture = board.str()?.to_string();
        match self.rules.start.read_as(TextForm::Picture, &picture).map_err(value_error)? {
            (_, Some(moves)) => Position::after(&self.rules, moves),
            (state, None) => Ok(Position::new(&self.rules, state.into())),
        }
    }

    /// Returns the position of a key, which databases and arrays have.
    ///
    /// Raises ValueError if no game reaches it.
    #[pyo3(name = "from_key")]
    fn position_of_key(&self, key: u64) -> PyResult<Position> {
        Ok(Position::new(&self.rules, self.rules.of_key(key)?))
    }

    /// Returns the position of a key of a game in Python; None if the start does not lead to it.
    fn _own(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Position>> {
        let number = self.rules.own.as_ref().map(|own| own.keys.get(key)).transpose()?.flatten();
        let state = number.map(|number| self.rules.restore(number.into())).transpose()?;
        Ok(state.map(|state| Position::new(&self.rules, state)))
    }

    /// Encodes the stones of many positions of a board of stones and lines.
    ///
    /// positions: keys, as an array of shape (n,) and type uint64, or an iterable of positions.
    ///
    /// Returns an array of shape (n, 2, rows, columns) and type uint8, the top row first: 1 for a
    /// stone of the side to move (plane 0), or of the other side (plane 1).
    fn planes<'py>(&self, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let py = positions.py();
        let Some((rules, size)) = self.rules.board else {
            return Err(value_error(format!(
                "{} has no board of stones that fits 64 bits",
                self.rules.title()
            )));
        };
        let made = on_board!(rules, size, |game| {
            let all = read_stones(&self.rules, &game, positions)?;
            Ok::<_, PyErr>((all.len(), py.detach(|| planes(&game, &all))))
        });
        let (count, planes) = made.map_err(value_error)??;
        let shape = [count, 2, usize::from(size.height), usize::from(size.width)];
        PyArray1::from_vec(py, planes).reshape(shape)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.rules == other.get().rules)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.rules.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Some(choices) = self.choices(py)? else {
            return Ok(format!("<{}, written in Python>", self.rules.title()));
        };
        let mut text = format!("game('{}'", self.name());
        for (option, value) in choices {
            text.push_str(&format!(", {option}={}", value.repr()?));
        }
        text.push(')');
        Ok(text)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let this = slf.get();
        let choices = this.choices(py)?.ok_or_else(|| {
            PyTypeError::new_err(format!("{} is written in Python and not pickled", this.title()))
        })?;
        let game = py.import("everyply._everyply")?.getattr("game")?;
        let partial = py.import("functools")?.getattr("partial")?;
        let restore = partial.call((game, this.name()), Some(&choices))?;
        (restore, PyTuple::empty(py)).into_pyobject(py)
    }
}

impl BuiltinGame {
    /// Returns the arguments of `game` that choose this game; `None` for one written in Python.
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(Chosen { size, position, numbers, rules }) = self.rules.choices() else {
            return Ok(None);
        };
        let choices = PyDict::new(py);
        if let Some((width, height)) = size {
            choices.set_item("size", format!("{width}x{height}"))?;
        }
        if let Some(position) = position {
            choices.set_item("position", position)?;
        }
        for (option, number) in numbers {
            choices.set_item(option, number)?;
        }
        for rule in rules {
            choices.set_item(rule, true)?;
        }
        Ok(Some(choices))
    }
}

impl Rules {
    /// Reads a position of this game: a Position, a move string, a list of moves, or an object of a
    /// game written in Python.
    pub fn position(self: &Arc<Self>, given: &Bound<'_, PyAny>) -> PyResult<Position> {
        if let Ok(position) = given.cast::<Position>() {
            return position.get().of(self);
        }
        if let Ok(text) = given.extract::<std::borrow::Cow<'_, str>>() {
            let state = match self.read(&text) {
                Ok(state) => state,
                Err(error) => {
                    let own = self.own_position(given).ok_or(error)?;
                    return Ok(Position::new(self, own));
                }
            };
            // Some games read positions as well, as nim reads heaps.
            let moves = self.start.parse_line(text.trim()).unwrap_or_default();
            let played = Position::after(self, moves);
            let played = played.ok().filter(|p| p.state.identity() == state.identity());
            return Ok(played.unwrap_or_else(|| Position::new(self, state)));
        }
        if let Some(own) = self.own_position(given) {
            return Ok(Position::new(self, own));
        }
        Position::after(self, self.moves(given)?.0)
    }

    /// Reads a position without the moves played, for many positions.
    pub fn state(self: &Arc<Self>, given: &Bound<'_, PyAny>) -> PyResult<State> {
        if let Ok(position) = given.cast::<Position>() {
            let position = position.get();
            if Arc::ptr_eq(&position.rules, self) {
                return Ok(Arc::clone(&position.state));
            }
            return Ok(position.of(self)?.state);
        }
        if let Ok(text) = given.extract::<std::borrow::Cow<'_, str>>() {
            return self.read(&text).or_else(|e| self.own_position(given).ok_or(e));
        }
        match self.own_position(given) {
            Some(own) => Ok(own),
            None => Ok(self.moves(given)?.1),
        }
    }

    /// Reads the moves of an iterable, and the position after them.
    fn moves(&self, given: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, State)> {
        let moves = given.try_iter().map_err(|_| {
            let kind = given.get_type().name().map_or_else(|_| "?".into(), |n| n.to_string());
            PyTypeError::new_err(format!(
                "a position is a Position, the moves played as a str, or a list of moves, not {kind}"
            ))
        })?;
        let (mut played, mut state) = (Vec::new(), Arc::clone(&self.start));
        for (index, m) in moves.enumerate() {
            let after = self.play(&state, &m?);
            let (text, after) = after
                .map_err(|error| at_place(given.py(), &error, format_args!("index {index}")))?;
            played.push(text);
            state = after;
        }
        Ok((played, state))
    }
}
