//! The positions of a principal variation search: its part that is compiled for each game.

use std::sync::atomic::AtomicU32;

use super::busy::BusyTable;
use super::evaluation::Evaluation;
use super::history::History;
use super::minimax::over;
use super::points::Points;
use super::settings::MoveOrder;
use super::table::{MOST_DEPTH, SharedTable, Slot, TO_END, TO_POINTS, TableEntry};
use crate::control::Control;
use crate::game::{
    Evaluate, GameKey, Move, MoveSet, Outcome, Symmetric, Symmetry, Tiered, Urgent, sort_by_key,
};
use crate::statistics::SearchCounters;

/// A game that can be searched: it has an end, an evaluation, and keys for the table.
pub trait Searchable: Evaluate + Tiered + Symmetric<Key: GameKey> {}

impl<G: Evaluate + Tiered + Symmetric<Key: GameKey>> Searchable for G {}

/// The least depth of a position that the table remembers: one less takes about as long as a look-up.
pub(super) const LEAST_IN_TABLE: u32 = 2;
/// Points of the table's move in the order.
const TABLE_MOVE: i32 = i32::MAX;
/// The order of a move that is done.
pub(super) const DONE: i32 = i32::MIN;
/// The weight of prospects against the history.
const PROSPECT: i32 = 16;

/// The place of a node in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub depth: u32,
    pub from_root: u32,
    /// The side to move: false for the root's.
    pub turn: bool,
}

impl Level {
    /// Returns the level below a move.
    #[inline(always)]
    pub const fn below(self, keeps_turn: bool) -> Self {
        let depth = if self.depth >= TO_POINTS { self.depth } else { self.depth - 1 };
        Self { depth, from_root: self.from_root + 1, turn: self.turn == keeps_turn }
    }
}

/// A position as the table stores it, and the move that leads to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub slot: Slot,
    /// The points that the key of the slot leaves out.
    pub won: i32,
    /// The symmetry that leads to the key of the slot.
    pub symmetry: Symmetry,
    pub bit: u8,
    pub habit: u8,
    pub keeps_turn: bool,
}

impl Child {
    /// A position that the table does not store.
    pub const NONE: Self = Self {
        slot: Slot::NONE,
        won: 0,
        symmetry: Symmetry::IDENTITY,
        bit: 0,
        habit: 0,
        keeps_turn: false,
    };

    /// Takes a key of the position, and prefetches its entry.
    #[inline(never)]
    fn note<K: GameKey>(&mut self, table: &SharedTable, key: K, symmetry: Symmetry, won: i32) {
        (self.slot, self.symmetry, self.won) = (table.fetch(key), symmetry, won);
    }

    /// Returns the score for a node if the entry of its slot settles the window. Points that the key leaves
    /// out are added to the score and taken off the window: only searches for points have any, and only
    /// their own entries serve them.
    #[inline(always)]
    pub fn settles(
        &self,
        entry: &TableEntry,
        level: Level,
        (alpha, beta): (Points, Points),
    ) -> Option<Points> {
        let (alpha, beta) = (Points(alpha.0 - self.won), Points(beta.0 - self.won));
        let points = entry.settles(level.depth, level.from_root, alpha, beta)?;
        Some(Points(points.0 + self.won))
    }
}

/// A move to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub order: i32,
    /// The number of the position that the move leads to.
    pub next: u32,
}

/// A node whose moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The number of its position.
    pub place: u32,
    pub level: Level,
    /// The most plies that the search can go below the node.
    pub reach: u32,
    pub alpha: Points,
    pub beta: Points,
    pub best: Points,
    pub best_bit: u8,
}

impl Node {
    #[inline(always)]
    pub fn new(place: u32, level: Level, (alpha, beta): (Points, Points)) -> Self {
        Self { place, level, reach: level.depth, alpha, beta, best: -Points::INFINITY, best_bit: 0 }
    }

