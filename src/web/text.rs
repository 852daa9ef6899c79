//! Sentences that describe a position.

use crate::game::{MoveSet, Outcome, PartialValue};
use crate::games::line::Stones;
use crate::games::line::notation::side_to_move;
use crate::oracle::Valued;

/// The value of a position whose game is not over, as sentences need it.
pub enum Verdict<'t> {
    /// The value in words, and the best of a number of moves.
    Value { value: String, best: Vec<String>, moves: usize },
    /// The reason for which the value is unknown.
    Unknown(&'t str),
}

/// The reason while a search runs.
pub const THINKING: &str = "thinking …";
/// The reason after a search has used its time.
pub const NO_TIME: &str = "not solved within the time limit";

/// A sentence with the side to move, the value and the best moves; or with the game's result.
pub fn situation(
    side: &str,
    other: &str,
    result: Option<Outcome>,
    verdict: &Verdict<'_>,
) -> String {
    match result {
        Some(Outcome::Draw) => return "The game is over: a draw.".to_owned(),
        Some(Outcome::Win) => return format!("The game is over: {side} wins."),
        Some(Outcome::Loss) => return format!("The game is over: {other} wins."),
        None => {}
    }
    let side = sentence(side);
    let (value, best, moves) = match verdict {
        Verdict::Unknown(why) => return format!("{side} to move: {why}"),
        Verdict::Value { value, best, moves } => (value, best, *moves),
    };
    match best.len() {
        0 => format!("{side} to move: {value}."),
        1 => format!("{side} to move: {value}; best is {}.", best[0]),
        n if n == moves => format!("{side} to move: {value} with every move."),
        _ => format!("{side} to move: {value}; best are {}.", best.join(" ")),
    }
}

/// The same sentence for a board of lines.
pub fn of_stones<G: Valued>(
    game: &G,
    position: Stones<G::Word>,
    value: Option<PartialValue>,
    best: MoveSet,
    partial: bool,
) -> String {
    let (side, other) = if side_to_move(position) == 'X' { ("X", "O") } else { ("O", "X") };
    let verdict = match value {
        Some(value) => Verdict::Value {
            value: value.words_for(side),
            best: best.into_iter().map(|m| m.number().to_string()).collect(),
            moves: game.moves(position).len() as usize,
        },
        None => Verdict::Unknown(if partial { NO_TIME } else { THINKING }),
    };
    situation(side, other, game.result(position), &verdict)
}

/// A text with its first letter in upper case.
pub fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
