//! The rows of the tables.

use everyply_core::game::{GameId, Key, Ply, ValueBounds};

/// Proven bounds of a position without a proven value, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundRow {
    pub key: Key,
    /// Moves played since the empty board.
    pub ply: Ply,
    pub bounds: ValueBounds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub i64);

/// A run of the program that wrote to the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number; later runs have higher ones.
    pub id: RunId,
    pub game: GameId,
    pub command: String,
    pub version: String,
    /// The time it started: RFC 3339, UTC, milliseconds.
    pub started_at: String,
    /// The time it ended, likewise; `None` if it has not.
    pub finished_at: Option<String>,
    pub threads: u64,
    /// The way it ended; `None` while it is running, or if it was killed.
    pub ending: Option<Ending>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Finished,
    /// The run was stopped from outside; the values it wrote are proven.
    Interrupted,
    /// An error ended the run; the values it wrote are proven.
    Failed,
}

impl Ending {
    /// Returns the word in the column `status`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

/// Counts of the positions that a run sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct WriteSummary {
    /// Positions that were new.
    pub added: u64,
    /// Stored positions that gained a remoteness or best moves.
    pub refined: u64,
    /// Positions that were stored already.
    pub unchanged: u64,
    /// True if a stop left out some of the positions: the run is then stored as interrupted.
    #[serde(skip)]
    pub left_out: bool,
}
