//! The null-window search of one thread.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::board::{Board, key_of};
use super::bounds::StaticBounds;
use super::engine::{Engine, Root};
use super::layout::LayoutSource;
use super::ordering::{Histories, Node, OrderingContext, ScoredMove};
use super::score::{Interval, Score, least_without_loss_at_once, most_without_win_at_once};
use super::shared::{AbortReason, MIN_EMPTIES_TO_SHARE, SharedSearch};
use super::table::{Slot, Table};
use crate::processor::{Processor, on_avx2};
use everyply_core::control::Control;
use everyply_core::statistics::SearchCounters;

/// The least number of empties of positions in the table. Searching a later position again costs
/// less than a memory access.
pub const MIN_EMPTIES_IN_TABLE: i32 = 9;

/// The first capacity of the list of moves: enough for a path of nodes on a usual board.
const MOVES_CAPACITY: usize = 64;

/// Nodes between two checks whether another thread has settled an ancestor.
const NODES_PER_ANCESTOR_CHECK: u64 = 1 << 7;

/// The first nodes of a search, in which each of these checks includes the control: any of them may
/// be the first to touch a page of the table, which takes as long as a thousand nodes.
const FIRST_NODES: u64 = 1 << 16;

/// Nodes between two checks of the control. A longer search is worth the help of other threads.
pub const NODES_PER_CHECK: u64 = 1 << 12;

#[derive(Debug)]
pub struct Searcher<'s, L: LayoutSource> {
    pub(super) processor: Processor,
    pub(super) layout: &'s L,
    pub(super) table: &'s Table,
    pub(super) static_bounds: StaticBounds,
    pub control: &'s Control,
    pub nodes: u64,
    counters: SearchCounters,
    /// The work of all searches.
    work: &'s Mutex<SearchCounters>,
    pub(super) histories: Histories,
    /// The number of the cell of the move that led to the node searched next.
    last: u8,
    /// The moves of all nodes on the path from the root, grouped by node.
    pub(super) moves: Vec<ScoredMove<L::Word>>,
    /// True if a long search ends with [`AbortReason::NeedsHelp`].
    can_be_helped: bool,
    /// The search shared with other threads; `None` if this one is alone.
    pub(super) shared: Option<&'s SharedSearch<'s>>,
    /// The shared nodes on the path from the root, with the alpha of each.
    pub(super) path: Vec<(Slot, Score)>,
    pub(super) root_alpha: Score,
    /// Moving average of the root side's successes in shared nodes: above 0 if most succeed.
    pub(super) root_success: i32,
}

impl<'s, L: LayoutSource> Searcher<'s, L> {
    pub fn new(engine: &'s Engine<L>, control: &'s Control, can_be_helped: bool) -> Self {
        let Engine { processor, layout, table, static_bounds, work, .. } = engine;
        Self {
            processor: *processor,
            layout,
            table,
            static_bounds: *static_bounds,
            control,
            nodes: 0,
            counters: SearchCounters::default(),
            work,
            histories: Histories::EMPTY,
            last: u8::MAX,
            moves: Vec::with_capacity(MOVES_CAPACITY),
            can_be_helped,
            shared: None,
            path: Vec::new(),
            root_alpha: 0,
            root_success: 0,
        }
    }

    /// Ends the search: reports the remaining nodes to the control, and adds to the work of all
    /// searches. Returns the nodes.
    pub fn end(self) -> u64 {
        self.control.advance(self.nodes % NODES_PER_CHECK);
        let own = SearchCounters { nodes: self.nodes, ..self.counters };
        let mut all = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        *all = [*all, own].into_iter().sum();
        self.nodes
    }

    /// Searches the root as [`search`](Self::search) does.
    pub fn search_root(
        &mut self,
        root: &Root<L::Word>,
        alpha: Score,
    ) -> Result<Score, AbortReason> {
        let Root { board, empties } = root;
        if let Some(score) = self.static_bound_at_root(board, *empties, alpha) {
            return Ok(score);
        }
        self.root_alpha = alpha;
        // Before any shared node, the root side is expected to succeed unless alpha is positive.
        self.root_success = if alpha <= 0 { 1 } else { -1 };
        let slot = self.slot(board, *empties);
        // No move led to the root: any cell will do, such as the last one of the previous question.
        self.moves.clear();
        self.moves.push(ScoredMove {
            board: *board,
            slot,
            ordering_score: 0,
            cell: self.last,
            plies: 0,
            column: 0,
        });
        self.search(0, *empties, alpha)
    }

