//! Solutions: the values of every position that a root leads to.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use everyply::cli::available_memory;
use everyply::connect_four::profiles::Board;
use everyply::control::{Control, Stopped};
use everyply::database::{Database, DatabaseError, Ending, PositionRow};
use everyply::disk::NewFile;
use everyply::exhaustive::Solution;
use everyply::game::{PartialValue, Tiered};
use everyply::games::line::{GraphEstimate, Rules as LineRules, Size};
use everyply::registry::{self, Points};
use everyply::solutions::{self, SolutionFile};
use everyply::statistics::PlyCounts;
use everyply::store::Folder;
use numpy::PyArray1;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use crate::arrays::Columns;
use crate::batch::{read_all, read_stones};
use crate::board_solution::{self, check_memory};
use crate::choice::{at_least_one, of_id};
use crate::counts::plies_table;
use crate::errors::{
    database_error, os_error, solution_error, solve_error, stopped, value_error, write_error,
};
use crate::position::Position;
use crate::rules::{MoveName, Rules, State};
use crate::run::{Pool, Progress};
use crate::table::Table;
use crate::value::Value;

/// The values of every position that a root leads to: the part of `everyply.Solution` that needs no
/// rules in Python.
#[pyclass(frozen, module = "everyply._everyply", name = "_Store")]
pub struct Store {
    #[pyo3(get)]
    pub root: Position,
    source: Source,
    #[pyo3(get)]
    path: Option<PathBuf>,
    pool: Pool,
    plies: OnceLock<Vec<PlyCounts>>,
    totals: OnceLock<[u64; 6]>,
}

enum Source {
    /// Memory, by the engine of the game.
    Graph(Box<Solution>),
    /// A file, and the solution in memory of its game once positions are listed or counted.
    File(Box<SolutionFile>, OnceLock<Box<Solution>>),
}