    /// Takes the score of a move; true if it ends the node.
    #[inline(always)]
    pub fn take(&mut self, points: Points, bit: u8) -> bool {
        if points > self.best {
            (self.best, self.best_bit) = (points, bit);
            self.alpha = self.alpha.max(points);
        }
        points >= self.beta
    }
}

/// The state of a node after the first look at it.
pub(super) enum Visited {
    /// Its score is known without its moves.
    Settled,
    /// A move that ends the game ends the node.
    Ended,
    /// Its candidates are to be tried.
    Open,
}

/// The state of a search thread apart from its positions: references that all threads share, its counters,
/// and what it has learned itself.
pub(super) struct State<'a> {
    pub table: Option<&'a SharedTable>,
    evaluation: Evaluation,
    pub control: &'a Control,
    /// The positions that are being searched, if there are other threads.
    pub busy: Option<&'a BusyTable>,
    /// A number, and the value that another thread gives it once the work of this thread is done.
    pub watched: Option<(&'a AtomicU32, u32)>,
    /// The number of nodes at which the search ends, done or not.
    pub limit: u64,
    pub counters: SearchCounters,
    pub deferrals: u64,
    pub history: History,
    /// All positions, by their numbers.
    pub children: Vec<Child>,
    /// The moves of the nodes on the way to the current one.
    pub candidates: Vec<Candidate>,
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
            history: History::default(),
            children: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Makes room for positions up to a number.
    #[inline(never)]
    pub fn make_room(&mut self, most: usize) {
        self.children.resize(self.children.len().max(2 * most + 1), Child::NONE);
    }

    /// Looks a node up in the table. Returns `None` if the entry settles the window, else its best move.
    #[inline(never)]
    fn probe(&mut self, node: &mut Node) -> Option<Option<Move>> {
        let table = self.table.filter(|_| node.reach >= LEAST_IN_TABLE);
        let Some(table) = table else { return Some(None) };
        self.counters.table_probes += 1;
        let child = &self.children[node.place as usize];
        let Some(entry) = table.probe(&child.slot) else { return Some(None) };
        self.counters.table_hits += 1;
        match child.settles(&entry, node.level, (node.alpha, node.beta)) {
            Some(points) => node.best = points,
            None => return Some(Some(entry.best)),
        }
        None
    }
}

/// A move: its bit, and the number of the position that it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub m: Move,
    pub habit: u8,
    pub keeps_turn: bool,
    pub next: u32,
}

/// The facts that a search needs of a position before it begins.
pub(super) struct Facts {
    pub ended: Option<Outcome>,
    /// The evaluation.
    pub points: Points,
    /// A number of plies within which the game ends.
    pub left: u32,
    /// The plies to a draw, if all draws take the same time.
    pub drawn: Option<u32>,
}

/// Numbered positions of any game: a root, its children, then the positions of candidates.
pub(super) trait Positions: Send {
    /// Returns a copy of the root and its children for another thread.
    fn copy<'b>(&self) -> Box<dyn Positions + 'b>
    where
        Self: 'b;

    fn facts(&self, place: u32, evaluation: Evaluation) -> Facts;

    /// Returns the discount of evaluations with a number of plies left.
    fn discount(&self, left: u32) -> u32;

    /// Adds the moves of a position to the moves of all nodes above it.
    fn list(&mut self, place: u32, order: MoveOrder, moves: &mut Vec<Branch>);

    /// Makes a position the root; returns its moves in an order, none if the game is over. The first leads to
    /// position 1.
    fn enter(&mut self, place: u32, order: MoveOrder) -> Vec<Branch>;

