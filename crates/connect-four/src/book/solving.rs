//! The exact solver applied to the positions of a book.

use std::ops::ControlFlow;

use super::values::{BookDetail, finished_value, position_of};
use crate::solver::Solver;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Key, PartialValue, Tiered, ValueWithBest};
use everyply_core::parallel::in_order::each_in_order;

/// Returns the value of a canonical position in this detail, and the moves that attain it.
pub fn solve(
    solver: &Solver,
    key: Key,
    detail: BookDetail,
    control: &Control,
) -> Result<ValueWithBest, Stopped> {
    let game = solver.game();
    let position = position_of(game, key);
    if let Some(proven) = finished_value(game, position) {
        return Ok(proven);
    }
    let (value, best) = match detail {
        BookDetail::Exact => {
            let value = solver.value(position, control)?.value;
            let best = solver.best_moves(position, value, control)?;
            (value.into(), best)
        }
        BookDetail::Outcome => {
            let (outcome, _) = solver.outcome_only(position, control)?;
            let known = PartialValue::of_outcome(outcome);
            let value = known.on_board(game.plies_left(position)).map_or(known, PartialValue::from);
            (value, solver.moves_to_outcome(position, outcome, control)?)
        }
    };
    Ok(ValueWithBest { value, best: Some(best) })
}

/// Solves canonical positions in the given order on `threads` threads, and calls `proven` with each
/// value as soon as it is proved. Returns the number of positions searched. The control counts the
/// positions solved.
///
/// # Errors
/// If the control asks it to stop. The values passed to `proven` before are proved.
pub fn solve_all(
    solver: &Solver,
    keys: &[Key],
    detail: BookDetail,
    threads: usize,
    control: &Control,
    proven: impl Fn(Key, ValueWithBest) + Sync,
) -> Result<u64, Stopped> {
    let mut keys = keys.iter();
    let work = |&key: &Key, inner: &Control| {
        proven(key, solve(solver, key, detail, inner)?);
        Ok(())
    };
    each_in_order(threads, control, || keys.next(), work, |_| ControlFlow::Continue(()))
}
