//! The checksum of a stored row: SQLite has none of its own, so a bit that flips on the medium
//! would otherwise turn a win into a loss.
//!
//! Each row has its checksum, rather than each page or file: it is checked at every read for the
//! price of some twenty bytes, is valid while a run still writes and after one was killed, moves
//! with the row through `VACUUM` and copies, and other programs can compute it. It cannot show that
//! a row was lost; `check.rs` looks for the damaged pages that lose rows.

use crc32fast::Hasher;

use super::{BoundRow, PositionRow};
use everyply_core::game::{GameId, MoveSet, PartialValue, Remoteness, Value, ValueBounds};

#[derive(Clone, Copy, Debug)]
pub(super) struct Checksum {
    /// The checksum of the game, which begins every row's: a row must not pass for a row of another
    /// board.
    game: u32,
}

/// The byte for NULL.
const NONE: u8 = u8::MAX;

impl Checksum {
    pub fn new(game: &GameId) -> Self {
        let mut hasher = Hasher::new();
        hasher.update(game.name.as_bytes());
        hasher.update(&game.parameters);
        Self { game: hasher.finalize() }
    }

    pub fn position(self, row: &PositionRow) -> u32 {
        let PositionRow { key, ply, value: PartialValue { outcome, remoteness }, best } = row;
        let remoteness = remoteness.map_or(NONE, |Remoteness(plies)| plies);
        let known = u8::from(best.is_some());
        let MoveSet(best) = best.unwrap_or_default();
        let best = best as u64;
        let mut bytes = [0; 20];
        bytes[..8].copy_from_slice(&key.0.to_le_bytes());
        bytes[8..12].copy_from_slice(&[ply.0, outcome.sign().cast_unsigned(), remoteness, known]);
        bytes[12..].copy_from_slice(&best.to_le_bytes());
        self.of(&bytes)
    }

    pub fn bound(self, row: &BoundRow) -> u32 {
        let BoundRow { key, ply, bounds: ValueBounds { worst, best } } = row;
        let [worst, best] = [worst, best]
            .map(|Value { outcome, remoteness }| [outcome.sign().cast_unsigned(), remoteness.0]);
        let mut bytes = [0; 13];
        bytes[..8].copy_from_slice(&key.0.to_le_bytes());
        bytes[8..].copy_from_slice(&[ply.0, worst[0], worst[1], best[0], best[1]]);
        self.of(&bytes)
    }

    fn of(self, bytes: &[u8]) -> u32 {
        let mut hasher = Hasher::new_with_initial(self.game);
        hasher.update(bytes);
        hasher.finalize()
    }
}

/// Returns the number in the column `sum` of a position, bit for bit in a signed integer of 32
/// bits: the CRC-32 (as in zip files) of the game's name, its width, height and line length, a byte
/// each; the key in eight bytes, lowest first; ply; outcome as 1, 0 or 255; remoteness, 255 for
/// NULL; 1 or, if the best moves are NULL, 0; and the best moves in eight bytes, lowest first.
pub fn checksum(game: &GameId, row: &PositionRow) -> u32 {
    Checksum::new(game).position(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::game::{Key, Outcome, Ply};

    #[test]
    fn it_is_the_crc_of_the_documented_bytes() {
        let game = GameId::new("ttt", [3, 4, 2]);
        let row = PositionRow {
            key: Key(0x0807_0605_0403_0201),
            ply: Ply(9),
            value: PartialValue { outcome: Outcome::Loss, remoteness: None },
            best: Some(MoveSet(0x0100)),
        };
        let mut bytes = b"ttt\x03\x04\x02".to_vec();
        bytes.extend([1, 2, 3, 4, 5, 6, 7, 8, 9, 255, 255, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(checksum(&game, &row), crc32fast::hash(&bytes));
        // The usual check value of this CRC.
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    }
}
