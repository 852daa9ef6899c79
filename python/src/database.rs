//! Solved-position databases.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everyply::control::Stopped;
use everyply::database::{Database as Stored, DatabaseError, PositionRow, Run};
use everyply::game::{Ply, Value as Exact};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::choice::of_id;
use crate::errors::{database_error, stopped, value_error};
use crate::game::BuiltinGame;
use crate::position::Position;
use crate::rules::Rules;
use crate::run::Pool;
use crate::solution::Store;
use crate::table::{Column, Table};
use crate::value::Value;

/// A solved-position database: values proved by runs of `analyze`, or added with solutions.
///
/// path: the file. create: make it if it is missing.
///
/// Close it with close(), or use it in a `with` statement. Many threads may use it, one at a time.
///
/// Raises FileNotFoundError or OSError if the file is missing, damaged or not a database.
#[pyclass(frozen, module = "everyply")]
pub struct Database {
    /// The path of the file, as given.
    #[pyo3(get)]
    path: PathBuf,
    open: Mutex<Option<Stored>>,
    pool: Pool,
}

impl Database {
    /// Calls `ask` with the database while it is open. The caller must not hold the interpreter's
    /// lock: the thread that uses the database may wait for that lock.
    fn ask<T>(&self, ask: impl FnOnce(&Stored) -> Result<T, DatabaseError>) -> PyResult<T> {
        match &*self.lock() {
            Some(database) => ask(database).map_err(|error| database_error(&error)),
            None => Err(value_error(format!("{} is closed", self.path.display()))),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Stored>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the rules of the given game, or of the only game of the database.
    fn rules(&self, py: Python<'_>, game: Option<&Bound<'_, BuiltinGame>>) -> PyResult<Arc<Rules>> {
        if let Some(game) = game {
            return Ok(Arc::clone(&game.get().rules));
        }
        let games = py.detach(|| self.ask(Stored::games))?;
        match &games[..] {
            [only] => of_id(only),
            games => {
                let games: Vec<String> = games.iter().map(ToString::to_string).collect();
                let held = if games.is_empty() { "no game".into() } else { games.join("; ") };
                Err(value_error(format!(
                    "game: {} holds {held}: say which game is meant",
                    self.path.display()
                )))
            }
        }
    }

    fn rows(&self, py: Python<'_>, rules: &Rules, ply: Option<i64>) -> PyResult<Vec<PositionRow>> {
        let ply = ply.map(|ply| {
            u8::try_from(ply)
                .map(Ply)
                .map_err(|_| value_error(format!("ply {ply}: plies are numbers from 0 to 255")))
        });
        let (ply, id) = (ply.transpose()?, rules.id());
        self.pool.run(py, None, |control| {
            let mut rows = Vec::new();
            let visited = self.ask(|database| {
                // Without a reason the visit was stopped.
                let visited = database.positions(&id, ply, |row| {
                    rows.push(row);
                    control.check().map_err(|_| None::<DatabaseError>)
                });
                match visited {
                    Err(Some(error)) => Err(error),
                    visited => Ok(visited.is_ok()),
                }
            });
            if visited? { Ok(rows) } else { Err(stopped(Stopped)) }
        })
    }
}

#[pymethods]
impl Database {
    #[new]
    #[pyo3(signature = (path, *, create=false))]
    fn new(py: Python<'_>, path: PathBuf, create: bool) -> PyResult<Self> {
        let open = || {
            if create {
                Stored::create_or_open(&path)?;
            }
            Stored::open(&path)
        };
        let database = py.detach(open).map_err(|error| database_error(&error))?;
        Ok(Self { path, open: Mutex::new(Some(database)), pool: Pool::new(Some(1))? })
    }

    /// True once it is closed; then every query raises ValueError.
    #[getter]
    fn closed(&self, py: Python<'_>) -> bool {
        py.detach(|| self.lock().is_none())
    }

    /// Closes the file. Closing it again does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.lock().take()));
    }

    /// The games it holds, by name and size.
    ///
    /// Raises ValueError if one of them is a game that this package does not know.
    #[getter]
    fn games(&self, py: Python<'_>) -> PyResult<Vec<BuiltinGame>> {
        let games = py.detach(|| self.ask(Stored::games))?;
        games.iter().map(|id| Ok(BuiltinGame { rules: of_id(id)? })).collect()
    }

    /// The runs that wrote to it, oldest first, as a Table: run, game, command, version,
    /// started_at and finished_at (RFC 3339, UTC), threads, status ("finished", "interrupted" or
    /// "failed"; null while a run is at work, or if it was killed).
    #[getter]
    fn runs(&self, py: Python<'_>) -> PyResult<Table> {
        let runs = py.detach(|| self.ask(Stored::runs))?;
        let text =
            |of: &dyn Fn(&Run) -> Option<String>| Column::Text(runs.iter().map(of).collect());
        Ok(Table::new([
            ("run", Column::Key(runs.iter().map(|run| run.id.0.cast_unsigned()).collect())),
            ("game", text(&|run| Some(run.game.to_string()))),
            ("command", text(&|run| Some(run.command.clone()))),
            ("version", text(&|run| Some(run.version.clone()))),
            ("started_at", text(&|run| Some(run.started_at.clone()))),
            ("finished_at", text(&|run| run.finished_at.clone())),
            ("threads", Column::Key(runs.iter().map(|run| run.threads).collect())),
            ("status", text(&|run| run.ending.map(|ending| ending.word().to_owned()))),
        ]))
    }

    /// Returns the proved value of a position, for the side to move; None if there is none.
    ///
    /// position: a Position, or the moves that lead to it if the database has one game.
    fn value(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        let position = match position.cast::<Position>() {
            Ok(position) => position.get().clone(),
            Err(_) => self.rules(py, None)?.position(position)?,
        };
        position.rules.check_keys()?;
        let (state, id) = (&position.state, position.rules.id());
        let (key, _) = state.canonical().expect("games of 64-bit keys");
        let row = py.detach(|| self.ask(|database| database.lookup(&id)?.position(key)))?;
        let over = state.result().map(|outcome| Exact::over(outcome).into());
        let value = over.or(row.map(|row| row.value));
        Ok(value.map(|value| Value::of(value, position.empties())))
    }

    /// Adds every position of a solution, as a run of its own. Values that are stored already are
    /// kept.
    ///
    /// solution: a Solution of a built-in game.
    ///
    /// Returns the number of positions that were added or refined.
    ///
    /// Raises OSError if the file cannot be written, or another process writes to it, and
    /// RuntimeError if the solution contradicts a stored value.
    fn add(&self, py: Python<'_>, solution: &Bound<'_, PyAny>) -> PyResult<u64> {
        let store = solution.getattr("_store").ok();
        let store = store.as_ref().and_then(|store| store.cast::<Store>().ok());
        let Some(store) = store else {
            let kind = solution.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a Solution is added, not {kind}")));
        };
        if py.detach(|| self.lock().is_none()) {
            return Err(value_error(format!("{} is closed", self.path.display())));
        }
        let start = store.get().root.state.start();
        if everyply::registry::builtin().find(start.info().name).is_none() {
            return Err(value_error(format!(
                "databases hold built-in games, and {} is none",
                start.info().title
            )));
        }
        let command = format!("everyply.Database.add({})", start.info().title);
        store.get().write(py, &self.path, &command)
    }

    /// Returns the stored positions of a game, of one ply or of all, by ply and key, as a Table of
    /// canonical positions: key uint64, ply uint8, outcome int8 for the side to move, remoteness
    /// int16 (null if unknown), best moves as bits uint64 (null if not all are known).
    #[pyo3(signature = (*, game=None, ply=None))]
    fn positions(
        &self,
        py: Python<'_>,
        game: Option<&Bound<'_, BuiltinGame>>,
        ply: Option<i64>,
    ) -> PyResult<Table> {
        let rules = self.rules(py, game)?;
        let rows = self.rows(py, &rules, ply)?;
        Ok(Table::of_positions(&rows))
    }

    /// Iterates over the stored positions of a game with their values, by ply and key.
    #[pyo3(signature = (*, game=None, ply=None))]
    fn items(
        &self,
        py: Python<'_>,
        game: Option<&Bound<'_, BuiltinGame>>,
        ply: Option<i64>,
    ) -> PyResult<Items> {
        let rules = self.rules(py, game)?;
        let rows = self.rows(py, &rules, ply)?;
        Ok(Items { rules, rows: Mutex::new(rows.into_iter()) })
    }

    /// Iterates over the stored positions of the only game with their values.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Items> {
        self.items(py, None, None)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let closed = if self.closed(py) { ", closed" } else { "" };
        format!("<Database {}{closed}>", self.path.display())
    }
}

/// Positions with their values, one after the other.
#[pyclass(frozen, module = "everyply._everyply")]
pub struct Items {
    rules: Arc<Rules>,
    rows: Mutex<std::vec::IntoIter<PositionRow>>,
}

#[pymethods]
impl Items {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self) -> PyResult<Option<(Position, Value)>> {
        let row = self.rows.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(row) = row else { return Ok(None) };
        let state = self.rules.restore(row.key.0)?;
        let position = Position::new(&self.rules, state);
        let value = Value::of(row.value, position.empties());
        Ok(Some((position, value)))
    }
}
