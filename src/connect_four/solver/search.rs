//! The null-window search of one thread.

use super::board::Board;
use super::bounds::StaticBounds;
use super::driver::Interval;
use super::engine::Engine;
use super::key::key_of;
use super::layout::LayoutSource;
use super::node::{Node, ScoredMove};
use super::ordering::{Histories, OrderingContext};
use super::question::Root;
use super::score::{Score, least_without_loss_at_once, most_without_win_at_once};
use super::shared::{AbortReason, MIN_EMPTIES_TO_SHARE, SharedSearch};
use super::slot::Slot;
use super::table::Table;
use super::thread_statistics::SearcherStatistics;
use crate::control::Control;
use crate::processor::{Processor, on_avx2, on_avx512};

/// The table is not asked about positions with fewer empty cells: searching them again costs
/// less than a look into memory.
pub const MIN_EMPTIES_IN_TABLE: i32 = 9;

/// Moves there is room for before the list grows: a path of nodes on a board of usual size.
const MOVES_AT_FIRST: usize = 64;

/// Nodes between two looks at whether another thread has settled a node above.
const NODES_PER_LOOK: u64 = 1 << 7;

/// Nodes between two looks at the control. A search that takes more of them is worth the help of
/// other threads.
pub const NODES_PER_CHECK: u64 = 1 << 12;

/// What a look at a node comes to.
pub(super) enum Expansion {
    /// Its result is known.
    Settled(Score),
    /// Its moves are left to search. The score is at least this.
    Open(Score),
}

/// The look at a node as it is compiled for a processor, with or without lanes. Never inlined: it
/// needs much of the stack, which the search must not hold at every ply.
macro_rules! expand_on {
    ($on_processor:ident, $name:ident, $in_lanes:literal) => {
        $on_processor! {
            #[inline(never)]
            fn $name(&mut self, index: usize, empties: i32, alpha: Score) -> Expansion {
                self.expand_here::<$in_lanes>(index, empties, alpha)
            }
        }
    };
}

/// A search of one thread.
#[derive(Debug)]
pub struct Searcher<'s, L: LayoutSource> {
    pub(super) processor: Processor,
    pub(super) layout: &'s L,
    pub(super) table: &'s Table,
    pub(super) static_bounds: StaticBounds,
    pub control: &'s Control,
    /// Positions searched so far.
    pub nodes: u64,
    /// Its statistics, nodes aside.
    pub(super) statistics: SearcherStatistics<'s>,
    pub(super) histories: Histories,
    /// The number of the cell of the move that led to the node searched next.
    last: u8,
    /// The moves of all nodes on the way from the root, those of a node together.
    pub(super) moves: Vec<ScoredMove<L::Word>>,
    /// Whether it ends with [`AbortReason::NeedsHelp`] once others should help.
    can_be_helped: bool,
    /// The search shared with other threads; `None` if this one is alone.
    pub(super) shared: Option<&'s SharedSearch<'s>>,
    /// The shared nodes on the way from the root, and what is asked of each.
    pub(super) path: Vec<(Slot, Score)>,
    /// What is asked of the root.
    pub(super) root_alpha: Score,
    /// Whether the root's side has its way in shared nodes, of late and as a moving average: above
    /// 0 if mostly.
    pub(super) root_success: i32,
}

impl<'s, L: LayoutSource> Searcher<'s, L> {
    /// Creates a search on its own.
    pub fn new(engine: &'s Engine<L>, control: &'s Control, can_be_helped: bool) -> Self {
        let Engine { processor, layout, table, static_bounds, thread_statistics, .. } = engine;
        Self {
            processor: *processor,
            layout,
            table,
            static_bounds: *static_bounds,
            control,
            nodes: 0,
            statistics: SearcherStatistics::new(thread_statistics.as_ref()),
            histories: Histories::EMPTY,
            last: u8::MAX,
            moves: Vec::with_capacity(MOVES_AT_FIRST),
            can_be_helped,
            shared: None,
            path: Vec::new(),
            root_alpha: 0,
            root_success: 0,
        }
    }

    /// Ends the search: what was counted since the last look at the control is told to it, and the
    /// statistics are entered. Gives the nodes.
    pub fn end(self) -> u64 {
        self.control.advance(self.nodes % NODES_PER_CHECK);
        self.statistics.close(self.nodes);
        self.nodes
    }

    /// Searches the root, which no move led to, as [`search`](Self::search) does.
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
        // Until it has seen some, it believes in a refutation where that would make the score
        // positive or keep it from being negative.
        self.root_success = if alpha <= 0 { 1 } else { -1 };
        let slot = self.slot(board, *empties);
        // The root of the next question has the last move of this one: it may be any.
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

