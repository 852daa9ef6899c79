//! What can be wrong with a file of another program.

use std::io;

use crate::games::line::notation::NotationError;
use crate::reading::{LineError, TOO_LONG};

/// Why a line or record is not what its format says, or cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The position is written wrongly, or no game reaches it.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Too many or too few of something.
    #[error("{found} {what}, not {expected}: {remedy}")]
    Count {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: String,
        /// What the format looks like.
        remedy: &'static str,
    },
    /// A field that is no cell.
    #[error("{place} ('{}') is no cell: {expected}", shown(.found))]
    NotACell {
        /// Where it stands.
        place: String,
        /// What stands there.
        found: String,
        /// What a cell is.
        expected: &'static str,
    },
    /// A field that is not what belongs there.
    #[error("'{}' is no {what}: {expected}", shown(.found))]
    InvalidField {
        /// What it should be.
        what: &'static str,
        /// What stands there.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// A number that names no position of the board.
    #[error("no position of a {board} board has this key ({found})")]
    NotAKey {
        /// The number.
        found: u64,
        /// The board.
        board: String,
    },
    /// The board is not the format's.
    #[error("{format} are for the 7x6 board, 4 in a row: choose that board, or another format")]
    Board {
        /// The format, in the plural.
        format: &'static str,
    },
    /// The format needs a value that is not known.
    #[error("{needs}, {has}: {remedy}")]
    NoValue {
        /// What the format needs.
        needs: &'static str,
        /// What is known.
        has: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A record that is not above the one before it.
    #[error("it is not above the record before it: the file is not sorted, or damaged")]
    Unsorted,
    /// The bits of a record are no position.
    #[error("its bits ({bits}) are no position of {plies} plies on 7x6")]
    NotAPosition {
        /// The record in hexadecimal.
        bits: String,
        /// The plies of the book.
        plies: u8,
    },
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterchangeError {
    /// The operating system's reason.
    #[error("{name} cannot be read ({source})")]
    Io {
        /// The file.
        name: String,
        /// The reason.
        source: io::Error,
    },
    /// A line or record is wrong.
    #[error("{name}, {unit} {number}: {source}")]
    Record {
        /// The file.
        name: String,
        /// `line` or `record`.
        unit: &'static str,
        /// Counted from 1.
        number: u64,
        /// What is wrong.
        source: Box<RecordError>,
    },
    /// A line that is no text.
    #[error("{name}, line {number}: {reason}")]
    NotText {
        /// The file.
        name: String,
        /// Counted from 1.
        number: u64,
        /// Which byte of it is not, and what to do.
        reason: String,
    },
    /// A line that is longer than any line can be.
    #[error("{name}, line {number}: {TOO_LONG}")]
    TooLong {
        /// The file.
        name: String,
        /// Counted from 1.
        number: u64,
    },
    /// The file ends inside a record.
    #[error(
        "{name} has {bytes} bytes, which is no whole number of records of {record}: it was cut short, or is of another format"
    )]
    CutShort {
        /// The file.
        name: String,
        /// Its length.
        bytes: u64,
        /// The length of a record.
        record: usize,
    },
    /// The file as a whole is not what it should be.
    #[error("{name}: {reason}")]
    Unknown {
        /// The file.
        name: String,
        /// Why, and the remedy.
        reason: String,
    },
    /// The content leaves open how the file is to be read.
    #[error("{name}: {reason}")]
    Ambiguous {
        /// The file.
        name: String,
        /// Why, and the remedy.
        reason: String,
        /// What would settle it.
        missing: MissingChoice,
    },
    /// Reading was stopped.
    #[error(transparent)]
    Stopped(#[from] crate::control::Stopped),
}

/// What has to be said of a file whose content leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingChoice {
    /// Its format.
    Format,
    /// Its board.
    Board,
}

impl InterchangeError {
    /// Creates the error of a file without a next line.
    pub(super) fn of_line(error: LineError, name: &str) -> Self {
        let name = name.to_owned();
        match error {
            LineError::Io(source) => Self::Io { name, source },
            LineError::TooLong { number } => Self::TooLong { name, number },
        }
    }

    /// Returns true if something is wrong with one line or record, and the others can be read.
    #[must_use]
    pub const fn is_of_one_record(&self) -> bool {
        matches!(self, Self::Record { .. } | Self::NotText { .. })
    }
}

/// Returns the beginning of a text that may be of any length.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}