    /// Proves on which side of the window (alpha, alpha + 1) the score of a
    /// [quiet](super::board::Resolved::Quiet) position lies: a result of at most alpha is an upper
    /// bound of the score, any other a lower bound. The position is the one after the move at
    /// `index` of the list; all later moves on the list are below it.
    ///
    /// The function calls itself at every ply, on threads that may have a small stack, and in
    /// builds without optimisation. So its frame holds no position: positions are in the list of
    /// moves, and functions that need much stack return before the recursive call.
    fn search(&mut self, index: usize, empties: i32, alpha: Score) -> Result<Score, AbortReason> {
        let entered_at = self.nodes;
        self.count_node()?;
        if let Some(score) = self.known_score(index, empties, alpha) {
            return Ok(score);
        }
        let node = self.node(empties, alpha);
        let least = match self.expand(index, empties, alpha) {
            ControlFlow::Break(score) => return Ok(score),
            ControlFlow::Continue(score) => score,
        };
        let best = match self.shared {
            Some(shared) if empties >= MIN_EMPTIES_TO_SHARE => {
                self.share_moves(shared, index, node, least)?
            }
            _ => self.search_moves(node, least)?,
        };
        self.store_result(index, node, best, entered_at);
        Ok(best)
    }

    #[inline(always)]
    fn node(&self, empties: i32, alpha: Score) -> Node {
        let context = OrderingContext { empties, last: self.last };
        Node { empties, alpha, context, base: self.moves.len() }
    }

    /// Returns a bound of a position in the list of moves, if the number of empty cells or the
    /// table settles on which side of the window the score lies.
    #[inline]
    fn known_score(&mut self, index: usize, empties: i32, alpha: Score) -> Option<Score> {
        let most = most_without_win_at_once(empties);
        if most <= alpha {
            return Some(most);
        }
        let least = least_without_loss_at_once(empties);
        if least > alpha {
            return Some(least);
        }
        self.settled(self.moves[index].slot, alpha)
    }

    /// Expands a node: lists its moves, unless it is settled on the way. Breaks with the score of a
    /// settled node, continues with a lower bound of the score.
    #[inline(always)]
    fn expand(&mut self, index: usize, empties: i32, alpha: Score) -> ControlFlow<Score, Score> {
        match self.processor {
            Processor::Portable => self.expand_portable(index, empties, alpha),
            // SAFETY: the processor has the features.
            #[cfg(target_arch = "x86_64")]
            Processor::Avx2 => unsafe { self.expand_on_avx2(index, empties, alpha) },
        }
    }

    /// Expands a node. Never inlined: it needs much stack, which the search must not hold at every
    /// ply.
    #[inline(never)]
    fn expand_portable(
        &mut self,
        index: usize,
        empties: i32,
        alpha: Score,
    ) -> ControlFlow<Score, Score> {
        self.expand_here(index, empties, alpha)
    }

    on_avx2! {
        #[inline(never)]
        fn expand_on_avx2(&mut self, index: usize, empties: i32, alpha: Score) -> ControlFlow<Score, Score> {
            self.expand_here(index, empties, alpha)
        }
    }

    #[inline(always)]
    fn expand_here(
        &mut self,
        index: usize,
        empties: i32,
        alpha: Score,
    ) -> ControlFlow<Score, Score> {
        let node = self.node(empties, alpha);
        let board = self.moves[index].board;
        let mut best = least_without_loss_at_once(node.empties);
        let settled = self.generate_moves(&board, &node, &mut best)
            || self.enhanced_transposition_cutoff(&node, &mut best)
            || self.apply_static_bounds(&node, &mut best);
        if settled {
            self.moves.truncate(node.base);
            return ControlFlow::Break(best);
        }
        ControlFlow::Continue(best)
    }

