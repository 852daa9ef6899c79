//! The opening books of BitBully (Markus Thill, github.com/MarkusThill/BitBully; the files come
//! with the Python package `bitbully-databases`).
//!
//! A book is a sequence of records, each a position of 8 or 12 plies on 7x6:
//!
//! ```text
//! book_8ply.dat              3 bytes   22 bits position + 2 bits value      34,515 records
//! book_12ply.dat             4 bytes   30 bits position + 2 bits value   1,735,945
//! book_12ply_distances.dat   5 bytes   32 bits position + signed byte    4,200,899
//!
//! position: column by column from the left, bottom up: 10 a stone of the first player (yellow),
//!           11 of the second (red), 0 the end of the column; a last 0 fills the byte.
//!           Its last two bits are always 0: two-bit values are written over them.
//! ```
//!
//! Two-bit values: 0 a draw, 1 a loss for the side to move, who is the first player. An absent
//! position is won for him, unless the game is over. Distances: 100 - plies for a win,
//! -(100 - plies) for a loss, 0 for a draw; an absent position is won at once, unless the game is
//! over. Records are sorted by the position as a big-endian number, unsigned in the 8-ply book and
//! signed in the others. A book holds one image of most positions and both of some.

use std::io::Read;

use super::{InterchangeError, Record, RecordError, uci};
use everyply_core::game::{Outcome, PartialValue, Ply, Remoteness, Value};
use everyply_core::games::line::notation::some_moves_to;
use everyply_core::games::line::{LineGame, Stones};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitBullyBook {
    /// All positions of 8 plies, outcomes.
    Ply8,
    /// All positions of 12 plies, outcomes.
    Ply12,
    /// All positions of 12 plies, with the plies to the end.
    Ply12Distances,
}

const VALUE_BITS: u32 = 0b11;

impl BitBullyBook {
    pub const ALL: [Self; 3] = [Self::Ply8, Self::Ply12, Self::Ply12Distances];

    pub const fn record(self) -> usize {
        match self {
            Self::Ply8 => 3,
            Self::Ply12 => 4,
            Self::Ply12Distances => 5,
        }
    }

    pub const fn ply(self) -> Ply {
        match self {
            Self::Ply8 => Ply(8),
            Self::Ply12 | Self::Ply12Distances => Ply(12),
        }
    }

    /// Returns the value of absent positions in which the game is not over.
    pub const fn absent(self) -> PartialValue {
        match self {
            Self::Ply8 | Self::Ply12 => PartialValue::of_outcome(Outcome::Win),
            Self::Ply12Distances => {
                PartialValue { outcome: Outcome::Win, remoteness: Some(Remoteness(1)) }
            }
        }
    }

    /// Returns the number of bits of a position: two for every stone, one for every column, and the
    /// last.
    const fn bits(self) -> u32 {
        2 * self.ply().0 as u32 + uci::SIZE.width as u32 + 1
    }

