//! Positions in Python.

use std::sync::Arc;

use everyply::game::{Chosen, MoveStyle, Outcome};
use everyply::svg::{Mark, Numbers, board};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::choice::game;
use crate::errors::value_error;
use crate::game::BuiltinGame;
use crate::rules::{MoveName, Rules, State};
use crate::table::escaped;

/// A position of a game. Immutable and hashable: positions are equal if they are the same position
/// of the same board, however they were reached. Results and values are for the side to move.
///
/// print(p) draws the board.
#[pyclass(frozen, module = "everyply")]
#[derive(Clone)]
pub struct Position {
    pub rules: Arc<Rules>,
    pub state: State,
    /// The position before the moves played: the start of the game, or one given without moves.
    base: State,
    played: Vec<String>,
}

impl Position {
    pub fn new(rules: &Arc<Rules>, state: State) -> Self {
        let base = Arc::clone(&state);
        Self { rules: Arc::clone(rules), state, base, played: Vec::new() }
    }

    /// Creates the position after these moves from the start of the game.
    pub fn after(rules: &Arc<Rules>, moves: Vec<String>) -> PyResult<Self> {
        Self::from(rules, Arc::clone(&rules.start), moves)
    }

    /// Creates the position after these moves from another one.
    fn from(rules: &Arc<Rules>, base: State, played: Vec<String>) -> PyResult<Self> {
        let mut state = Arc::clone(&base);
        for text in &played {
            state = rules.play_text(&state, text)?;
        }
        Ok(Self { rules: Arc::clone(rules), state, base, played })
    }

    /// Returns the position with another object for the same game.
    pub fn of(&self, rules: &Arc<Rules>) -> PyResult<Self> {
        if Arc::ptr_eq(&self.rules, rules) {
            return Ok(self.clone());
        }
        if self.rules.id() != rules.id() {
            return Err(value_error(format!(
                "a position of {} was given instead of one of {}",
                self.rules.title(),
                rules.title()
            )));
        }
        // The start may differ, as nim's heaps do, and the moves to a position begin there.
        let state = rules.start.of_identity(self.state.identity());
        Ok(Self::new(rules, state.expect("positions of one game are of one type").into()))
    }

    pub fn empties(&self) -> Option<u32> {
        self.rules.empties(&self.state)
    }

    /// Returns the first ply in tables of the positions below: 0 for a board without stones.
    pub fn first_ply(&self) -> u8 {
        self.empties().map_or(0, |_| self.ply())
    }

    /// Returns the moves from the start to the position: to its base, and then as played.
    pub fn way(&self) -> PyResult<Vec<String>> {
        let mut way = Vec::new();
        if self.base.identity() != self.rules.start.identity() {
            let moves = self.base.moves_to().map_err(|_| {
                value_error(format!("no moves to {} were found", self.base.picture()))
            })?;
            let moves = moves.split(self.base.info().separator).filter(|text| !text.is_empty());
            way.extend(moves.map(str::to_owned));
        }
        way.extend(self.played.iter().cloned());
        Ok(way)
    }

    /// Returns the rows of a board of stones and lines, from the top.
    fn rows(&self) -> PyResult<Vec<Vec<char>>> {
        if self.rules.lines.is_none() {
            let title = self.rules.title();
            return Err(value_error(format!("{title} has no board of stones and lines")));
        }
        Ok(self.state.drawing().board.rows)
    }

    /// Reads a cell of a picture: (row, column) from the top left, counted from 0, or a move.
    fn cell(&self, given: &Bound<'_, PyAny>) -> PyResult<(u8, u8)> {
        let shown = self.state.drawing().board;
        if let Ok((row, column)) = given.extract::<(usize, usize)>() {
            let mark = shown.rows.get(row).and_then(|cells| cells.get(column));
            return mark
                .map(|_| (column as u8, row as u8))
                .ok_or_else(|| value_error(format!("({row}, {column}): no cell of the board")));
        }
        let text = given.str()?.to_string();
        let branch = self.state.branches().into_iter().find(|branch| branch.text == text);
        let bit = branch.map(|branch| branch.bit);
        let landing = shown.moves.iter().find(|(of, _)| Some(*of) == bit);
        landing.and_then(|(_, cells)| cells.last().copied()).ok_or_else(|| {
            value_error(format!(
                "'{text}': neither a move that can be drawn nor a cell as (row, column)"
            ))
        })
    }
}

