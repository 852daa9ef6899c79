//! Lines of Pascal Pons' test sets: `moves score` (blog.gamesolver.org, "Solving Connect Four",
//! part 2).
//!
//! Columns are counted from 1. The score is for the side to move:
//! [`Score`](crate::solver::Score).

use super::{Record, RecordError};
use crate::game::{Tiered, Value, bracketed};
use crate::games::line::ConnectFour;
use crate::games::line::notation::{IndexBase, parse_moves_from, write_moves_from};
use crate::solver::{score_of, scores, value_of};

/// Converts a score to a value, for a position with this number of empties; `None` if no such value
/// is possible.
///
/// The least score is that of a lost game, so `-(plies_left / 2 + 1)` is a loss in 0 plies.
pub(super) fn to_value(score: i32, plies_left: u32) -> Option<Value> {
    let rest = i32::try_from(plies_left).ok()?;
    scores(rest).contains(&score).then(|| value_of(score, rest))
}

/// The moves and the score of a line, which is that of the empty board if it begins with a blank; `None` if
/// it has one field.
pub(crate) fn fields(line: &str) -> Option<(&str, &str)> {
    bracketed(line).or_else(|| line.split_once([' ', '\t']))
}

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    // The line of the empty board starts with the space.
    let Some((moves, score)) = fields(text) else {
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
