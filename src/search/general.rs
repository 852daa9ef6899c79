//! Minimax and alpha-beta for any game that ends.
//!
//! [`minimax`](super::minimax()) and [`search`](super::search()) are for boards of lines, with a
//! move order and an evaluation made for them. What is here takes a game as the
//! [contract](crate::game::contract) has it: sides need not alternate, and a result is what the
//! game says it is, a win for the side to move included.

use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use rayon::prelude::*;

use super::points::Points;
use super::table::{Bound, Entry, TranspositionTable};
use crate::control::{Control, Stopped};
use crate::game::contract::{Evaluate, Keyed, Tiered, branches};
use crate::game::{Key, Move, Outcome};
use crate::statistics::SearchCounters;

/// The most points of an evaluation: more is cut down to that, so that a proven result outranks
/// it.
const MOST_POINTS: i32 = 100_000;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Try moves by their promise, not by number.
    pub ordered: bool,
    /// Search depth 1, 2, 3, ... with the table's move first.
    pub deepening: bool,
    /// A score in the table may end the search of a node.
    pub table_scores: bool,
    /// Share the moves of the root among the threads of the rayon pool.
    pub split: bool,
}

/// The score of a position that needs no search: the game is over, or the horizon is reached.
fn known<G: Evaluate>(
    game: &G,
    position: G::Position,
    depth: u32,
    from_root: u32,
    counters: &mut SearchCounters,
) -> Option<Points> {
    match game.result(position) {
        Some(Outcome::Loss) => Some(Points::lost_at(from_root)),
        Some(Outcome::Draw) => Some(Points::ZERO),
        Some(Outcome::Win) => Some(-Points::lost_at(from_root)),
        None if depth == 0 => {
            counters.leaf_evaluations += 1;
            Some(Points(game.evaluate(position).clamp(-MOST_POINTS, MOST_POINTS)))
        }
        None => None,
    }
}

/// A score seen from the position before.
#[inline(always)]
fn before(points: Points, keeps_turn: bool) -> Points {
    if keeps_turn { points } else { -points }
}

/// The minimax score at a depth, for the side to move, by visiting every history up to it.
///
/// # Errors
/// If the control asks it to stop.
pub fn minimax_of<G: Evaluate>(
    game: &G,
    position: G::Position,
    depth: u32,
    control: &Control,
    counters: &mut SearchCounters,
) -> Result<Points, Stopped> {
    minimax_below(game, position, depth, 0, control, counters)
}

fn minimax_below<G: Evaluate>(
    game: &G,
    position: G::Position,
    depth: u32,
    from_root: u32,
    control: &Control,
    counters: &mut SearchCounters,
) -> Result<Points, Stopped> {
    counters.nodes += 1;
    if counters.nodes.is_multiple_of(1 << 12) {
        control.check()?;
    }
    if let Some(points) = known(game, position, depth, from_root, counters) {
        return Ok(points);
    }
    let mut best = -Points::INFINITY;
    for (_, _, keeps, next) in branches(game, position) {
        let points = minimax_below(game, next, depth - 1, from_root + 1, control, counters)?;
        best = best.max(before(points, keeps));
    }
    Ok(best)
}

/// The same score by alpha-beta.
///
/// # Errors
/// If the control asks it to stop.
pub fn alpha_beta_of<G, T>(
    game: &G,
    root: G::Position,
    depth: u32,
    plan: Plan,
    table: &T,
    control: &Control,
    counters: &mut SearchCounters,
) -> Result<Points, Stopped>
where
    G: Evaluate + Tiered + Keyed<Key = Key>,
    T: TranspositionTable,
{
    let depth = depth.min(game.plies_left(root));
    let first = if plan.deepening { 1.min(depth) } else { depth };
    let mut score = Points::ZERO;
    for depth in first..=depth {
        let mut searcher =
            Searcher { game, plan, table, control, counters: SearchCounters::default() };
        score = if plan.split {
            searcher.split(root, depth)?
        } else {
            searcher.search(root, depth, 0, -Points::INFINITY, Points::INFINITY)?
        };
        *counters += searcher.counters;
    }
    Ok(score)
}

