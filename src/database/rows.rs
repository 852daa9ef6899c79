//! What the rows of the tables mean.

use std::fmt;

use super::Task;
use crate::game::{Key, MoveSet, PartialValue, Ply, ValueBounds};
use crate::games::line::{LineGame, Rules, Size};
use crate::search::ValueWithBest;
use crate::statistics::counted;

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
        f.write_str(&self.name)?;
        match self.size {
            size if Rules::of(&self.name).is_some() => write!(f, " {size}"),
            // What a game does not need is 1.
            Size { width: 1, height: 1, line: 1 } => Ok(()),
            Size { width, height: 1, line: 1 } => write!(f, " {width}"),
            Size { width, height, line: 1 } => write!(f, " {width}x{height}"),
            Size { width, height, line } => write!(f, " {width}x{height}, {line}"),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_named_with_what_it_has() {
        for (name, [width, height, line], said) in [
            ("ttt", [3, 3, 3], "ttt 3x3, 3 in a row"),
            ("connect4", [7, 1, 1], "connect4 7x1, 1 in a row"),
            ("dots", [2, 2, 1], "dots 2x2"),
            ("nim", [3, 7, 2], "nim 3x7, 2"),
            ("pong", [1, 1, 1], "pong"),
            ("row", [9, 1, 1], "row 9"),
        ] {
            let game = GameId { name: name.to_owned(), size: Size { width, height, line } };
            assert_eq!(game.to_string(), said);
        }
    }
}
