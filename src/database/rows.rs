//! What the rows of the tables mean.

use std::fmt;

use super::Task;
use crate::game::{Key, MoveSet, Outcome, Ply, Remoteness, Value};
use crate::games::line::{LineGame, Size};

/// A game on a board: positions of different ones never mix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The word for the game: [`LineGame::name`].
    pub name: String,
    /// The dimensions.
    pub size: Size,
}

impl GameId {
    /// The name and dimensions of a game.
    #[must_use]
    pub fn of(game: &impl LineGame) -> Self {
        Self { name: game.name().to_owned(), size: game.size() }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.size)
    }
}

/// The proven value of one position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionRow {
    /// The canonical key.
    pub key: Key,
    /// Moves played since the empty board.
    pub ply: Ply,
    /// The result under best play.
    pub outcome: Outcome,
    /// Plies to the end under best play; `None` while only the outcome is proven.
    pub remoteness: Option<Remoteness>,
    /// All best moves of the canonical position, `None` where not all of them are known: those
    /// that attain the value, or while only the outcome is proven, the outcome.
    pub best: Option<MoveSet>,
}

/// What is proven of a position whose value is not: it lies between these two, both included, for
/// the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundRow {
    /// The canonical key.
    pub key: Key,
    /// Moves played since the empty board.
    pub ply: Ply,
    /// The worst it can be.
    pub worst: Value,
    /// The best it can be.
    pub best: Value,
}

impl fmt::Display for PositionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} at ply {}", self.outcome, self.ply).and_then(|()| {
            match self.remoteness {
                Some(remoteness) => write!(f, ", {remoteness} plies from the end"),
                None => Ok(()),
            }
        })?;
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
}
