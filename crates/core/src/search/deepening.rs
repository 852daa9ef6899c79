//! Iterative deepening: the driver of a depth-limited search.

use super::alpha_beta::Searcher;
use super::points::Points;
use super::positions::{Branch, Child, Facts, GamePositions, Level, Positions, Searchable, State};
use super::principal::Worker;
use super::settings::{MoveOrder, RootScores, Settings};
use super::table::{Bound, MOST_DEPTH, SharedTable, TableEntry};
use super::team::{Common, Searched, Team, TriedMove};
use crate::clock::Instant;
use crate::control::{Control, Stopped};
use crate::game::{Move, MoveSet, Outcome, PartialValue, Remoteness, Value, check_moves};
use crate::statistics::{Iteration, RootMove, Score, SearchCounters, ThreadWork};

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
    pub root_moves: Vec<RootMove>,
    pub iterations: Vec<Iteration>,
    /// The work of proving the principal variation, in addition to the iterations.
    pub variation_counters: SearchCounters,
    pub threads: Vec<ThreadWork>,
    pub stopped: bool,
    pub(super) points: Points,
}

/// The root of a search. Its position is number 0; the positions after its moves follow.
struct Root<'a> {
    positions: &'a dyn Positions,
    facts: Facts,
    moves: &'a [Branch],
    settings: Settings,
    table: Option<&'a SharedTable>,
}

impl Report {
    /// Returns best play by both sides, at every step the first best move in the move order. Unless the
    /// search [proved it](Settings::principal_variation), it ends where the table has no move.
    pub fn principal_variation(&self) -> &[Move] {
        self.iterations.last().map_or(&[], |last| &last.line)
    }

    pub fn counters(&self) -> SearchCounters {
        self.iterations.iter().map(|i| i.counters).sum()
    }