#[pymethods]
impl Position {
    /// The game, with its board.
    #[getter]
    fn game(&self) -> BuiltinGame {
        BuiltinGame { rules: Arc::clone(&self.rules) }
    }

    /// The moves of the side to move, ascending: columns or cells counted from 1, or the texts of
    /// the game; empty if it is over.
    #[getter]
    fn legal_moves(&self) -> Vec<MoveName> {
        self.rules.move_names(self.state.branches().into_iter().map(|branch| branch.text))
    }

    /// Returns the position after a move.
    ///
    /// Raises ValueError if the move is not possible, with the rule.
    fn play(&self, m: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (text, state) = self.rules.play(&self.state, m)?;
        let mut played = self.played.clone();
        played.push(text);
        Ok(Self { rules: Arc::clone(&self.rules), state, base: Arc::clone(&self.base), played })
    }

    /// Returns the position before the last move of `moves`.
    ///
    /// Raises ValueError at the start of the game.
    fn undo(&self) -> PyResult<Self> {
        let mut way = self.way()?;
        if way.pop().is_none() {
            return Err(value_error("undo: no move has been played"));
        }
        Self::after(&self.rules, way)
    }

    /// "win", "draw" or "loss" for the side to move if the game is over, else None.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.state.result().map(Outcome::word)
    }

    /// True if the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.state.result().is_some()
    }

    /// The stones as an array of shape (2, rows, columns) and type uint8, the top row first: 1 for
    /// a stone of the side to move (plane 0), or of the other side (plane 1).
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let rows = self.rows()?;
        let own = if self.state.to_move() == Some('O') { ['O', 'X'] } else { ['X', 'O'] };
        let plane = |side| rows.iter().flatten().map(move |stone| u8::from(*stone == side));
        let planes: Vec<u8> = own.into_iter().flat_map(plane).collect();
        PyArray1::from_vec(py, planes).reshape([2, rows.len(), rows[0].len()])
    }

    /// "first" or "second": the side to move; None in games whose positions do not determine it.
    #[getter]
    fn mover(&self) -> Option<&'static str> {
        self.state.to_move().map(|side| if side == 'X' { "first" } else { "second" })
    }

    /// The number of moves played; in games whose moves shorten play by more or less than one
    /// ply, the number of plies by which the longest play is shorter than from the start.
    #[getter]
    fn ply(&self) -> u8 {
        self.state.tier().0
    }

    /// The position's number: equal keys mean equal positions of one board.
    #[getter]
    fn key(&self) -> u128 {
        self.state.identity()
    }

    /// The moves from the start of the game to the position, as played. For a position given
    /// without moves, as a key or a picture, they are one shortest way.
    ///
    /// Raises ValueError if none were found.
    #[getter]
    fn moves(&self) -> PyResult<Vec<MoveName>> {
        Ok(self.rules.move_names(self.way()?))
    }

    /// Returns the moves of a set of bits, as `best` of tables has them: bit 0 is the first column
    /// or cell, or the first move of another game. The bits are of the position itself, which in
    /// tables is the canonical one.
    fn moves_of(&self, bits: u64) -> Vec<MoveName> {
        let branches = self.state.branches().into_iter();
        let chosen = branches.filter(|branch| bits >> branch.bit & 1 == 1);
        self.rules.move_names(chosen.map(|branch| branch.text))
    }

    /// Draws the board as an SVG picture, for light and dark grounds.
    ///
    /// marks: cells to frame, each as (row, column) from the top left, counted from 0, or as a move.
    /// values: texts, by move or cell: `p.svg(values=solver.moves(p))` writes values where the moves
    ///     land, scores if there are any.
    ///
    /// Raises ValueError for a game without a drawn board, or a mark outside of it.
    #[pyo3(signature = (*, marks=None, values=None))]
    fn svg(
        &self,
        marks: Option<&Bound<'_, PyAny>>,
        values: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let numbers = self
            .numbers()
            .ok_or_else(|| value_error(format!("{} has no board to draw", self.rules.title())))?;
        let mut drawn = Vec::new();
        if let Some(marks) = marks {
            for cell in marks.try_iter()? {
                let (column, row) = self.cell(&cell?)?;
                drawn.push(Mark { column, row, text: None });
            }
        }
        for (cell, value) in values.into_iter().flatten() {
            let (column, row) = self.cell(&cell)?;
            let score = value.getattr("score").ok().filter(|score| !score.is_none());
            let text = score.unwrap_or(value).str()?.to_string();
            drawn.push(Mark { column, row, text: Some(text) });
        }
        Ok(board(&self.state.picture(), numbers, &drawn))
    }

    /// Returns the board, a row on a line.
    fn __str__(&self) -> String {
        self.state.picture().replace('/', "\n")
    }

    fn __repr__(&self) -> String {
        format!("<Position {} of {}>", self.state.picture(), self.rules.title())
    }

    fn _repr_html_(&self) -> String {
        match self.numbers() {
            Some(numbers) => board(&self.state.picture(), numbers, &[]),
            None => format!("<pre>{}</pre>", escaped(&self.__str__())),
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
        let [a, b, c] = self.state.info().parameters;
        let key = self.key();
        // Spreads the keys of one board, and differs between boards.
        (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0])
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let restore = py.import("everyply._everyply")?.getattr("_restore_position")?;
        let this = slf.get();
        let base = this.base.key().map(|key| key.0);
        let moves = if base.is_some() { this.played.clone() } else { this.way()? };
        (restore, (this.game(), base, moves)).into_pyobject(py)
    }
}