    /// Returns the score of a position that is over or at the horizon.
    fn settled(&self, place: u32, level: Level, state: &mut State<'_>) -> Option<Points>;

    /// Returns a position as the table stores it in a search to a depth.
    fn named(&self, place: u32, depth: u32, table: &SharedTable) -> Child;

    /// Returns a position as the table stores it by its canonical key.
    fn canonical(&self, place: u32, table: &SharedTable) -> Child;

    /// Returns the label of the move with a bit.
    fn label(&self, place: u32, bit: u8, symmetry: Symmetry) -> Move;

    /// Returns the move with a label; `None` if several of more than 64 have it.
    fn labelled(&self, place: u32, label: Move, symmetry: Symmetry) -> Option<Move>;

    /// Visits a position that is neither over nor at the horizon: settles the node without its moves or by moves
    /// that end the game, or adds the other moves to the candidates.
    fn visit(&mut self, state: &mut State<'_>, node: &mut Node) -> Visited;

    /// Adds the evaluations of moves to their order.
    fn add_prospects(&self, candidates: &mut [Candidate], children: &[Child]);
}

/// The positions of a game. Aligned against false sharing: if two threads wrote to one cache line, or to the line
/// prefetched with it, that would cost a fifth of the speed.
#[repr(align(128))]
pub(super) struct GamePositions<'a, G: Searchable> {
    game: &'a G,
    all: Vec<G::Position>,
    /// The number of the first candidate's position.
    first: usize,
    /// Room for the moves of a node.
    listed: Vec<(u32, G::Move)>,
}

impl<'a, G: Searchable> GamePositions<'a, G> {
    pub fn new(game: &'a G, root: G::Position) -> Self {
        Self { game, all: vec![root], first: 1, listed: Vec::new() }
    }

    /// Returns the score of a position that is over.
    #[inline(always)]
    fn ended(&self, position: G::Position, level: Level) -> Option<Points> {
        let outcome = self.game.result(position)?;
        Some(match level.depth {
            TO_POINTS => Points(self.game.points(position).unwrap_or(0)),
            _ => over(outcome, level.from_root),
        })
    }

    #[inline(always)]
    fn evaluated(&self, position: G::Position, state: &mut State<'_>) -> Points {
        state.counters.leaf_evaluations += 1;
        state.evaluation.points(self.game, position)
    }

    /// Returns the key of a position, the symmetry that leads to it, and the points it leaves out.
    #[inline(always)]
    fn key(&self, position: G::Position, depth: u32) -> (G::Key, Symmetry, i32) {
        if G::COUNTS_POINTS && depth == TO_POINTS {
            return self.game.points_key(position);
        }
        let (key, symmetry) = self.game.search_key(position);
        (key, symmetry, 0)
    }
}

impl<G: Searchable> Positions for GamePositions<'_, G> {
    fn copy<'b>(&self) -> Box<dyn Positions + 'b>
    where
        Self: 'b,
    {
        Box::new(Self { all: self.all.clone(), listed: Vec::new(), ..*self })
    }

    fn facts(&self, place: u32, evaluation: Evaluation) -> Facts {
        let (game, position) = (self.game, self.all[place as usize]);
        Facts {
            ended: game.result(position),
            points: evaluation.points(game, position),
            left: game.plies_left(position),
            drawn: game.plies_to_draw(position),
        }
    }

    fn discount(&self, left: u32) -> u32 {
        self.game.discount(left)
    }

    fn list(&mut self, place: u32, order: MoveOrder, moves: &mut Vec<Branch>) {
        let (game, position) = (self.game, self.all[place as usize]);
        let mut listed = std::mem::take(&mut self.listed);
        self.all.truncate(self.first + moves.len());
        add_moves(game, position, order, &mut listed);
        for (bit, m) in listed.drain(..) {
            let (position_below, keeps_turn) = game.step(position, m);
            let (habit, next) = (game.habit(position, (bit, m)), self.all.len() as u32);
            moves.push(Branch { m: Move(bit as u8), habit, keeps_turn, next });
            self.all.push(position_below);
        }
        self.listed = listed;
    }

    fn enter(&mut self, place: u32, order: MoveOrder) -> Vec<Branch> {
        (self.all[0], self.first) = (self.all[place as usize], 1);
        let mut moves = Vec::with_capacity(32);
        if self.game.result(self.all[0]).is_none() {
            self.list(0, order, &mut moves);
        }
        self.first += moves.len();
        moves
    }

