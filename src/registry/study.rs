//! A position of a game that is known by name only.

use std::fmt;

use super::Answers;
use crate::control::{Control, Stopped};
use crate::exhaustive::{Plies, SolveError};
use crate::game::GameId;
use crate::game::{Key, MoveSet, Outcome, Ply, Symmetry, Unreadable, Unsuited};
use crate::search::{Settings, Table};
use crate::statistics::{Score, SearchCounters};

/// Something that a game can or cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Play always ends, so that plies can be counted to the end.
    Tiered,
    /// Some positions are images of others.
    Symmetric,
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tiered => "tiered (play always ends)",
            Self::Symmetric => "symmetric",
        })
    }
}

/// A move, and the position it leads to.
pub struct Branch {
    /// The move as text.
    pub text: String,
    /// The bit of the move in a set of moves of the position.
    pub bit: u32,
    /// True if the side that makes it moves again.
    pub keeps_turn: bool,
    /// Where it leads.
    pub to: Box<dyn Study>,
}

/// A position of a game, and what can be asked of it.
pub trait Study: Send + Sync {
    /// The word for the game.
    fn name(&self) -> &'static str;

    /// The numbers that tell its boards apart.
    fn parameters(&self) -> [u8; 3];

    /// The game as databases name it.
    fn game_id(&self) -> GameId {
        GameId::new(self.name(), self.parameters())
    }

    /// The game as people call it.
    fn title(&self) -> String;

    /// What a position of the game looks like as text.
    fn position_help(&self) -> &'static str;

    /// What the game can do.
    fn capabilities(&self) -> Vec<Capability>;

    /// The position on one line.
    fn picture(&self) -> String;

    /// The side to move, where the position says whose turn it is.
    fn to_move(&self) -> Option<char>;

    /// The result, if the game is over, for the side to move.
    fn result(&self) -> Option<Outcome>;

    /// The position of this text, in the same game.
    ///
    /// # Errors
    /// If the text is no position.
    fn read(&self, text: &str) -> Result<Box<dyn Study>, Unreadable>;

    /// The position of this key, in the same game.
    fn of_key(&self, key: Key) -> Option<Box<dyn Study>>;

    /// The moves, ascending; none if the game is over.
    fn branches(&self) -> Vec<Branch>;

    /// The [shortest way](crate::game::shortest_moves) from the start to here, as text: moves separated by
    /// commas; `None` if none was found.
    fn moves_to(&self) -> Option<String>;

    /// The key.
    fn key(&self) -> Key;

    /// The key of the canonical image, and the symmetry that leads to it.
    fn canonical(&self) -> (Key, Symmetry);

    /// The images of the position, each once and by ascending key, with a symmetry that leads
    /// there.
    fn images(&self) -> Vec<(Key, Symmetry)>;

    /// The image of a set of moves of the position, as bits of the image.
    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet;

    /// The number of low bits that hold every key.
    fn key_bits(&self) -> u32;

    /// The tier as the database counts it: how much less play there can be than at the start.
    /// That is the number of moves played where each move leaves one ply less.
    fn tier(&self) -> Ply;

    /// A number of plies within which every game from here ends, if there is one.
    fn plies_left(&self) -> Option<u32>;

    /// Refuses games that do not fit the engines, before any work.
    ///
    /// # Errors
    /// Why the game does not fit.
    fn check(&self) -> Result<(), Unsuited>;

    /// Bytes that the engine of this game keeps a position in.
    fn bytes_per_position(&self) -> u64;

    /// Solves every position from here on, `most` of them at most.
    ///
    /// # Errors
    /// If the control asks it to stop, there are more positions, or the game does not fit.
    fn solve(&self, most: u64, control: &Control) -> Result<Box<dyn Answers>, SolveError>;

    /// Counts the plies below, up to a number of them.
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn count(&self, plies: u32, control: &Control) -> Result<Plies, Stopped>;

    /// Searches to a depth by minimax, or as the settings say, with a table or without;
    /// `None` if the game is not [`Capability::Tiered`].
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn search(
        &self,
        depth: u32,
        settings: Option<&Settings>,
        table: Option<&Table>,
        control: &Control,
        counters: &mut SearchCounters,
    ) -> Option<Result<Score, Stopped>>;

    /// Counts histories per ply by visiting each.
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn walk(&self, plies: u32, control: &Control) -> Result<Vec<u64>, Stopped>;
}
