//! Records of Sidney Cadot's whole boards (github.com/sidneycadot/connect4, `7x6/README.txt`): the
//! number of a position, then its value, big-endian and ascending.
//!
//! The number has a digit for every column, in the base of the columns there are: a column is its
//! rank among all of them by the ternary number of its stones, 1 for the first player and 2 for the
//! second, the bottom one lowest. A column in which a line stands has no stone above that line. Of
//! a position and its mirror image the lower number is meant.
//!
//! A record takes the bytes of the largest number and one for the value: 7 on 7x6, 6 on 6x5, 5 on
//! 5x4. The value is for the players, not for the side to move.

use super::bit_bully::FixedRecords;
use super::{Record, RecordError, boeck};
use crate::game::{Outcome, Remoteness, Tiered, Value};
use crate::games::line::notation::position_of_players;
use crate::games::line::{ConnectFour, LineGame, Stones};

/// The high bits of a value: a win of the first player, or of the second; 0 is a draw. The others
/// are the plies to the end.
const FIRST_WINS: u64 = 0x40;
const SECOND_WINS: u64 = 0x80;
const PLIES: u64 = 0x3F;

/// The records of a board.
#[derive(Clone, Debug)]
pub struct CadotRecords {
    /// The ternary numbers of all columns, ascending.
    columns: Vec<u32>,
    /// The bytes of a position.
    bytes: u32,
}

impl CadotRecords {
    /// Creates the records of a board.
    ///
    /// # Errors
    /// If a record takes more than 64 bits.
    pub fn new(game: &ConnectFour) -> Result<Self, RecordError> {
        let size = game.size();
        let mut columns = Vec::new();
        // A column: its number, its height, and the length and player of the run on top.
        let mut open = vec![(0, 0, 0, 0)];
        while let Some((number, height, run, player)) = open.pop() {
            columns.push(number);
            if height < u32::from(size.height) && run < u32::from(size.line) {
                open.extend([1, 2].map(|next| {
                    let run = if next == player { run + 1 } else { 1 };
                    (number + next * 3u32.pow(height), height + 1, run, next)
                }));
            }
        }
        columns.sort_unstable();
        let boards = (columns.len() as u128).pow(size.width.into());
        let bytes = (boards - 1).ilog2() / 8 + 1;
        if bytes > 7 {
            let why = format!("its records on {} would take more than 8 bytes", size.board());
            return Err(RecordError::Invalid(why));
        }
        Ok(Self { columns, bytes })
    }

    /// Returns the record of a position of known value as a number. Records are sorted by it.
    pub fn number(&self, game: &ConnectFour, position: Stones, value: Value) -> u64 {
        let (first, second) = position.by_player();
        let size = game.size();
        let digit = |column: u32| {
            let cell = |row: u32| game.cell(column, u32::from(size.height) - 1 - row);
            let stones = (0..u32::from(size.height)).map(|row| {
                let stone =
                    u32::from(first & cell(row) != 0) + 2 * u32::from(second & cell(row) != 0);
                stone * 3u32.pow(row)
            });
            self.columns.binary_search(&stones.sum()).expect("a column of a game") as u64
        };
        let digits: Vec<u64> = (0..size.width.into()).map(digit).collect();
        let shift = |number: u64, digit: &u64| number * self.columns.len() as u64 + digit;
        let images = [digits.iter().rev().fold(0, shift), digits.iter().fold(0, shift)];
        let of_first =
            if position.ply().is_second_players_turn() { -value.outcome } else { value.outcome };
        let outcome = match of_first {
            Outcome::Win => FIRST_WINS,
            Outcome::Draw => 0,
            Outcome::Loss => SECOND_WINS,
        };
        images[0].min(images[1]) << 8 | outcome | u64::from(value.remoteness.0)
    }

    /// Returns the bytes of a record.
    #[must_use]
    pub fn bytes(&self, number: u64) -> Vec<u8> {
        number.to_be_bytes()[8 - self.length()..].to_vec()
    }
}

impl FixedRecords for CadotRecords {
    fn length(&self) -> usize {
        self.bytes as usize + 1
    }

    fn order(&self, bytes: &[u8]) -> i64 {
        // The value takes no part; a position has one record.
        (big_endian(bytes) >> 8) as i64
    }