impl Position {
    /// Returns the numbers on a drawn board; `None` if the game has none.
    fn numbers(&self) -> Option<Numbers> {
        let start = &self.rules.start;
        let is_drawn = start.drawing().board.moves.iter().any(|(_, cells)| !cells.is_empty());
        is_drawn.then(|| match start.info().move_style {
            MoveStyle::Column => Numbers::Columns,
            MoveStyle::Cell => Numbers::Cells,
            MoveStyle::Text => Numbers::None,
        })
    }
}

/// Restores a pickled position: from a key, or the start, by the moves played.
#[pyfunction]
pub fn _restore_position(
    game: &Bound<'_, BuiltinGame>,
    key: Option<u64>,
    moves: Vec<String>,
) -> PyResult<Position> {
    let rules = &game.get().rules;
    let base = match key {
        Some(key) => rules.restore(key)?,
        None => Arc::clone(&rules.start),
    };
    Position::from(rules, base, moves)
}

/// Returns the words of a command line about a position: its game, the moves to it or its picture,
/// and the options of the game.
#[pyfunction]
pub fn _words(root: &Position) -> PyResult<Vec<String>> {
    let (state, start) = (&root.state, &root.rules.start);
    let Chosen { size, position, numbers, rules } = root.rules.choices().unwrap_or_default();
    let mut words = vec![start.info().name.to_owned()];
    if position.is_some() {
        words.push(state.picture());
    } else if state.identity() != start.identity() {
        words.push(root.way()?.join(state.info().separator));
    }
    if let Some((width, height)) = size {
        words.extend(["--size".to_owned(), format!("{width}x{height}")]);
    }
    for (name, number) in numbers {
        words.extend([format!("--{name}"), number.to_string()]);
    }
    words.extend(rules.into_iter().map(|rule| format!("--{rule}")));
    Ok(words)
}

/// Returns the root of some work: a position of a game, or an argument of `root_of`.
#[pyfunction]
#[pyo3(signature = (game, position=None))]
pub fn _root(game: &Bound<'_, PyAny>, position: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
    let root = root_of(game)?;
    match position {
        None => Ok(root),
        Some(_) if game.cast::<Position>().is_ok() => {
            Err(PyTypeError::new_err("position: the first argument is a position already"))
        }
        Some(position) => root.rules.position(position),
    }
}

/// Returns the root of some work: a position, or the start of a game, which may be written in
/// Python or given by its name.
pub fn root_of(given: &Bound<'_, PyAny>) -> PyResult<Position> {
    let py = given.py();
    if let Ok(name) = given.extract::<std::borrow::Cow<'_, str>>() {
        let rules = game(&name, None, None, None, None)?.rules;
        return Ok(Position::new(&rules, Arc::clone(&rules.start)));
    }
    let tabulated = py.import("everyply._game")?.getattr("tabulated")?.call1((given,))?;
    let given = &tabulated;
    if let Ok(game) = given.cast::<BuiltinGame>() {
        let rules = &game.get().rules;
        return Ok(Position::new(rules, Arc::clone(&rules.start)));
    }
    match given.cast::<Position>() {
        Ok(position) => Ok(position.get().clone()),
        Err(_) => Err(PyTypeError::new_err(format!(
            "a game, its name or a position is asked for, not {}",
            given.get_type().name()?
        ))),
    }
}
