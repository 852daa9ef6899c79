//! Claims: the side that a strategy is for, and the score it promises.

use crate::games::line::{Size, Stones};
use crate::solver::Score;

worded! {
    /// A player of the game.
    pub enum Side,
    /// Returns the name in files and on the command line.
    name:
    /// The player who moves first.
    First "first",
    /// The player who moves second.
    Second "second",
}

impl Side {
    /// Returns the letter of its stones in pictures.
    pub const fn stone(self) -> char {
        match self {
            Self::First => 'X',
            Self::Second => 'O',
        }
    }

    /// Returns the side to move.
    pub fn to_move(position: Stones) -> Self {
        if position.ply().0.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// Returns the opposing side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// A side, and the score it gets at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The side.
    pub side: Side,
    /// The least score, for this side, on Pons' scale: 1 for any win, 0 for a draw or better, -n
    /// for a loss no earlier than that score says.
    pub at_least: Score,
}

impl Claim {
    /// Returns the claim in words, as `the first player wins`.
    pub fn words(self, size: Size) -> String {
        let cells = size.cells() as Score;
        // The stones on the board when the winner ends the game with this score. Two numbers of
        // stones have the same score; the winner makes the last move in one of them.
        let stones = |winner: Side, score: Score| {
            let most = cells + 2 - 2 * score;
            let fits = (most % 2 == 1) == (winner == Side::First);
            if fits && most <= cells { most } else { most - 1 }
        };
        let player = self.side.name();
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

    /// True if the follower's win with this many stones, on a board of `cells`, meets the claim.
    #[inline]
    pub(super) const fn met_by_win(self, cells: u32, stones: u32) -> bool {
        score_of_win(cells, stones) >= self.at_least
    }

    /// True if the claim is met even if the attacker wins with this many stones.
    #[inline]
    pub(super) const fn met_by_loss(self, cells: u32, stones: u32) -> bool {
        -score_of_win(cells, stones) >= self.at_least
    }

    /// True if a draw meets the claim.
    #[inline]
    pub(super) const fn met_by_draw(self) -> bool {
        self.at_least <= 0
    }
}

/// Returns the winner's score if the game ends with this many stones.
const fn score_of_win(cells: u32, stones: u32) -> Score {
    (cells as Score + 2 - stones as Score) / 2
}
