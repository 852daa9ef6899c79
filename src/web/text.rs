//! The text that describes a position to people.

use crate::game::{MoveSet, Outcome, PartialValue};
use crate::games::line::Stones;
use crate::games::line::notation::side_to_move;
use crate::oracle::Valued;

/// What is known of a position whose game goes on.
pub enum Told<'t> {
    /// The value, and the best of a number of moves.
    Value { value: String, best: Vec<String>, moves: usize },
    /// Why there is no value.
    Nothing(&'t str),
}

/// Why there is no value yet.
pub const THINKING: &str = "thinking …";
/// Why there is none.
pub const NO_TIME: &str = "not solved in the time there is";

/// Who is to move, what it is worth, and what is best; or how the game ended.
pub fn situation(side: &str, other: &str, result: Option<Outcome>, told: &Told<'_>) -> String {
    match result {
        Some(Outcome::Draw) => return "The game is over: a draw.".to_owned(),
        Some(Outcome::Win) => return format!("The game is over: {side} wins."),
        Some(Outcome::Loss) => return format!("The game is over: {other} wins."),
        None => {}
    }
    let side = sentence(side);
    let (value, best, moves) = match told {
        Told::Nothing(why) => return format!("{side} to move: {why}"),
        Told::Value { value, best, moves } => (value, best, *moves),
    };
    match best.len() {
        0 => format!("{side} to move: {value}."),
        1 => format!("{side} to move: {value}; best is {}.", best[0]),
        n if n == moves => format!("{side} to move: {value}, whatever is played."),
        _ => format!("{side} to move: {value}; best are {}.", best.join(" ")),
    }
}

/// The same of a board of stones and lines.
pub fn of_stones<G: Valued>(
    game: &G,
    position: Stones<G::Word>,
    value: Option<PartialValue>,
    best: MoveSet,
    partial: bool,
) -> String {
    let (side, other) = if side_to_move(position) == 'X' { ("X", "O") } else { ("O", "X") };
    let told = match value {
        Some(value) => Told::Value {
            value: value.words_for(side),
            best: best.into_iter().map(|m| m.number().to_string()).collect(),
            moves: game.moves(position).len() as usize,
        },
        None => Told::Nothing(if partial { NO_TIME } else { THINKING }),
    };
    situation(side, other, game.result(position), &told)
}

/// A text as a sentence begins.
pub fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
