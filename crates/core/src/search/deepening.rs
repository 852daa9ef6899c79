//! Iterative deepening: the driver of a depth-limited search.

use super::RootScores;
use super::alpha_beta::{MoveOrder, Searchable, Searcher, TableUse, natural, table_move_of};
use super::evaluation::Evaluation;
use super::points::Points;
use super::principal::{Level, Worker};
use super::root::{Branch, Split, TriedMove, search_root};
use super::table::{Bound, MOST_DEPTH, SharedTable, TableEntry};
use super::team::{Common, Team};
use crate::clock::Instant;
use crate::control::{Control, Stopped};
use crate::game::{Move, MoveSet, Outcome, PartialValue, Remoteness, Value};
use crate::statistics::{Iteration, RootMove, Score, SearchCounters, ThreadWork};

/// The moves of a root after a search.
type Searched = Result<Vec<TriedMove>, Stopped>;
/// A test whether a move attains a score, by the depth of its position and the plies from the root.
type Attains<'a, P> = dyn FnMut(&Branch<P>, u32, u32, Points) -> Result<bool, Stopped> + 'a;

/// The way in which a search prunes the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Alpha-beta as in textbooks: moves in the order of the game, the table's move first.
    AlphaBeta,
    /// Principal variation search with all that speeds it up. Moves in another order than the best are
    /// searched by alpha-beta.
    PrincipalVariation,
}

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Plies below the root, at most those left to the end of the game, and 63.
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
    pub principal_variation: bool,
}

impl Settings {
    /// The least nodes of an iteration (some hundredths of a second) for the next to be split.
    pub const SPLIT_AFTER: u64 = 200_000;

    /// Settings for a search to a depth, with all accelerations.
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
}

/// The result of a search, for the side to move at the root. Moves are given by their
/// [bits](crate::game::Game::bit).
#[derive(Clone, Debug)]
pub struct Report {
    /// Depth of the last iteration completed; 0 if there was none.
    pub depth: u32,
    pub score: Score,
    /// The root's value, if it is proven; a draw of unknown distance is left out.
    pub value: Option<Value>,
    /// All moves that attain the score (one of them with [`RootScores::OneBest`]).
    pub best: MoveSet,
    /// Best play of both sides: at every step the first best move in the move order.
    pub principal_variation: Vec<Move>,
    pub root_moves: Vec<RootMove>,
    pub iterations: Vec<Iteration>,
    /// The work of proving the principal variation, in addition to the iterations.
    pub variation_counters: SearchCounters,
    /// The work of each thread; one entry for all of them with [`Pruning::AlphaBeta`].
    pub threads: Vec<ThreadWork>,
    pub stopped: bool,
    points: Points,
}

impl Report {
    /// The result without a search: the evaluation, or the value of a finished game.
    fn before_searching<G: Searchable>(
        game: &G,
        root: G::Position,
        evaluation: Evaluation,
    ) -> Self {
        let ended = game.result(root).map(|outcome| Value::new(outcome, Remoteness(0)));
        let points = evaluation.points(game, root);
        let discount = game.discount(game.plies_left(root));
        Self {
            depth: 0,
            score: ended.map_or_else(|| points.score(discount), Score::of_value),
            value: ended,
            best: MoveSet::EMPTY,
            principal_variation: Vec::new(),
            root_moves: Vec::new(),
            iterations: Vec::new(),
            variation_counters: SearchCounters::default(),
            threads: Vec::new(),
            stopped: false,
            points,
        }
    }

    pub(super) const fn points(&self) -> Points {
        self.points
    }

    pub fn counters(&self) -> SearchCounters {
        self.iterations.iter().map(|i| i.counters).sum()
    }