    fn decode(&self, game: &ConnectFour, bytes: &[u8]) -> Result<Record, RecordError> {
        let number = big_endian(bytes);
        let (mut digits, size) = (number >> 8, game.size());
        let (mut first, mut second) = (0, 0);
        for column in 0..size.width.into() {
            let base = self.columns.len() as u64;
            let mut stones = self.columns[(digits % base) as usize];
            digits /= base;
            for row in (0..u32::from(size.height)).rev() {
                match stones % 3 {
                    1 => first |= game.cell(column, row),
                    2 => second |= game.cell(column, row),
                    _ => {}
                }
                stones /= 3;
            }
        }
        if digits != 0 {
            return Err(RecordError::key(number >> 8, game));
        }
        let (position, moves) = position_of_players(game, first, second)?;
        let (plies, left) = ((number & PLIES) as u8, game.plies_left(position));
        let sign = if position.ply().is_second_players_turn() { -1 } else { 1 };
        let win = |sign: i32| boeck::to_value(sign * (100 - i32::from(plies)), left);
        let value = match number & !PLIES & 0xFF {
            0 if u32::from(plies) == left => Some(Value::new(Outcome::Draw, Remoteness(plies))),
            FIRST_WINS => win(sign),
            SECOND_WINS => win(-sign),
            _ => None,
        };
        let value = value.ok_or_else(|| {
            let expected = format_args!(
                "64 and the plies of a win of the first player, 128 and those of the second, or \
                 the {left} plies of a draw"
            );
            RecordError::field("value", &(number & 0xFF).to_string(), expected)
        })?;
        Ok(Record { position, moves, value: Some(value.into()) })
    }
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::bit_bully::BookRecords;
    use crate::games::line::Size;
    use crate::games::line::notation::parse_moves;

    fn board(width: u8, height: u8) -> (ConnectFour, CadotRecords) {
        let game = ConnectFour::new(Size { width, height, line: 4 }).unwrap();
        let records = CadotRecords::new(&game).unwrap();
        (game, records)
    }

    #[test]
    fn columns_are_those_of_the_published_table() {
        for (width, height, columns, length) in [(5, 4, 31, 5), (6, 5, 59, 6), (7, 6, 111, 7)] {
            let (_, records) = board(width, height);
            assert_eq!((records.columns.len(), records.length()), (columns, length));
        }
        let (_, records) = board(7, 6);
        // Ranks 5, 59 and 110: ....BA, AAAABA and BBBBAB from the top.
        assert_eq!([5, 59, 110].map(|rank| records.columns[rank]), [7, 367, 725]);
        let too_large = ConnectFour::new(Size { width: 8, height: 7, line: 4 }).unwrap();
        assert!(CadotRecords::new(&too_large).is_err());
    }

    #[test]
    fn records_are_read_back() {
        let (game, records) = board(7, 6);
        for (moves, plies, outcome, number, byte) in [
            ("", 41, Outcome::Win, 0, 64 + 41),
            // A stone in the last column is the lowest digit of the lower number.
            ("1", 39, Outcome::Win, 1, 128 + 39),
            ("7", 39, Outcome::Win, 1, 128 + 39),
            ("4", 40, Outcome::Loss, 111 * 111 * 111, 64 + 40),
            ("12", 40, Outcome::Loss, 1 + 2 * 111, 128 + 40),
            // Four stones of X are column 15, three of O column 14.
            ("1212121", 0, Outcome::Loss, 15 + 14 * 111, 64),
            ("44", 40, Outcome::Draw, 5 * 111 * 111 * 111, 40),
        ] {
            let position = parse_moves(&game, moves).unwrap();
            let value = Value::new(outcome, Remoteness(plies));
            let record = records.number(&game, position, value);
            assert_eq!(record, number << 8 | byte, "{moves}");
            let read = records.decode(&game, &records.bytes(record)).unwrap();
            assert_eq!(read.value, Some(value.into()), "{moves}");
            assert_eq!(records.number(&game, read.position, value), record, "{moves}");
        }
    }

    #[test]
    fn malformed_records_are_refused_with_the_reason() {
        let (game, records) = board(5, 4);
        let read = |bytes: &[u8]| {
            let all = BookRecords::new(&game, records.clone(), "b.dat", bytes);
            all.collect::<Result<Vec<_>, _>>().map(|all| all.len()).map_err(|e| e.to_string())
        };
        assert_eq!(read(&[0, 0, 0, 0, 20]), Ok(1));
        for (bytes, why) in [
            (&[0, 0, 0, 0, 20, 0][..], "it has 6 bytes, no whole number of records of 5"),
            (&[0, 0, 0, 0, 19], "record 1: '19' is no value: 64 and the plies"),
            (&[0, 0, 0, 0, 0xC0 + 20], "is no value"),
            (&[0, 0, 0, 0, 64 + 18], "is no value"),
            (&[0, 0, 0, 2, 128 + 19], "record 1: "),
            (&[255, 255, 255, 255, 20], "no position of a 5x4 board has this key"),
            (&[0, 0, 0, 0, 20, 0, 0, 0, 0, 20], "record 2: it is not above the record before it"),
        ] {
            let said = read(bytes).unwrap_err();
            assert!(said.contains(why), "{bytes:?}: {said}");
        }
    }
}
