//! Errors in files of other programs.

use std::io;

use crate::games::line::notation::NotationError;
use crate::reading::{LineError, TOO_LONG};

/// The reason why a line or record is refused, or cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// An invalid notation, or a position that no game reaches.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A wrong number of fields, rows or cells.
    #[error("{found} {what}, not {expected}: {remedy}")]
    Count {
        /// The noun of the things counted.
        what: &'static str,
        /// The number found.
        found: usize,
        /// The number expected.
        expected: String,
        /// The format in words.
        remedy: &'static str,
    },
    /// A field that is no cell.
    #[error("{place} ('{}') is no cell: {expected}", abbreviated(.found))]
    NotACell {
        /// The place of the field.
        place: String,
        /// The text of the field.
        found: String,
        /// The valid cells in words.
        expected: &'static str,
    },
    /// A field with invalid content.
    #[error("'{}' is no {what}: {expected}", abbreviated(.found))]
    InvalidField {
        /// The noun for the field.
        what: &'static str,
        /// The text of the field.
        found: String,
        /// The valid content in words.
        expected: String,
    },
    /// A number that is the key of no position of the board.
    #[error("no position of a {board} board has this key ({found})")]
    NotAKey {
        /// The number.
        found: u64,
        /// The board.
        board: String,
    },
    /// A board that the format does not support.
    #[error("{format} are for the 7x6 board, 4 in a row: choose that board, or another format")]
    Board {
        /// The format, in the plural.
        format: &'static str,
    },
    /// A missing value that the format needs.
    #[error("{needs}, {has}: {remedy}")]
    NoValue {
        /// The need of the format in words.
        needs: &'static str,
        /// The knowledge about the position in words.
        has: &'static str,
        /// The remedy.
        remedy: &'static str,
    },
    /// A record that is not above the one before it.
    #[error("it is not above the record before it: the file is not sorted, or damaged")]
    Unsorted,
    /// A record whose bits are no position.
    #[error("its bits ({bits}) are no position of {plies} plies on 7x6")]
    NotAPosition {
        /// The record in hexadecimal.
        bits: String,
        /// The plies of the book.
        plies: u8,
    },
}

/// The reason why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterchangeError {
    /// An error of the operating system.
    #[error("{name} cannot be read ({source})")]
    Io {
        /// The file.
        name: String,
        /// The reason.
        source: io::Error,
    },
    /// A wrong line or record.
    #[error("{name}, {unit} {number}: {source}")]
    Record {
        /// The file.
        name: String,
        /// `line` or `record`.
        unit: &'static str,
        /// Counted from 1.
        number: u64,
        /// The error in it.
        source: Box<RecordError>,
    },
    /// A line that is no text.
    #[error("{name}, line {number}: {reason}")]
    NotText {
        /// The file.
        name: String,
        /// Counted from 1.
        number: u64,
        /// The first wrong byte, and the remedy.
        reason: String,
    },
    /// A line that is longer than any valid line.
    #[error("{name}, line {number}: {TOO_LONG}")]
    TooLong {
        /// The file.
        name: String,
        /// Counted from 1.
        number: u64,
    },
    /// A file that ends inside a record.
    #[error(
        "{name} has {bytes} bytes, which is no whole number of records of {record}: it was cut short, or is of another format"
    )]
    CutShort {
        /// The file.
        name: String,
        /// The length of the file.
        bytes: u64,
        /// The length of a record.
        record: usize,
    },
    /// A file that is invalid as a whole.
    #[error("{name}: {reason}")]
    Invalid {
        /// The file.
        name: String,
        /// The reason, and the remedy.
        reason: String,
    },
    /// A file whose content fits more than one format or board, or none.
    #[error("{name}: {reason}")]
    Ambiguous {
        /// The file.
        name: String,
        /// The reason, and the remedy.
        reason: String,
        /// The choice that the user has to make.
        missing: MissingChoice,
    },
    /// A stop that was asked for.
    #[error(transparent)]
    Stopped(#[from] crate::control::Stopped),
}

/// The choice that the content of a file leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingChoice {
    /// The format of the file.
    Format,
    /// The board.
    Board,
}

impl InterchangeError {
    /// Creates the error of a line that cannot be read.
    pub(super) fn of_line(error: LineError, name: &str) -> Self {
        let name = name.to_owned();
        match error {
            LineError::Io(source) => Self::Io { name, source },
            LineError::TooLong { number } => Self::TooLong { name, number },
        }
    }

    /// Returns true if only one line or record is wrong, and the others can be read.
    #[must_use]
    pub const fn is_of_one_record(&self) -> bool {
        matches!(self, Self::Record { .. } | Self::NotText { .. })
    }
}

/// Abbreviates a text of any length for a message.
pub(super) fn abbreviated(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}
