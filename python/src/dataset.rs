//! Positions with their values as arrays for training.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use everyply::cli::available_memory;
use everyply::control::Control;
use everyply::game::{Game, Keyed, PartialValue, Tiered};
use everyply::games::line::{AnyGame, GraphEstimate, LineGame, Stones};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::Columns;
use crate::board_solution::{next_ply, position as position_of_key};
use crate::errors::{stopped, value_error};
use crate::position::{missing, position_and, root_at};
use crate::rules::State;
use crate::run::Progress;
use crate::solver::Solver;

/// Every position a number of plies below the start of a game, or a position, with its exact value, as
/// arrays for training. Games that are over are left out.
///
/// game: a game, its name, or a position. position: one of that game, as moves or a Position.
/// plies: the number of plies below the root.
/// solver: the source of values that no book has; a new Solver for None.
/// progress: True for a bar (needs tqdm), or a function of (positions valued, all positions).
///
/// Returns Dataset: arrays of n rows by ascending key: key, planes, outcome, remoteness, score and
/// moves.
///
/// Raises ValueError for a game that has no board of stones, MemoryError if it does not fit.
#[pyfunction]
#[pyo3(signature = (game, position=None, plies=None, *, solver=None, progress=None))]
pub fn dataset<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    position: Option<&Bound<'py, PyAny>>,
    plies: Option<i64>,
    solver: Option<&Bound<'py, Solver>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (position, plies) = position_and(position, plies);
    let plies = plies.ok_or_else(|| missing("plies"))?;
    let root = root_at(game, position)?;
    let plies = u32::try_from(plies)
        .ok()
        .filter(|plies| *plies <= 255)
        .ok_or_else(|| value_error(format!("plies {plies}: a number of plies from 0 to 255")))?;
    let Some((game, start)) = root.rules.stones(&root.state) else {
        return Err(value_error(format!(
            "{} has no board of stones to make planes of",
            root.rules.title()
        )));
    };
    let solver = match solver {
        Some(solver) => solver.clone(),
        None => Bound::new(py, Solver::of(&root.rules)?)?,
    };
    let solver = solver.get();
    solver.check_game(&root.rules)?;
    let (need, available) = (GraphEstimate::of_count(game, start, plies).bytes, available_memory());
    if need > available {
        return Err(PyMemoryError::new_err(format!(
            "the positions of ply {plies} may take {need:.1e} bytes and {available:.1e} are \
             available: ask for fewer plies"
        )));
    }
    let keys = solver.pool.run(py, None, |control| {
        let mut keys = vec![game.key(start)];
        for _ in 0..plies {
            control.check().map_err(stopped)?;
            keys = next_ply(game, &keys, false);
        }
        keys.retain(|key| game.result(position_of_key(game, *key)).is_none());
        Ok(keys)
    })?;
    let progress = Progress::of(progress, keys.len() as u64, "positions")?;
    let done = AtomicU64::new(0);
    let (columns, planes, moves) =
        solver.pool.run_counting(py, progress.as_ref(), Some(&done), |control| {
            let all: Vec<Stones> = keys.par_iter().map(|key| position_of_key(game, *key)).collect();
            let state = |position: &Stones| {
                root.state.of_key(game.key(*position)).expect("a position of the board").into()
            };
            let states: Vec<State> = all.iter().map(|position| state(position)).collect();
            let values = solver.values_of(&states, control, &done)?;
            let mut columns = Columns::with_capacity(all.len());
            for (value, position) in values.into_iter().zip(&all) {
                columns.push(Some(value), Some(game.plies_left(*position)));
            }
            Ok((columns, planes(game, &all), masks(game, &all)))
        })?;
    let n = keys.len();
    let size = game.size();
    let planes = PyArray1::from_vec(py, planes);
    let planes = planes.reshape([n, 2, usize::from(size.height), usize::from(size.width)])?;
    let moves = PyArray1::from_vec(py, moves).reshape([n, game.centre_first().len()])?;
    let keys = PyArray1::from_vec(py, keys.into_iter().map(|key| key.0).collect());
    let values = columns.into_python(py)?;
    let class = py.import("everyply._values")?.getattr("Dataset")?;
    class.call1((
        keys,
        planes,
        values.getattr("outcome")?,
        values.getattr("remoteness")?,
        values.getattr("score")?,
        moves,
    ))
}

/// For every position the stones of the side to move and those of the other, row by row from the
/// top.
pub fn planes(game: &AnyGame, positions: &[Stones]) -> Vec<u8> {
    let size = game.size();
    let cells: Vec<u64> = (0..u32::from(size.height))
        .flat_map(|row| (0..u32::from(size.width)).map(move |column| (column, row)))
        .map(|(column, row)| game.cell(column, row))
        .collect();
    let mut planes = vec![0; positions.len() * 2 * cells.len()];
    planes.par_chunks_mut(2 * cells.len()).zip(positions).for_each(|(planes, position)| {
        let (own, other) = planes.split_at_mut(cells.len());
        for (i, cell) in cells.iter().enumerate() {
            own[i] = u8::from(position.own & cell != 0);
            other[i] = u8::from(position.other & cell != 0);
        }
    });
    planes
}

/// For every position whether each column or cell can be played.
fn masks(game: &AnyGame, positions: &[Stones]) -> Vec<bool> {
    let most = game.centre_first().len();
    let mut masks = vec![false; positions.len() * most];
    masks.par_chunks_mut(most).zip(positions).for_each(|(mask, position)| {
        for m in game.moves(*position) {
            mask[usize::from(m.0)] = true;
        }
    });
    masks
}

impl Solver {
    /// The values of positions: known values first, then the others by search.
    pub fn values_of(
        &self,
        positions: &[State],
        control: &Control,
        done: &AtomicU64,
    ) -> PyResult<Vec<PartialValue>> {
        let known = |position: &State| {
            let known = self.engine.known(position);
            done.fetch_add(known.is_some().into(), Relaxed);
            known
        };
        let mut values: Vec<Option<PartialValue>> = positions.par_iter().map(known).collect();
        let open: Vec<usize> = (0..values.len()).filter(|&i| values[i].is_none()).collect();
        let states: Vec<State> = open.iter().map(|&i| Arc::clone(&positions[i])).collect();
        let mut found = open.iter();
        self.engine.values(&states, self.pool.threads, control, |value| {
            if let Some(&i) = found.next() {
                values[i] = Some(value);
            }
            done.fetch_add(1, Relaxed);
        })?;
        Ok(values.into_iter().map(|value| value.expect("each was valued")).collect())
    }
}
