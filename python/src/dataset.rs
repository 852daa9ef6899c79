//! Positions of boards of stones as arrays.

use everyply::cli::available_memory;
use everyply::control::Control;
use everyply::game::Key;
use everyply::games::line::{LineGame, Stones, on_board};
use numpy::PyArray1;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::{stopped, value_error};
use crate::position::Position;
use crate::run::Pool;

/// Returns the keys of the unfinished positions some plies below a position, ascending.
#[pyfunction]
pub fn _keys<'py>(
    py: Python<'py>,
    root: &Position,
    plies: i64,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let refusal = |_| value_error(format!("plies {plies}: a number of plies from 0 to 255"));
    let plies = u8::try_from(plies).map_err(refusal)?.into();
    let (Some((rules, size)), Some(start)) = (root.rules.board, root.state.stones::<u64>()) else {
        return Err(value_error(format!(
            "{} has no board of stones to make planes of",
            root.rules.title()
        )));
    };
    let need = root.state.count_estimate(plies).map_or(0.0, |estimate| estimate.bytes);
    let available = available_memory();
    if need > available {
        return Err(PyMemoryError::new_err(format!(
            "the positions of ply {plies} may take {need:.1e} bytes and {available:.1e} are \
             available: ask for fewer plies"
        )));
    }
    let keys = Pool::new(None)?.run(py, None, |control| {
        on_board!(rules, size, |game| keys_after(&game, start, plies, control))
            .map_err(value_error)?
    })?;
    Ok(PyArray1::from_vec(py, keys))
}

fn keys_after(
    game: &(impl LineGame + Sync),
    start: Stones,
    plies: u32,
    control: &Control,
) -> PyResult<Vec<u64>> {
    let mut keys = vec![game.key(start)];
    for _ in 0..plies {
        control.check().map_err(stopped)?;
        keys = next_ply(game, &keys);
    }
    keys.retain(|key| game.result(position_of_key(game, *key)).is_none());
    Ok(keys.into_iter().map(|key| key.0).collect())
}

/// Returns for every position the own and the other stones, row by row from the top.
pub fn planes(game: &impl LineGame, positions: &[Stones]) -> Vec<u8> {
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

fn position_of_key(game: &impl LineGame, key: Key) -> Stones {
    game.position_of(key).expect("the key of a position")
}

/// Returns the keys of the positions one ply later, ascending and each once.
fn next_ply(game: &(impl LineGame + Sync), keys: &[Key]) -> Vec<Key> {
    let children = |key: &Key| {
        let position = position_of_key(game, *key);
        let moves = game.result(position).is_none().then(|| game.moves(position));
        let child = move |m| game.key(game.play(position, m));
        moves.into_iter().flatten().map(child).collect::<Vec<_>>()
    };
    let mut next: Vec<Key> = keys.par_iter().flat_map_iter(children).collect();
    next.par_sort_unstable();
    next.dedup();
    next
}
