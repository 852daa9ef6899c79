//! Keys of this program's databases, [`LineGame::key`], as decimal numbers.

use super::{Record, RecordError};
use crate::game::{Key, Keyed};
use crate::games::line::notation::some_moves_to;
use crate::games::line::{ConnectFour, LineGame, Stones};

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    let found = number(text).ok_or_else(|| RecordError::InvalidField {
        what: "key",
        found: text.to_owned(),
        expected: "a decimal number without a sign, as `analyze export` writes it".to_owned(),
    })?;
    let position = game
        .position_of(Key(found))
        .ok_or_else(|| RecordError::NotAKey { found, board: game.size().board() })?;
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
