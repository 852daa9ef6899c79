//! What the rows of the tables mean.

use std::fmt;

use super::Task;
use crate::game::{GameId, Key, MoveSet, Outcome, PartialValue, Ply, ValueBounds, Worth};
use crate::games::line::LineGame;
use crate::search::ValueWithBest;
use crate::statistics::counted;

/// The proven value of one position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionRow {
    /// The canonical key.
    pub key: Key,
    /// Moves played since the empty board.
    pub ply: Ply,
    /// The value; without its distance while only the outcome is proven.
    pub value: PartialValue,
    /// All best moves of the canonical position, `None` where not all of them are known: those
    /// that attain the value, or while only the outcome is proven, the outcome.
    pub best: Option<MoveSet>,
}

impl PositionRow {
    /// The value, for a game in which play may be endless: a draw without a distance is one by
    /// endless play. `None` if it is a win or a loss without its distance.
    #[must_use]
    pub fn worth(&self) -> Option<Worth> {
        match (self.value.exact(), self.value.outcome) {
            (Some(value), _) => Some(Worth::Ends(value)),
            (None, Outcome::Draw) => Some(Worth::Endless),
            (None, _) => None,
        }
    }

    /// What is proven of a position with this canonical key.
    ///
    /// # Panics
    /// If the game has no position with this key.
    pub fn of<G: LineGame>(game: &G, key: Key, proven: ValueWithBest) -> Self {
        let ply = game.position_of(key).expect("a key of the game").ply();
        let ValueWithBest { value, best } = proven;
        Self { key, ply, value, best }
    }
}

/// What is proven of a position whose value is not, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundRow {
    /// The canonical key.
    pub key: Key,
    /// Moves played since the empty board.
    pub ply: Ply,
    /// What is proven.
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

/// One run of the program that wrote to the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its number; later runs have higher ones.
    pub id: RunId,
    /// What it analyzed.
    pub game: GameId,
    /// What it was asked for; `None` if an older version wrote it, which did not note it.
    pub task: Option<Task>,
    /// Its command line.
    pub command: String,
    /// The version of everyply.
    pub version: String,
    /// When it started: RFC 3339, UTC, milliseconds.
    pub started_at: String,
    /// When it ended, likewise; `None` as long as it has not.
    pub finished_at: Option<String>,
    /// Worker threads.
    pub threads: u64,
    /// How it ended; `None` while it is running, or if it was killed.
    pub ending: Option<Ending>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It did all it was asked to do.
    Finished,
    /// It was stopped from outside; what it wrote is proven all the same.
    Interrupted,
    /// An error ended it; what it wrote is proven all the same.
    Failed,
}

impl Ending {
    /// The word in the column `status`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

/// What became of the positions a run sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteSummary {
    /// Positions that were new.
    pub added: u64,
    /// Stored positions that gained a remoteness or best moves.
    pub refined: u64,
    /// Positions that told nothing new.
    pub unchanged: u64,
    /// True if a stop came while they were written and left out some: the run is then stored as
    /// interrupted.
    pub left_out: bool,
}
