//! Books in the making: their open positions, the database for proved values, and the proof of
//! pieces by the workers of a cluster.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use everyply::cli::available_memory;
use everyply::connect_four::book::{Book, BookDetail, BookPlan, TierError, solve};
use everyply::connect_four::solver::Solver as Exact;
use everyply::database::{Database, DatabaseError, DatabaseLock, Ending, PositionRow, RunWriter};
use everyply::game::ValueWithBest;
use everyply::game::{Key, Keyed, MoveSet, Outcome, PartialValue, Remoteness, Symmetric};
use everyply::games::line::{ConnectFour, LineGame, Rules, Size};
use everyply::oracle::load_book;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;

use crate::engine::Engine;
use crate::errors::{database_error, stopped, value_error};
use crate::game::BuiltinGame;
use crate::run::{Pool, Progress};
use crate::solver::Solver;

/// Rows that wait for the database at a time.
const BATCH: usize = 8192;

/// A book of Connect Four in the making: every position up to a ply, the values that a database
/// holds, and the run that adds the missing ones. One process at a time may make a book in a
/// database.
#[pyclass(frozen, module = "everyply._everyply", name = "_Book")]
pub struct BookRun {
    path: PathBuf,
    pool: Pool,
    /// Positions that the database held before.
    #[pyo3(get)]
    found: usize,
    book: Mutex<Book>,
    run: Mutex<Option<RunWriter>>,
    /// A lock, held from before the database is read until the work is over, if anything is left
    /// to be solved.
    lock: Mutex<Option<DatabaseLock>>,
}

#[pymethods]
impl BookRun {
    /// game: Connect Four. plies: the last ply of the book. db: the database, made if missing.
    /// outcome_only: prove win, draw and loss only.
    ///
    /// Raises OSError if another process works on the database.
    #[new]
    #[pyo3(signature = (game, plies, db, *, outcome_only))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, BuiltinGame>,
        plies: i64,
        db: PathBuf,
        outcome_only: bool,
    ) -> PyResult<Self> {
        let board = game.get().rules.board;
        let fits = |(rules, size): &(Rules, Size)| rules.stones_fall() && Exact::supports(*size);
        let Some((_, size)) = board.filter(fits) else {
            let title = game.get().rules.title();
            return Err(value_error(format!(
                "{title}: books are made of Connect Four with lines of 3 to 6"
            )));
        };
        let pool = Pool::new(None)?;
        let game = ConnectFour::new(size).map_err(value_error)?;
        let plies = u8::try_from(plies).ok().filter(|plies| u32::from(*plies) <= size.cells());
        let plies = plies.ok_or_else(|| {
            value_error(format!("a game on {} has from 0 to {} plies", size.board(), size.cells()))
        })?;
        let detail = if outcome_only { BookDetail::Outcome } else { BookDetail::Exact };
        let most = (available_memory() / Book::BYTES_PER_POSITION).min(1e12) as usize;
        let mut book = pool.run(py, None, |control| {
            let plan =
                BookPlan::of_plies(&game, plies, most, control).map_err(|error| match error {
                    TierError::Stopped(error) => stopped(error),
                    error => PyMemoryError::new_err(format!(
                        "{error}, which is all that memory has room for"
                    )),
                })?;
            Ok(Book::new(game, plan, detail))
        })?;
        let mut recall = || -> Result<Option<DatabaseLock>, DatabaseError> {
            load_book(&mut book, &db)?;
            // A path that is not a file is refused when the run begins.
            let is_file = std::fs::metadata(&db).map_or(true, |file| file.is_file());
            if book.open_positions().is_empty() || !is_file {
                return Ok(None);
            }
            let lock = DatabaseLock::take(&db)?;
            // Another process may have added rows before it released the lock.
            load_book(&mut book, &db)?;
            Ok(Some(lock))
        };
        let lock = py.detach(&mut recall).map_err(|error| database_error(&error))?;
        let found = book.plan().positions() - book.open_positions().len();
        let (book, run, lock) = (Mutex::new(book), Mutex::new(None), Mutex::new(lock));
        Ok(Self { path: db, pool, found, book, run, lock })
    }

    #[getter]
    fn table_mib(&self) -> u64 {
        Book::default_table(self.book().game().size())
    }

    /// Returns the number of positions of the book, up to mirror images.
    fn __len__(&self) -> usize {
        self.book().plan().positions()
    }

    /// Returns the keys of the positions that have to be solved, in the order in which neighbours
    /// share most of their trees, as an array uint64.
    fn unsolved<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_iter(py, self.book().unsolved().into_iter().map(|key| key.0))
    }

    /// Begins a run of the database. workers: the number of workers.
    ///
    /// Raises OSError if the database cannot be written to.
    fn begin(&self, py: Python<'_>, command: &str, workers: usize) -> PyResult<()> {
        let game = *self.book().game();
        let begin = || {
            let database = Database::create_or_open(&self.path)?;
            database.begin_run(&game.game_id(), command, workers)
        };
        let writing = py.detach(begin).map_err(|error| database_error(&error))?;
        *self.run() = Some(writing);
        Ok(())
    }

    /// Stores the results of `_prove` for the first of these positions.
    ///
    /// Raises OSError if they cannot be stored, RuntimeError if they contradict stored values.
    fn add(
        &self,
        py: Python<'_>,
        keys: PyReadonlyArray1<'_, u64>,
        results: Vec<Proven>,
    ) -> PyResult<()> {
        let mut book = self.book();
        let mut proven = Vec::with_capacity(results.len());
        for (key, (sign, remoteness, best)) in keys.as_array().into_iter().zip(results) {
            let outcome = Outcome::from_sign(sign.into());
            let outcome = outcome.filter(|_| book.game().position_of(Key(*key)).is_some());
            let outcome = outcome.ok_or_else(|| {
                value_error(format!("key {key}, outcome {sign}: no proven position"))
            })?;
            let value = PartialValue { outcome, remoteness: remoteness.map(Remoteness) };
            proven.push((Key(*key), ValueWithBest { value, best: Some(MoveSet(best.into())) }));
        }
        let rows = proven
            .iter()
            .map(|(key, proven)| PositionRow::new(*key, Book::ply_of(book.game(), *key), *proven));
        let rows = rows.collect();
        for (key, proven) in proven {
            book.insert(key, proven);
        }
        drop(book);
        let sink = self.run().as_ref().map(RunWriter::sink);
        let sink = sink.ok_or_else(|| value_error("the run has not begun or is over"))?;
        match py.detach(|| sink.send(rows)) {
            Ok(()) => Ok(()),
            // The end of the run reports the reason.
            Err(_) => self.end(py, Ending::Failed).map(drop),
        }
    }

    /// Backs up values from the last ply to the empty board and ends the run. Returns the numbers
    /// of positions that were added, refined, and stored before.
    ///
    /// Raises the errors of `add`.
    fn finish(&self, py: Python<'_>) -> PyResult<(u64, u64, u64)> {
        let unsolved = self.book().unsolved().len();
        if unsolved > 0 {
            return Err(value_error(format!("{unsolved} positions are not solved")));
        }
        self.pool.run(py, None, |_| {
            let mut book = self.book();
            let game = *book.game();
            if let Some(run) = &*self.run() {
                let sink = run.sink();
                // If the writer has failed, the end of the run reports the reason.
                book.back_up(|backed_up| {
                    for part in backed_up.chunks(BATCH) {
                        let row = |(key, proven): &(_, _)| {
                            PositionRow::new(*key, Book::ply_of(&game, *key), *proven)
                        };
                        let _ = sink.send(part.iter().map(row).collect());
                    }
                });
                let _ = run.ply_counts(&book.counts());
            }
            Ok(())
        })?;
        self.end(py, Ending::Finished)
    }

    /// Ends the run, if it is not over, and releases the database; the book can be continued.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let is_at_work = self.run().is_some();
        let ended = if is_at_work { self.end(py, Ending::Interrupted).map(drop) } else { Ok(()) };
        // Python may keep the book for as long as anything refers to it, such as an error.
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner).take());
        ended
    }
}

