//! What a strategy promises, and to whom.

use crate::connect_four::solver::Score;
use crate::games::line::{Size, Stones};

/// One of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one who begins.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// As it is written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }

    /// Its stones in pictures.
    #[must_use]
    pub const fn stone(self) -> char {
        match self {
            Self::First => 'X',
            Self::Second => 'O',
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
    /// What is claimed, as `the first player wins`.
    #[must_use]
    pub fn words(self, size: Size) -> String {
        let cells = size.cells() as Score;
        // The stones of a game that the winner ends with this score: of the two numbers with the
        // same score the one that is the winner's turn.
        let stones = |winner: Side, score: Score| {
            let most = cells + 2 - 2 * score;
            let fits = (most % 2 == 1) == (winner == Side::First);
            if fits && most <= cells { most } else { most - 1 }
        };
        let player = self.side.word();
        match self.at_least {
            1 => format!("the {player} player wins"),
            0 => format!("the {player} player does not lose"),
            score @ 2.. => {
                let last = stones(self.side, score);
                format!("the {player} player wins with stone {last} at the latest")
            }
            score => {
                let last = stones(self.side.opponent(), -score);
                format!("the {player} player does not lose before stone {last}")
            }
        }
    }

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