    /// Removes the moves of a node from the list, and stores its result in the table.
    #[inline]
    fn store_result(&mut self, index: usize, node: Node, best: Score, entered_at: u64) {
        self.moves.truncate(node.base);
        let slot = self.moves[index].slot;
        if slot.is_some() {
            let proved = if best > node.alpha {
                Interval { lower: best, upper: most_without_win_at_once(node.empties) }
            } else {
                Interval { lower: least_without_loss_at_once(node.empties), upper: best }
            };
            self.table.store(slot, proved, self.nodes - entered_at);
            self.counters.table_stores += 1;
        }
    }

    /// Returns a bound of a position, if its entry in the table settles on which side of the window
    /// the score lies.
    #[inline(always)]
    pub(super) fn settled(&mut self, slot: Slot, alpha: Score) -> Option<Score> {
        if !slot.is_some() {
            return None;
        }
        self.counters.table_probes += 1;
        let Interval { lower, upper } = self.table.probe(slot)?;
        if alpha < lower || upper <= alpha {
            self.counters.table_hits += 1;
            return Some(if alpha < lower { lower } else { upper });
        }
        None
    }

    /// Returns the slot of a position with this number of empties, and prefetches its bucket.
    #[inline(always)]
    pub fn slot(&self, board: &Board<L::Word>, empties: i32) -> Slot {
        if empties < MIN_EMPTIES_IN_TABLE {
            return Slot::NONE;
        }
        let l = self.layout.geometry();
        let slot = self.table.slot(l, key_of(l, self.table.key_kind(), board));
        self.table.prefetch(slot.bucket);
        slot
    }

    /// Searches the remaining moves until one settles the node. Returns the greatest of their
    /// scores and `best`.
    #[inline(always)]
    fn search_moves(&mut self, node: Node, mut best: Score) -> Result<Score, AbortReason> {
        while self.moves.len() > node.base {
            let index = self.next_move(node.base);
            let score = self.search_move(index, node)?;
            best = score.max(best);
            if score > node.alpha {
                break;
            }
            self.moves.swap_remove(index);
        }
        Ok(best)
    }

    /// Returns the score of a move for the side to move at its node, as [`search`](Self::search)
    /// does, and updates the histories.
    #[inline(always)]
    pub(super) fn search_move(&mut self, index: usize, node: Node) -> Result<Score, AbortReason> {
        let ScoredMove { cell, plies, .. } = self.moves[index];
        let empties = node.empties - i32::from(plies);
        self.last = cell;
        // If the other side is to move, the window is negated: !alpha is -alpha - 1.
        let turn = -i32::from(plies & 1);
        let score = self.search(index, empties, node.alpha ^ turn)?;
        let score = (score ^ turn) - turn;
        let ScoredMove { cell, column, .. } = self.moves[index];
        self.histories.learn(node.context, cell, column, score > node.alpha);
        Ok(score)
    }

    /// Counts a node, and checks at intervals whether to continue.
    #[inline]
    fn count_node(&mut self) -> Result<(), AbortReason> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_ANCESTOR_CHECK) {
            self.check_whether_to_continue()?;
        }
        Ok(())
    }

    #[cold]
    fn check_whether_to_continue(&mut self) -> Result<(), AbortReason> {
        if self.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.control.advance(NODES_PER_CHECK);
            self.control.check()?;
            if self.can_be_helped {
                return Err(AbortReason::NeedsHelp);
            }
        } else if self.nodes < FIRST_NODES {
            self.control.check()?;
        }
        self.shared.map_or(Ok(()), |shared| self.check_ancestors(shared))
    }

    /// Returns the index of the most promising move from `base` on.
    #[inline]
    fn next_move(&self, base: usize) -> usize {
        // Score and column in one number, so that the comparison needs no branch.
        let key = |scored: &ScoredMove<_>| {
            i64::from(scored.ordering_score) << 8 | i64::from(scored.column)
        };
        let [first, others @ ..] = &self.moves[base..] else { return base };
        let (mut next, mut most) = (base, key(first));
        for (i, scored) in (base + 1..).zip(others) {
            let key = key(scored);
            if key > most {
                (next, most) = (i, key);
            }
        }
        next
    }
}