impl BookRun {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) -> MutexGuard<'_, Option<RunWriter>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, py: Python<'_>, ending: Ending) -> PyResult<(u64, u64, u64)> {
        let run = self.run().take();
        let run = run.ok_or_else(|| value_error("the run has not begun or is over"))?;
        match py.detach(|| run.finish(ending)) {
            Ok(written) => Ok((written.added, written.refined, written.unchanged)),
            Err(error @ DatabaseError::Conflict(_)) => {
                Err(PyRuntimeError::new_err(error.to_string()))
            }
            Err(error) => Err(database_error(&error)),
        }
    }
}

/// The sign of an outcome, the remoteness if it is known, and the best moves as bits.
pub type Proven = (i8, Option<u8>, u64);

/// Solves canonical positions of a book with their best moves, in this order, until the time is over.
/// One thread works, so that a piece does not share its positions with others.
///
/// keys: array uint64. outcome_only: prove win, draw and loss only.
/// seconds: after this time no further position is begun.
/// progress: a function that is called ten times a second, whose exception ends the work.
///
/// Returns the results of the first positions, one at least, and the nodes.
#[pyfunction]
#[pyo3(signature = (solver, keys, *, outcome_only, seconds, progress=None))]
pub fn _prove(
    py: Python<'_>,
    solver: &Bound<'_, Solver>,
    keys: PyReadonlyArray1<'_, u64>,
    outcome_only: bool,
    seconds: f64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Proven>, u64)> {
    let detail = if outcome_only { BookDetail::Outcome } else { BookDetail::Exact };
    let keys: Vec<Key> = keys.as_array().iter().map(|key| Key(*key)).collect();
    let Engine::Solver(exact) = &solver.get().engine else {
        return Err(value_error("only Connect Four has books"));
    };
    for key in &keys {
        let position = exact.game().position_of(*key);
        if position.is_none_or(|position| exact.game().canonical(position).0 != *key) {
            return Err(value_error(format!("key {}: no canonical position", key.0)));
        }
    }
    let progress = Progress::of(progress, 0, "positions")?;
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let alone = alone.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    solver.get().pool.run(py, progress.as_ref(), |control| {
        let begun = Instant::now();
        let prove = |key: Key| {
            if begun.elapsed().as_secs_f64() > seconds {
                return None;
            }
            let ValueWithBest { value, best } = solve(exact, key, detail, control).ok()?;
            let remoteness = value.remoteness.map(|plies| plies.0);
            Some((value.outcome.sign(), remoteness, best.map_or(0, |best| best.0 as u64)))
        };
        let proven = alone.install(|| keys.into_iter().map_while(prove).collect());
        Ok((proven, control.progress().0))
    })
}
