//! Principal variation search: alpha-beta with null windows, a table, enhanced transposition cutoffs,
//! moves in a learned order, and positions shared by threads.
//!
//! Every score that a node returns is proved for its depth, whatever the order of moves and whatever the
//! table held before: exact inside the window; at or below alpha an upper bound, at or above beta a lower
//! bound (fail-soft). The score of the root is therefore the plain minimax score. The rules that skip
//! moves or nodes have their proofs where they stand.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::alpha_beta::{NODES_PER_CHECK, Searchable, add_moves, label_of, label_of_bit};
use super::busy::{Busy, BusyEntry, BusyTable};
use super::evaluation::Evaluation;
use super::history::History;
use super::minimax::over;
use super::points::Points;
use super::settings::MoveOrder;
use super::table::{Bound, MOST_DEPTH, SharedTable, TO_END, TO_POINTS, TableEntry};
use crate::control::{Control, Stopped};
use crate::game::{GameKey, Keyed, Move, MoveSet, Outcome, Symmetry, Urgent, Word, sort_by_key};
use crate::statistics::SearchCounters;

/// The least depth of a position that the table remembers: one less takes about as long as a look-up.
const LEAST_IN_TABLE: u32 = 2;
/// The least depth at which the evaluations of its moves order them.
const LEAST_EVALUATED: u32 = 3;
/// The least depth of a move that is deferred while another thread searches it.
const LEAST_DEFERRED: u32 = 6;
/// Points of the table's move in the order.
const TABLE_MOVE: i32 = i32::MAX;
/// The order of a move that is done.
const DONE: i32 = i32::MIN;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abort {
    Stopped,
    /// Another thread has settled the node of this place on the path.
    Settled(usize, Points),
}

impl From<Stopped> for Abort {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The place of a node in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub depth: u32,
    pub from_root: u32,
    /// The side to move, the root's being false.
    pub turn: bool,
}

impl Level {
    /// The level below a move.
    #[inline(always)]
    pub const fn below(self, keeps_turn: bool) -> Self {
        let depth = if self.depth >= TO_POINTS { self.depth } else { self.depth - 1 };
        Self { depth, from_root: self.from_root + 1, turn: self.turn == keeps_turn }
    }
}

/// The key of a position, with the symmetry that leads to it, and the points that the key leaves out.
type Named<K> = (K, Symmetry, i32);

/// The name of positions that the table does not remember.
fn unnamed<K: GameKey>() -> Named<K> {
    (K::of_number(!K::Word::ZERO), Symmetry(u8::MAX), 0)
}

/// A move to be tried.
#[derive(Clone, Copy, Debug)]
struct Candidate<P, K> {
    order: i32,
    bit: u8,
    habit: u8,
    keeps_turn: bool,
    next: P,
    named: Named<K>,
}

/// A node whose moves are tried.
struct Node<P, K> {
    position: P,
    named: Named<K>,
    level: Level,
    /// The plies that the search may go down.
    reach: u32,
    alpha: Points,
    beta: Points,
    best: Points,
    best_bit: u8,
}

impl<P, K> Node<P, K> {
    /// Takes the score of a move; true if it ends the node.
    #[inline(always)]
    fn take(&mut self, points: Points, bit: u8) -> bool {
        if points > self.best {
            (self.best, self.best_bit) = (points, bit);
            self.alpha = self.alpha.max(points);
        }
        points >= self.beta
    }
}

/// A node on the way from the root to the current one, which other threads may settle.
#[derive(Clone, Copy, Debug)]
struct OnPath<K> {
    named: Named<K>,
    level: Level,
    alpha: Points,
    beta: Points,
}

/// A thread of a search without its game: references that all threads share, and what it counts.
pub(super) struct State<'a> {
    pub table: Option<&'a SharedTable>,
    evaluation: Evaluation,
    pub control: &'a Control,
    /// The positions that are being searched, if there are other threads.
    pub busy: Option<&'a BusyTable>,
    /// A number that another thread changes to the second one once it has done what this one does.
    pub watched: Option<(&'a AtomicU32, u32)>,
    /// The number of nodes at which the search ends, done or not.
    pub limit: u64,
    pub counters: SearchCounters,
    pub deferrals: u64,
}