    /// Iterates over the depths: apart from [`search`], so that it is compiled once for all games.
    /// `search_root` searches the root's moves to a depth in the order of their places; `keep` keeps the
    /// points of a depth and the first best move in the table, and returns the score. Returns the moves
    /// of the last iteration, with the nodes of all iterations by bit.
    fn deepen(
        &mut self,
        settings: &Settings,
        moves: &[Move],
        search_root: &mut dyn FnMut(u32, &[usize], Split) -> Searched,
        keep: &dyn Fn(u32, Points, Move) -> Score,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> (Vec<TriedMove>, [u64; 64]) {
        let mut places: Vec<usize> = (0..moves.len()).collect();
        let mut nodes = [0; 64];
        let mut tried = Vec::new();
        // At depth 0 there is nothing to search.
        let first = if settings.deepening { 1 } else { settings.depth.max(1) };
        for depth in first..=settings.depth {
            let split =
                self.iterations.last().is_some_and(|i| i.counters.nodes >= settings.split_after)
                    && rayon::current_num_threads() > 1;
            let split =
                if split || settings.split_after == 0 { Split::Brothers } else { Split::No };
            let begun = Instant::now();
            let Ok(searched) = search_root(depth, &places, split) else {
                self.stopped = true;
                break;
            };
            tried = searched;
            let points = tried.iter().map(|t| t.points).max().expect("the root has moves");
            let best = |m: Move| tried.iter().any(|t| t.m == m && t.exact && t.points == points);
            let first = moves.iter().position(|m| best(*m)).expect("the best score is exact");
            self.depth = depth;
            self.points = points;
            self.score = keep(depth, points, moves[first]);
            self.best = moves.iter().copied().filter(|m| best(*m)).collect();
            let mut counters: SearchCounters = tried.iter().map(|t| t.counters).sum();
            counters.nodes += 1;
            for t in &tried {
                nodes[usize::from(t.m.0)] += t.counters.nodes;
            }
            let iteration =
                Iteration { depth, score: self.score, counters, elapsed: begun.elapsed() };
            self.iterations.push(iteration);
            on_iteration(&iteration);
            places = (0..moves.len()).collect();
            places[..=first].rotate_right(1);
            if points.is_decided() {
                break;
            }
        }
        (tried, nodes)
    }

    fn conclude(
        &mut self,
        settings: &Settings,
        drawn: Option<u32>,
        discount: u32,
        (mut tried, nodes): (Vec<TriedMove>, [u64; 64]),
    ) {
        let drawn = drawn.map(|plies| Value::new(Outcome::Draw, Remoteness(plies as u8)));
        let value = |points: Points| points.decided().or(drawn);
        self.value = if self.depth > 0 { value(self.points) } else { None };
        tried.sort_unstable_by_key(|t| t.m);
        self.root_moves = tried
            .iter()
            .map(|t| {
                // The exactness of other scores depends on the order of events: leave them out.
                let is_known = settings.root_scores == RootScores::All || self.best.contains(t.m);
                let value = if is_known { value(t.points) } else { None };
                RootMove {
                    m: t.m,
                    value: value.map(PartialValue::from),
                    score: is_known.then(|| t.points.score(discount)),
                    nodes: nodes[usize::from(t.m.0)],
                }
            })
            .collect();
    }
}

/// Searches a position.
///
/// # Panics
/// If the table was made for keys of fewer bits than those of the game: it would confuse positions.
///
/// If the control asks to stop, the result is that of the last iteration completed. The result does
/// not depend on threads or table (none: no position is looked up); node counts depend on both.
///
/// A win or loss ends the deepening when it is first seen: at that depth its distance is exact,
/// and no greater depth changes it.
pub fn search<G: Searchable>(
    game: &G,
    root: G::Position,
    settings: &Settings,
    table: Option<&SharedTable>,
    control: &Control,
    on_iteration: &mut dyn FnMut(&Iteration),
) -> Report {
    assert!(game.most_moves() <= 64, "sets of moves hold 64");
    assert!(
        table.is_none_or(|table| table.serves(game)),
        "the table tells fewer keys apart than the game has: make it for {} bits of key",
        game.key_bits()
    );
    let mut report = Report::before_searching(game, root, settings.evaluation);
    if game.result(root).is_some() {
        return report;
    }
    let left = game.plies_left(root);
    let branches = in_order(game, root, settings.order);
    let moves: Vec<Move> = branches.iter().map(|branch| branch.m).collect();
    let keep = |depth, points: Points, first: Move| {
        if let Some(table) = table {
            let (key, symmetry) = game.canonical(root);
            let best = table_move_of(game, root, u32::from(first.0), symmetry);
            table.store(key, TableEntry { depth, bound: Bound::Exact, points, best, work: 0 });
        }
        points.score(game.discount(left - depth))
    };
    let within = Settings { depth: settings.depth.min(left).min(MOST_DEPTH), ..*settings };
    let drawn = |depth| game.plies_to_draw(root).filter(|_| depth == left);
    let is_textbook = settings.pruning == Pruning::AlphaBeta || settings.order != MoveOrder::Best;
    if is_textbook {
        let searcher = Searcher {
            game,
            table,
            table_use: settings.table_use,
            order: settings.order,
            evaluation: settings.evaluation,
            control,
            counters: SearchCounters::default(),
        };
        let attempt = |place: usize, depth, alpha| {
            let Branch { m, keeps_turn, next } = branches[place];
            let mut worker = searcher.fresh();
            let points = worker.below(next, keeps_turn, depth, 0, alpha, Points::INFINITY)?;
            Ok(TriedMove { m, points, exact: points > alpha, counters: worker.counters })
        };
        let mut search_root = |depth, places: &[usize], split| {
            let attempt = |place, alpha| attempt(place, depth, alpha);
            search_root(places, settings.root_scores, split, &attempt)
        };
        let tried = report.deepen(&within, &moves, &mut search_root, &keep, on_iteration);
        report.conclude(settings, drawn(report.depth), game.discount(left - report.depth), tried);
        report.threads =
            vec![ThreadWork { nodes: report.counters().nodes, ..ThreadWork::default() }];
        if settings.principal_variation && !report.stopped {
            let mut searcher = searcher.fresh();
            let mut attains = |branch: &Branch<_>, depth, from_root, points: Points| {
                let &Branch { keeps_turn, next, .. } = branch;
                let below = Points(points.0 - 1);
                Ok(searcher.below(next, keeps_turn, depth, from_root, below, points)? >= points)
            };
            report.add_variation(game, root, settings.order, &mut attains);
            report.variation_counters = searcher.counters;
        }
        return report;
    }
    let common = Common::new(branches.len());
    let worker = || Worker::new(game, table, settings.evaluation, control);
    let mut team = Team::new(&common, &branches, &worker);
    let mut search_root = |depth, places: &[usize], split| {
        team.search(depth, places, settings.root_scores, split == Split::Brothers)
    };
    let tried = report.deepen(&within, &moves, &mut search_root, &keep, on_iteration);
    report.conclude(settings, drawn(report.depth), game.discount(left - report.depth), tried);
    if settings.principal_variation && !report.stopped {
        let worker = team.first();
        worker.watched = None;
        let before = worker.counters;
        let mut attains = |branch: &Branch<G::Position>, depth, from_root, points: Points| {
            let &Branch { keeps_turn, next, .. } = branch;
            let level = Level { depth, from_root, turn: from_root % 2 == 1 }.below(keeps_turn);
            if let Some(score) = worker.settled(next, level) {
                worker.counters.nodes += 1;
                return Ok((if keeps_turn { score } else { -score }) >= points);
            }
            let (named, window) = (worker.named(next, level), (Points(points.0 - 1), points));
            match worker.below(next, named, keeps_turn, level, window) {
                Ok(score) => Ok(score >= points),
                Err(_) => Err(Stopped),
            }
        };
        report.add_variation(game, root, settings.order, &mut attains);
        let after = team.first().counters;
        report.variation_counters.add_difference(&after, &before);
    }
    report.threads = team.into_work();
    report
}

/// The moves of a position in the order they are tried.
fn in_order<G: Searchable>(
    game: &G,
    position: G::Position,
    order: MoveOrder,
) -> Vec<Branch<G::Position>> {
    let mut moves = Vec::new();
    let add = |(bit, m): (u32, G::Move)| {
        let (keeps_turn, next) = (game.keeps_turn(position, m), game.play(position, m));
        moves.push(Branch { m: Move(bit as u8), keeps_turn, next });
    };
    match order {
        MoveOrder::Natural => natural(game, position).for_each(add),
        MoveOrder::Best | MoveOrder::Worst => game.in_order(position).for_each(add),
    }
    if order == MoveOrder::Worst {
        moves.reverse();
    }
    moves
}

impl Report {
    /// Adds best play from the root: at every step the first move, in the move order, that attains the
    /// score. `attains` tests a move by a null window just below the score, so that the answer is the
    /// same whatever the table holds.
    fn add_variation<G: Searchable>(
        &mut self,
        game: &G,
        root: G::Position,
        order: MoveOrder,
        attains: &mut Attains<'_, G::Position>,
    ) {
        let (mut position, mut points, mut line) = (root, self.points, Vec::new());
        while (line.len() as u32) < self.depth && game.result(position).is_none() {
            let from_root = line.len() as u32;
            let depth = self.depth - from_root;
            let mut chosen = None;
            for branch in in_order(game, position, order) {
                let is_best = match from_root {
                    0 => Ok(self.best.contains(branch.m)),
                    _ => attains(&branch, depth, from_root, points),
                };
                let Ok(is_best) = is_best else {
                    self.stopped = true;
                    return;
                };
                if is_best {
                    chosen = Some(branch);
                    break;
                }
            }
            let Some(Branch { m, keeps_turn, next }) = chosen else {
                assert!(line.is_empty(), "some move attains the score of its position");
                break;
            };
            line.push(m);
            position = next;
            points = if keeps_turn { points } else { -points };
        }
        self.principal_variation = line;
    }
}
