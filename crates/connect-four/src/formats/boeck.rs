//! Lines of Markus Böck's opening books: `key, value`
//! (github.com/markus7800/Connect4-Strong-Solver).
//!
//! The key has (height + 1) bits a column, the left column lowest, the bottom row lowest: on top
//! of a column's stones a 1, below it a 1 for every stone of the FIRST player. His program writes
//! it as `((mask << 1) | bottom row) ^ stones of the second player`. In his book every position
//! has 8 plies, so the first player is the side to move.
//!
//! The value is for the side to move: 100 - plies for a win, -(100 - plies) for a loss; a game
//! that is over is -100. Draws are left out.

use super::pons::{digits, integer};
use super::rows::dimensions;
use super::{Record, RecordError};
use crate::game::{Key, Keyed, Outcome, Remoteness, Tiered, Value};
use crate::games::line::notation::some_moves_to;
use crate::games::line::{ConnectFour, Stones};

/// The number of a win in 0 plies.
const MOST: i32 = 100;

/// The numbers of values that are no draws.
pub(super) const VALUES: &str = "a win is 100 - plies with an odd number of plies, a loss the \
                                 negative of that with an even one";

/// Converts a value to a number of the format; `None` for a draw.
pub(super) fn of_value(value: Value) -> Option<i32> {
    let plies = i32::from(value.remoteness.0);
    match value.outcome {
        Outcome::Draw => None,
        outcome => Some(i32::from(outcome.sign()) * (MOST - plies)),
    }
}

/// Converts a number of the format to a value, for a position with this number of empties; `None`
/// if no such value is possible.
pub(super) fn to_value(number: i32, plies_left: u32) -> Option<Value> {
    let plies = MOST - number.abs();
    let outcome = if number > 0 { Outcome::Win } else { Outcome::Loss };
    // The winner's last stone is the r-th from here: r is odd for a win and even for a loss.
    let parity = i32::from(number > 0);
    let fits = (parity..=plies_left as i32).contains(&plies) && plies % 2 == parity;
    (number != 0 && fits).then(|| Value::new(outcome, Remoteness(plies as u8)))
}

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    let fields = text.split(',').count();
    let Some((key, value)) = text.split_once(',').filter(|_| fields == 2) else {
        let remedy = "a line is a key, a comma and a value, as in 4432676799063, -66";
        return Err(RecordError::count("fields", fields, 2, remedy));
    };
    let (key, value) = (key.trim(), value.trim());
    let number = digits(key).ok_or_else(|| RecordError::field("key", key, "a decimal number"))?;
    let position = position_of(game, number)?;
    let moves = some_moves_to(game, position)?;
    let left = game.plies_left(position);
    let value = integer(value).and_then(|value| to_value(value, left)).ok_or_else(|| {
        let expected = format_args!("{VALUES}, {left} plies at most; draws are left out");
        RecordError::field("value", value, expected)
    })?;
    Ok(Record { position, moves, value: Some(value.into()) })
}

pub(super) fn write(game: &ConnectFour, record: &Record) -> Result<String, RecordError> {
    let (needs, remedy) =
        ("a line of Böck's books ends with a value", "convert to key for the position alone");
    let has = "except for draws, which they leave out";
    let value = of_value(record.exact_value(game, needs, remedy)?).ok_or(RecordError::NoValue {
        needs,
        has,
        remedy,
    })?;
    Ok(format!("{}, {value}", key_of(game, record.position)))
}

/// Returns the key of a position.
pub fn key_of(game: &ConnectFour, position: Stones) -> u64 {
    let (first, second) = position.by_player();
    // This program's key marks the stones of the side to move.
    game.key(Stones { own: first, other: second }).0
}

/// Returns the position with this key, which may be one that no game reaches.
fn position_of(game: &ConnectFour, key: u64) -> Result<Stones, RecordError> {
    let (width, height) = dimensions(game);
    let none = RecordError::key(key, game);
    if game.key_bits() < 64 && key >> game.key_bits() != 0 {
        return Err(none);
    }
    let stride = height + 1;
    let field = u64::MAX >> (64 - stride);
    let (mut first, mut second) = (0, 0);
    for column in 0..width {
        let bits = key >> (column * stride) & field;
        if bits == 0 {
            return Err(none);
        }
        let guard = 1u64 << bits.ilog2();
        first |= (bits ^ guard) << (column * stride);
        second |= (!bits & (guard - 1)) << (column * stride);
    }
    let position = Stones::from_players(first, second);
    // The key is also refused if no game has these numbers of stones.
    let (x, o) = (first.count_ones(), second.count_ones());
    if x != o && x != o + 1 {
        return Err(none);
    }
    debug_assert_eq!(Key(key_of(game, position)), Key(key));
    Ok(position)
}