impl<'a> State<'a> {
    pub fn new(
        table: Option<&'a SharedTable>,
        evaluation: Evaluation,
        control: &'a Control,
    ) -> Self {
        Self {
            table,
            evaluation,
            control,
            busy: None,
            watched: None,
            limit: u64::MAX,
            counters: SearchCounters::default(),
            deferrals: 0,
        }
    }
}

/// A move: its bit, and whether it keeps the turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub m: Move,
    pub keeps_turn: bool,
}

/// A thread of a search of any game, which searches numbered positions: all that uses threads is compiled
/// once for all games.
pub(super) trait Player<'a>: Send {
    fn state(&mut self) -> &mut State<'a>;

    /// Forgets the nodes of a search that was aborted.
    fn reset(&mut self);

    /// Replaces the positions by those after the moves of one of them; returns these, the most promising
    /// first, none if the game is over.
    fn enter(&mut self, place: usize) -> Vec<Branch>;

    /// Returns the score of a position that is over or at the horizon.
    fn settled(&mut self, place: usize, level: Level) -> Option<Points>;

    /// Returns the score of a position that is neither over nor at the horizon, for the side to move.
    fn search(
        &mut self,
        place: usize,
        level: Level,
        window: (Points, Points),
    ) -> Result<Points, Abort>;

    /// Returns the entry of a position that is searched to a depth.
    fn busy_entry<'b>(&self, busy: &'b BusyTable, place: usize, level: Level) -> BusyEntry<'b>;
}

/// A thread of a search: its state, and what it has learned itself. Aligned, so that no two threads write
/// to one line of the cache, or to the line that is fetched with it: that would cost a fifth of the speed.
#[repr(align(128))]
pub(super) struct Worker<'a, G: Keyed> {
    game: &'a G,
    /// The numbered positions.
    places: Vec<G::Position>,
    state: State<'a>,
    history: History,
    candidates: Vec<Candidate<G::Position, G::Key>>,
    path: Vec<OnPath<G::Key>>,
}

impl<'a, G: Searchable> Player<'a> for Worker<'a, G> {
    fn state(&mut self) -> &mut State<'a> {
        &mut self.state
    }

    fn reset(&mut self) {
        self.candidates.clear();
        self.path.clear();
    }

    fn enter(&mut self, place: usize) -> Vec<Branch> {
        let (game, position) = (self.game, self.places[place]);
        self.places.clear();
        match game.result(position) {
            Some(_) => Vec::new(),
            None => in_order(game, position, MoveOrder::Best, &mut self.places),
        }
    }

    fn settled(&mut self, place: usize, level: Level) -> Option<Points> {
        self.settled_at(self.places[place], level)
    }

    fn search(
        &mut self,
        place: usize,
        level: Level,
        (alpha, beta): (Points, Points),
    ) -> Result<Points, Abort> {
        let named = self.named_at(place, level);
        self.search_at(self.places[place], named, level, alpha, beta)
    }

    fn busy_entry<'b>(&self, busy: &'b BusyTable, place: usize, level: Level) -> BusyEntry<'b> {
        busy_entry(busy, self.named_at(place, level).0, level.depth)
    }
}

/// Returns the moves of a position in the order in which they are tried, and adds where they lead to a list.
pub(super) fn in_order<G: Searchable>(
    game: &G,
    position: G::Position,
    order: MoveOrder,
    places: &mut Vec<G::Position>,
) -> Vec<Branch> {
    let (mut moves, mut ordered) = (Vec::new(), Vec::new());
    add_moves(game, position, order, &mut ordered);
    for (bit, m) in ordered {
        let (next, keeps_turn) = game.step(position, m);
        moves.push(Branch { m: Move(bit as u8), keeps_turn });
        places.push(next);
    }
    moves
}

impl<'a, G: Searchable> Worker<'a, G> {
    pub fn new(game: &'a G, places: Vec<G::Position>, state: State<'a>) -> Self {
        let (candidates, path) = (Vec::new(), Vec::new());
        Self { game, places, state, history: History::default(), candidates, path }
    }

