//! Values that are solved anew, against the values of a file.

use super::rows::{compare, words_of};
use super::{Disagreement, name_of};
use crate::database::PositionRow;
use crate::oracle::{Oracle, OracleError};
use everyply_core::control::{Control, Stopped};
use everyply_core::parallel;
use everyply_registry::registry::Position;

/// The result of solving positions anew.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Positions that were solved.
    pub solved: u64,
    /// Solved positions whose value agrees.
    pub agreements: u64,
    /// Positions that were left out: the time was up, or there is no engine for them.
    pub unsolved: u64,
    pub disagreements: Vec<Disagreement>,
}

/// Solves rows of a game, given by its start, anew, and reports those with another value. `control`
/// counts work in rows, the last one first; `searching` is a part of it that counts the work of the
/// searches and may have a deadline.
///
/// # Errors
/// If the control asks to stop, or there is no memory for an engine.
pub fn resolve(
    start: &dyn Position,
    rows: &[PositionRow],
    oracle: &Oracle,
    [control, searching]: [&Control; 2],
) -> Result<Resolved, OracleError> {
    if rows.is_empty() {
        return Ok(Resolved::default());
    }
    match oracle.prepare(start, searching) {
        Ok(()) | Err(OracleError::Stopped(_)) => {}
        Err(error) => return Err(error),
    }
    let found = parallel::map(rows.len(), &|i| {
        let checked = check(start, &rows[rows.len() - 1 - i], oracle, searching);
        control.advance(1);
        checked
    });
    control.check()?;
    let mut resolved = Resolved::default();
    for found in found.into_iter().rev() {
        match found {
            Ok(found) => {
                resolved.solved += 1;
                resolved.agreements += u64::from(found.is_none());
                resolved.disagreements.extend(found);
            }
            Err(OracleError::Stopped(Stopped) | OracleError::Engine { .. }) => {
                resolved.unsolved += 1;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(resolved)
}

/// Solves a row anew: with its distance if the row has one. Compares the best moves if the value
/// agrees.
fn check(
    start: &dyn Position,
    row: &PositionRow,
    oracle: &Oracle,
    control: &Control,
) -> Result<Option<Disagreement>, OracleError> {
    let position = start.of_key(row.key).expect("checked before");
    let (solved, _) = match row.value.is_exact() {
        true => oracle.prove_with_progress(&*position, control, &mut |_| ())?,
        false => oracle.prove_outcome(&*position, control)?,
    };
    let wrong = compare(start, row, position.whole(solved.value), "sample", "the solver");
    let is_whole = position.whole(row.value).is_exact() || position.plies_left().is_none();
    let (Some(best), None, None, true) = (row.best, &wrong, position.result(), is_whole) else {
        return Ok(wrong);
    };
    let attaining = oracle.best_moves(&*position, control)?;
    Ok((attaining != best).then(|| Disagreement {
        check: "sample",
        subject: name_of(start, row.key),
        stored: Some(format!("best moves {}", words_of(&*position, best))),
        other: format!("the solver says {}", words_of(&*position, attaining)),
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::oracle::OracleFiles;
    use everyply_core::game::{Chosen, Outcome, Value};
    use everyply_registry::registry::builtin;

    #[test]
    fn positions_are_counted_and_left_out_when_the_time_is_up() {
        let chosen = Chosen { size: Some((5, 4)), ..Chosen::default() };
        let start = builtin().find("connect4").unwrap().choose(&chosen).unwrap();
        let row = |moves: &str, value: Value| {
            let position = start.read(moves).unwrap();
            let (key, _) = position.canonical().unwrap();
            PositionRow { key, ply: position.tier(), value: value.into(), best: None }
        };
        let draw = |plies| Value::new(Outcome::Draw, everyply_core::game::Remoteness(plies));
        let rows = [row("", draw(20)), row("3333", draw(16)), row("1", draw(19))];
        let oracle = Oracle::new(OracleFiles::default(), 1);
        let whole = Arc::new(Control::default());
        let searching = Control::part_of(&whole);
        let found = resolve(&*start, &rows, &oracle, [&whole, &searching]).unwrap();
        assert_eq!((found.solved, found.unsolved), (3, 0));
        // The work of the searches is counted apart.
        assert_eq!(whole.progress().0, 3);
        assert!(searching.progress().0 > 3);
        let late = Control::part_of(&whole);
        late.limit(Some(Duration::ZERO));
        let unused = Oracle::new(OracleFiles::default(), 1);
        let found = resolve(&*start, &rows, &unused, [&whole, &late]).unwrap();
        assert_eq!((found.solved, found.unsolved), (0, 3));
        whole.stop();
        let stopped = resolve(&*start, &rows, &unused, [&whole, &Control::part_of(&whole)]);
        assert!(matches!(stopped, Err(OracleError::Stopped(_))));
    }
}
