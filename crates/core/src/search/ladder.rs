//! The ladder from plain minimax to the whole search, for comparisons.

use super::{Evaluation, MoveOrder, Pruning, RootScores, Settings, TableUse};

/// A rung of the ladder: each adds one idea to the one below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    /// Visits every history to the depth.
    Minimax,
    /// Skips moves that cannot change the score.
    AlphaBeta,
    /// Tries promising moves first.
    Ordering,
    /// Searches depth 1, 2, 3, ... with the best move of the last iteration first.
    Deepening,
    /// Searches positions reached in several ways once.
    Table,
    /// Tests whether moves after the first are better before searching their scores.
    NullWindows,
    /// Tries moves that ended other nodes before the others.
    History,
    /// Adds the rest of principal variation search: immediate wins, forced replies, moves ordered by
    /// evaluation, and enhanced transposition cutoffs.
    Whole,
    /// Uses all threads of the pool.
    Threads,
}

impl Algorithm {
    pub const ALL: [Self; 9] = [
        Self::Minimax,
        Self::AlphaBeta,
        Self::Ordering,
        Self::Deepening,
        Self::Table,
        Self::NullWindows,
        Self::History,
        Self::Whole,
        Self::Threads,
    ];

    /// Returns the rung in a few words; `on_lines` is true for games of stones and lines.
    #[must_use]
    pub const fn name(self, order: MoveOrder, on_lines: bool) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alpha-beta",
            Self::Ordering if matches!(order, MoveOrder::Worst) => "+ worst moves first",
            Self::Ordering if on_lines => "+ centre-first ordering",
            Self::Ordering => "+ move ordering",
            Self::Deepening => "+ iterative deepening with table move",
            Self::Table => "+ transposition table",
            Self::NullWindows => "+ null windows",
            Self::History => "+ history",
            Self::Whole => "+ forced moves, evaluated moves, table cutoffs",
            Self::Threads => "+ all threads",
        }
    }

    /// Returns the settings of every rung but the first; `order` takes effect from
    /// [`Ordering`](Self::Ordering) on.
    pub fn settings(self, depth: u32, order: MoveOrder, evaluation: Evaluation) -> Settings {
        let from = |rung: Self| self >= rung;
        Settings {
            pruning: match self {
                Self::Whole | Self::Threads => Pruning::PrincipalVariation,
                Self::History => Pruning::History,
                Self::NullWindows => Pruning::NullWindows,
                _ => Pruning::AlphaBeta,
            },
            order: if from(Self::Ordering) { order } else { MoveOrder::Natural },
            evaluation,
            deepening: from(Self::Deepening),
            table_use: if from(Self::Table) { TableUse::MoveAndScore } else { TableUse::MoveOnly },
            root_scores: RootScores::OneBest,
            split_after: if from(Self::Threads) { Settings::SPLIT_AFTER } else { u64::MAX },
            principal_variation: false,
            ..Settings::to_depth(depth)
        }
    }

    pub fn uses_table(self) -> bool {
        self >= Self::Deepening
    }
}

/// Returns true if a search on the rung [`Algorithm::Threads`] may visit other nodes than on the rung
/// below: if an iteration is long enough for threads to share the next. `nodes` are the nodes on the
/// rung below to depth 1, 2, ..., without the last depth.
#[must_use]
pub fn may_share(nodes: &[u64]) -> bool {
    let before = std::iter::once(&0).chain(nodes);
    nodes.iter().zip(before).any(|(to, from)| to.saturating_sub(*from) >= Settings::SPLIT_AFTER)
}

/// Returns the effective branching factor: the b with nodes = 1 + b + b^2 + ... + b^depth (Russell
/// and Norvig, Artificial Intelligence).
pub fn effective_branching_factor(nodes: u64, depth: u32) -> f64 {
    // By bisection.
    let sum = |b: f64| (0..=depth).fold(0.0, |sum, _| sum * b + 1.0);
    let (mut low, mut high) = (0.0, nodes as f64);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if sum(middle) < nodes as f64 { low = middle } else { high = middle }
    }
    (low * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_shared_after_a_long_iteration() {
        let long = Settings::SPLIT_AFTER;
        assert!(!may_share(&[]) && !may_share(&[long / 2, long, long + 9]));
        assert!(may_share(&[8, long + 8]) && may_share(&[8, long + 8, long + 9]));
    }

    #[test]
    fn the_branching_factor_of_a_full_tree_is_its_own() {
        assert!((effective_branching_factor(1 + 7 + 49 + 343, 3) - 7.0).abs() < 1e-5);
        assert!((effective_branching_factor(1 + 2 + 4, 2) - 2.0).abs() < 1e-5);
        assert!((effective_branching_factor(5, 4) - 1.0).abs() < 1e-5);
    }
}
