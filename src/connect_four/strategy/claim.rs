//! What a strategy promises, and to whom.

use crate::connect_four::solver::Score;
use crate::games::line::Stones;

/// One of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Side {
    /// The one who begins.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// As it is written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }

    /// The side to move.
    #[must_use]
    pub fn to_move(position: Stones) -> Self {
        if position.ply().0.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// The other one.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// That a side gets at least a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The side.
    pub side: Side,
    /// The least score, for this side, on Pons' scale: 1 for any win, 0 for a draw or better, -n
    /// for a loss no earlier than that score says.
    pub at_least: Score,
}

impl Claim {
    /// True if a win of the follower is enough with this many stones on a board of `cells`.
    #[inline]
    pub(super) const fn wins(self, cells: u32, stones: u32) -> bool {
        score_of_win(cells, stones) >= self.at_least
    }

    /// True if even a win of the attacker with this many stones leaves enough.
    #[inline]
    pub(super) const fn bears_loss(self, cells: u32, stones: u32) -> bool {
        -score_of_win(cells, stones) >= self.at_least
    }

    /// True if a draw is enough.
    #[inline]
    pub(super) const fn bears_draw(self) -> bool {
        self.at_least <= 0
    }
}

/// The winner's score if the game ends with this many stones.
const fn score_of_win(cells: u32, stones: u32) -> Score {
    (cells as Score + 2 - stones as Score) / 2
}
