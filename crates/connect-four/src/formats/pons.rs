//! Lines of Pascal Pons' test sets: `moves score` (blog.gamesolver.org, "Solving Connect Four",
//! part 2).
//!
//! Columns are counted from 1. The score is for the side to move:
//! [`Score`](crate::solver::Score).

use super::{Record, RecordError};
use crate::solver::{score_of, scores, value_of};
use everyply_core::game::{Tiered, Value};
use everyply_core::games::line::ConnectFour;
use everyply_core::games::line::notation::{
    IndexBase, ScoreField, moves_and_score, parse_moves_from, write_moves_from,
};

/// Converts a score to a value, for a position with this number of empties; `None` if no such value
/// is possible.
///
/// The least score is that of a lost game, so `-(plies_left / 2 + 1)` is a loss in 0 plies.
pub(super) fn to_value(score: i32, plies_left: u32) -> Option<Value> {
    let rest = i32::try_from(plies_left).ok()?;
    scores(rest).contains(&score).then(|| value_of(score, rest))
}

/// The moves and the score of a line; `None` if it has one field.
pub(super) fn fields<'t>(
    game: &ConnectFour,
    line: &'t str,
) -> Result<Option<(&'t str, &'t str)>, RecordError> {
    let (moves, score) = moves_and_score(game, line, ScoreField::Required)?;
    Ok(score.map(|score| (moves, score)))
}

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    let Some((moves, score)) = fields(game, text)? else {
        let remedy = "a line is moves, a space and the score; moves alone are of the format moves1 \
                      or moves0";
        return Err(RecordError::count("field", 1, 2, remedy));
    };
    let (position, moves) = parse_moves_from(game, moves, IndexBase::One)?;
    let left = game.plies_left(position);
    let value = integer(score.trim()).and_then(|score| to_value(score, left));
    let Some(value) = value else {
        let (least, most) = scores(left as i32).into_inner();
        let expected =
            format_args!("with {left} cells empty it is a whole number from {least} to {most}");
        return Err(RecordError::field("score", score.trim(), expected));
    };
    Ok(Record { position, moves, value: Some(value.into()) })
}

pub(super) fn write(game: &ConnectFour, record: &Record) -> Result<String, RecordError> {
    let left = game.plies_left(record.position);
    let remedy = "convert to moves1 and have the scores solved";
    let value = record.exact_value(game, "a Pons line ends with a score", remedy)?;
    let moves = write_moves_from(game, &record.moves, IndexBase::One);
    Ok(format!("{moves} {}", score_of(value, left as i32)))
}

/// Parses a whole number without a plus sign.
fn integer(text: &str) -> Option<i32> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}