    /// Returns the number by which codes are sorted.
    const fn order_of(self, code: u32) -> i64 {
        match self {
            Self::Ply8 => code as i64,
            Self::Ply12 | Self::Ply12Distances => code as i32 as i64,
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If the bits are no position of the book's ply that a game reaches, or no value.
    ///
    /// # Panics
    /// If there are not [`record`](Self::record) bytes.
    fn read(self, game: &impl LineGame, bytes: &[u8]) -> Result<Record, RecordError> {
        let (code, value) = self.split(bytes);
        let position = self.position(game, code, bytes)?;
        let moves = some_moves_to(game, position)?;
        let left = game.plies_left(position);
        let known = match (self, value) {
            (_, 0) => Some(PartialValue::of_outcome(Outcome::Draw)),
            (Self::Ply12Distances, number) => distance_value(number, left).map(PartialValue::from),
            (_, 1) => Some(PartialValue::of_outcome(Outcome::Loss)),
            _ => None,
        };
        let expected = match self {
            Self::Ply12Distances => {
                "a win is 100 - plies with an odd number of plies, a loss the negative of that \
                 with an even one, a draw 0"
            }
            _ => "0 is a draw and 1 a loss",
        };
        let none = || RecordError::field("value", &value.to_string(), expected);
        let known = known.ok_or_else(none)?;
        Ok(Record { position, moves, value: Some(known) })
    }

    /// Returns the position's code, its value bits cleared, and the value.
    fn split(self, bytes: &[u8]) -> (u32, i32) {
        let number = |bytes: &[u8]| bytes.iter().fold(0u32, |n, &byte| n << 8 | u32::from(byte));
        match self {
            Self::Ply12Distances => (number(&bytes[..4]), i32::from(bytes[4].cast_signed())),
            _ => {
                let word = number(&bytes[..self.record()]);
                (word & !VALUE_BITS, (word & VALUE_BITS) as i32)
            }
        }
    }

    fn position(
        self,
        game: &impl LineGame,
        code: u32,
        bytes: &[u8],
    ) -> Result<Stones, RecordError> {
        let none = || {
            let bits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let plies = self.ply().0;
            let why = format!("its bits ({bits}) are no position of {plies} plies on 7x6");
            RecordError::Invalid(why)
        };
        let mut left = self.bits();
        let mut next = || {
            left = left.checked_sub(1)?;
            Some(code >> left & 1 == 1)
        };
        let mut players = [0u64; 2];
        let height = u32::from(uci::SIZE.height);
        for column in 0..u32::from(uci::SIZE.width) {
            let mut stones = 0;
            while next().ok_or_else(none)? {
                let second = next().ok_or_else(none)?;
                if stones == height {
                    return Err(none());
                }
                players[usize::from(second)] |= game.cell(column, height - 1 - stones);
                stones += 1;
            }
        }
        // With the right number of stones only the last bit is left; both sides have equally many.
        if next() != Some(false) || next().is_some() {
            return Err(none());
        }
        let [first, second] = players;
        if first.count_ones() != second.count_ones() {
            return Err(none());
        }
        Ok(Stones::from_players(first, second))
    }
}

/// Returns the value of a record with distances, other than a draw, for a position with this number
/// of empties; `None` if no such value is possible.
fn distance_value(number: i32, plies_left: u32) -> Option<Value> {
    let plies = 100 - number.abs();
    let outcome = if number > 0 { Outcome::Win } else { Outcome::Loss };
    // The winner's last stone is the r-th from here: r is odd for a win and even for a loss.
    let parity = i32::from(number > 0);
    let fits = (parity..=plies_left as i32).contains(&plies) && plies % 2 == parity;
    fits.then(|| Value::new(outcome, Remoteness(plies as u8)))
}

/// An iterator over the records of a book, each with its number, counted from 1.
#[derive(Debug)]
pub struct BookRecords<'g, G, R> {
    game: &'g G,
    book: BitBullyBook,
    name: String,
    input: R,
    number: u64,
    last: Option<i64>,
    ended: bool,
}

impl<'g, G: LineGame, R: Read> BookRecords<'g, G, R> {
    /// Creates a reader of a book; `name` is the file in messages. Reading is not buffered.
    pub fn new(game: &'g G, book: BitBullyBook, name: impl Into<String>, input: R) -> Self {
        Self { game, book, name: name.into(), input, number: 0, last: None, ended: false }
    }

    fn record(&mut self) -> Result<Option<(u64, Record)>, InterchangeError> {
        let mut bytes = Vec::with_capacity(8);
        let length = self.book.record();
        (&mut self.input)
            .take(length as u64)
            .read_to_end(&mut bytes)
            .map_err(|source| InterchangeError::Io(self.name.clone(), source))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        if bytes.len() < length {
            let bytes = (self.number - 1) * length as u64 + bytes.len() as u64;
            let reason = format!(
                "it has {bytes} bytes, no whole number of records of {length}: it was cut short, \
                 or is of another format"
            );
            return Err(InterchangeError::Invalid(self.name.clone(), reason));
        }
        let fail = |why| InterchangeError::of_record(&self.name, "record", self.number, why);
        let order = self.book.order_of(self.book.split(&bytes).0);
        if self.last.is_some_and(|last| last >= order) {
            let why = "it is not above the record before it: the file is not sorted, or damaged";
            return Err(fail(RecordError::Invalid(why.to_owned())));
        }
        self.last = Some(order);
        let record = self.book.read(self.game, &bytes).map_err(fail)?;
        Ok(Some((self.number, record)))
    }
}

impl<G: LineGame, R: Read> Iterator for BookRecords<'_, G, R> {
    type Item = Result<(u64, Record), InterchangeError>;

    /// Returns the next record. The iterator ends after the first error.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.record().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}
