//! Lines of moves with a score after them.

use super::{IndexBase, TextBoard, beginning};
use crate::game::{Unreadable, bracketed};
use crate::games::line::{LineGame, Word};

/// The score of the lines of a format: in some of them, or in every one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreField {
    Optional,
    /// Every line has a score: two fields are moves and a score, as in Pons' files.
    Required,
}

/// Divides a line into its moves and its score, as texts; `None` if it has no score.
///
/// A blank before the score is the empty board. Moves may be divided by blanks or commas, or stand in
/// brackets. A last number that cannot be a column is the score.
///
/// # Errors
/// If the last number can be one more move or the score, with the two spellings that mean one thing.
pub fn moves_and_score<'t, W: Word, G: LineGame<W>>(
    game: &G,
    line: &'t str,
    field: ScoreField,
) -> Result<(&'t str, Option<&'t str>), Unreadable> {
    divide(TextBoard::of(game), line, field)
}

fn divide(
    board: TextBoard,
    line: &str,
    field: ScoreField,
) -> Result<(&str, Option<&str>), Unreadable> {
    let line = line.trim_end();
    if let Some((_, rest)) = bracketed(line) {
        let score = Some(rest.trim_start()).filter(|score| !score.is_empty());
        return Ok((&line[..line.len() - rest.len()], score));
    }
    let Some((before, last)) = line.rsplit_once(char::is_whitespace) else {
        return Ok((line, None));
    };
    let before = before.trim_end();
    if line.starts_with(char::is_whitespace) {
        return match before.is_empty() && is_score_of_start(board, last) {
            true => Ok(("", Some(last))),
            false => Err(Unreadable(
                "a line that begins with a blank is the empty board with its score".to_owned(),
            )),
        };
    }
    let words: Vec<&str> = before.split_whitespace().collect();
    let is_one = words.len() == 1 && is_one_move(board, before);
    match last.parse::<i32>().ok().filter(|_| !last.starts_with('+')) {
        // A comma before it makes it one more move.
        _ if before.ends_with(',') && !is_one => Ok((line, None)),
        None if field == ScoreField::Optional => Ok((line, None)),
        Some(_)
            if is_column(board, last)
                && are_columns(board, before)
                && if is_one { field == ScoreField::Optional } else { words.len() > 1 } =>
        {
            let before = beginning(&words.join(" ").replace(',', " "), 60);
            Err(Unreadable(format!(
                "'{}' can be moves, or moves and a score: write {} for moves, [{}] {last} for moves and a \
                 score",
                beginning(line, 60),
                alone(board, &format!("{before} {last}")),
                before.trim_end()
            )))
        }
        _ => Ok((before, Some(last))),
    }
}

/// Refuses moves that look as if a score followed them, `4453 2`, or came alone, ` 1`.
pub(super) fn refuse(board: TextBoard, text: &str) -> Result<(), Unreadable> {
    if !board.rules.stones_fall() || !are_columns(board, text) {
        return Ok(());
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let what = match words[..] {
        [_] if text.starts_with(char::is_whitespace) && is_score_of_start(board, words[0]) => {
            "the empty board"
        }
        [moves, last]
            if !is_one_move(board, moves) && !moves.ends_with(',') && !last.contains(',') =>
        {
            "moves"
        }
        _ => return Ok(()),
    };
    let (text, all) = (beginning(text, 60), alone(board, &beginning(&words.join(" "), 60)));
    Err(Unreadable(format!(
        "'{text}' can be moves ({all}), or {what} and a score: write moves alone"
    )))
}

/// Writes moves divided by blanks without anything that can be a score.
fn alone(board: TextBoard, moves: &str) -> String {
    let between = if IndexBase::One.digits_are_moves(board) { "" } else { "," };
    moves.split_whitespace().collect::<Vec<_>>().join(between)
}

fn is_column(board: TextBoard, word: &str) -> bool {
    word.parse().is_ok_and(|number: u8| (1..=board.size.width).contains(&number))
}

/// Returns true if a text has nothing but digits that can be columns, blanks and commas.
fn are_columns(board: TextBoard, text: &str) -> bool {
    let is_of_digits = IndexBase::One.digits_are_moves(board) && !text.contains(',');
    text.chars().all(|c| match c {
        '0'..='9' if is_of_digits => is_column(board, c.encode_utf8(&mut [0; 4])),
        '0'..='9' | ',' => true,
        c => c.is_whitespace(),
    })
}

/// Returns true if a word is one move, perhaps with a comma after it.
fn is_one_move(board: TextBoard, word: &str) -> bool {
    let word = word.strip_suffix(',').unwrap_or(word);
    !word.contains(',') && (word.len() == 1 || !IndexBase::One.digits_are_moves(board))
}

/// Returns true if a word is a score that the empty board can have.
fn is_score_of_start(board: TextBoard, word: &str) -> bool {
    let most = board.size.cells() as i32 / 2 + 1;
    word.parse::<i32>().is_ok_and(|score| score.abs() <= most)
}
