//! The settings of a search.

use super::evaluation::Evaluation;
use super::points::Points;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveOrder {
    /// The order of [`moves`](crate::game::Game::moves).
    #[default]
    Natural,
    /// The best for the side to move first: in a search, the most promising
    /// ([`Evaluate::in_order`](crate::game::Evaluate::in_order)).
    Best,
    /// The worst first, the reverse of the best.
    Worst,
}

impl MoveOrder {
    pub const ALL: [Self; 3] = [Self::Natural, Self::Best, Self::Worst];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Best => "best",
            Self::Worst => "worst",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// The move of the entry is tried first.
    MoveOnly,
    /// The score of the entry may also end the search of a node.
    MoveAndScore,
}

/// The scores to find for the moves of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootScores {
    /// A best move and its score, as plain alpha-beta gives them.
    OneBest,
    /// All best moves. The search tests whether each move reaches the best score, not only whether
    /// it exceeds it, so that the answer depends on neither the move order nor the threads.
    AllBest,
    /// The exact score of every move.
    All,
}

impl RootScores {
    /// Returns the score that a move must exceed for its own score to be exact; `best` is the best
    /// score of the moves before it, minus infinity at first.
    pub(super) fn alpha(self, best: Points) -> Points {
        match self {
            Self::OneBest => best,
            Self::AllBest => Points(best.0 - 1).max(-Points::INFINITY),
            Self::All => -Points::INFINITY,
        }
    }
}

/// The pruning of a search; each kind adds an idea to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pruning {
    /// Minimax: every move is searched.
    Nothing,
    /// Alpha-beta as in textbooks, by one thread: moves in the order of the game, the table's move first.
    AlphaBeta,
    /// Null windows first test whether moves after the first are better.
    NullWindows,
    /// Moves that ended other nodes come first.
    History,
    /// Principal variation search with all accelerations, by all threads; textbook alpha-beta unless the
    /// order is [`MoveOrder::Best`].
    PrincipalVariation,
}

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Plies below the root, cut to the plies left in the game and to 63.
    pub depth: u32,
    pub pruning: Pruning,
    pub order: MoveOrder,
    pub evaluation: Evaluation,
    /// True to search depth 1, 2, 3, ... with the best move of the last iteration first; false to
    /// search the full depth at once.
    pub deepening: bool,
    pub table_use: TableUse,
    pub root_scores: RootScores,
    /// The least nodes of an iteration for the next to be split over the threads of the rayon pool;
    /// `u64::MAX` never splits. A short iteration gains nothing from threads, and one thread visits
    /// the same nodes every time.
    pub split_after: u64,
    /// True to prove best play after the last iteration, in a principal variation search.
    pub principal_variation: bool,
}

impl Settings {
    /// The usual value of [`split_after`](Self::split_after): some milliseconds.
    pub const SPLIT_AFTER: u64 = 20_000;

    /// Returns the settings of a search to a depth, with all accelerations.
    pub const fn to_depth(depth: u32) -> Self {
        Self {
            depth,
            pruning: Pruning::PrincipalVariation,
            order: MoveOrder::Best,
            evaluation: Evaluation::Own,
            deepening: true,
            table_use: TableUse::MoveAndScore,
            root_scores: RootScores::AllBest,
            split_after: Self::SPLIT_AFTER,
            principal_variation: true,
        }
    }

    /// Returns true if one thread searches by textbook alpha-beta.
    pub(super) fn is_textbook(&self) -> bool {
        self.pruning < Pruning::PrincipalVariation || self.order != MoveOrder::Best
    }
}