    /// The name of a numbered position. Not inlined, since that is long and rare.
    #[inline(never)]
    fn named_at(&self, place: usize, level: Level) -> Named<G::Key> {
        self.named(self.places[place], level)
    }

    /// The score of a position that is over or at the horizon.
    #[inline(always)]
    fn settled_at(&mut self, position: G::Position, level: Level) -> Option<Points> {
        if let Some(outcome) = self.game.result(position) {
            return Some(match level.depth {
                TO_POINTS => Points(self.game.points(position).unwrap_or(0)),
                _ => over(outcome, level.from_root),
            });
        }
        if level.depth == 0 {
            self.state.counters.leaf_evaluations += 1;
            return Some(self.state.evaluation.points(self.game, position));
        }
        None
    }

    /// The score of a position for the side that moves at the parent of it.
    #[inline(always)]
    fn below(
        &mut self,
        position: G::Position,
        named: Named<G::Key>,
        keeps_turn: bool,
        level: Level,
        (alpha, beta): (Points, Points),
    ) -> Result<Points, Abort> {
        if keeps_turn {
            self.search_at(position, named, level, alpha, beta)
        } else {
            Ok(-self.search_at(position, named, level, -beta, -alpha)?)
        }
    }

    /// The score of a position that is neither over nor at the horizon, for the side to move.
    fn search_at(
        &mut self,
        position: G::Position,
        named: Named<G::Key>,
        level: Level,
        alpha: Points,
        beta: Points,
    ) -> Result<Points, Abort> {
        let begun = self.state.counters.nodes;
        self.count_node()?;
        let Level { depth, from_root, .. } = level;
        let (mut open, mut is_quiet) = (MoveSet(u64::MAX), false);
        if depth != TO_POINTS {
            // The game is not over, so that no end is nearer than the next ply.
            let (most, least) = (-Points::lost_at(from_root + 1), Points::lost_at(from_root + 1));
            if alpha >= most {
                return Ok(most);
            }
            if beta <= least {
                return Ok(least);
            }
            match self.game.urgent(position) {
                Urgent::Unknown => {}
                // The most that a position is worth.
                Urgent::Win => return Ok(most),
                // Two plies are within the depth, and no move loses before that.
                Urgent::Loss if depth >= 2 => return Ok(Points::lost_at(from_root + 2)),
                Urgent::Loss => is_quiet = true,
                // Another move is worth a loss in two plies, and none is worth less than that: without
                // those moves the best of the others is the same.
                Urgent::Only(moves) => {
                    is_quiet = true;
                    if depth >= 2 {
                        open = moves;
                    }
                }
            }
        }
        if depth >= TO_POINTS {
            open = MoveSet(open.0 & self.game.enough(position).0);
        }
        if depth == TO_END {
            // A side that cannot win any more has a draw at most; where neither can, that is the value.
            let [worst, best] = self.game.possible(position);
            if best != Outcome::Win && (alpha >= Points::ZERO || worst != Outcome::Loss) {
                return Ok(Points::ZERO);
            }
            if worst != Outcome::Loss && beta <= Points::ZERO {
                return Ok(Points::ZERO);
            }
        }
        let reach = self.reach(position, level);
        let mut node = Node {
            position,
            named,
            level,
            reach,
            alpha,
            beta,
            best: -Points::INFINITY,
            best_bit: 0,
        };
        if depth == 1 {
            self.search_last(&mut node, is_quiet);
            return Ok(node.best);
        }
        let mut table_move = None;
        if let Some(table) = self.state.table.filter(|_| reach >= LEAST_IN_TABLE) {
            self.state.counters.table_probes += 1;
            if let Some(entry) = table.probe(named.0) {
                self.state.counters.table_hits += 1;
                if let Some(points) = settles(&entry, named, level, (alpha, beta)) {
                    return Ok(points);
                }
                table_move = Some(entry.best);
            }
        }
        let base = self.candidates.len();
        let is_over = self.add_moves(&mut node, open, is_quiet, table_move)
            || self.probe_moves(&mut node, base);
        if !is_over {
            self.sort_moves(&node, base);
            if let Some(points) = self.try_shared(&mut node, base)? {
                self.candidates.truncate(base);
                return Ok(points);
            }
        }
        self.candidates.truncate(base);
        self.store(&node, alpha, begun);
        Ok(node.best)
    }