    /// Searches depth after depth. `search_root` searches the root's moves to a depth in the order of
    /// their places, by one thread or all.
    fn deepen(
        &mut self,
        root: &Root<'_>,
        search_root: &mut dyn FnMut(u32, &[usize], bool) -> Searched,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) {
        let &Root { positions, facts: Facts { left, drawn, .. }, moves, ref settings, .. } = root;
        let mut places: Vec<usize> = (0..moves.len()).collect();
        let mut nodes = [0; MoveSet::ROOM as usize];
        let mut tried = Vec::new();
        // At depth 0 there is nothing to search.
        let first = if settings.deepening { 1 } else { settings.depth.max(1) };
        for depth in first..=settings.depth {
            let before = self.iterations.last().map_or(0, |i| i.counters.nodes);
            let threads = match rayon::current_num_threads() {
                threads if before >= settings.split_after && !settings.is_textbook() => threads,
                _ => 1,
            };
            let begun = Instant::now();
            let Ok(searched) = search_root(depth, &places, threads > 1) else {
                self.stopped = true;
                break;
            };
            tried = searched;
            let points = tried.iter().map(|t| t.points).max().expect("the root has moves");
            let best = |m: Move| tried.iter().any(|t| t.m == m && t.exact && t.points == points);
            let first = moves.iter().position(|b| best(b.m)).expect("the best score is exact");
            self.depth = depth;
            self.points = points;
            let line = root.keep(depth, points, moves[first].m);
            let score = points.score(positions.discount(left - depth));
            self.score = score;
            self.best = moves.iter().map(|b| b.m).filter(|m| best(*m)).collect();
            let mut counters: SearchCounters = tried.iter().map(|t| t.counters).sum();
            counters.nodes += 1;
            for t in &tried {
                nodes[usize::from(t.m.0)] += t.counters.nodes;
            }
            let elapsed = begun.elapsed();
            self.iterations.push(Iteration { depth, score, counters, elapsed, threads, line });
            on_iteration(&self.iterations[self.iterations.len() - 1]);
            places = (0..moves.len()).collect();
            places[..=first].rotate_right(1);
            if points.is_decided() {
                break;
            }
        }
        let discount = positions.discount(left - self.depth);
        let drawn = drawn.filter(|_| self.depth == left);
        let drawn = drawn.map(|plies| Value::new(Outcome::Draw, Remoteness(plies as u8)));
        let value = |points: Points| points.decided().or(drawn);
        self.value = if self.depth > 0 { value(self.points) } else { None };
        tried.sort_unstable_by_key(|t| t.m);
        self.root_moves = tried
            .iter()
            .map(|t| {
                // Which other scores are exact depends on the timing of threads: omit them.
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

    /// Adds best play from the root: at every step the first move, in the move order, that attains the
    /// score. A null window just below the score tests each move, so that the table changes nothing.
    fn add_variation(&mut self, mut moves: Vec<Branch>, worker: &mut Worker<'_>) {
        let (mut line, mut points) = (Vec::new(), self.points);
        while (line.len() as u32) < self.depth && !moves.is_empty() {
            let from_root = line.len() as u32;
            let depth = self.depth - from_root;
            let mut chosen = None;
            for &branch in &moves {
                let level = Level { depth, from_root, turn: from_root % 2 == 1 };
                let is_best = match from_root {
                    0 => Ok(self.best.contains(branch.m)),
                    _ => attains(worker, (branch.next, branch.keeps_turn), level, points),
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
            let Some(Branch { m, keeps_turn, next, .. }) = chosen else {
                assert!(line.is_empty(), "some move attains the score of its position");
                break;
            };
            line.push(m);
            points = if keeps_turn { points } else { -points };
            moves = worker.positions.enter(next, MoveOrder::Best);
        }
        if let Some(last) = self.iterations.last_mut() {
            last.line = line;
        }
    }
}

/// Searches a position.
///
/// A stop leaves the result of the last iteration completed. The result depends on neither the threads
/// nor the table (without one, no position is looked up); node counts depend on both.
///
/// A win or loss ends the deepening when it is first seen: at that depth its distance is exact,
/// and no greater depth changes it.
///
/// # Panics
/// If the table was made for keys of fewer bits than the game has: it would confuse positions. If a
/// position may have more than 128 moves.
pub fn search<G: Searchable>(
    game: &G,
    root: G::Position,
    settings: &Settings,
    table: Option<&SharedTable>,
    control: &Control,
    on_iteration: &mut dyn FnMut(&Iteration),
) -> Report {
    check_fit(game, table);
    let positions = &mut GamePositions::new(game, root);
    search_any(positions, settings, (table, control), on_iteration)
}

/// Searches position 0 of any game.
pub(super) fn search_any(
    positions: &mut dyn Positions,
    settings: &Settings,
    (table, control): (Option<&SharedTable>, &Control),
    on_iteration: &mut dyn FnMut(&Iteration),
) -> Report {
    let facts = positions.facts(0, settings.evaluation);
    let discount = positions.discount(facts.left);
    let value = facts.ended.map(|outcome| Value::new(outcome, Remoteness(0)));
    let mut report = Report {
        depth: 0,
        score: value.map_or_else(|| facts.points.score(discount), Score::of_value),
        value,
        best: MoveSet::EMPTY,
        root_moves: Vec::new(),
        iterations: Vec::new(),
        variation_counters: SearchCounters::default(),
        threads: Vec::new(),
        stopped: false,
        points: facts.points,
    };
    if value.is_some() {
        return report;
    }
    let moves = positions.enter(0, settings.order);
    let depth = settings.depth.min(facts.left).min(MOST_DEPTH);
    let settings = Settings { depth, ..*settings };
    let root = Root { positions, facts, moves: &moves, settings, table };
    let state = || State::new(table, settings.evaluation, control);
    if settings.is_textbook() {
        let mut searcher = Searcher::new(root.positions.copy(), state(), settings);
        let mut search_root = |depth, places: &[usize], _| {
            let mut best = -Points::INFINITY;
            let attempt = |&place: &usize| {
                let alpha = settings.root_scores.alpha(best);
                let points = searcher.try_root_move(moves[place], depth, alpha)?;
                best = best.max(points);
                let (m, counters) = (moves[place].m, searcher.state.counters);
                Ok(TriedMove { m, points, exact: points > alpha, counters })
            };
            places.iter().map(attempt).collect()
        };
        report.deepen(&root, &mut search_root, on_iteration);
        let nodes = report.counters().nodes;
        report.threads = vec![ThreadWork { nodes, ..ThreadWork::default() }];
        return report;
    }
    let common = Common::new(moves.len());
    let mut team = Team::new(&common, &|| Worker::new(root.positions.copy(), state()));
    let mut search_root = |depth, places: &[usize], is_split| {
        team.search(depth, (&moves, places), settings.root_scores, is_split)
    };
    report.deepen(&root, &mut search_root, on_iteration);
    if settings.principal_variation && !report.stopped {
        let worker = team.first();
        worker.state.watched = None;
        let before = worker.state.counters;
        report.add_variation(moves.clone(), worker);
        report.variation_counters.add_difference(&worker.state.counters, &before);
    }
    report.threads = team.into_work();
    report
}

impl Root<'_> {
    /// Stores the points of a depth and the first best move in the table. Returns best play as far as entries
    /// of the right depth that are not upper bounds prove that their moves attain the score.
    fn keep(&self, mut depth: u32, mut points: Points, mut best: Move) -> Vec<Move> {
        let Some(table) = self.table else { return vec![best] };
        let (mut positions, mut moves) = (self.positions.copy(), self.moves.to_vec());
        let Child { slot, symmetry, .. } = positions.canonical(0, table);
        let label = positions.label(0, best.0, symmetry);
        table.store(&slot, TableEntry { depth, bound: Bound::Exact, points, best: label, work: 0 });
        let mut line = Vec::new();
        while let Some(branch) = moves.iter().copied().find(|branch| branch.m == best) {
            line.push(best);
            points = if branch.keeps_turn { points } else { -points };
            depth -= 1;
            if depth == 0 {
                break;
            }
            let Child { slot, symmetry, .. } = positions.named(branch.next, depth, table);
            let Some(entry) = table.probe(&slot) else { break };
            let attained = entry.points.seen_from_above(line.len() as u32);
            if entry.depth != depth || entry.bound == Bound::Upper || attained < points {
                break;
            }
            moves = positions.enter(branch.next, MoveOrder::Natural);
            let Some(m) = positions.labelled(0, entry.best, symmetry) else { break };
            best = m;
        }
        line
    }
}

/// Panics if a game has more moves than a set holds, or if a table is for shorter keys.
pub(super) fn check_fit<G: Searchable>(game: &G, table: Option<&SharedTable>) {
    assert!(check_moves(game).is_ok(), "sets of moves hold {}", MoveSet::ROOM);
    assert!(
        table.is_none_or(|table| table.serves(game)),
        "the table tells fewer keys apart than the game has: make it for {} bits of key",
        game.key_bits()
    );
}

/// Returns true if the move that leads to a position attains a score.
fn attains(
    worker: &mut Worker<'_>,
    (place, keeps_turn): (u32, bool),
    level: Level,
    points: Points,
) -> Result<bool, Stopped> {
    let level = level.below(keeps_turn);
    if let Some(score) = worker.settled(place, level) {
        worker.state.counters.nodes += 1;
        return Ok((if keeps_turn { score } else { -score }) >= points);
    }
    Ok(worker.search((place, keeps_turn), level, (Points(points.0 - 1), points))? >= points)
}
