//! The root of a search: its moves one after the other, or split over rayon workers.

use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::alpha_beta::{Searchable, Searcher};
use super::points::Points;
use super::table::TranspositionTable;
use crate::control::Stopped;
use crate::game::Move;
use crate::parallel;
use crate::statistics::SearchCounters;

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

/// The distribution of root moves over workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// A single worker tries all moves.
    No,
    /// The first move is tried alone, since its score saves the others work (young brothers wait).
    /// Then workers share the other moves, each starting from the best score any worker has found.
    Brothers,
}

/// A move of a root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch<P> {
    /// The bit of the move.
    pub m: Move,
    pub keeps_turn: bool,
    /// The position after the move.
    pub next: P,
}

/// A root move after an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct TriedMove {
    /// The bit of the move.
    pub m: Move,
    pub points: Points,
    /// False if `points` is an upper bound below the score asked for.
    pub exact: bool,
    pub counters: SearchCounters,
}

/// Searches every move of a root at a depth, in the order given.
pub(super) fn search_root<G: Searchable, T: TranspositionTable>(
    searcher: &Searcher<'_, G, T>,
    depth: u32,
    moves: &[Branch<G::Position>],
    scores: RootScores,
    split: Split,
) -> Result<Vec<TriedMove>, Stopped> {
    let best = AtomicI32::new((-Points::INFINITY).0);
    let attempt = |&Branch { m, keeps_turn, next }: &Branch<G::Position>| {
        let best_yet = Points(best.load(Relaxed));
        let alpha = match scores {
            RootScores::OneBest => best_yet,
            RootScores::AllBest => Points(best_yet.0 - 1).max(-Points::INFINITY),
            RootScores::All => -Points::INFINITY,
        };
        let mut worker = searcher.fresh();
        let points = worker.below(next, keeps_turn, depth, 0, alpha, Points::INFINITY)?;
        best.fetch_max(points.0, Relaxed);
        Ok(TriedMove { m, points, exact: points > alpha, counters: worker.counters })
    };
    match split {
        Split::No => moves.iter().map(attempt).collect(),
        Split::Brothers => {
            let (eldest, brothers) =
                moves.split_first().expect("a game that is not over has moves");
            let mut tried = vec![attempt(eldest)?];
            for brother in parallel::map(brothers.len(), &|i| attempt(&brothers[i])) {
                tried.push(brother?);
            }
            Ok(tried)
        }
    }
}
