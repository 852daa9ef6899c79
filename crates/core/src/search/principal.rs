//! Principal variation search: alpha-beta with null windows, a table, enhanced transposition cutoffs,
//! moves in a learned order, and positions shared by threads.
//!
//! Every score that a node returns is proved for its depth, whatever the order of moves and whatever the
//! table held before: exact inside the window; at or below alpha an upper bound, at or above beta a lower
//! bound (fail-soft). The score of the root is therefore the plain minimax score. Each rule that skips
//! moves or nodes has its proof beside it.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use super::alpha_beta::NODES_PER_CHECK;
use super::busy::{BusyEntry, BusyTable};
use super::points::Points;
use super::positions::{
    Candidate, Child, DONE, LEAST_IN_TABLE, Level, Node, Positions, State, Visited,
};
use super::table::{Bound, TableEntry};
use crate::control::Stopped;
use crate::game::sort_by_key;

/// The least depth of a node whose moves are ordered by their evaluations.
const LEAST_EVALUATED: u32 = 3;
/// The least depth of a move that is deferred while another thread searches it.
const LEAST_DEFERRED: u32 = 6;

/// A search thread for any game, aligned as `GamePositions` are.
#[repr(align(128))]
pub(super) struct Worker<'a> {
    pub positions: Box<dyn Positions + 'a>,
    pub state: State<'a>,
    /// The nodes on the way from the root to the current one that other threads may settle.
    path: Vec<Node>,
    /// The number of a node on the path that another thread has settled, and its score.
    settled: Option<(usize, Points)>,
}

impl<'a> Worker<'a> {
    pub fn new(positions: Box<dyn Positions + 'a>, state: State<'a>) -> Self {
        Self { positions, state, path: Vec::new(), settled: None }
    }

    /// Forgets the nodes of a search that was aborted.
    pub fn reset(&mut self) {
        self.state.candidates.clear();
        self.path.clear();
        self.settled = None;
    }

    /// Returns the score of a position that is over or at the horizon.
    pub fn settled(&mut self, place: u32, level: Level) -> Option<Points> {
        self.positions.settled(place, level, &mut self.state)
    }

    pub fn named(&self, place: u32, level: Level) -> Child {
        self.state.table.map_or(Child::NONE, |t| self.positions.named(place, level.depth, t))
    }

    /// Returns the score of a position that is neither over nor at the horizon, for the side that moved there.
    pub fn search(
        &mut self,
        (place, keeps_turn): (u32, bool),
        level: Level,
        window: (Points, Points),
    ) -> Result<Points, Stopped> {
        self.state.make_room(place as usize);
        self.state.children[place as usize] = self.named(place, level);
        self.below(place, keeps_turn, level, window)
    }

    #[inline(always)]
    fn below(
        &mut self,
        place: u32,
        keeps_turn: bool,
        level: Level,
        (alpha, beta): (Points, Points),
    ) -> Result<Points, Stopped> {
        if keeps_turn {
            self.search_at(&mut Node::new(place, level, (alpha, beta)))
        } else {
            Ok(-self.search_at(&mut Node::new(place, level, (-beta, -alpha)))?)
        }
    }

