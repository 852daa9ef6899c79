//! The text that describes a position to people.

use crate::game::{MoveSet, Outcome, PartialValue};
use crate::games::line::Stones;
use crate::games::line::notation::side_to_move;
use crate::oracle::Valued;

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
    let results = known.words_for(side);
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
