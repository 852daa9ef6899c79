//! Sentences that describe a position.

use super::prelude::*;

/// The reason for an unknown value while a search runs.
pub const THINKING: &str = "thinking …";
/// The reason for an unknown value after a search has used its time.
pub const NO_TIME: &str = "not solved within the time limit";

/// The refusal of a question that takes more than its time.
pub fn out_of_time() -> ApiError {
    ApiError::refused(format!("{NO_TIME}: allow a longer timeout, or take a later position"))
}

/// The reason for an unknown value of a game that no engine takes.
pub const TOO_LARGE: &str = "too large to be solved here";

/// A sentence with the side to move after a number of moves, the value and the best moves; or with
/// the game's result. An error is the reason for an unknown value.
pub fn situation(
    record: &GameRecord,
    at: usize,
    branches: &[Branch],
    value: Result<(SourcedValue, MoveSet), &str>,
) -> String {
    let side = record.side_at(at);
    let name = |side: Side| record.side_names()[side as usize];
    match record.course.position_at(at).result() {
        Some(Outcome::Draw) => return "The game is over: a draw.".to_owned(),
        Some(Outcome::Win) => return format!("The game is over: {} wins.", name(side)),
        Some(Outcome::Loss) => return format!("The game is over: {} wins.", name(side.other())),
        None => {}
    }
    let to_move = format!("{} to move", sentence(name(side)));
    let (value, best) = match value {
        Ok((known, best)) => (self::known(record.start(), known, name(side)), best),
        Err(reason) => return format!("{to_move}: {reason}"),
    };
    let best = branches.iter().filter(|branch| best.has(branch.bit));
    let best: Vec<&str> = best.map(|branch| &branch.text[..]).collect();
    match best.len() {
        0 => format!("{to_move}: {value}."),
        1 => format!("{to_move}: {value}; best is {}.", best[0]),
        n if n == branches.len() => format!("{to_move}: {value} with every move."),
        _ => format!("{to_move}: {value}; the best moves are {}.", best.join(", ")),
    }
}

/// A value of a side in words, with the points in games that count them.
pub fn known(position: &dyn Position, known: SourcedValue, side: &str) -> String {
    let value = position.value_for(known.value, side);
    match known.points {
        Some(points) => format!("{value}, {points:+} points if both play for points"),
        None => value,
    }
}

/// A text with its first letter in upper case.
pub fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