    /// Returns the score of a position as in [`search`](Self::search), for the side to move.
    fn search_at(&mut self, node: &mut Node) -> Result<Points, Stopped> {
        let (begun, alpha) = (self.state.counters.nodes, node.alpha);
        self.state.counters.nodes += 1;
        if self.state.counters.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.check()?;
        }
        let base = self.state.candidates.len();
        match self.positions.visit(&mut self.state, node) {
            Visited::Settled => return Ok(node.best),
            Visited::Ended => {}
            Visited::Open => self.try_candidates(node, base)?,
        }
        self.state.candidates.truncate(base);
        self.store(node, alpha, begun);
        Ok(node.best)
    }

    /// Ends the search at a stop, at its node limit, or if other threads settled it or a node
    /// above.
    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Result<(), Stopped> {
        self.state.control.advance(NODES_PER_CHECK);
        self.state.control.check()?;
        let is_done = self.state.watched.is_some_and(|(number, done)| number.load(Relaxed) == done);
        if is_done || self.state.counters.nodes >= self.state.limit {
            return Err(Stopped);
        }
        if let Some(table) = self.state.table {
            for (number, at) in self.path.iter().enumerate() {
                let (child, window) =
                    (&self.state.children[at.place as usize], (at.alpha, at.beta));
                let entry = table.probe(&child.slot);
                if let Some(points) = entry.and_then(|e| child.settles(&e, at.level, window)) {
                    self.settled = Some((number, points));
                    return Err(Stopped);
                }
            }
        }
        Ok(())
    }

    /// Takes the scores of moves that the table settles; returns true if one of them ends the node.
    ///
    /// An upper bound of a position at exactly its depth is a lower bound of the move for the side that
    /// made it, and the other way round (enhanced transposition cutoffs: A. Plaat, J. Schaeffer,
    /// W. Pijls and A. de Bruin, Exploiting graph properties of game trees, AAAI 1996).
    #[inline(always)]
    fn probe_moves(&mut self, node: &mut Node, base: usize) -> bool {
        let Some(table) = self.state.table else { return false };
        if node.reach <= LEAST_IN_TABLE {
            return false;
        }
        for i in base..self.state.candidates.len() {
            let child = &self.state.children[self.state.candidates[i].next as usize];
            let (keeps_turn, level) = (child.keeps_turn, node.level.below(child.keeps_turn));
            let (alpha, beta) = (node.alpha, node.beta);
            let window = if keeps_turn { (alpha, beta) } else { (-beta, -alpha) };
            self.state.counters.table_probes += 1;
            if child.slot.is_clear() {
                continue;
            }
            let Some(entry) = table.probe(&child.slot) else { continue };
            self.state.counters.table_hits += 1;
            if let Some(points) = child.settles(&entry, level, window) {
                self.state.candidates[i].order = DONE;
                if node.take(if keeps_turn { points } else { -points }, child.bit) {
                    return true;
                }
            }
        }
        false
    }

    /// Tries the candidates of a node, unless the table or another thread settles it first.
    #[inline(never)]
    fn try_candidates(&mut self, node: &mut Node, base: usize) -> Result<(), Stopped> {
        if self.probe_moves(node, base) {
            return Ok(());
        }
        let candidates = &mut self.state.candidates[base..];
        if node.reach >= LEAST_EVALUATED && candidates.len() > 1 {
            self.positions.add_prospects(candidates, &self.state.children);
        }
        // The most promising first.
        sort_by_key(candidates, |candidate| Reverse(candidate.order));
        let busy = self.state.busy.filter(|_| node.reach > LEAST_DEFERRED);
        let number = self.path.len();
        if busy.is_some() {
            self.path.push(*node);
        }
        let tried = self.try_moves(node, base, busy);
        self.path.truncate(number);
        match self.settled {
            Some((settled, points)) if settled == number => {
                self.settled = None;
                node.best = points;
                // The other thread stores it.
                node.reach = 0;
                Ok(())
            }
            _ => tried,
        }
    }

    /// Searches the candidates of a node. Moves that other threads are searching come last.
    #[inline(always)]
    fn try_moves(
        &mut self,
        node: &mut Node,
        base: usize,
        busy: Option<&BusyTable>,
    ) -> Result<(), Stopped> {
        let (end, mut is_first) = (self.state.candidates.len(), true);
        for is_last_pass in [false, true] {
            let mut is_done = true;
            for i in base..end {
                let Candidate { order, next } = self.state.candidates[i];
                if order == DONE {
                    continue;
                }
                let child = &self.state.children[next as usize];
                let &Child { keeps_turn, bit, habit, .. } = child;
                let level = node.level.below(keeps_turn);
                let mut mark = None;
                if let Some(busy) = busy {
                    let entry = busy_entry(busy, child, level.depth);
                    if !is_first && !is_last_pass && entry.is_busy() {
                        self.state.deferrals += 1;
                        is_done = false;
                        continue;
                    }
                    mark = Some(entry.enter());
                }
                // The first move has the whole window, others a null window, which they exceed only if they
                // are better.
                let (alpha, beta) = (node.alpha, node.beta);
                let null = if is_first { beta } else { Points(alpha.0 + 1) };
                let mut points = self.below(next, keeps_turn, level, (alpha, null))?;
                if !is_first && points > alpha && points < beta {
                    points = self.below(next, keeps_turn, level, (alpha, beta))?;
                }
                drop(mark);
                self.state.candidates[i].order = DONE;
                if node.take(points, bit) {
                    self.state.counters.cutoffs += 1;
                    self.state.counters.first_move_cutoffs += u64::from(is_first);
                    self.learn(node, base, i, habit);
                    return Ok(());
                }
                is_first = false;
            }
            if is_done {
                break;
            }
        }
        Ok(())
    }

    /// Learns that a move ended a node, and that the moves tried before it did not.
    #[inline(always)]
    fn learn(&mut self, node: &Node, base: usize, at: usize, habit: u8) {
        let Level { depth, turn, .. } = node.level;
        let depth = depth.min(16) as i32;
        let bonus = depth * depth;
        self.state.history.add(turn, habit, bonus);
        for i in base..at {
            let Candidate { order, next } = self.state.candidates[i];
            if order == DONE {
                self.state.history.add(turn, self.state.children[next as usize].habit, -bonus);
            }
        }
    }

    /// Stores the result of a node; `alpha` began its window, `begun` counts the nodes before it.
    #[inline(always)]
    fn store(&mut self, node: &Node, alpha: Points, begun: u64) {
        let Some(table) = self.state.table.filter(|_| node.reach >= LEAST_IN_TABLE) else { return };
        let &Child { ref slot, symmetry, won, .. } = &self.state.children[node.place as usize];
        let Level { depth, from_root, .. } = node.level;
        let bound = Bound::of(node.best, alpha, node.beta);
        self.state.counters.table_stores += 1;
        let points = Points(node.best.seen_from_below(from_root).0 - won);
        let work = (self.state.counters.nodes - begun).ilog2();
        let best = self.positions.label(node.place, node.best_bit, symmetry);
        let entry = TableEntry { depth, bound, points, best, work };
        self.state.counters.table_replacements += u64::from(table.store(slot, entry));
    }
}

/// Returns the entry of a position that is searched to a depth.
#[inline(always)]
pub(super) fn busy_entry<'b>(busy: &'b BusyTable, child: &Child, depth: u32) -> BusyEntry<'b> {
    let key = child.slot.digest();
    // A product spreads keys over its upper bits.
    busy.entry((key ^ u64::from(depth) << 57).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)
}
