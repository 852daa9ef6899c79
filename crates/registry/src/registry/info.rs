//! The constants of a game, which are the same in all its positions.

use everyply_core::game::{Chosen, GameId, Look, MoveStyle, Unsuited};

/// Something that a game can or cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Play always ends, so that plies can be counted to the end.
    Tiered,
    /// Some positions are images of others.
    Symmetric,
}

impl Capability {
    pub(super) fn of(is_tiered: bool, is_symmetric: bool) -> Vec<Self> {
        let all = [(is_tiered, Self::Tiered), (is_symmetric, Self::Symmetric)];
        all.into_iter().filter_map(|(has, capability)| has.then_some(capability)).collect()
    }

    /// Returns the word in documents.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tiered => "tiered",
            Self::Symmetric => "symmetric",
        }
    }
}

/// The constants of a game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GameInfo {
    /// The word for the game.
    pub name: &'static str,
    /// The numbers that distinguish its boards.
    pub parameters: [u8; 3],
    /// The choices from which the registry makes the game, apart from its position.
    pub choices: Chosen,
    /// The title of the game, with its board.
    pub title: String,
    /// The description of a position as text.
    pub position_help: &'static str,
    /// The thing that a move chooses, and the way it is written.
    pub move_style: MoveStyle,
    /// The text between two moves of a line of moves.
    pub separator: &'static str,
    /// The look of a drawn board.
    pub look: Look,
    /// The number of low bits that hold every key.
    pub key_bits: u32,
    /// True if keys fit 64 bits, as databases store them.
    pub has_keys: bool,
    /// The refusal of a game whose sets of moves do not fit a word.
    pub move_sets: Result<(), Unsuited>,
    /// The capabilities of the game.
    pub capabilities: Vec<Capability>,
    /// True if each side plays for the most points at the end.
    pub counts_points: bool,
    /// True if the sides alternate and no move loses the game: a win then takes an odd number of
    /// plies, and a loss an even number.
    pub last_move_wins: bool,
    /// True if tiers differ. False if play may be endless, or longer than a database counts: then
    /// all positions have tier 0.
    pub has_tiers: bool,
    /// True if values are proved by search to the end of the game.
    pub proves: bool,
    /// True if [`solve_listed`](super::Solves::solve_listed) leaves out positions that the rules
    /// decide: the game is over, or every move ends it.
    pub leaves_out: bool,
    /// The published counts of positions: lines of tier, won, drawn and lost by the first player.
    pub published_counts: &'static str,
}

impl GameInfo {
    /// Returns the identity of the game in databases.
    pub fn id(&self) -> GameId {
        GameId::new(self.name, self.parameters)
    }
}