    #[inline(always)]
    fn count_node(&mut self) -> Result<(), Abort> {
        self.state.counters.nodes += 1;
        if self.state.counters.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.check()?;
        }
        Ok(())
    }

    /// Ends the search if the control or another thread says so.
    #[inline(never)]
    fn check(&self) -> Result<(), Abort> {
        self.state.control.advance(NODES_PER_CHECK);
        self.state.control.check()?;
        let is_done = self.state.watched.is_some_and(|(number, done)| number.load(Relaxed) == done);
        if is_done || self.state.counters.nodes >= self.state.limit {
            return Err(Abort::Stopped);
        }
        if let Some(table) = self.state.table {
            for (place, at) in self.path.iter().enumerate() {
                let entry = table.probe(at.named.0);
                let window = (at.alpha, at.beta);
                let points = entry.and_then(|entry| settles(&entry, at.named, at.level, window));
                if let Some(points) = points {
                    return Err(Abort::Settled(place, points));
                }
            }
        }
        Ok(())
    }

    /// Searches the last ply before the horizon.
    #[inline(always)]
    fn search_last(&mut self, node: &mut Node<G::Position, G::Key>, is_quiet: bool) {
        let (game, position) = (self.game, node.position);
        let begun = self.state.counters.nodes;
        for (bit, m) in game.in_order(position) {
            let (next, keeps_turn) = game.step(position, m);
            self.state.counters.nodes += 1;
            let level = node.level.below(keeps_turn);
            let points = if is_quiet {
                // No line is complete.
                match game.plies_left(next) {
                    0 => Points::ZERO,
                    _ => {
                        self.state.counters.leaf_evaluations += 1;
                        self.state.evaluation.points(game, next)
                    }
                }
            } else {
                self.settled_at(next, level).expect("a position at the horizon has a score")
            };
            let points = if keeps_turn { points } else { -points };
            if node.take(points, bit as u8) {
                self.state.counters.cutoffs += 1;
                self.state.counters.first_move_cutoffs +=
                    u64::from(self.state.counters.nodes == begun + 1);
                break;
            }
        }
    }

    /// Adds the moves of a node to the candidates, but takes those that end the game; true if one of
    /// them ends the node.
    #[inline(always)]
    fn add_moves(
        &mut self,
        node: &mut Node<G::Position, G::Key>,
        open: MoveSet<u64>,
        is_quiet: bool,
        table_move: Option<Move>,
    ) -> bool {
        let (game, position) = (self.game, node.position);
        let symmetry = node.named.1;
        let most = match node.level.depth {
            TO_POINTS => Points::INFINITY,
            _ => -Points::lost_at(node.level.from_root + 1),
        };
        for (bit, m) in game.in_order(position) {
            // Moves beyond the 64th are never left out.
            if bit < u64::BITS && open.0 >> bit & 1 == 0 {
                continue;
            }
            let (next, keeps_turn) = game.step(position, m);
            let level = node.level.below(keeps_turn);
            let over = match is_quiet {
                true => (game.plies_left(next) == 0).then_some(Points::ZERO),
                false => self.settled_at(next, level),
            };
            if let Some(points) = over {
                self.state.counters.nodes += 1;
                let points = if keeps_turn { points } else { -points };
                // A win at once is the most that a position is worth.
                if node.take(points, bit as u8) || node.best == most {
                    return true;
                }
                continue;
            }
            let is_first = table_move
                .is_some_and(|first| first == label_of(game, position, (bit, m), symmetry));
            let habit = game.habit(position, (bit, m));
            let order = if is_first { TABLE_MOVE } else { self.history.of(node.level.turn, habit) };
            let named = self.named(next, level);
            self.candidates.push(Candidate {
                order,
                bit: bit as u8,
                habit,
                keeps_turn,
                next,
                named,
            });
        }
        false
    }

    /// The plies that a search of a position may go down.
    #[inline(always)]
    fn reach(&self, position: G::Position, level: Level) -> u32 {
        if level.depth > MOST_DEPTH { self.game.plies_left(position) } else { level.depth }
    }

    /// The name of a position, whose entry is fetched from memory, if the table may have one.
    #[inline(always)]
    fn named(&self, position: G::Position, level: Level) -> Named<G::Key> {
        match self.state.table {
            Some(table) if self.reach(position, level) >= LEAST_IN_TABLE => {
                let named = if level.depth == TO_POINTS {
                    self.game.points_key(position)
                } else {
                    let (key, symmetry) = self.game.search_key(position);
                    (key, symmetry, 0)
                };
                table.prefetch(named.0);
                named
            }
            _ => unnamed(),
        }
    }

    /// Takes the scores of moves that the table settles; true if one of them ends the node.
    ///
    /// An upper bound of a position at exactly its depth is a lower bound of the move for the side that
    /// made it, and the other way round (enhanced transposition cutoffs: A. Plaat, J. Schaeffer,
    /// W. Pijls and A. de Bruin, Exploiting graph properties of game trees, AAAI 1996).
    #[inline(always)]
    fn probe_moves(&mut self, node: &mut Node<G::Position, G::Key>, base: usize) -> bool {
        let Some(table) = self.state.table else { return false };
        if node.reach <= LEAST_IN_TABLE {
            return false;
        }
        for i in base..self.candidates.len() {
            let Candidate { named, keeps_turn, bit, .. } = self.candidates[i];
            let level = node.level.below(keeps_turn);
            let (alpha, beta) = (node.alpha, node.beta);
            let window = if keeps_turn { (alpha, beta) } else { (-beta, -alpha) };
            self.state.counters.table_probes += 1;
            if named == unnamed() {
                continue;
            }
            let Some(entry) = table.probe(named.0) else { continue };
            self.state.counters.table_hits += 1;
            if let Some(points) = settles(&entry, named, level, window) {
                self.candidates[i].order = DONE;
                if node.take(if keeps_turn { points } else { -points }, bit) {
                    return true;
                }
            }
        }
        false
    }

    /// Sorts the candidates of a node, the most promising first.
    #[inline(always)]
    fn sort_moves(&mut self, node: &Node<G::Position, G::Key>, base: usize) {
        let game = self.game;
        let candidates = &mut self.candidates[base..];
        if node.reach >= LEAST_EVALUATED && candidates.len() > 1 {
            for candidate in candidates.iter_mut() {
                if candidate.order != TABLE_MOVE && candidate.order != DONE {
                    let points = game.prospect(candidate.next, candidate.keeps_turn);
                    candidate.order += PROSPECT * points;
                }
            }
        }
        sort_by_key(candidates, |candidate| Reverse(candidate.order));
    }

    /// Searches the candidates of a node; returns the score if another thread settles it meanwhile.
    #[inline(always)]
    fn try_shared(
        &mut self,
        node: &mut Node<G::Position, G::Key>,
        base: usize,
    ) -> Result<Option<Points>, Abort> {
        if self.state.busy.is_none() || node.reach <= LEAST_DEFERRED {
            return self.try_moves(node, base).map(|()| None);
        }
        let place = self.path.len();
        let Node { level, alpha, beta, named, .. } = *node;
        self.path.push(OnPath { named, level, alpha, beta });
        let result = self.try_moves(node, base);
        self.path.truncate(place);
        match result {
            Err(Abort::Settled(at, points)) if at == place => Ok(Some(points)),
            result => result.map(|()| None),
        }
    }

    /// Searches the candidates of a node. Moves that other threads are searching come last.
    #[inline(always)]
    fn try_moves(
        &mut self,
        node: &mut Node<G::Position, G::Key>,
        base: usize,
    ) -> Result<(), Abort> {
        let count = self.candidates.len() - base;
        let mut is_first = true;
        for turn in 0..2 * count {
            let i = base + if turn < count { turn } else { turn - count };
            let Candidate { order, bit, habit, keeps_turn, next, named } = self.candidates[i];
            if order == DONE {
                continue;
            }
            let level = node.level.below(keeps_turn);
            let mut mark = None;
            if let Some(busy) = self.state.busy
                && node.reach > LEAST_DEFERRED
            {
                let entry = busy_entry(busy, named.0, level.depth);
                if !is_first && turn < count && entry.is_busy() {
                    self.state.deferrals += 1;
                    continue;
                }
                mark = Some(entry.enter());
            }
            let points = self.try_move(node, next, named, keeps_turn, level, is_first)?;
            drop::<Option<Busy<'_>>>(mark);
            self.candidates[i].order = DONE;
            if node.take(points, bit) {
                self.state.counters.cutoffs += 1;
                self.state.counters.first_move_cutoffs += u64::from(is_first);
                self.learn(node, base, i, habit);
                return Ok(());
            }
            is_first = false;
        }
        Ok(())
    }

    /// Searches a move: the first with the whole window, others with a null window, which they exceed
    /// only if they are better.
    #[inline(always)]
    fn try_move(
        &mut self,
        node: &Node<G::Position, G::Key>,
        next: G::Position,
        named: Named<G::Key>,
        keeps_turn: bool,
        level: Level,
        is_first: bool,
    ) -> Result<Points, Abort> {
        let (alpha, beta) = (node.alpha, node.beta);
        if !is_first {
            let null = Points(alpha.0 + 1);
            let points = self.below(next, named, keeps_turn, level, (alpha, null))?;
            if points <= alpha || points >= beta {
                return Ok(points);
            }
        }
        self.below(next, named, keeps_turn, level, (alpha, beta))
    }

    /// Learns that a move ended a node, and that those tried before it did not.
    #[inline(always)]
    fn learn(&mut self, node: &Node<G::Position, G::Key>, base: usize, at: usize, habit: u8) {
        let Level { depth, turn, .. } = node.level;
        let depth = depth.min(16) as i32;
        let bonus = depth * depth;
        self.history.add(turn, habit, bonus);
        for i in base..at {
            if self.candidates[i].order == DONE {
                self.history.add(turn, self.candidates[i].habit, -bonus);
            }
        }
    }

    /// Stores the result of a node; `alpha` is that of its window, `begun` the nodes before it.
    #[inline(always)]
    fn store(&mut self, node: &Node<G::Position, G::Key>, alpha: Points, begun: u64) {
        let Some(table) = self.state.table.filter(|_| node.reach >= LEAST_IN_TABLE) else { return };
        let (position, (key, symmetry, won)) = (node.position, node.named);
        let Level { depth, from_root, .. } = node.level;
        let bound = Bound::of(node.best, alpha, node.beta);
        self.state.counters.table_stores += 1;
        let points = Points(node.best.seen_from_below(from_root).0 - won);
        let work = (self.state.counters.nodes - begun).ilog2();
        let best = label_of_bit(self.game, position, node.best_bit.into(), symmetry);
        let entry = TableEntry { depth, bound, points, best, work };
        self.state.counters.table_replacements += u64::from(table.store(key, entry));
    }
}

/// The score for a node, if the entry of its name settles the window: the points that the name leaves out
/// are added to scores and taken off bounds. Only searches for points have any, and only their entries serve
/// these.
#[inline(always)]
fn settles<K>(
    entry: &TableEntry,
    (.., won): Named<K>,
    level: Level,
    (alpha, beta): (Points, Points),
) -> Option<Points> {
    let (alpha, beta) = (Points(alpha.0 - won), Points(beta.0 - won));
    let points = entry.settles(level.depth, level.from_root, alpha, beta)?;
    Some(Points(points.0 + won))
}

/// The entry of a position that is searched to a depth.
#[inline(always)]
fn busy_entry(busy: &BusyTable, key: impl GameKey, depth: u32) -> BusyEntry<'_> {
    let key = key.widest() as u64 ^ (key.widest() >> 64) as u64;
    // A product spreads keys over its upper bits.
    busy.entry((key ^ u64::from(depth) << 57).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)
}

/// The weight of prospects against the history.
const PROSPECT: i32 = 16;
