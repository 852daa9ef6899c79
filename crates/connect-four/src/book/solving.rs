//! The solving of many positions, each by one thread, all on one transposition table; and the bounds
//! that a search has proved on the way, read from that table and backed up.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::values::{BookDetail, Tier, finished_value, position_of};
use crate::control::{Control, Stopped};
use crate::game::{
    Game, Key, MoveSet, Outcome, PartialValue, Ply, Symmetric, Tiered, Value, ValueBounds,
};
use crate::search::ValueWithBest;
use crate::search::in_order::each_in_order;
use crate::solver::Solver;

/// Solves a canonical position with its best moves: those that attain the value, or the outcome if
/// the detail is the outcome.
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

/// Solves canonical positions in this order by `threads` threads, and calls `proven` with each
/// value as soon as it is proved. Returns the number of positions searched. The control counts the
/// positions solved.
///
/// # Errors
/// If the control asks it to stop. Values that `proven` was called with are proved.
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

/// The proved bounds of a canonical position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    pub key: Key,
    /// Moves played since the empty board.
    pub ply: Ply,
    pub bounds: ValueBounds,
    /// All best moves, if the value is exact and they are known.
    pub best: Option<MoveSet>,
}

/// Collects the bounds that the solver knows of the positions in these tiers, ascending by ply and
/// key. Each tier must hold the positions after the moves of the one before; their bounds are
/// backed up.
pub fn collect_table_entries(
    solver: &Solver,
    tiers: &[Tier],
    control: &Control,
) -> Result<Vec<TableEntry>, Stopped> {
    let mut found = Vec::new();
    let mut below = FxHashMap::default();
    for tier in tiers.iter().rev() {
        let mut of_tier = Vec::new();
        for key in tier {
            control.check()?;
            of_tier.extend(table_entry(solver, *key, &below));
        }
        below = of_tier.iter().map(|h| (h.key, h.bounds)).collect();
        of_tier.reverse();
        found.append(&mut of_tier);
    }
    found.reverse();
    Ok(found)
}

/// Returns the bounds of a position from the solver and from the bounds of the next tier, `below`.
fn table_entry(
    solver: &Solver,
    key: Key,
    below: &FxHashMap<Key, ValueBounds>,
) -> Option<TableEntry> {
    let game = solver.game();
    let position = position_of(game, key);
    let ply = position.ply();
    let own = solver.known(position);
    if game.result(position).is_some() {
        return Some(TableEntry { key, ply, bounds: own?, best: Some(MoveSet::EMPTY) });
    }
    let moves: Vec<_> = game
        .moves(position)
        .into_iter()
        .map(|m| {
            let known = below.get(&game.canonical(game.play(position, m)).0).copied();
            (m, known.map(ValueBounds::for_parent))
        })
        .collect();
    let left = game.plies_left(position);
    let nothing = ValueBounds {
        worst: ValueBounds::on_board(PartialValue::of_outcome(Outcome::Loss), left).worst,
        best: ValueBounds::on_board(PartialValue::of_outcome(Outcome::Win), left).best,
    };
    let mut bounds = own.unwrap_or(nothing);
    // The best move is at least as good as every move, and no better than the best of their upper
    // bounds.
    if let Some(worst) = moves.iter().filter_map(|(_, known)| Some((*known)?.worst)).max() {
        bounds.worst = bounds.worst.max(worst);
    }
    if let Some(most) =
        moves.iter().map(|(_, known)| Some((*known)?.best)).collect::<Option<Vec<Value>>>()
        && let Some(best) = most.into_iter().max()
    {
        bounds.best = bounds.best.min(best);
    }
    if bounds == nothing {
        return None;
    }
    let best = bounds.value().and_then(|value| {
        moves.iter().try_fold(MoveSet::EMPTY, |best, (m, known)| match (*known)? {
            known if known.worst == value => Some(best.with(*m)),
            known if known.best < value => Some(best),
            _ => None,
        })
    });
    Some(TableEntry { key, ply, bounds, best })
}
