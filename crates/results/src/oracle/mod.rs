//! The oracle: the value of a position from the cheapest source that has it.
//!
//! [`Oracle`] answers for every game and from any number of threads. Its sources, in order: the
//! rules, its cache, databases, solution files, opening books, the built-in book, an engine. Its
//! memory is bounded.

mod answer;
mod best_play;
#[cfg(feature = "database")]
mod book;
mod cache;
mod engines;
mod files;
mod stored;
mod values;

use crate::stored::{Content, StoredError, StoredFile};
use everyply_core::control::Stopped;
use everyply_core::game::PartialValue;
use everyply_registry::registry::{Engine, Position};

pub use answer::Answer;
pub use best_play::{BestPlay, first_of};
#[cfg(feature = "database")]
pub use book::load_book;
use cache::Cache;
use engines::Engines;
pub use files::OracleFiles;
pub use stored::{StoredMove, StoredPosition};
pub use values::{Finding, ValuedMoves, best_of};

/// The reason why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    File(#[from] StoredError),
    #[error("no engine for {board}: {reason}")]
    Engine { board: String, reason: String },
}

/// A value, perhaps without its distance, and its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcedValue {
    /// The value, for the side to move.
    pub value: PartialValue,
    /// The final points for the side to move if both sides play for points, in games that count them.
    pub points: Option<i32>,
    pub origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Rules,
    Database,
    SolutionFile,
    BookFile,
    /// The opening book in the program.
    OpeningBook,
    /// A solver, now or earlier.
    Engine,
}

impl Origin {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Database => "database",
            Self::SolutionFile => "solution file",
            Self::BookFile => "book file",
            Self::OpeningBook => "opening book",
            Self::Engine => "solver",
        }
    }

    /// Returns the origin of the values in a file; `None` for a strategy, which has none.
    pub const fn of(file: &StoredFile) -> Option<Self> {
        match file.content() {
            #[cfg(feature = "database")]
            Content::Database(_) => Some(Self::Database),
            Content::Solution(_) => Some(Self::SolutionFile),
            Content::Book(_) => Some(Self::BookFile),
            Content::Strategies(_) => None,
        }
    }

    pub fn says(self, value: impl Into<PartialValue>) -> SourcedValue {
        SourcedValue { value: value.into(), points: None, origin: self }
    }
}

impl SourcedValue {
    /// Returns the value one ply earlier, for the side to move there: the other side, unless
    /// `keeps_turn`.
    #[must_use]
    pub fn one_ply_earlier(self, keeps_turn: bool) -> Self {
        Self {
            value: self.value.one_ply_earlier(keeps_turn),
            points: self.points.map(|points| if keeps_turn { points } else { -points }),
            ..self
        }
    }

    /// Returns true if a move of this value is as good as the best: in points, if both have them.
    pub fn attains(self, best: Self) -> bool {
        match (self.points, best.points) {
            (Some(points), Some(best)) => points == best,
            _ => self.value.attains(best.value),
        }
    }

    /// Returns the better value and, apart from it, the better points of two.
    fn better(self, other: Self) -> Self {
        Self {
            value: self.value.better(other.value),
            points: self.points.zip(other.points).map(|(a, b)| a.max(b)),
            ..other
        }
    }
}

/// An oracle over databases, solution files and engines.
///
/// # Errors
/// Methods that may search fail if the control stops them, a file cannot be read, or there is no
/// engine for the board.
#[derive(Debug)]
pub struct Oracle {
    files: OracleFiles,
    engines: Engines,
    cache: Cache,
    /// True if the opening book in the program is one of the sources.
    uses_opening: bool,
}

impl Oracle {
    /// Creates an oracle with files, and engines with tables or solutions of at most `mib` MiB
    /// each.
    pub fn new(files: OracleFiles, mib: u64) -> Self {
        Self { files, engines: Engines::new(mib), cache: Cache::default(), uses_opening: true }
    }

    /// Adds an engine for the game of a position.
    #[must_use]
    pub fn with_engine(self, position: &dyn Position, engine: Engine) -> Self {
        self.engines.keep(position, engine.into());
        self
    }

    /// Removes the opening book in the program from the sources.
    #[must_use]
    pub fn without_opening(self) -> Self {
        Self { uses_opening: false, ..self }
    }

    pub const fn files(&self) -> &OracleFiles {
        &self.files
    }
}

#[cfg(test)]
mod tests;
