//! Depth-limited alpha-beta below one position.

use super::collect::{Collector, Proven};
use super::evaluate::{DRAWN, evaluate};
use super::points::Points;
use super::table::{Bound, Entry, TranspositionTable};
use crate::control::{Control, Stopped};
use crate::game::{Game, Move, MoveSet, Outcome, Remoteness, Stones};
use crate::statistics::SearchCounters;

/// In which order moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// By number.
    Ascending,
    /// From the centre outwards ([`Game::centre_first`]).
    CentreFirst,
}

/// What a table entry is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// Its move is tried first.
    MoveOnly,
    /// Its score may also end the search of a node.
    MoveAndScore,
}

/// Nodes between two looks at whether to stop.
const PATIENCE: u64 = 1 << 12;

/// A worker's view of a search: what all share, and its own counters.
pub(super) struct Searcher<'a, G, T> {
    pub game: &'a G,
    pub table: &'a T,
    pub table_use: TableUse,
    pub order: &'a [Move],
    pub collector: Option<&'a Collector<'a>>,
    pub control: &'a Control,
    pub counters: SearchCounters,
}

impl<G, T> Searcher<'_, G, T> {
    /// The same view with counters at zero, for another worker.
    pub fn fresh(&self) -> Self {
        Self { counters: SearchCounters::default(), ..*self }
    }
}

impl<G: Game, T: TranspositionTable> Searcher<'_, G, T> {
    /// The score of a position at a depth, as far as the window (alpha, beta) asks: exact inside
    /// it; at most alpha, an upper bound of the score; at least beta, a lower bound (fail-soft).
    ///
    /// Scores are for the side to move; proven ends are counted from the root, which is
    /// `from_root` plies above.
    pub fn search(
        &mut self,
        position: Stones,
        depth: u32,
        from_root: u32,
        mut alpha: Points,
        beta: Points,
    ) -> Result<Points, Stopped> {
        self.counters.nodes += 1;
        if self.counters.nodes.is_multiple_of(PATIENCE) {
            self.control.advance(PATIENCE);
            self.control.check()?;
        }
        if let Some(outcome) = self.game.terminal(position) {
            self.collect(position, Points::lost_at(0), Bound::Exact, 0);
            return Ok(if outcome == Outcome::Loss { Points::lost_at(from_root) } else { DRAWN });
        }
        if depth == 0 {
            self.counters.leaf_evaluations += 1;
            return Ok(evaluate(self.game, position));
        }

        let mut table_move = None;
        let canonical = T::IN_USE.then(|| self.game.canonical(position));
        if let Some((key, symmetry)) = canonical {
            self.counters.table_probes += 1;
            if let Some(entry) = self.table.probe(key) {
                self.counters.table_hits += 1;
                table_move = Some(self.game.image_move(entry.best, self.game.inverse(symmetry)));
                if self.table_use == TableUse::MoveAndScore && entry.is_usable(depth) {
                    let points = entry.points.seen_from_above(from_root);
                    let decides = match entry.bound {
                        Bound::Exact => true,
                        Bound::Lower => points >= beta,
                        Bound::Upper => points <= alpha,
                    };
                    if decides {
                        return Ok(points);
                    }
                }
            }
        }

        let window_floor = alpha;
        let mut best = -Points::INFINITY;
        let mut best_move = Move(0);
        let mut tried = 0;
        let moves = self.game.moves(position);
        let rest = self.order.iter().copied().filter(|m| Some(*m) != table_move);
        let moves = table_move.into_iter().chain(rest).filter(|m| moves.contains(*m));
        let mut moves = moves.peekable();
        while let Some(m) = moves.next() {
            if T::IN_USE
                && depth > 1
                && let Some(&following) = moves.peek()
            {
                // The table is larger than any cache: fetch what it knows of the next move while
                // this one is searched. Too late for this one, useless at the horizon.
                let following = self.game.play(position, following);
                self.table.prefetch(self.game.canonical(following).0);
            }
            let next = self.game.play(position, m);
            let points = -self.search(next, depth - 1, from_root + 1, -beta, -alpha)?;
            tried += 1;
            if points > best {
                (best, best_move) = (points, m);
                alpha = alpha.max(best);
                if alpha >= beta {
                    self.counters.cutoffs += 1;
                    self.counters.first_move_cutoffs += u64::from(tried == 1);
                    break;
                }
            }
        }

        let bound = match best {
            points if points >= beta => Bound::Lower,
            points if points <= window_floor => Bound::Upper,
            _ => Bound::Exact,
        };
        let points = best.seen_from_below(from_root);
        self.collect(position, points, bound, depth);
        if let Some((key, symmetry)) = canonical {
            self.counters.table_stores += 1;
            let best = self.game.image_move(best_move, symmetry);
            self.table.store(key, Entry { depth, bound, points, best });
        }
        Ok(best)
    }

    /// Hands a position to the collector if its outcome is proven. `points` are counted from it.
    fn collect(&self, position: Stones, points: Points, bound: Bound, depth: u32) {
        let Some(collector) = self.collector.filter(|c| c.wants(position.ply())) else { return };
        let Some(proven) = proof(self.game, position, points, bound, depth) else { return };
        collector.add(self.game.canonical(position).0, proven);
    }
}

/// What a score of a position at a depth proves.
fn proof<G: Game>(
    game: &G,
    position: Stones,
    points: Points,
    bound: Bound,
    depth: u32,
) -> Option<Proven> {
    if let Some(outcome) = game.terminal(position) {
        let (remoteness, best) = (Some(Remoteness(0)), Some(MoveSet::EMPTY));
        return Some(Proven { outcome, remoteness, best });
    }
    let left = game.plies_left(position);
    let Some(value) = points.decided() else {
        // With every end of the game in sight a score that is neither won nor lost is a draw,
        // and draws come with a full board.
        let drawn = bound == Bound::Exact && depth >= left;
        let remoteness = Some(Remoteness(left as u8));
        return drawn.then_some(Proven { outcome: Outcome::Draw, remoteness, best: None });
    };
    // A win found is at most so far away, a loss found too (the loser could not delay longer).
    // The distance is exact inside the window, and where it is the least there can be: a move
    // for a win, a move and its answer for a loss.
    let (on_side, least) = match value.outcome {
        Outcome::Win => (bound != Bound::Upper, 1),
        _ => (bound != Bound::Lower, 2),
    };
    let exact = bound == Bound::Exact || value.remoteness.0 == least;
    on_side.then_some(Proven {
        outcome: value.outcome,
        remoteness: exact.then_some(value.remoteness),
        best: None,
    })
}
