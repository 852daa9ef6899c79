//! A game, and its moves in Python.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use everyply::game::{Chosen, GameId, Key, Move};
use everyply::games::line::{LineGame, Rules as LineRules, Size, on_board};
use everyply::games::table::Table;
use everyply::registry::{self, Registry, builtin};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::own::keys::Keys;

pub type State = Arc<dyn registry::Position>;

/// A game: its choices and its start.
pub struct Rules {
    pub start: State,
    /// The rules and size of a board of stones and lines that fits a word of 64 bits.
    pub board: Option<(LineRules, Size)>,
    /// The same of any board of stones and lines: its moves are numbers in Python.
    pub lines: Option<(LineRules, Size)>,
    pub own: Option<Own>,
}

/// A game written in Python.
pub struct Own {
    pub table: Table,
    /// The numbers of its positions by key.
    pub keys: Keys,
    /// The function that returns the key of an object.
    pub key: Py<PyAny>,
}

/// A move in Python: a column or cell counted from 1, or the text of the game.
#[derive(Clone, Debug, PartialEq, Eq, IntoPyObject)]
pub enum MoveName {
    Number(u32),
    Text(String),
}

impl Rules {
    /// Creates the game with this start; `own` if it is written in Python.
    pub fn new(start: Box<dyn registry::Position>, own: Option<Own>) -> Arc<Self> {
        let (board, lines) = (start.lines(), start.any_lines());
        Arc::new(Self { start: start.into(), board, lines, own })
    }

    /// Returns the games of the package, and this one if it is written in Python.
    pub fn games(&self) -> Registry {
        match &self.own {
            Some(own) => builtin().with_table(own.table.clone()),
            None => builtin(),
        }
    }

    /// Returns the choices that make this game, with its start if they do not determine it; `None`
    /// for a game written in Python.
    pub fn choices(&self) -> Option<Chosen> {
        let games = builtin();
        let entry = games.find(self.start.info().name).filter(|_| self.own.is_none())?;
        let mut chosen = self.start.info().choices.clone();
        let usual = entry.choose(&chosen).ok();
        if usual.is_none_or(|usual| usual.identity() != self.start.identity()) {
            chosen.position = Some(self.start.picture());
        }
        Some(chosen)
    }

    /// Returns the position of an object of a game written in Python; `None` if it is none.
    pub fn own_position(&self, given: &Bound<'_, PyAny>) -> Option<State> {
        let Own { keys, key, .. } = self.own.as_ref()?;
        // An object that is no position of the game may raise anything.
        let key = key.bind(given.py()).call1((given,)).ok()?;
        self.restore(keys.get(&key).ok()??.into()).ok()
    }

    /// Refuses games with keys of more than 64 bits, for work that stores keys.
    pub fn check_keys(&self) -> PyResult<()> {
        if self.start.key().is_some() {
            return Ok(());
        }
        let title = self.title();
        Err(value_error(format!(
            "{title} is too large for arrays and files: its keys have more than 64 bits"
        )))
    }

    pub fn title(&self) -> String {
        self.start.info().title.clone()
    }

    pub fn id(&self) -> GameId {
        self.start.game_id()
    }

    /// Reads the position of a text: moves as played, or a form that the game reads.
    pub fn read(&self, text: &str) -> PyResult<State> {
        if text.trim().is_empty() {
            return Ok(Arc::clone(&self.start));
        }
        self.start.read(text).map(State::from).map_err(value_error)
    }

    /// Restores the position of a key that some position had, without a check that it is reached.
    pub fn restore(&self, key: u64) -> PyResult<State> {
        self.check_keys()?;
        self.start
            .of_key(Key(key))
            .map(State::from)
            .ok_or_else(|| value_error(format!("key {key} is no position of {}", self.title())))
    }

    pub fn of_key(&self, key: u64) -> PyResult<State> {
        let state = self.restore(key)?;
        if self.board.is_some() {
            let reached = state.check_reached();
            reached.map_err(|error| value_error(format!("key {key}: {error}")))?;
        }
        Ok(state)
    }

    /// Returns the move of a text for Python.
    pub fn move_name(&self, text: String) -> MoveName {
        match (&self.lines, text.parse()) {
            (Some(_), Ok(number)) => MoveName::Number(number),
            _ => MoveName::Text(text),
        }
    }

    pub fn move_names(&self, texts: impl IntoIterator<Item = String>) -> Vec<MoveName> {
        texts.into_iter().map(|text| self.move_name(text)).collect()
    }

    /// Returns the text of a move given from Python, and the position after it.
    pub fn play(&self, state: &State, m: &Bound<'_, PyAny>) -> PyResult<(String, State)> {
        let given = match self.lines {
            Some(_) => m.extract::<i64>().map(|number| number.to_string()),
            None => m.extract::<String>(),
        };
        let text = given.map_err(|_| {
            let kind = if self.lines.is_some() { "an int" } else { "a str" };
            let name = m.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
            PyTypeError::new_err(format!("a move of {} is {kind}, not {name}", self.title()))
        })?;
        let after = self.play_text(state, &text)?;
        Ok((text, after))
    }

    /// Returns the position after a move given by its text.
    pub fn play_text(&self, state: &State, text: &str) -> PyResult<State> {
        let branch = state.branches().into_iter().find(|branch| branch.text == text);
        branch.map(|branch| branch.to.into()).ok_or_else(|| self.refusal(state, text))
    }

    fn refusal(&self, state: &State, text: &str) -> PyErr {
        if let (Some((rules, size)), Some(stones)) = (self.board, state.stones::<u64>()) {
            let most = state.numbered_moves().unwrap_or_default();
            let number = text.parse::<u8>().ok().filter(|n| (1..=most).contains(&(*n).into()));
            let refused = number.and_then(|number| {
                on_board!(rules, size, |game| game.try_play(stones, Move(number - 1)).err()).ok()?
            });
            return match refused {
                Some(refused) => value_error(refused),
                None => value_error(format!("move {text}: a move is a number from 1 to {most}")),
            };
        }
        let possible: Vec<String> = state.branches().into_iter().map(|b| b.text).collect();
        value_error(if possible.is_empty() {
            format!("move '{text}': the game is over")
        } else {
            format!("move '{text}' is not possible: choose one of {}", possible.join(" "))
        })
    }

    /// Empty cells, on a board of stones and lines.
    pub fn empties(&self, state: &State) -> Option<u32> {
        self.lines.and_then(|_| state.plies_left())
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        (self.id(), self.start.identity()) == (other.id(), other.start.identity())
    }
}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.id().hash(hasher);
    }
}
