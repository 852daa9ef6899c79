//! A game and its positions, whatever serves them: boards of stones and lines by their own types,
//! all other games by name.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use everyply::game::{Chosen, Game, Key, Keyed, Move, Outcome, Symmetric, Tiered};
use everyply::games::line::notation::{parse_moves, parse_picture, picture, some_moves_to};
use everyply::games::line::{AnyGame, LineGame, Rules as LineRules, Size, Stones};
use everyply::registry::{Study, study_of};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::value_error;

/// A game.
pub enum Rules {
    /// Stones and lines on a board of 64 bits.
    Line(AnyGame),
    /// A game of the registry: what was chosen, and its start. Nothing was if a database named it,
    /// by its parameters.
    Other(Option<Chosen>, Box<dyn Study>),
}

/// A position of some game.
#[derive(Clone)]
pub enum State {
    Line(Stones),
    Other(Arc<dyn Study>),
}

/// A move as Python has it: a column or cell counted from 1, or the text of the game.
#[derive(Clone, Debug, PartialEq, Eq, IntoPyObject)]
pub enum MoveName {
    Number(u32),
    Text(String),
}

/// The side that makes the next move.
const SIDES: [&str; 2] = ["first", "second"];

impl Rules {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Line(game) => game.name(),
            Self::Other(_, start) => start.name(),
        }
    }

    pub fn title(&self) -> String {
        match self {
            Self::Line(game) => game.rules().title(game.size()),
            Self::Other(_, start) => start.title(),
        }
    }

    /// The numbers that tell boards of one game apart.
    pub fn parameters(&self) -> [u8; 3] {
        match self {
            Self::Line(game) => {
                let Size { width, height, line } = game.size();
                [width, height, line]
            }
            Self::Other(_, start) => start.parameters(),
        }
    }

    /// True if both have the same positions, so that those of one can be asked of the other.
    pub fn has_positions_of(&self, other: &Self) -> bool {
        (self.name(), self.parameters()) == (other.name(), other.parameters())
    }

    pub fn initial(&self) -> State {
        match self {
            Self::Line(game) => State::Line(game.initial()),
            Self::Other(_, start) => State::Other(start.boxed().into()),
        }
    }

    /// The position of a text: moves as played, or what the game reads.
    pub fn read(&self, text: &str) -> PyResult<State> {
        match self {
            Self::Line(game) => parse_moves(game, text).map(State::Line).map_err(value_error),
            Self::Other(..) if text.trim().is_empty() => Ok(self.initial()),
            Self::Other(_, start) => {
                start.read(text).map(|study| State::Other(study.into())).map_err(value_error)
            }
        }
    }

    pub fn read_picture(&self, text: &str) -> PyResult<State> {
        match self {
            Self::Line(game) => match parse_picture(game, text) {
                Ok((position, _)) => Ok(State::Line(position)),
                Err(error) => Err(value_error(error)),
            },
            Self::Other(_, start) => Err(PyValueError::new_err(format!(
                "{} reads no boards: a position of it is given by {}",
                start.title(),
                start.position_help()
            ))),
        }
    }

    /// The position of a key that one of these positions had. That play reaches it is not looked
    /// into.
    pub fn restore(&self, key: u64) -> Option<State> {
        match self {
            Self::Line(game) => game.position_of(Key(key)).map(State::Line),
            Self::Other(_, start) => start.of_key(Key(key)).map(|study| State::Other(study.into())),
        }
    }

    /// The position of any key.
    pub fn of_key(&self, key: u64) -> PyResult<State> {
        let state = self.restore(key).ok_or_else(|| {
            PyValueError::new_err(format!("key {key} is no position of {}", self.title()))
        })?;
        if let (Self::Line(game), State::Line(stones)) = (self, &state) {
            some_moves_to(game, *stones)
                .map_err(|error| PyValueError::new_err(format!("key {key}: {error}")))?;
        }
        Ok(state)
    }

    pub fn moves(&self, state: &State) -> Vec<MoveName> {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => match game.result(*stones) {
                Some(_) => Vec::new(),
                None => game.moves(*stones).into_iter().map(number).collect(),
            },
            (_, state) => {
                let branches = self.study(state).branches().into_iter();
                branches.map(|branch| MoveName::Text(branch.text)).collect()
            }
        }
    }

    /// The position after a move given from Python.
    pub fn play(&self, state: &State, m: &Bound<'_, PyAny>) -> PyResult<State> {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => {
                let number: i64 = m.extract().map_err(|_| self.not_a_move(m, "an int"))?;
                let index = u8::try_from(number.wrapping_sub(1)).unwrap_or(u8::MAX);
                if i64::from(index) != number - 1 {
                    let most = game.centre_first().len();
                    return Err(PyValueError::new_err(format!(
                        "move {number}: a move is a number from 1 to {most}"
                    )));
                }
                game.try_play(*stones, Move(index)).map(State::Line).map_err(value_error)
            }
            (_, state) => {
                let text: String = m.extract().map_err(|_| self.not_a_move(m, "a str"))?;
                let branches = self.study(state).branches();
                let possible: Vec<&str> = branches.iter().map(|b| b.text.as_str()).collect();
                match possible.iter().position(|there| *there == text) {
                    Some(at) => {
                        let branch = branches.into_iter().nth(at).expect("it is there");
                        Ok(State::Other(branch.to.into()))
                    }
                    None if possible.is_empty() => {
                        Err(PyValueError::new_err(format!("move '{text}': the game is over")))
                    }
                    None => Err(PyValueError::new_err(format!(
                        "move '{text}' is not possible: choose one of {}",
                        possible.join(" ")
                    ))),
                }
            }
        }
    }

    fn not_a_move(&self, given: &Bound<'_, PyAny>, kind: &str) -> PyErr {
        let name = given.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("a move of {} is {kind}, not {name}", self.title()))
    }

    pub fn result(&self, state: &State) -> Option<Outcome> {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => game.result(*stones),
            (_, state) => self.study(state).result(),
        }
    }

    pub fn ply(&self, state: &State) -> u8 {
        match state {
            State::Line(stones) => stones.ply().0,
            State::Other(study) => study.tier().0,
        }
    }

    /// The side to move, if the position determines it.
    pub fn mover(&self, state: &State) -> Option<&'static str> {
        match state {
            State::Line(stones) => Some(SIDES[usize::from(stones.ply().0 % 2)]),
            State::Other(_) => None,
        }
    }

    pub fn key(&self, state: &State) -> u64 {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => game.key(*stones).0,
            (_, state) => self.study(state).key().expect("games of 64-bit keys").0,
        }
    }

    /// The least key among the images of a position: that of databases.
    pub fn canonical(&self, state: &State) -> Key {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => game.canonical(*stones).0,
            (_, state) => self.study(state).canonical().expect("games of 64-bit keys").0,
        }
    }

    pub fn picture(&self, state: &State) -> String {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => picture(game, *stones),
            (_, state) => self.study(state).picture(),
        }
    }

    /// Moves that lead to a position from the start.
    pub fn moves_to(&self, state: &State) -> PyResult<Vec<MoveName>> {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => {
                let moves = some_moves_to(game, *stones).map_err(value_error)?;
                Ok(moves.into_iter().map(number).collect())
            }
            (_, state) => {
                let moves = self.study(state).moves_to().ok_or_else(|| {
                    PyValueError::new_err(format!("no moves to {} were found", self.picture(state)))
                })?;
                let moves = moves.split(',').filter(|m| !m.is_empty());
                Ok(moves.map(|m| MoveName::Text(m.to_owned())).collect())
            }
        }
    }

    /// Empty cells, where there are any to speak of.
    pub fn empties(&self, state: &State) -> Option<u32> {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => Some(game.plies_left(*stones)),
            _ => None,
        }
    }

    /// The position for what works on every game alike.
    pub fn study(&self, state: &State) -> Arc<dyn Study> {
        match (self, state) {
            (Self::Line(game), State::Line(stones)) => study_of(game, *stones).into(),
            (_, State::Other(study)) => Arc::clone(study),
            (Self::Other(..), State::Line(_)) => unreachable!("a position goes with its game"),
        }
    }
}

impl MoveName {
    /// A move of a game by its text.
    pub fn of(rules: &Rules, text: String) -> Self {
        match (rules, text.parse()) {
            (Rules::Line(_), Ok(number)) => Self::Number(number),
            _ => Self::Text(text),
        }
    }
}

/// A move of stones and lines.
pub fn number(m: Move) -> MoveName {
    MoveName::Number(m.number())
}

/// The rules of stones and lines with this word; `None` for another game.
pub fn line_rules(name: &str) -> Option<LineRules> {
    LineRules::of(name)
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        let chosen = |rules: &Self| match rules {
            Self::Line(_) => None,
            Self::Other(chosen, start) => {
                Some((chosen.as_ref().map(|chosen| chosen.rules.clone()), start.key()))
            }
        };
        self.has_positions_of(other) && chosen(self) == chosen(other)
    }
}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.name().hash(hasher);
        self.parameters().hash(hasher);
    }
}