    fn settled(&self, place: u32, level: Level, state: &mut State<'_>) -> Option<Points> {
        let (position, is_last) = (self.all[place as usize], level.depth == 0);
        self.ended(position, level).or_else(|| is_last.then(|| self.evaluated(position, state)))
    }

    fn named(&self, place: u32, depth: u32, table: &SharedTable) -> Child {
        let (key, symmetry, won) = self.key(self.all[place as usize], depth);
        let mut child = Child::NONE;
        child.note(table, key, symmetry, won);
        child
    }

    fn canonical(&self, place: u32, table: &SharedTable) -> Child {
        let (key, symmetry) = self.game.canonical(self.all[place as usize]);
        let mut child = Child::NONE;
        child.note(table, key, symmetry, 0);
        child
    }

    fn label(&self, place: u32, bit: u8, symmetry: Symmetry) -> Move {
        let (game, position) = (self.game, self.all[place as usize]);
        let m = game.move_of_bit(position, bit.into());
        m.map_or(Move(0), |m| label_of(game, position, (bit.into(), m), symmetry))
    }

    fn labelled(&self, place: u32, label: Move, symmetry: Symmetry) -> Option<Move> {
        let (game, position) = (self.game, self.all[place as usize]);
        let mut labelled = None;
        for (ordinal, m) in (0..).zip(game.moves(position)) {
            let bit = game.bit(ordinal, m);
            let is_same = label_of(game, position, (bit, m), symmetry) == label;
            if is_same && labelled.replace(Move(bit as u8)).is_some() {
                return None;
            }
        }
        labelled
    }

