//! Errors in files of other programs.

use std::fmt::Display;
use std::io;

use everyply_core::game::Unreadable;
use everyply_core::games::line::LineGame;
use everyply_core::games::line::notation::beginning;
use everyply_files::reading::{LineError, TOO_LONG};

/// The reason why a line or record is refused, or cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// An invalid notation, or a position that no game reaches.
    #[error(transparent)]
    Notation(#[from] Unreadable),
    /// A record that is not of the format or its board.
    #[error("{0}")]
    Invalid(String),
    /// A missing value that the format needs.
    #[error("{needs}, {has}: {remedy}")]
    NoValue { needs: &'static str, has: &'static str, remedy: &'static str },
}

/// The reason why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterchangeError {
    #[error("{0} cannot be read ({1})")]
    Io(String, #[source] io::Error),
    #[error("{name}, {unit} {number}: {source}")]
    Record { name: String, unit: &'static str, number: u64, source: Box<RecordError> },
    #[error("{0}, line {1}: {TOO_LONG}")]
    TooLong(String, u64),
    /// A file that is invalid as a whole; the reason and the remedy.
    #[error("{0}: {1}")]
    Invalid(String, String),
    /// A file whose content fits more than one format, or none; the reason and the remedy.
    #[error("{0}: {1}")]
    Ambiguous(String, String),
    #[error(transparent)]
    Stopped(#[from] everyply_core::control::Stopped),
}

impl RecordError {
    /// Creates the error of a wrong number of fields, rows or cells; `remedy` describes the format.
    pub(super) fn count(what: &str, found: usize, expected: impl Display, remedy: &str) -> Self {
        Self::Invalid(format!("{found} {what}, not {expected}: {remedy}"))
    }

    /// Creates the error of a text that is no `what`; `expected` describes a valid one.
    pub(super) fn field(what: &str, text: &str, expected: impl Display) -> Self {
        Self::Invalid(format!("'{}' is no {what}: {expected}", beginning(text, 40)))
    }

    /// Refuses games that are not Connect Four, for a format of this name.
    pub(super) fn check_falling(game: &impl LineGame, format: &str) -> Result<(), Self> {
        let why = format!("{format} is for Connect Four, not for {}", game.game_id());
        game.rules().stones_fall().then_some(()).ok_or(Self::Invalid(why))
    }

    /// Refuses boards that are not the usual one of their game, for a format of this name.
    pub(super) fn check_usual(game: &impl LineGame, format: &str) -> Result<(), Self> {
        let usual = game.rules().usual();
        let board = usual.board();
        let why = format!("{format} is for the {board} board with {} in a row", usual.line);
        let why = format!("{why}, not for {}", game.game_id());
        (game.size() == usual).then_some(()).ok_or(Self::Invalid(why))
    }
}

impl InterchangeError {
    /// Creates the error of a wrong line or record.
    pub(super) fn of_record(name: &str, unit: &'static str, number: u64, why: RecordError) -> Self {
        Self::Record { name: name.to_owned(), unit, number, source: Box::new(why) }
    }

    /// Creates the error of a line that cannot be read.
    pub(super) fn of_line(error: LineError, name: &str) -> Self {
        let name = name.to_owned();
        match error {
            LineError::Io(source) => Self::Io(name, source),
            LineError::TooLong { number } => Self::TooLong(name, number),
            LineError::NoText(kind) => Self::Invalid(name, kind.to_owned()),
        }
    }

    /// Returns true if one line or record is wrong, and the others can be read.
    pub const fn is_of_one_record(&self) -> bool {
        matches!(self, Self::Record { .. })
    }
}
