//! Moves against the clock, on any board of Connect Four.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use everyply::connect_four::solver::Solver;
use everyply::control::Control;
use everyply::game::{Game, Move, MoveSet, Outcome, Value, ValueBounds};
use everyply::games::line::notation::parse_picture;
use everyply::games::line::{AnyGame, LineGame, Rules, Size, Stones};
use everyply::opponent::Opponent;
use pyo3::prelude::*;

use crate::run::Pool;

/// A game is solved with a table of its own, which lasts for the whole process: an agent is asked
/// for one move after the other.
static SOLVERS: Mutex<Vec<(Size, Arc<Solver>)>> = Mutex::new(Vec::new());

/// Solvers that are kept.
const KEPT: usize = 4;

/// The most MiB of a table: a larger one is not filled in the time of a move, and to begin with takes
/// some of it.
const LARGEST_TABLE: u64 = 32;

/// Plies that a search looks ahead for moves that are not proved.
const PLIES: u32 = 8;

/// The best move that is found in time, as a column counted from 0, and whether it is proved; None
/// if there is no solver for the board, or no game reaches the position.
///
/// picture: rows from the top separated by "/", X for the first player.
#[pyfunction]
pub fn _connect(
    py: Python<'_>,
    width: u8,
    height: u8,
    line: u8,
    picture: &str,
    seconds: f64,
) -> PyResult<Option<(u8, bool)>> {
    let begun = Instant::now();
    let Ok(size) = Size::new(width, height, line) else { return Ok(None) };
    let Ok(game) = AnyGame::of_size(Rules::ConnectFour, size) else { return Ok(None) };
    let Some(solver) = solver(&game) else { return Ok(None) };
    let Ok((position, _)) = parse_picture(&game, picture) else { return Ok(None) };
    if game.result(position).is_some() {
        return Ok(None);
    }
    let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO);
    let (m, proved) = Pool::new(None)?.run(py, None, |control| {
        control.limit(Some(limit.saturating_sub(begun.elapsed())));
        Ok(choose(&solver, &game, position, control))
    })?;
    Ok(Some(((m.number() - 1) as u8, proved)))
}

fn solver(game: &AnyGame) -> Option<Arc<Solver>> {
    if !Solver::serves(game) {
        return None;
    }
    let mut solvers = SOLVERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, solver)) = solvers.iter().find(|(size, _)| *size == game.size()) {
        return Some(Arc::clone(solver));
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mib = Solver::default_table(game.size(), threads).min(LARGEST_TABLE);
    let solver = Arc::new(Solver::new(game.size(), mib).ok()?);
    solvers.truncate(KEPT - 1);
    solvers.insert(0, (game.size(), Arc::clone(&solver)));
    Some(solver)
}

/// A best move, or where time is up the best of what is proved so far and a short search.
fn choose(solver: &Solver, game: &AnyGame, position: Stones, control: &Control) -> (Move, bool) {
    let moves = game.moves(position);
    let in_order = || game.centre_first().iter().copied().filter(|&m| moves.contains(m));
    let best = |set: MoveSet| in_order().find(|&m| set.contains(m));
    let solved = solver.value(position, control);
    let perfect = solved.and_then(|solved| solver.best_moves(position, solved.value, control));
    if let Some(m) = perfect.ok().and_then(best) {
        return (m, true);
    }
    // What the table has by now, each for the side that makes the move.
    let known: Vec<(Move, Value)> = in_order()
        .filter_map(|m| {
            let next = game.play(position, m);
            let value = match game.result(next) {
                Some(outcome) => Some(Value::over(outcome)),
                None => solver.known(next).and_then(ValueBounds::value),
            };
            Some((m, value?.for_parent()))
        })
        .collect();
    if let Some((m, _)) = known.iter().find(|(_, value)| value.outcome == Outcome::Win) {
        return (*m, true);
    }
    let lost = |m: &Move| known.iter().any(|(n, v)| n == m && v.outcome == Outcome::Loss);
    let ahead: MoveSet =
        game.seen_ahead(position, PLIES).into_iter().filter(|m| !lost(m)).collect();
    let open = in_order().find(|m| !lost(m));
    let longest = || known.iter().max_by_key(|(_, value)| value.remoteness).map(|(m, _)| *m);
    let m = best(ahead).or(open).or_else(longest);
    (m.expect("a position that is not over has a move"), false)
}