    fn visit(&mut self, state: &mut State<'_>, node: &mut Node) -> Visited {
        let (game, position) = (self.game, self.all[node.place as usize]);
        let Node { level, alpha, beta, .. } = *node;
        let Level { depth, from_root, turn } = level;
        let mut settle = |points| {
            node.best = points;
            Visited::Settled
        };
        let (mut open, mut is_quiet) = (MoveSet(u64::MAX), false);
        // The most that a move is worth.
        let mut most = Points::INFINITY;
        if depth != TO_POINTS {
            // The game is not over, so that no end is nearer than the next ply.
            let least = Points::lost_at(from_root + 1);
            most = -least;
            if alpha >= most {
                return settle(most);
            }
            if beta <= least {
                return settle(least);
            }
            match game.urgent(position) {
                Urgent::Unknown => {}
                Urgent::Win => return settle(most),
                // Two plies are within the depth, and no move loses before that.
                Urgent::Loss if depth >= 2 => return settle(Points::lost_at(from_root + 2)),
                Urgent::Loss => is_quiet = true,
                // Every other move loses in two plies, and no move is worth less: without those moves
                // the best score is the same.
                Urgent::Only(moves) => {
                    is_quiet = true;
                    if depth >= 2 {
                        open = moves;
                    }
                }
            }
        }
        if depth >= TO_POINTS {
            open = MoveSet(open.0 & game.enough(position).0);
        }
        if depth == TO_END {
            // A side that cannot win any more has a draw at most; if neither can, the value is a draw.
            let [worst, best] = game.possible(position);
            if best != Outcome::Win && (alpha >= Points::ZERO || worst != Outcome::Loss) {
                return settle(Points::ZERO);
            }
            if worst != Outcome::Loss && beta <= Points::ZERO {
                return settle(Points::ZERO);
            }
        }
        let is_last = depth == 1;
        let (mut table_move, mut symmetry) = (None, Symmetry::IDENTITY);
        if !is_last {
            if depth > MOST_DEPTH {
                node.reach = game.plies_left(position);
            }
            let Some(entry_move) = state.probe(node) else { return Visited::Settled };
            table_move = entry_move;
            symmetry = state.children[node.place as usize].symmetry;
        }
        let (begun, mut best) = (state.counters.nodes, node.best);
        self.all.truncate(self.first + state.candidates.len());
        let last = self.all.len() + MoveSet::ROOM as usize;
        if state.children.len() <= last {
            state.make_room(last);
        }
        let table = state.table.filter(|_| depth > LEAST_IN_TABLE);
        let most = if is_last { Points::INFINITY } else { most };
        let mut is_over = false;
        for (bit, m) in game.in_order(position) {
            // Moves beyond the 64th are never left out.
            if bit < u64::BITS && open.0 >> bit & 1 == 0 {
                continue;
            }
            let (next, keeps_turn) = game.step(position, m);
            let level_below = level.below(keeps_turn);
            // No move of a quiet node completes a line.
            let ended = if is_quiet {
                (game.plies_left(next) == 0).then_some(Points::ZERO)
            } else {
                self.ended(next, level_below)
            };
            let settled = match ended {
                None if is_last => Some(self.evaluated(next, state)),
                ended => ended,
            };
            if let Some(points) = settled {
                state.counters.nodes += 1;
                let points = if keeps_turn { points } else { -points };
                if points > best {
                    (best, node.best_bit) = (points, bit as u8);
                }
                // A win at once is the most that a position is worth.
                is_over = points >= beta || best == most;
                if is_over {
                    break;
                }
                continue;
            }
            let place = self.all.len();
            match table {
                Some(table) if depth <= MOST_DEPTH || game.plies_left(next) >= LEAST_IN_TABLE => {
                    let (key, symmetry, won) = self.key(next, depth);
                    state.children[place].note(table, key, symmetry, won);
                }
                _ => state.children[place].slot.clear(),
            }
            let is_first = table_move
                .is_some_and(|first| first == label_of(game, position, (bit, m), symmetry));
            let habit = game.habit(position, (bit, m));
            let child = &mut state.children[place];
            (child.bit, child.habit, child.keeps_turn) = (bit as u8, habit, keeps_turn);
            let order = if is_first { TABLE_MOVE } else { state.history.of(turn, habit) };
            state.candidates.push(Candidate { order, next: place as u32 });
            self.all.push(next);
        }
        (node.alpha, node.best) = (alpha.max(best), best);
        if is_last {
            let is_first = is_over && state.counters.nodes == begun + 1;
            state.counters.cutoffs += u64::from(is_over);
            state.counters.first_move_cutoffs += u64::from(is_first);
            return Visited::Settled;
        }
        if is_over { Visited::Ended } else { Visited::Open }
    }

    fn add_prospects(&self, candidates: &mut [Candidate], children: &[Child]) {
        for candidate in candidates {
            if candidate.order != TABLE_MOVE && candidate.order != DONE {
                let place = candidate.next as usize;
                let (next, keeps_turn) = (self.all[place], children[place].keeps_turn);
                candidate.order += PROSPECT * self.game.prospect(next, keeps_turn);
            }
        }
    }
}

/// Adds the moves of a position, each with its bit, to a list. Not inlined: the rules of a game and the sorting
/// of its moves are long.
#[inline(never)]
pub fn add_moves<G: Evaluate>(
    game: &G,
    position: G::Position,
    order: MoveOrder,
    moves: &mut Vec<(u32, G::Move)>,
) {
    let first = moves.len();
    game.in_order(position).for_each(|m| moves.push(m));
    match order {
        // Games list their moves ascending.
        MoveOrder::Natural => sort_by_key(&mut moves[first..], |(_, m)| *m),
        MoveOrder::Best => {}
        MoveOrder::Worst => moves[first..].reverse(),
    }
}

/// Returns a move as the table stores it: six bits of its label in an image of the position.
#[inline(always)]
fn label_of<G: Symmetric>(
    game: &G,
    position: G::Position,
    m: (u32, G::Move),
    symmetry: Symmetry,
) -> Move {
    Move((game.image_label(position, m, symmetry) & 63) as u8)
}
