//! Positions of random games.

use std::collections::HashSet;
use std::sync::Arc;

use everyply::control::Control;
use everyply::game::{Game, Keyed};
use everyply::games::line::{AnyGame, Stones};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::stopped;
use crate::position::{Position, root_of};
use crate::rules::State;
use crate::run::Pool;

/// Random games in a row that lead to nothing new before the search for more is given up.
const PATIENCE: u32 = 100_000;

/// The plies of the positions wanted, below the root: one, or from the first to the last.
#[derive(FromPyObject)]
pub enum Plies {
    One(u32),
    Range((u32, u32)),
}

/// Different positions of random games: each is reached by moves drawn at random, with the number of
/// moves drawn at random as well. No game is over.
///
/// game: a game, its name, or a position to begin at. number: how many positions.
/// plies: the number of moves from there, or the least and the most as (8, 30); any for None.
/// seed: equal seeds give the same positions.
///
/// Returns keys, as an array of shape (n,) and type uint64, which `Solver.values`,
/// `Solver.all_moves`, `planes` and `from_key` of the game take.
///
/// Raises ValueError if so many are not found.
#[pyfunction]
#[pyo3(signature = (game, number, *, plies=None, seed=0))]
pub fn random_positions<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    number: usize,
    plies: Option<Plies>,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let root = root_of(game)?;
    root.rules().check_keys()?;
    /// Plies of games that may be endless.
    const ENDLESS: u32 = 64;
    let most = root.state().plies_left().unwrap_or(ENDLESS).saturating_sub(1);
    let (least, most) = match plies {
        None => (0, most),
        Some(Plies::One(plies)) => (plies, plies),
        Some(Plies::Range((least, most))) => (least, most),
    };
    if least > most || most > 255 {
        return Err(PyValueError::new_err(format!(
            "plies ({least}, {most}): the least and the most number of moves, at most 255"
        )));
    }
    let keys = Pool::new(Some(1))?.run(py, None, |control| {
        let mut random = Random(seed);
        match root.rules().stones(root.state()) {
            Some((game, stones)) => {
                draw(number, least, most, control, &mut random, |plies, random| {
                    of_board(game, stones, plies, random)
                })
            }
            None => draw(number, least, most, control, &mut random, |plies, random| {
                of_game(&root, plies, random)
            }),
        }
    })?;
    Ok(PyArray1::from_vec(py, keys))
}

fn draw(
    number: usize,
    least: u32,
    most: u32,
    control: &Control,
    random: &mut Random,
    mut one: impl FnMut(u32, &mut Random) -> Option<u64>,
) -> PyResult<Vec<u64>> {
    let (mut seen, mut keys, mut in_vain) = (HashSet::new(), Vec::new(), 0);
    while keys.len() < number {
        let plies = least + random.below(most - least + 1);
        if let Some(key) = one(plies, random)
            && seen.insert(key)
        {
            keys.push(key);
            in_vain = 0;
            continue;
        }
        in_vain += 1;
        if in_vain % 1024 == 0 {
            control.check().map_err(stopped)?;
        }
        if in_vain == PATIENCE {
            return Err(PyValueError::new_err(format!(
                "number {number}: only {} positions of {least} to {most} plies were found",
                keys.len()
            )));
        }
    }
    Ok(keys)
}

/// The key of the position after random moves on a board; `None` if the game ends before.
fn of_board(game: &AnyGame, root: Stones, plies: u32, random: &mut Random) -> Option<u64> {
    let mut position = root;
    for _ in 0..plies {
        if game.result(position).is_some() {
            return None;
        }
        let moves = game.moves(position);
        let m = moves.into_iter().nth(random.below(moves.0.count_ones()) as usize)?;
        position = game.play(position, m);
    }
    game.result(position).is_none().then(|| game.key(position).0)
}

/// The same of any game.
fn of_game(root: &Position, plies: u32, random: &mut Random) -> Option<u64> {
    let mut state: State = Arc::clone(root.state());
    for _ in 0..plies {
        let mut branches = state.branches();
        if branches.is_empty() {
            return None;
        }
        let chosen = random.below(branches.len() as u32) as usize;
        state = branches.swap_remove(chosen).to.into();
    }
    state.result().is_none().then(|| state.key().map(|key| key.0))?
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; the bias for numbers as small as those of moves is below 1 in 2^24.
    fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }
}
