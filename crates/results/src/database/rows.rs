//! The rows of the tables.

use std::fmt;

use everyply_core::game::ValueWithBest;
use everyply_core::game::{GameId, Key, MoveSet, PartialValue, Ply, ValueBounds};
use everyply_core::statistics::counted;

/// The proven value of one position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionRow {
    pub key: Key,
    /// Moves played since the empty board.
    pub ply: Ply,
    /// The value; without its distance while only the outcome is proven.
    pub value: PartialValue,
    /// All best moves of the canonical position: those that attain the value or, while only the
    /// outcome is proven, the outcome. `None` if not all of them are known.
    pub best: Option<MoveSet>,
}

impl PositionRow {
    /// The row of a position with this canonical key.
    pub const fn new(key: Key, ply: Ply, proven: ValueWithBest) -> Self {
        let ValueWithBest { value, best } = proven;
        Self { key, ply, value, best }
    }
}

/// Proven bounds of a position without a proven value, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundRow {
    pub key: Key,
    /// Moves played since the empty board.
    pub ply: Ply,
    pub bounds: ValueBounds,
}

impl fmt::Display for PositionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} at ply {}", self.value.outcome, self.ply)?;
        if let Some(remoteness) = self.value.remoteness {
            write!(f, ", {} from the end", counted(remoteness.0.into(), "ply"))?;
        }
        let Some(best) = self.best else { return Ok(()) };
        f.write_str(", best moves")?;
        if best.is_empty() {
            f.write_str(" none")?;
        }
        best.into_iter().try_for_each(|m| write!(f, " {}", m.number()))
    }
}

/// The number of a run in its database.
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
    /// The time it ended, likewise; `None` as long as it has not.
    pub finished_at: Option<String>,
    pub threads: u64,
    /// The way it ended; `None` while it is running, or if it was killed.
    pub ending: Option<Ending>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The run did all its work.
    Finished,
    /// The run was stopped from outside; the values it wrote are proven.
    Interrupted,
    /// An error ended the run; the values it wrote are proven.
    Failed,
}

impl Ending {
    /// The word in the column `status`.
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
