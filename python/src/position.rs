//! Positions as Python has them.

use std::sync::Arc;

use everyply::game::Outcome;
use everyply::svg::{Numbers, board};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::choice::game;
use crate::game::{BuiltinGame, to_python};
use crate::rules::{MoveName, Rules, State};
use crate::table::escaped;

/// A position of a game. Immutable and hashable: positions are equal if they are the same position
/// of the same board, however they were reached. Results and values are for the side to move.
#[pyclass(frozen, module = "everyply")]
pub struct Position {
    rules: Arc<Rules>,
    state: State,
}

impl Position {
    pub fn new(rules: &Arc<Rules>, state: State) -> Self {
        Self { rules: Arc::clone(rules), state }
    }

    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// The position as one of another object for the same game.
    ///
    /// # Errors
    /// If it is of another game.
    pub fn of(&self, rules: &Arc<Rules>) -> PyResult<Self> {
        if Arc::ptr_eq(&self.rules, rules) {
            return Ok(Self::new(rules, self.state.clone()));
        }
        if self.rules.id() != rules.id() {
            return Err(PyValueError::new_err(format!(
                "a position of {} was given where one of {} is asked for",
                self.rules.title(),
                rules.title()
            )));
        }
        // The start may differ, as nim's heaps do, and the moves to a position begin there.
        Ok(Self::new(rules, rules.restore(self.key())?))
    }

    pub fn empties(&self) -> Option<u32> {
        self.rules.empties(&self.state)
    }

    /// The first ply in tables of the positions below: on a board of stones its ply, else 0.
    pub fn first_ply(&self) -> u8 {
        self.empties().map_or(0, |_| self.ply())
    }
}

#[pymethods]
impl Position {
    /// The game, with its board.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, Arc::clone(&self.rules))
    }

    /// The moves of the side to move, ascending: columns or cells counted from 1, or the texts of
    /// the game; empty if it is over.
    #[getter]
    fn legal_moves(&self) -> Vec<MoveName> {
        self.rules.move_names(self.state.branches().into_iter().map(|branch| branch.text))
    }

    /// The position after a move.
    ///
    /// Raises ValueError if the move is not possible, with the rule.
    fn play(&self, m: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self::new(&self.rules, self.rules.play(&self.state, m)?))
    }

    /// "win", "draw" or "loss" for the side to move if the game is over, else None.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.state.result().map(Outcome::word)
    }

    /// "first" or "second": the side to move; None in games whose positions do not determine it.
    #[getter]
    fn mover(&self) -> Option<&'static str> {
        self.state.to_move().map(|side| if side == 'X' { "first" } else { "second" })
    }

    /// The number of moves played; in games whose moves leave more or less than one ply, how much
    /// less play there can be than at the start.
    #[getter]
    fn ply(&self) -> u8 {
        self.state.tier().0
    }

    /// The position's number: equal keys mean equal positions of one board.
    #[getter]
    fn key(&self) -> u64 {
        self.state.key().expect("games of 64-bit keys").0
    }

    /// Moves that lead here from the start of the game; of several ways the first in ascending
    /// order. The moves that were played are not kept.
    ///
    /// Raises ValueError if none were found.
    #[getter]
    fn moves(&self) -> PyResult<Vec<MoveName>> {
        let moves = self.state.moves_to().ok_or_else(|| {
            PyValueError::new_err(format!("no moves to {} were found", self.__str__()))
        })?;
        let moves = moves.split(self.state.separator()).filter(|text| !text.is_empty());
        Ok(self.rules.move_names(moves.map(str::to_owned)))
    }

    fn __str__(&self) -> String {
        self.state.picture()
    }

    fn __repr__(&self) -> String {
        format!("<Position {} of {}>", self.__str__(), self.rules.title())
    }

    fn _repr_html_(&self) -> String {
        let start = self.rules.start();
        let numbers = match start.move_word() {
            "column" => Numbers::Columns,
            "cell" => Numbers::Cells,
            _ => Numbers::None,
        };
        let is_drawn = start.board().moves.iter().any(|(_, cells)| !cells.is_empty());
        match is_drawn {
            true => board(&self.__str__(), numbers),
            false => format!("<pre>{}</pre>", escaped(&self.__str__()).replace('/', "\n")),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.key() == other.key()
                && (Arc::ptr_eq(&self.rules, &other.rules) || self.rules.id() == other.rules.id())
        })
    }

    fn __hash__(&self) -> u64 {
        let [a, b, c] = self.state.parameters();
        // Spreads the keys of one board, and differs between boards.
        self.key().wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0])
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let restore = py.import("everyply._everyply")?.getattr("_restore_position")?;
        let this = slf.get();
        (restore, (this.game(py)?, this.key())).into_pyobject(py)
    }
}

/// Makes a pickled position again.
#[pyfunction]
pub fn _restore_position(game: &Bound<'_, BuiltinGame>, key: u64) -> PyResult<Position> {
    let rules = &game.get().rules;
    Ok(Position::new(rules, rules.restore(key)?))
}

/// The root of some work: a position, or the start of a game, which may be written in Python or
/// given by its name.
pub fn root_of(given: &Bound<'_, PyAny>) -> PyResult<Position> {
    let py = given.py();
    if let Ok(name) = given.extract::<std::borrow::Cow<'_, str>>() {
        return root_of(game(py, &name, None, None, None, None)?.bind(py));
    }
    let found = py.import("everyply._game")?.getattr("tabulated")?.call1((given,))?;
    let given = &found;
    if let Ok(game) = given.cast::<BuiltinGame>() {
        let rules = &game.get().rules;
        return Ok(Position::new(rules, Arc::clone(rules.start())));
    }
    match given.cast::<Position>() {
        Ok(position) => Ok(Position::new(&position.get().rules, position.get().state.clone())),
        Err(_) => Err(PyTypeError::new_err(format!(
            "a game, its name or a position is asked for, not {}",
            given.get_type().name()?
        ))),
    }
}