/// Solves every position that a root leads to, into a file at `path` if there is one. A whole
/// Connect Four board is always solved into a file, a temporary one without a path.
#[pyfunction]
pub fn _solve(
    py: Python<'_>,
    root: &Position,
    path: Option<PathBuf>,
    work: Option<String>,
    threads: Option<i64>,
    memory_mib: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Store> {
    root.rules.check_keys()?;
    let pool = Pool::new(threads)?;
    let available = memory(memory_mib)?;
    let position = &root.state;
    let rules = Arc::clone(&root.rules);
    let whole =
        |(lines, _): &(LineRules, Size)| lines.stones_fall() && position.key() == rules.start.key();
    if let Some((_, size)) = rules.board.filter(whole) {
        let board = Board::new(size).map_err(value_error)?;
        if work.is_none() {
            check_memory(&board, available, "solving")?;
        }
        let progress = Progress::of(progress, 0, "profiles")?;
        // Without a path the file stays open after its folder is removed.
        let folder = tempfile::tempdir()?;
        let place = path.clone().unwrap_or_else(|| folder.path().join("board.solution"));
        let written = pool.run(py, progress.as_ref(), |control| {
            board_solution::solve(&board, work.as_deref(), &place, control)
        })?;
        let store = Store { path, ..Store::open(py, place, pool)? };
        let _ = written.counts.map(|counts| store.plies.set(counts.plies));
        return Ok(store);
    }
    let title = rules.title();
    let refuse = |why: String| Err(value_error(why));
    if work.is_some() && (position.ranked_tiers().is_empty() || path.is_none()) {
        return refuse(format!(
            "work: a folder holds whole Connect Four boards, and the tiers of games that number their \
             positions, on the way to the file of path=; {title} is solved in memory"
        ));
    }
    position.check().map_err(value_error)?;
    if path.is_some() && of_id(&position.game_id()).is_err() {
        return refuse(format!(
            "path: solution files are of games that the package has, and {title} is none"
        ));
    }
    check_graph(&rules, position, available)?;
    let progress = Progress::of(progress, 0, "positions")?;
    let Some(path) = path else {
        return Store::of(py, root.clone(), available, pool, progress.as_ref());
    };
    let file = NewFile::create(&path).map_err(|error| PyOSError::new_err(error.to_string()))?;
    let store = work.as_deref().map(|work| Folder::open(Path::new(work))).transpose();
    let store = store.map_err(|error| os_error(&error, error.to_string()))?;
    pool.run(py, progress.as_ref(), |control| {
        let (store, memory) = (store.as_ref().map(|store| store as _), available as u64);
        solutions::solve(&**position, memory, store, file, control).map_err(write_error)
    })?;
    Store::open(py, path, pool)
}

#[pyfunction]
pub fn _open(py: Python<'_>, path: PathBuf, threads: Option<i64>) -> PyResult<Store> {
    Store::open(py, path, Pool::new(threads)?)
}

/// Refuses, before any work, a position of a board of stones with more positions below it than memory
/// holds.
pub fn check_graph(rules: &Rules, state: &State, available: f64) -> PyResult<()> {
    match state.graph_estimate() {
        Some(GraphEstimate { bytes, .. }) if bytes > available => {
            Err(PyMemoryError::new_err(format!(
                "solving all positions below {} may take {:.1} GiB and {:.1} are allowed: begin \
                 at a later position, or ask `Solver` for single positions",
                rules.title(),
                bytes / f64::from(1 << 30),
                available / f64::from(1 << 30)
            )))
        }
        _ => Ok(()),
    }
}

/// Returns the limit in bytes of an argument in MiB.
pub fn memory(mib: Option<i64>) -> PyResult<f64> {
    let mib = mib.map(|mib| at_least_one("memory_mib", mib)).transpose()?;
    Ok(mib.map_or_else(available_memory, |mib| mib as f64 * f64::from(1 << 20)))
}

impl Store {
    pub fn of(
        py: Python<'_>,
        root: Position,
        bytes: f64,
        pool: Pool,
        progress: Option<&Progress<'_>>,
    ) -> PyResult<Self> {
        let position = &root.state;
        let most = (bytes / position.bytes(false) as f64) as u64;
        let answers =
            pool.run(py, progress, |control| position.solve(most, control).map_err(solve_error))?;
        Ok(Self::new(root, Source::Graph(answers.into()), None, pool))
    }

    fn open(py: Python<'_>, path: PathBuf, pool: Pool) -> PyResult<Self> {
        let failed = |error| solution_error(&error);
        let file = py.detach(|| SolutionFile::open(&path)).map_err(failed)?;
        let rules = of_id(file.game_id())?;
        let root = file.root(&*rules.start).map_err(failed)?;
        let source = Source::File(Box::new(file), OnceLock::new());
        Ok(Self::new(Position::new(&rules, root.into()), source, Some(path), pool))
    }

    /// Returns the solution in memory; the game of a file is solved again for it.
    fn graph(&self, control: &Control) -> PyResult<&Solution> {
        let solved = match &self.source {
            Source::Graph(solved) => return Ok(solved),
            Source::File(_, solved) => solved,
        };
        if solved.get().is_none() {
            let root = &self.root.state;
            let most = available_memory() / root.bytes(false) as f64;
            let _ = solved.set(root.solve(most as u64, control).map_err(solve_error)?.into());
        }
        Ok(solved.get().expect("it was solved"))
    }

    /// Returns the file of a whole Connect Four board.
    fn board(&self) -> Option<(&SolutionFile, &Board)> {
        match &self.source {
            Source::File(file, _) => Some((file, file.board()?)),
            Source::Graph(_) => None,
        }
    }

    fn new(root: Position, source: Source, path: Option<PathBuf>, pool: Pool) -> Self {
        let (plies, totals) = (OnceLock::new(), OnceLock::new());
        Self { root, source, path, pool, plies, totals }
    }

    /// Returns the value of a position; `None` if the root does not lead to it.
    fn known(&self, position: &dyn registry::Position) -> PyResult<Option<PartialValue>> {
        match &self.source {
            Source::Graph(answers) => {
                let key = position.key();
                Ok(key.and_then(|key| answers.value_of(key)))
            }
            Source::File(file, _) => file.value(position).map_err(|error| solution_error(&error)),
        }
    }

    fn points_of(
        &self,
        position: &dyn registry::Position,
        control: &Control,
    ) -> PyResult<Option<i32>> {
        if !position.info().counts_points {
            return Ok(None);
        }
        if let Source::File(file, _) = &self.source
            && file.is_scored()
        {
            return file.points(position).map_err(|error| solution_error(&error));
        }
        let Some(key) = position.key() else { return Ok(None) };
        Ok(self.graph(control)?.points_of(key))
    }

    /// Hands over every canonical position, by ascending key, in parts.
    fn rows(&self, control: &Control, see: &mut dyn FnMut(Vec<PositionRow>)) -> PyResult<()> {
        self.root.state.rows(self.graph(control)?, see);
        Ok(())
    }

    /// Adds all positions to a database, as one run. Returns the number added or refined.
    pub fn write(&self, py: Python<'_>, path: &Path, command: &str) -> PyResult<u64> {
        /// Rows that wait for the database at a time.
        const BATCH: usize = 8192;
        let start = &self.root.rules.start;
        let is_whole = self.root.state.key() == start.key();
        let counts = match start.plies_left() {
            Some(_) if is_whole => self.counts(py)?.clone(),
            _ => Vec::new(),
        };
        self.pool.run(py, None, |control| {
            let failed = |error| match error {
                DatabaseError::Conflict(_) => PyRuntimeError::new_err(error.to_string()),
                error => database_error(&error),
            };
            let run = Database::create_or_open(path)
                .and_then(|database| database.begin_run(&start.game_id(), command, 1))
                .map_err(failed)?;
            self.rows(control, &mut |rows| {
                for part in rows.chunks(BATCH) {
                    // If the writer has failed, the end of the run reports the reason.
                    if control.is_stopped() || run.sink().send(part.to_vec()).is_err() {
                        break;
                    }
                }
            })?;
            if !counts.is_empty() {
                let _ = run.ply_counts(&counts);
            }
            if control.is_stopped() {
                run.finish(Ending::Interrupted).map_err(failed)?;
                return Err(stopped(Stopped));
            }
            let written = run.finish(Ending::Finished).map_err(failed)?;
            Ok(written.added + written.refined)
        })
    }

    fn counts(&self, py: Python<'_>) -> PyResult<&Vec<PlyCounts>> {
        if let Some(plies) = self.plies.get() {
            return Ok(plies);
        }
        let plies = self.pool.run(py, None, |control| {
            if let Some((_, board)) = self.board() {
                return board_solution::counts(board, control);
            }
            let plies = self.graph(control)?.plies(u32::from(u8::MAX), control);
            Ok(plies.map_err(stopped)?.counts)
        })?;
        Ok(self.plies.get_or_init(|| plies))
    }
}

#[pymethods]
impl Store {
    #[getter]
    fn title(&self) -> String {
        self.root.rules.title()
    }

    /// Returns the value of a position; None if the root does not lead to it.
    fn value(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        let position = self.root.rules.position(position)?;
        let value = py.detach(|| self.known(&*position.state))?;
        Ok(value.map(|value| Value::of(value, position.empties())))
    }

    /// Returns the final points of a position for the side to move if both sides play for points;
    /// None if the game counts none, or the root does not lead to the position.
    fn points(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Option<i32>> {
        let position = self.root.rules.position(position)?;
        self.pool.run(py, None, |control| self.points_of(&*position.state, control))
    }

    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let columns = match self.board() {
            Some((file, board)) => {
                let game = board.game();
                let all = read_stones(&self.root.rules, game, positions)?;
                self.pool.run(py, None, |control| {
                    let mut columns = Columns::with_capacity(all.len());
                    board_solution::values(file, &all, control, |value, stones| {
                        columns.push(value, Some(game.plies_left(stones)));
                    })?;
                    Ok(columns)
                })?
            }
            None => {
                let states = read_all(&self.root.rules, positions)?;
                let mut columns = Columns::with_capacity(states.len());
                for state in &states {
                    columns.push(self.known(&**state)?, self.root.rules.empties(state));
                }
                columns
            }
        };
        columns.into_python(py)
    }

    /// Returns the moves of a position, ascending, each with its value for the side that makes it
    /// and whether it is a best one; None if the root does not lead to the position.
    fn moves(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Vec<(MoveName, Value, bool)>>> {
        let position = self.root.rules.position(position)?;
        let solved: Option<(PartialValue, Vec<(String, PartialValue)>)> = py.detach(|| {
            let state = &position.state;
            let Some(value) = self.known(&**state)? else { return Ok::<_, PyErr>(None) };
            let mut moves = Vec::new();
            for branch in state.branches() {
                let value = self.known(&*branch.to)?.expect("a move of a known position");
                moves.push((branch.text, value.one_ply_earlier(branch.keeps_turn)));
            }
            Ok(Some((value, moves)))
        })?;
        let Some((best, moves)) = solved else { return Ok(None) };
        let state = &*position.state;
        let points = self
            .pool
            .run(py, None, |control| Points::of(state, |at| self.points_of(at, control)))?;
        let row = |(at, (text, value)): (usize, (String, PartialValue))| {
            let python_value = Value::of(value, position.empties());
            let is_best = match &points {
                Some(points) => points.moves[at].1 == points.best,
                None => value.attains(best),
            };
            (self.root.rules.move_name(text), python_value, is_best)
        };
        Ok(Some(moves.into_iter().enumerate().map(row).collect()))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.totals(py)?[0] as usize)
    }

    fn plies(&self, py: Python<'_>) -> PyResult<Table> {
        Ok(plies_table(self.counts(py)?, self.root.first_ply()))
    }

    /// Counts positions: all, terminal, won, drawn, drawn by endless play, lost.
    fn totals(&self, py: Python<'_>) -> PyResult<[u64; 6]> {
        if let Some(totals) = self.totals.get() {
            return Ok(*totals);
        }
        let totals = if self.board().is_some() {
            let counts = self.counts(py)?;
            let sum = |of: fn(&PlyCounts) -> Option<u64>| counts.iter().filter_map(of).sum();
            let [wins, draws, losses] = [sum(|c| c.wins), sum(|c| c.draws), sum(|c| c.losses)];
            [sum(|c| c.positions), sum(|c| c.terminal), wins, draws, 0, losses]
        } else {
            // Endless play would have too many plies.
            let t = self.pool.run(py, None, |control| Ok(self.graph(control)?.totals()))?;
            [t.positions, t.terminal, t.wins, t.draws, t.endless, t.losses]
        };
        Ok(*self.totals.get_or_init(|| totals))
    }

    /// Returns every canonical position with its value and best moves, as a Table.
    fn table(&self, py: Python<'_>) -> PyResult<Table> {
        self.pool.run(py, None, |control| {
            let mut all = Vec::new();
            self.rows(control, &mut |mut rows| all.append(&mut rows))?;
            Ok(Table::of_positions(&all))
        })
    }

    /// Returns the keys of all positions, the images of each canonical one together.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let rules = &self.root.rules;
        let keys = self.pool.run(py, None, |control| {
            let (solved, mut canonical) = (self.graph(control)?, Vec::new());
            self.root
                .state
                .rows(solved, &mut |rows| canonical.extend(rows.iter().map(|row| row.key)));
            let mut keys = Vec::new();
            for key in canonical {
                control.check().map_err(stopped)?;
                let images = rules.restore(key.0)?.images().into_iter().map(|(key, _)| key);
                // An asymmetric root does not lead to every image.
                keys.extend(images.filter(|key| solved.value_of(*key).is_some()).map(|key| key.0));
            }
            Ok(keys)
        })?;
        Ok(PyArray1::from_vec(py, keys))
    }
}
