//! Iterative deepening: the driver of a depth-limited search.

use std::time::Instant;

use super::alpha_beta::{MoveOrder, Searcher, TableUse};
use super::collect::{Collector, Proven};
use super::evaluate::outranked_by_proof;
use super::parallel::{Split, Tried, search_root};
use super::points::Points;
use super::table::{Bound, Entry, TranspositionTable};
use super::{RootScores, evaluate};
use crate::control::{Control, Stopped};
use crate::game::{Game, Move, MoveSet, Outcome, Remoteness, Stones, Value};
use crate::statistics::{Iteration, RootMove, Score, SearchCounters};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Plies below the root; more than are left to the end of the game is no more than those.
    pub depth: u32,
    /// The order of moves without a table move.
    pub order: MoveOrder,
    /// Search depth 1, 2, 3, ... with the best move of the last iteration first; else the full
    /// depth at once.
    pub deepening: bool,
    /// What a table entry is used for.
    pub table_use: TableUse,
    /// What is wanted of the root's moves.
    pub root_scores: RootScores,
    /// Nodes an iteration must have taken for the next to be split over the threads of the rayon
    /// pool; `u64::MAX` never splits. An iteration that is over in a blink gains nothing from
    /// threads, and searched by one it visits the same nodes every time.
    pub split_after: u64,
    /// Find the principal variation as well.
    pub principal_variation: bool,
}

impl Settings {
    /// The iteration before has to take this many nodes (some hundredths of a second) for the next
    /// to be split.
    pub const SPLIT_AFTER: u64 = 200_000;

    /// Everything on, to a depth.
    #[must_use]
    pub const fn to_depth(depth: u32) -> Self {
        Self {
            depth,
            order: MoveOrder::CentreFirst,
            deepening: true,
            table_use: TableUse::MoveAndScore,
            root_scores: RootScores::AllBest,
            split_after: Self::SPLIT_AFTER,
            principal_variation: true,
        }
    }
}

/// What a search found out, for the side to move at the root.
#[derive(Clone, Debug)]
pub struct Report {
    /// Depth of the last iteration completed; 0 if there was none.
    pub depth: u32,
    /// The root's score at that depth.
    pub score: Score,
    /// The root's value, if it is proven.
    pub value: Option<Value>,
    /// All moves that attain the score (one of them with [`RootScores::OneBest`]).
    pub best: MoveSet,
    /// Best play of both sides: at every step the first best move in the move order.
    pub principal_variation: Vec<Move>,
    /// The root's moves, ascending.
    pub root_moves: Vec<RootMove>,
    /// Every iteration completed.
    pub iterations: Vec<Iteration>,
    /// Work spent on proving the principal variation, beside the iterations.
    pub variation_counters: SearchCounters,
    /// True if the search was stopped before it reached its depth.
    pub stopped: bool,
    points: Points,
}

impl Report {
    /// What is known without searching: the evaluation, or how the game ended.
    fn before_searching<G: Game>(game: &G, root: Stones) -> Self {
        let ended = game.terminal(root).map(|outcome| Value::new(outcome, Remoteness(0)));
        let points = evaluate(game, root);
        Self {
            depth: 0,
            score: ended.map_or_else(|| points.score(u32::from(root.ply().0)), Score::of_value),
            value: ended,
            best: MoveSet::EMPTY,
            principal_variation: Vec::new(),
            root_moves: Vec::new(),
            iterations: Vec::new(),
            variation_counters: SearchCounters::default(),
            stopped: false,
            points,
        }
    }

    /// The work of all iterations.
    #[must_use]
    pub fn counters(&self) -> SearchCounters {
        self.iterations.iter().map(|i| i.counters).sum()
    }

    /// Draws the conclusions from the last iteration.
    fn conclude<G: Game>(
        &mut self,
        game: &G,
        root: Stones,
        settings: &Settings,
        tried: &[Tried],
        nodes: &[u64],
    ) {
        let left = game.plies_left(root);
        let to_the_end = self.depth == left;
        let value = |points: Points| match points.decided() {
            Some(value) => Some(value),
            None => to_the_end.then_some(Value::new(Outcome::Draw, Remoteness(left as u8))),
        };
        self.value = if self.depth > 0 { value(self.points) } else { None };
        let stones = u32::from(root.ply().0) + self.depth;
        let mut moves = tried.to_vec();
        moves.sort_unstable_by_key(|t| t.m);
        self.root_moves = moves
            .iter()
            .map(|t| {
                // What is exact beside the best depends on the order of events: leave it out.
                let told = settings.root_scores == RootScores::All || self.best.contains(t.m);
                let value = if told { value(t.points) } else { None };
                RootMove {
                    m: t.m,
                    outcome: value.map(|v| v.outcome),
                    remoteness: value.map(|v| v.remoteness),
                    score: told.then(|| t.points.score(stones)),
                    nodes: nodes[usize::from(t.m.0)],
                }
            })
            .collect();
    }
}

