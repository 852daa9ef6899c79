//! The root of a search: its moves one after the other, or split over rayon workers.

use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::points::Points;
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

#[derive(Clone, Copy, Debug)]
pub(super) struct Branch<P> {
    /// The bit of the move.
    pub m: Move,
    pub keeps_turn: bool,
    pub next: P,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TriedMove {
    pub m: Move,
    pub points: Points,
    /// False if `points` is an upper bound below the score asked for.
    pub exact: bool,
    pub counters: SearchCounters,
}

/// Searches moves of a root, given by their places, in order. `attempt` searches the move of a place
/// for scores above a bound.
pub(super) fn search_root(
    places: &[usize],
    scores: RootScores,
    split: Split,
    attempt: &(dyn Fn(usize, Points) -> Result<TriedMove, Stopped> + Sync),
) -> Result<Vec<TriedMove>, Stopped> {
    let best = AtomicI32::new((-Points::INFINITY).0);
    let attempt = |&place: &usize| {
        let best_yet = Points(best.load(Relaxed));
        let alpha = match scores {
            RootScores::OneBest => best_yet,
            RootScores::AllBest => Points(best_yet.0 - 1).max(-Points::INFINITY),
            RootScores::All => -Points::INFINITY,
        };
        let tried = attempt(place, alpha)?;
        best.fetch_max(tried.points.0, Relaxed);
        Ok(tried)
    };
    match split {
        Split::No => places.iter().map(attempt).collect(),
        Split::Brothers => {
            let (eldest, brothers) =
                places.split_first().expect("a game that is not over has moves");
            let mut tried = vec![attempt(eldest)?];
            for brother in parallel::map(brothers.len(), &|i| attempt(&brothers[i])) {
                tried.push(brother?);
            }
            Ok(tried)
        }
    }
}
