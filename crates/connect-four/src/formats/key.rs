//! Keys of this program's databases, [`Keyed::key`], as decimal numbers.

use super::{Record, RecordError};
use crate::game::{Key, Keyed};
use crate::games::line::notation::some_moves_to;
use crate::games::line::{ConnectFour, Stones};

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    let expected = "a decimal number without a sign, as `analyze export` writes it";
    let found = number(text).ok_or_else(|| RecordError::field("key", text, expected))?;
    let position = game.position_of(Key(found)).ok_or_else(|| RecordError::key(found, game))?;
    let moves = some_moves_to(game, position)?;
    Ok(Record { position, moves, value: None })
}

pub(super) fn write(game: &ConnectFour, position: Stones) -> String {
    game.key(position).0.to_string()
}

/// Parses a whole number that consists of digits only.
pub(super) fn number(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