/// Searches a position.
///
/// The result is that of the last iteration completed when the control asks to stop, and does
/// not depend on threads or table; node counts depend on both.
///
/// A win or loss ends the deepening when it is first seen: at that depth its distance is exact,
/// and no greater depth changes it.
///
/// # Panics
/// If the evaluation of the board could outrank a proof; no board that fits 64 bits does that.
pub fn search<G: Game, T: TranspositionTable>(
    game: &G,
    root: Stones,
    settings: &Settings,
    table: &T,
    collector: Option<&Collector<'_>>,
    control: &Control,
    mut on_iteration: impl FnMut(&Iteration),
) -> Report {
    assert!(outranked_by_proof(game));
    let mut report = Report::before_searching(game, root);
    if game.terminal(root).is_some() {
        return report;
    }
    let mut order: Vec<Move> = game.centre_first().to_vec();
    if settings.order == MoveOrder::Ascending {
        order.sort_unstable();
    }
    let searcher = Searcher {
        game,
        table,
        table_use: settings.table_use,
        order: &order,
        collector,
        control,
        counters: SearchCounters::default(),
    };
    let possible = game.moves(root);
    let natural: Vec<Move> = order.iter().copied().filter(|m| possible.contains(*m)).collect();
    let mut moves = natural.clone();
    let mut nodes = vec![0; 64];
    let depth = settings.depth.min(game.plies_left(root));
    let mut tried = Vec::new();
    control.start(0);
    for depth in if settings.deepening { 1..=depth } else { depth..=depth } {
        let split =
            report.iterations.last().is_some_and(|i| i.counters.nodes >= settings.split_after)
                && rayon::current_num_threads() > 1;
        let split = if split || settings.split_after == 0 { Split::Brothers } else { Split::No };
        let begun = Instant::now();
        let result = search_root(&searcher, root, depth, &moves, settings.root_scores, split);
        let Ok(searched) = result else {
            report.stopped = true;
            break;
        };
        tried = searched;
        let points = tried.iter().map(|t| t.points).max().expect("the root has moves");
        let best = |m: Move| tried.iter().any(|t| t.m == m && t.exact && t.points == points);
        let first = natural.iter().copied().find(|m| best(*m)).expect("the best score is exact");
        report.depth = depth;
        report.points = points;
        report.score = points.score(u32::from(root.ply().0) + depth);
        report.best = natural.iter().copied().filter(|m| best(*m)).collect();
        let mut counters: SearchCounters = tried.iter().map(|t| t.counters).sum();
        counters.nodes += 1;
        for t in &tried {
            nodes[usize::from(t.m.0)] += t.counters.nodes;
        }
        let iteration =
            Iteration { depth, score: report.score, counters, elapsed: begun.elapsed() };
        report.iterations.push(iteration);
        on_iteration(&iteration);
        if T::IN_USE {
            let (key, symmetry) = game.canonical(root);
            let best = game.image_move(first, symmetry);
            table.store(key, Entry { depth, bound: Bound::Exact, points, best });
        }
        moves = natural.clone();
        moves.sort_by_key(|m| *m != first);
        if points.is_decided() {
            break;
        }
    }
    report.conclude(game, root, settings, &tried, &nodes);
    if let (Some(collector), Some(value)) = (collector, report.value) {
        let (key, symmetry) = game.canonical(root);
        let best = (settings.root_scores != RootScores::OneBest)
            .then(|| game.image_moves(report.best, symmetry));
        let remoteness = Some(value.remoteness);
        if collector.wants(root.ply()) {
            collector.add(key, Proven { outcome: value.outcome, remoteness, best });
        }
    }
    if settings.principal_variation && !report.stopped {
        let mut searcher = searcher.fresh();
        match variation(&mut searcher, root, &natural, &report) {
            Ok(line) => report.principal_variation = line,
            Err(Stopped) => report.stopped = true,
        }
        report.variation_counters = searcher.counters;
    }
    report
}

/// Best play from the root: at every step the first move, in the move order, that attains the
/// score. Whether it does is asked with a null window just below the score, so that the answer
/// is the same whatever the table remembers.
fn variation<G: Game, T: TranspositionTable>(
    searcher: &mut Searcher<'_, G, T>,
    root: Stones,
    order: &[Move],
    report: &Report,
) -> Result<Vec<Move>, Stopped> {
    let game = searcher.game;
    let Some(first) = order.iter().copied().find(|m| report.best.contains(*m)) else {
        return Ok(Vec::new());
    };
    let mut line = vec![first];
    let mut position = game.play(root, first);
    let mut points = -report.points;
    while (line.len() as u32) < report.depth && game.terminal(position).is_none() {
        let from_root = line.len() as u32;
        let moves = game.moves(position);
        let mut chosen = None;
        for &m in searcher.order.iter().filter(|m| moves.contains(**m)) {
            let next = game.play(position, m);
            let below = Points(points.0 - 1);
            let depth = report.depth - from_root - 1;
            if -searcher.search(next, depth, from_root + 1, -points, -below)? >= points {
                chosen = Some(m);
                break;
            }
        }
        let m = chosen.expect("some move attains the score of its position");
        line.push(m);
        position = game.play(position, m);
        points = -points;
    }
    Ok(line)
}
