//! Solutions: every position that a root leads to.

use std::path::PathBuf;
use std::sync::Arc;

use everyply::cli::available_memory;
use everyply::connect_four::profiles::{Board, Memory, SolutionDetail, solve as solve_board};
use everyply::games::line::LineGame;
use everyply::registry::{Answers, Situation, Study};
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::counts::plies_table;
use crate::errors::{solution_error, solve_error, stopped, value_error};
use crate::game::BuiltinGame;
use crate::position::{Position, root_of};
use crate::rules::MoveName;
use crate::run::{Pool, Progress};
use crate::solution_file::SolutionFile;
use crate::table::{Column, Table};
use crate::value::Value;

/// The value of every position that a root leads to, in memory.
///
/// solution[p] is the Value of a position, for the side to move; KeyError if the root does not lead
/// there. `p in solution` and len(solution), the number of distinct positions, work as well.
#[pyclass(frozen, mapping, module = "everyply")]
pub struct Solution {
    root: Position,
    answers: Box<dyn Answers>,
    plies: Py<Table>,
    positions: u64,
}

/// Solves every position that a game, or one of its positions, leads to.
///
/// memory_mib: the limit in MiB, all available memory for None; MemoryError if it is not enough.
/// progress: True for a bar (needs tqdm), or a function of (positions done, 0 or all positions).
#[pyfunction]
#[pyo3(signature = (game, *, threads=None, memory_mib=None, progress=None))]
pub fn solve(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    threads: Option<i64>,
    memory_mib: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Solution> {
    let root = root_of(game)?;
    let pool = Pool::new(threads)?;
    let bytes = memory(memory_mib)?;
    let progress = Progress::of(progress, 0, "positions")?;
    let study = root.state();
    study.check().map_err(value_error)?;
    let most = (bytes / study.bytes_per_position() as f64) as u64;
    let first = root.first_ply();
    let (answers, plies, positions) = pool.run(py, progress.as_ref(), |control| {
        let answers = study.solve(most, control).map_err(solve_error)?;
        let plies = answers.plies(u32::from(u8::MAX), control).map_err(stopped)?;
        let positions = answers.totals().positions;
        Ok((answers, plies, positions))
    })?;
    let plies = Py::new(py, plies_table(&plies.counts, first))?;
    Ok(Solution { root, answers, plies, positions })
}

/// The limit in bytes of an argument in MiB.
fn memory(mib: Option<i64>) -> PyResult<f64> {
    match mib {
        None => Ok(available_memory()),
        Some(mib @ 1..) => Ok(mib as f64 * f64::from(1 << 20)),
        Some(mib) => Err(PyValueError::new_err(format!("memory_mib {mib}: at least 1 is needed"))),
    }
}

/// Solves every position of a Connect Four board into a file, which appears whole or not at all,
/// and opens it.
///
/// outcome_only: keep win, draw and loss only, which makes a much smaller file.
#[pyfunction]
#[pyo3(signature = (game, path, *, threads=None, outcome_only=false, progress=None))]
pub fn solve_to_file(
    py: Python<'_>,
    game: &Bound<'_, BuiltinGame>,
    path: PathBuf,
    threads: Option<i64>,
    outcome_only: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<SolutionFile> {
    let rules = &game.get().rules;
    let board = match rules.board() {
        Some(game) if Board::serves(game) => Board::new(game.size()).map_err(value_error)?,
        _ => {
            return Err(PyValueError::new_err(format!(
                "solution files are of Connect Four boards, and {} is none",
                rules.title()
            )));
        }
    };
    let (need, available) = (board.estimate(usize::MAX).solve as f64, available_memory());
    if need > available {
        let gib = |bytes: f64| bytes / f64::from(1 << 30);
        return Err(PyMemoryError::new_err(format!(
            "{} takes about {:.1} GiB of memory and {:.1} are available: `analyze solve --work` \
             works on a disk",
            rules.title(),
            gib(need),
            gib(available)
        )));
    }
    let detail = if outcome_only { SolutionDetail::Outcome } else { SolutionDetail::Remoteness };
    let progress = Progress::of(progress, 0, "profiles")?;
    let pool = Pool::new(threads)?;
    pool.run(py, progress.as_ref(), |control| {
        solve_board(&board, detail, &Memory::new(), &path, control)
            .map(drop)
            .map_err(|error| solution_error(&error))
    })?;
    SolutionFile::open(path, pool)
}

impl Solution {
    fn read(&self, position: &Bound<'_, PyAny>) -> PyResult<Position> {
        BuiltinGame { rules: Arc::clone(self.root.rules()) }.read(position)
    }

    fn known(&self, position: &Position) -> Option<Value> {
        let key = position.state().key()?;
        Some(Value::worth(self.answers.worth_of(key)?, position.empties()))
    }

    fn missing(&self, position: &Position) -> PyErr {
        PyKeyError::new_err(format!(
            "{} does not lead to {}",
            self.root.state().picture(),
            position.state().picture()
        ))
    }

    /// A position with its moves.
    fn situation(&self, position: &Position) -> PyResult<Situation> {
        let ask = |study: &dyn Study| {
            Ok::<_, PyErr>(study.key().and_then(|key| self.answers.worth_of(key)))
        };
        let situation = Situation::of(&**position.state(), ask)?;
        if situation.is_whole() { Ok(situation) } else { Err(self.missing(position)) }
    }
}

#[pymethods]
impl Solution {
    /// The position all others follow from.
    #[getter]
    fn root(&self) -> Position {
        Position::new(self.root.rules(), Arc::clone(self.root.state()))
    }

    /// The value of the root.
    #[getter]
    fn value(&self) -> Value {
        Value::worth(self.answers.worth(), self.root.empties())
    }

    /// Counts per ply, as a Table: histories (nodes), games that end there, distinct positions,
    /// positions up to symmetry, and of those with the game over, won, drawn and lost for the side
    /// to move.
    #[getter]
    fn plies(&self, py: Python<'_>) -> Py<Table> {
        self.plies.clone_ref(py)
    }

    fn __len__(&self) -> usize {
        self.positions as usize
    }

    fn __getitem__(&self, position: &Bound<'_, PyAny>) -> PyResult<Value> {
        let position = self.read(position)?;
        self.known(&position).ok_or_else(|| self.missing(&position))
    }

    fn __contains__(&self, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.known(&self.read(position)?).is_some())
    }

    /// The value of every move for the side that makes it, ascending; empty if the game is over.
    fn moves<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let (py, position) = (position.py(), self.read(position)?);
        let moves = PyDict::new(py);
        for (branch, worth) in self.situation(&position)?.moves {
            let worth = worth.expect("the situation is whole");
            let name = position.rules().move_name(branch.text);
            moves.set_item(name, Value::worth(worth, position.empties()))?;
        }
        Ok(moves)
    }

    /// The moves that attain the value of a position, ascending; empty if the game is over.
    fn best_moves(&self, position: &Bound<'_, PyAny>) -> PyResult<Vec<MoveName>> {
        let position = self.read(position)?;
        let situation = self.situation(&position)?;
        let best = situation.best_moves().map(|branch| branch.text.clone());
        Ok(position.rules().move_names(best))
    }

    /// Every canonical position, one of each set of mirrored and rotated images, as a Table by
    /// ascending key: key uint64, ply uint8, outcome int8 for the side to move, remoteness int16 (null if
    /// play is endless), and the best moves as bits of the canonical position, uint64: bit 0 is the
    /// first column or cell, or the first move of another game.
    fn to_arrow(&self, py: Python<'_>) -> Table {
        py.detach(|| self.table())
    }

    /// The same as NumPy arrays by name.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Py::new(py, self.to_arrow(py))?.into_bound(py).call_method0("to_numpy")
    }

    /// The rows of `to_arrow`, in the form of Arrow's PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        self.to_arrow(py).__arrow_c_stream__(py, requested_schema)
    }

    fn __repr__(&self) -> String {
        let rules = self.root.rules();
        format!("<Solution of {}: {} positions>", rules.title(), self.positions)
    }
}

impl Solution {
    fn table(&self) -> Table {
        let (mut keys, mut plies, mut best) = (Vec::new(), Vec::new(), Vec::new());
        let (mut outcomes, mut remoteness) = (Vec::new(), Vec::new());
        self.answers.rows(&mut |rows| {
            for row in rows {
                keys.push(row.key.0);
                plies.push(row.tier.0);
                outcomes.push(Some(row.worth.outcome().sign()));
                remoteness.push(row.worth.remoteness().map(|plies| plies.0.into()));
                best.push(row.best.0);
            }
        });
        Table::new([
            ("key", Column::Key(keys)),
            ("ply", Column::Small(plies)),
            ("outcome", Column::Sign(outcomes)),
            ("remoteness", Column::Plies(remoteness)),
            ("best", Column::Key(best)),
        ])
    }
}
