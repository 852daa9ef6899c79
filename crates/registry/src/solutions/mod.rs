//! Solution files of any game: the value of every position that a root leads to.
//!
//! [`AnySolution`] opens a file of either kind: of a Connect Four board (version 1 of the format), or
//! of any other game (version 2, [`GameSolution`]). `docs/solution-format.md` describes both byte by
//! byte.

mod chunk;
mod count;
mod file;
mod layout;
mod rules;
mod solving;
mod verify;
mod work;
mod write;

#[cfg(test)]
pub(crate) mod tests;

use std::path::Path;

use crate::registry::Position;
use everyply_connect_four::profiles::{SolutionError, SolutionFile};
use everyply_core::game::{GameId, PartialValue};
use everyply_core::games::line::LineGame;

pub use count::ValueCount;
pub use file::GameSolution;
pub use layout::Tier;
pub use solving::{fill, solve};
pub use verify::Proved;
pub use write::{WriteError, WrittenGame};

/// The positions that a file of a game holds, in words: of one that numbers its positions or not, and that
/// leaves positions out or not.
pub const fn held_positions(is_ranked: bool, leaves_out: bool) -> &'static str {
    match (is_ranked, leaves_out) {
        (true, _) => "all that the game numbers, up to symmetry, those that no play reaches too",
        (_, true) => "all up to symmetry but those that are over or whose every move ends the game",
        _ => "all up to symmetry",
    }
}

/// A solution file of a Connect Four board or of any other game.
#[derive(Debug)]
pub enum AnySolution {
    Board(Box<SolutionFile>),
    Game(Box<GameSolution>),
}

impl AnySolution {
    /// Opens a file and checks its header and tables.
    pub fn open(path: &Path) -> Result<Self, SolutionError> {
        match GameSolution::open(path) {
            Err(SolutionError::OtherVersion(_, 1)) => {
                Ok(Self::Board(Box::new(SolutionFile::open(path)?)))
            }
            game => Ok(Self::Game(Box::new(game?))),
        }
    }

    pub fn game_id(&self) -> GameId {
        match self {
            Self::Board(file) => file.board().game().game_id(),
            Self::Game(file) => file.game_id().clone(),
        }
    }

    pub fn as_game(&self) -> Option<&GameSolution> {
        match self {
            Self::Board(_) => None,
            Self::Game(file) => Some(file),
        }
    }

    /// The value of a position of the game, as far as the file holds it; `None` if it does not hold
    /// the position.
    pub fn value(&self, study: &dyn Position) -> Result<Option<PartialValue>, SolutionError> {
        match (self, study.as_any().downcast_ref()) {
            (Self::Board(file), Some(&stones)) => Ok(file.value(stones)?.map(PartialValue::from)),
            (Self::Board(_), None) => Ok(None),
            (Self::Game(file), _) => file.value(study),
        }
    }
}
