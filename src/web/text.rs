//! The text that describes a position to people.

use std::fmt::Display;

use crate::game::{MoveSet, Outcome, PartialValue};
use crate::games::line::Stones;
use crate::games::line::notation::side_to_move;
use crate::oracle::Valued;

/// A value in words, for the side to move: `win in 41 plies`.
pub fn value_in_words(PartialValue { outcome, remoteness }: PartialValue) -> String {
    let plies = |r| if r == 1 { "1 ply".to_owned() } else { format!("{r} plies") };
    match remoteness {
        Some(r) => format!("{outcome} in {}", plies(r.0)),
        None => outcome.to_string(),
    }
}

/// A value for one side in words: `win in 41 plies for X`, `draw in 9 plies`.
pub fn value_for(value: PartialValue, side: impl Display) -> String {
    match value.outcome {
        Outcome::Draw => value_in_words(value),
        _ => format!("{} for {side}", value_in_words(value)),
    }
}

/// Who is to move, what it is worth, and what is best.
pub fn situation<G: Valued>(
    game: &G,
    position: Stones<G::Word>,
    value: Option<PartialValue>,
    best: MoveSet,
    partial: bool,
) -> String {
    let side = side_to_move(position);
    let other = if side == 'X' { 'O' } else { 'X' };
    match game.result(position) {
        Some(Outcome::Draw) => return "The game is over: a draw.".to_owned(),
        Some(_) => return format!("The game is over: {other} wins."),
        None => {}
    }
    let Some(known) = value else {
        let why = if partial { "not solved in the time there is" } else { "thinking …" };
        return format!("{side} to move: {why}");
    };
    let results = value_for(known, side);
    let numbers: Vec<String> = best.into_iter().map(|m| m.number().to_string()).collect();
    match numbers.len() {
        0 => format!("{side} to move: {results}."),
        1 => format!("{side} to move: {results}; best is {}.", numbers[0]),
        n if n == game.moves(position).len() as usize => {
            format!("{side} to move: {results}, whatever is played.")
        }
        _ => format!("{side} to move: {results}; best are {}.", numbers.join(" ")),
    }
}