    /// Proves on which side of the window (alpha, alpha + 1) the score of a quiet position lies:
    /// a result of at most alpha is an upper bound of the score, any other a lower bound. The
    /// position is that of a move in the list, from which all after it on the list descend.
    ///
    /// Quiet is as [`Resolved::Quiet`](super::board::Resolved::Quiet) says.
    ///
    /// This calls itself at every ply, on threads that may have a small stack and in builds that
    /// are not optimised. So it holds no position: they are in the list of moves, and whatever
    /// needs much room is in functions that have returned by the time it calls itself.
    fn search(&mut self, index: usize, empties: i32, alpha: Score) -> Result<Score, AbortReason> {
        let entered_at = self.nodes;
        self.count_node()?;
        if let Some(score) = self.known(index, empties, alpha) {
            return Ok(score);
        }
        let node = self.node(empties, alpha);
        let least = match self.expand(index, empties, alpha) {
            Expansion::Settled(score) => return Ok(score),
            Expansion::Open(score) => score,
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

    /// Returns the node that is searched next: the last move led to it.
    #[inline(always)]
    fn node(&self, empties: i32, alpha: Score) -> Node {
        let context = OrderingContext { empties, last: self.last };
        Node { empties, alpha, context, base: self.moves.len() }
    }

    /// Returns the score of a position in the list of moves, as far as the number of its empty
    /// cells or the table decides on which side of the window it lies.
    #[inline]
    fn known(&mut self, index: usize, empties: i32, alpha: Score) -> Option<Score> {
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

    /// Looks at a node, and makes the list of its moves if that does not settle it.
    #[inline(always)]
    fn expand(&mut self, index: usize, empties: i32, alpha: Score) -> Expansion {
        match self.processor {
            Processor::Portable => self.expand_portable(index, empties, alpha),
            // SAFETY: the processor has the features.
            #[cfg(target_arch = "x86_64")]
            Processor::Avx2 => unsafe { self.expand_on_avx2(index, empties, alpha) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Processor::Avx512 => unsafe { self.expand_on_avx512(index, empties, alpha) },
        }
    }

    #[inline(never)]
    fn expand_portable(&mut self, index: usize, empties: i32, alpha: Score) -> Expansion {
        self.expand_here::<false>(index, empties, alpha)
    }

    expand_on!(on_avx2, expand_on_avx2, false);
    expand_on!(on_avx512, expand_on_avx512, true);

    #[inline(always)]
    fn expand_here<const IN_LANES: bool>(
        &mut self,
        index: usize,
        empties: i32,
        alpha: Score,
    ) -> Expansion {
        let node = self.node(empties, alpha);
        let board = self.moves[index].board;
        let mut best = least_without_loss_at_once(node.empties);
        let settled = self.generate_moves::<IN_LANES>(&board, &node, &mut best)
            || self.enhanced_transposition_cutoff(&node, &mut best)
            || self.apply_static_bounds(&node, &mut best);
        if settled {
            self.moves.truncate(node.base);
            return Expansion::Settled(best);
        }
        Expansion::Open(best)
    }

    /// Takes the moves of a node off the list, and decides the table its result.
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
            self.statistics.stores += 1;
        }
    }

    /// Returns the score of a position, as far as the table knows on which side of the window it
    /// lies.
    #[inline(always)]
    pub(super) fn settled(&mut self, slot: Slot, alpha: Score) -> Option<Score> {
        if !slot.is_some() {
            return None;
        }
        self.statistics.probes += 1;
        let Interval { lower, upper } = self.table.probe(slot)?;
        if alpha < lower || upper <= alpha {
            self.statistics.hits += 1;
            return Some(if alpha < lower { lower } else { upper });
        }
        None
    }

    /// Where the table keeps a position with this number of empties; its memory is asked for.
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

    /// Searches the moves that are left, until the node is settled or there is none. Gives the
    /// greatest of their scores and of `best`.
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

    /// Returns the score of a move for the side to move at its node: as [`search`](Self::search)
    /// gives it. The search learns from it.
    #[inline(always)]
    pub(super) fn search_move(&mut self, index: usize, node: Node) -> Result<Score, AbortReason> {
        let ScoredMove { cell, plies, .. } = self.moves[index];
        let empties = node.empties - i32::from(plies);
        self.last = cell;
        // If the other side is to move, it is asked the opposite.
        let turn = -i32::from(plies & 1);
        let score = self.search(index, empties, node.alpha ^ turn)?;
        let score = (score ^ turn) - turn;
        let ScoredMove { cell, column, .. } = self.moves[index];
        self.histories.learn(node.context, cell, column, score > node.alpha);
        Ok(score)
    }

    /// Counts a node, and now and then checks whether to continue.
    #[inline]
    fn count_node(&mut self) -> Result<(), AbortReason> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.control.check()?;
            self.control.advance(NODES_PER_CHECK);
            if self.can_be_helped {
                return Err(AbortReason::NeedsHelp);
            }
        }
        if let Some(shared) = self.shared
            && self.nodes.is_multiple_of(NODES_PER_LOOK)
        {
            self.check_ancestors(shared)?;
        }
        Ok(())
    }

    /// Returns the move to look at next, of those from `base` on.
    #[inline]
    fn next_move(&self, base: usize) -> usize {
        // Score and column in one number, which is compared without a jump.
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
