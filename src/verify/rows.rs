//! A row by itself, and beside its children.

use super::{Checked, Disagreement, name};
use crate::database::{PlyRows, PositionRow};
use crate::game::{MoveSet, Outcome, PartialValue, Remoteness, Value, ValueBounds};
use crate::games::line::notation::some_moves_to;
use crate::games::line::{LineGame, Stones};
use crate::statistics::counted;

/// Counts of rows by how far they could be checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct RowCounts {
    /// Rows.
    pub positions: u64,
    /// Rows with the distance.
    pub with_remoteness: u64,
    /// Positions with the game over, checked by the rules.
    pub over: u64,
    /// Positions whose moves all have known values, from which their own follows.
    pub proved: u64,
    /// Positions with some moves of known value, which bound their own.
    pub bounded: u64,
    /// Positions without a move of known value.
    pub unchecked: u64,
}

/// Checks a row; gives its position, if it is one.
pub(super) fn check<G: LineGame>(
    game: &G,
    row: &PositionRow,
    next: &PlyRows,
    checked: &mut Checked,
) -> Option<Stones> {
    checked.rows.positions += 1;
    checked.rows.with_remoteness += u64::from(row.value.is_exact());
    let found = &mut checked.disagreements;
    let mut report = |check, subject: String, other: String| {
        found.push(Disagreement { check, subject, stored: row.to_string(), other });
    };
    let key = format!("key {}", row.key.0);
    let Some(position) = game.position_of(row.key) else {
        report("row", key, format!("no position of a {} board has this key", game.size()));
        return None;
    };
    if position.ply() != row.ply {
        report(
            "row",
            key,
            format!("the position has {}", counted(position.ply().0.into(), "stone")),
        );
        return None;
    }
    if let Err(error) = some_moves_to(game, position) {
        report("row", key, error.to_string());
        return None;
    }
    if game.canonical(position).0 != row.key {
        report("row", name(game, position), "another image of it is the canonical one".to_owned());
        return None;
    }
    let mut report = |check, other| report(check, name(game, position), other);
    if let Some(outcome) = game.result(position) {
        checked.rows.over += 1;
        let value = Value::over(outcome);
        let best = row.best.is_none_or(MoveSet::is_empty);
        if !row.value.agrees(value.into()) || !best {
            report("row", value.to_string());
        }
        return Some(position);
    }
    let left = game.plies_left(position);
    if let Some(why) = impossible(row.value, left) {
        report("row", why);
        return Some(position);
    }
    let moves = game.moves(position);
    let values = moves.into_iter().map(|m| Some((m, next.value_of_move(game, position, m)?)));
    let known: Vec<_> = values.flatten().collect();
    let all = known.len() == moves.len() as usize;
    let counter = match known.len() {
        _ if all => &mut checked.rows.proved,
        0 => &mut checked.rows.unchecked,
        _ => &mut checked.rows.bounded,
    };
    *counter += 1;
    let range = |value| ValueBounds::on_board(value, left);
    let stored = range(row.value);
    let best_known = known.iter().max_by_key(|(_, value)| range(*value).worst);
    if let Some((m, value)) = best_known
        && stored.best < range(*value).worst
    {
        report("children", format!("move {} is a {value}", m.number()));
        return Some(position);
    }
    if all
        && let Some((m, value)) = known.iter().max_by_key(|(_, value)| range(*value).best)
        && stored.worst > range(*value).best
    {
        report("children", format!("no move is better than {}, a {value}", m.number()));
        return Some(position);
    }
    // The value may be right while the best moves do not attain it.
    if let Some(best) = row.best {
        if best.is_empty() || !best.without(moves).is_empty() {
            report("row", "these are not moves of the position".to_owned());
        }
        for (m, value) in known {
            let there = range(value);
            let attains = there.best >= stored.worst && there.worst <= stored.best;
            let exactly = stored.value().is_some() && there == stored;
            if best.contains(m) && !attains || !best.contains(m) && exactly {
                report("children", format!("move {} is a {value}", m.number()));
            }
        }
    }
    Some(position)
}

/// The reason why a position that is not over cannot have a value with this many empty cells.
fn impossible(value: PartialValue, left: u32) -> Option<String> {
    let Remoteness(plies) = value.remoteness?;
    let fits = match value.outcome {
        Outcome::Win => plies % 2 == 1,
        Outcome::Loss => plies % 2 == 0 && plies > 0,
        Outcome::Draw => u32::from(plies) == left,
    };
    (!fits || u32::from(plies) > left)
        .then(|| format!("with {left} cells empty no {} can be so far", value.outcome))
}

/// Compares a row with the value of another side.
pub(super) fn compare<G: LineGame>(
    game: &G,
    position: Stones,
    row: &PositionRow,
    value: PartialValue,
    check: &'static str,
    who: &str,
) -> Option<Disagreement> {
    // A draw's distance follows from the board, whether or not either side has it.
    (!row.value.agrees(value)).then(|| Disagreement {
        check,
        subject: name(game, position),
        stored: row.value.to_string(),
        other: format!("{who} says {value}"),
    })
}