/// A worker's view of a search.
struct Searcher<'a, G, T> {
    game: &'a G,
    plan: Plan,
    table: &'a T,
    control: &'a Control,
    counters: SearchCounters,
}

/// A move to try: how promising it is, its bit, whether it keeps the turn, and where it leads.
type Candidate<G> = (i32, u32, bool, <G as crate::game::contract::Game>::Position);

impl<G, T> Searcher<'_, G, T>
where
    G: Evaluate + Tiered + Keyed<Key = Key>,
    T: TranspositionTable,
{
    /// The moves in the order they are tried; equals stay ascending.
    fn candidates(&self, position: G::Position, table_move: Option<u32>) -> Vec<Candidate<G>> {
        let mut moves: Vec<Candidate<G>> = branches(self.game, position)
            .map(|(bit, m, keeps, next)| {
                let promise = if self.plan.ordered { self.game.promise(position, m) } else { 0 };
                let promise = if table_move == Some(bit) { i32::MAX } else { promise };
                (promise, bit, keeps, next)
            })
            .collect();
        if self.plan.ordered || table_move.is_some() {
            moves.sort_by_key(|(promise, ..)| std::cmp::Reverse(*promise));
        }
        moves
    }

    /// The score as far as the window asks: exact inside it, a bound outside (fail-soft).
    fn search(
        &mut self,
        position: G::Position,
        depth: u32,
        from_root: u32,
        mut alpha: Points,
        beta: Points,
    ) -> Result<Points, Stopped> {
        self.counters.nodes += 1;
        if self.counters.nodes.is_multiple_of(1 << 12) {
            self.control.check()?;
        }
        if let Some(points) = known(self.game, position, depth, from_root, &mut self.counters) {
            return Ok(points);
        }
        let mut table_move = None;
        let key = self.game.key(position);
        if T::IN_USE {
            self.counters.table_probes += 1;
            if let Some(entry) = self.table.probe(key) {
                self.counters.table_hits += 1;
                table_move = Some(u32::from(entry.best.0));
                let points = entry.points.seen_from_above(from_root);
                let decides = match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => points >= beta,
                    Bound::Upper => points <= alpha,
                };
                if self.plan.table_scores && entry.is_usable(depth) && decides {
                    return Ok(points);
                }
            }
        }
        let floor = alpha;
        let mut best = -Points::INFINITY;
        let mut best_bit = 0;
        for (tried, (_, bit, keeps, next)) in
            self.candidates(position, table_move).into_iter().enumerate()
        {
            let (low, high) = if keeps { (alpha, beta) } else { (-beta, -alpha) };
            let points = before(self.search(next, depth - 1, from_root + 1, low, high)?, keeps);
            if points > best {
                (best, best_bit) = (points, bit);
                alpha = alpha.max(best);
                if alpha >= beta {
                    self.counters.cutoffs += 1;
                    self.counters.first_move_cutoffs += u64::from(tried == 0);
                    break;
                }
            }
        }
        if T::IN_USE {
            self.counters.table_stores += 1;
            let bound = match best {
                points if points >= beta => Bound::Lower,
                points if points <= floor => Bound::Upper,
                _ => Bound::Exact,
            };
            let points = best.seen_from_below(from_root);
            self.table.store(key, Entry { depth, bound, points, best: Move(best_bit as u8) });
        }
        Ok(best)
    }

    /// The root's score, its moves shared out: the first alone, for its score spares the others
    /// work, then each from the best score any worker has found.
    fn split(&mut self, root: G::Position, depth: u32) -> Result<Points, Stopped> {
        self.counters.nodes += 1;
        if let Some(points) = known(self.game, root, depth, 0, &mut self.counters) {
            return Ok(points);
        }
        let table_move = self.table.probe(self.game.key(root)).map(|e| u32::from(e.best.0));
        let candidates = self.candidates(root, table_move);
        let best = AtomicI32::new((-Points::INFINITY).0);
        let attempt = |&(_, bit, keeps, next): &Candidate<G>| {
            let alpha = Points(best.load(Relaxed));
            let (low, high) =
                if keeps { (alpha, Points::INFINITY) } else { (-Points::INFINITY, -alpha) };
            let mut worker = Searcher { counters: SearchCounters::default(), ..*self };
            let points = before(worker.search(next, depth - 1, 1, low, high)?, keeps);
            best.fetch_max(points.0, Relaxed);
            Ok((points, bit, worker.counters))
        };
        let Some((eldest, brothers)) = candidates.split_first() else {
            return Ok(Points::ZERO);
        };
        let mut tried = vec![attempt(eldest)?];
        let rest: Result<Vec<_>, Stopped> =
            brothers.par_iter().with_max_len(1).map(attempt).collect();
        tried.extend(rest?);
        self.counters += tried.iter().map(|(.., counters)| *counters).sum();
        let score = Points(best.into_inner());
        if let Some((_, bit, _)) = tried.iter().find(|(points, ..)| *points == score) {
            let entry = Entry { depth, bound: Bound::Exact, points: score, best: Move(*bit as u8) };
            self.table.store(self.game.key(root), entry);
        }
        Ok(score)
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{NoTable, Table};
    use super::*;
    use crate::exhaustive::{Graph, StrongSolution};
    use crate::game::contract::{Game, Symmetric, laws};
    use crate::games::{Dots, Hexapawn, Nim};

    const PLANS: [Plan; 5] = {
        let plain = Plan { ordered: false, deepening: false, table_scores: false, split: false };
        let ordered = Plan { ordered: true, ..plain };
        let deepening = Plan { deepening: true, ..ordered };
        let table = Plan { table_scores: true, ..deepening };
        [plain, ordered, deepening, table, Plan { split: true, ..table }]
    };

    fn scores<G: Evaluate + Tiered + Keyed<Key = Key>>(
        game: &G,
        root: G::Position,
        depth: u32,
    ) -> Vec<Points> {
        let control = Control::default();
        let mut counters = SearchCounters::default();
        let mut scores = vec![minimax_of(game, root, depth, &control, &mut counters).unwrap()];
        for (i, plan) in PLANS.into_iter().enumerate() {
            let table = Table::new(1, 64).unwrap();
            scores.push(
                if i < 2 {
                    alpha_beta_of(game, root, depth, plan, &NoTable, &control, &mut counters)
                } else {
                    alpha_beta_of(game, root, depth, plan, &table, &control, &mut counters)
                }
                .unwrap(),
            );
        }
        scores
    }

    /// To every depth all plans give minimax's score; to the end that is the graph's value.
    fn agree<G: Evaluate + Tiered + Symmetric<Key = Key>>(game: &G, most: u32) {
        let graph = Graph::solve(game.clone(), game.initial(), u64::MAX, &Control::default());
        let graph = graph.unwrap();
        let mut seen = 0;
        laws::random_positions(game, |position| {
            seen += 1;
            let left = game.plies_left(position);
            if left > most || seen % 3 != 0 {
                return;
            }
            for depth in [1, 3, left] {
                let scores = scores(game, position, depth);
                assert!(scores.iter().all(|s| *s == scores[0]), "{scores:?} {position:?}");
                if depth == left {
                    let value = graph.worth(position).unwrap();
                    match scores[0].decided() {
                        Some(won) => assert_eq!(value, crate::game::contract::Worth::Ends(won)),
                        None => assert_eq!(value.outcome(), Outcome::Draw),
                    }
                }
            }
        });
        assert!(seen > 3);
    }

    #[test]
    fn every_search_gives_the_value_of_the_graph() {
        for misere in [false, true] {
            agree(&Nim::new(&[1, 3, 4], misere).unwrap(), 8);
        }
        agree(&Hexapawn::new(3, 3).unwrap(), 12);
        agree(&Dots::new(2, 2).unwrap(), 7);
        agree(&Dots::with_handicap(2, 1, -1).unwrap(), 7);
    }

    #[test]
    fn the_side_to_move_may_have_won() {
        // One stone left in misère nim: whoever has to take it loses, so the end is won.
        let game = Nim::new(&[1], true).unwrap();
        let over =
            game.play(game.initial(), game.moves(game.initial()).into_iter().next().unwrap());
        assert_eq!(game.result(over), Some(Outcome::Win));
        for score in scores(&game, game.initial(), 1) {
            assert_eq!(score, Points::lost_at(1));
        }
        for score in scores(&game, over, 0) {
            assert_eq!(score, -Points::lost_at(0));
        }
    }
}
