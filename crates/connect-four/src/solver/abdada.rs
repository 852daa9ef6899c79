//! ABDADA: one position searched by many threads.
//!
//! Every thread searches the whole tree from the root. A busy table of the positions that are being
//! searched keeps the threads apart: a move that another thread is searching is deferred, and by
//! the time its turn comes, the transposition table often knows its result. If only deferred moves
//! are left, the thread searches them too and shares the work further down. So no thread ever
//! waits. (Weill, "The ABDADA distributed minimax search algorithm", ICCA Journal 19, 1996. There
//! the transposition table counts the threads; here the busy table is separate.)
//!
//! The threads share only the two tables and the root's result. The transposition table holds only
//! proved bounds, so the side of the window on which the score lies does not depend on the order of
//! the search.

use std::cmp::Reverse;

use super::layout::LayoutSource;
use super::ordering::Node;
use super::score::Score;
use super::search::Searcher;
use super::shared::{AbortReason, SharedSearch};
use everyply_core::search::BusyEntry;

/// The number of first moves that are never deferred. At a node at which no move is expected to
/// refute the other side's last move, all moves have to be searched, in any order. If the
/// expectation is wrong, the refuting move is probably among the first.
const NEVER_DEFERRED: usize = 2;

/// The limit of the moving average of the root side's successes, in both directions.
const SUCCESS_LIMIT: i32 = 1 << 12;

enum MoveStatus<'s> {
    Settled(Score),
    /// A move that another thread is searching, so that it may wait.
    Deferred,
    /// A move for this thread to search, with its entry of the busy table if it has one.
    Open(Option<BusyEntry<'s>>),
}

impl<L: LayoutSource> Searcher<'_, L> {
    /// Searches moves as [`search_moves`](Self::search_moves) does, and shares the work with all
    /// threads that reach this node; `index` is the node's index in the list of moves.
    #[inline(never)]
    pub(super) fn share_moves(
        &mut self,
        shared: &SharedSearch<'_>,
        index: usize,
        node: Node,
        best: Score,
    ) -> Result<Score, AbortReason> {
        let depth = self.path.len();
        self.path.push((self.moves[index].slot, node.alpha));
        let result = self.search_shared(shared, index, node, best);
        self.path.truncate(depth);
        let best = match result {
            Err(AbortReason::Settled { depth: at, score }) if usize::from(at) == depth => {
                score.into()
            }
            result => result?,
        };
        let root_success = (node.alpha == self.root_alpha) == (best > node.alpha);
        let aim = if root_success { SUCCESS_LIMIT } else { -SUCCESS_LIMIT };
        self.root_success += (aim - self.root_success) >> 8;
        Ok(best)
    }

    fn search_shared(
        &mut self,
        shared: &SharedSearch<'_>,
        index: usize,
        node: Node,
        mut best: Score,
    ) -> Result<Score, AbortReason> {
        self.sort_moves(node.base);
        let one_refutes = (node.alpha == self.root_alpha) == (self.root_success > 0);
        // If a move is expected to refute the other side's last move, a search of later moves would
        // be wasted: all threads keep the order.
        let in_order = if one_refutes { usize::MAX } else { NEVER_DEFERRED };
        let all = self.moves.len() - node.base;
        // A bit for each move; no board has more than 32 columns.
        let mut open = u32::MAX;
        for turn in 0..2 * all {
            let (may_defer, i) = (turn < all, turn % all);
            if open >> i & 1 == 0 {
                continue;
            }
            let may_defer = may_defer && i >= in_order;
            let score = match self.probe_move(shared, node.base + i, node.alpha, may_defer) {
                MoveStatus::Settled(score) => score,
                MoveStatus::Deferred => continue,
                MoveStatus::Open(entry) => {
                    let _busy = entry.map(BusyEntry::enter);
                    self.search_move(node.base + i, node)?
                }
            };
            open ^= 1 << i;
            best = score.max(best);
            if score > node.alpha {
                break;
            }
            if let Some(score) = self.settled_at(index, node.alpha) {
                return Ok(score);
            }
        }
        Ok(best)
    }

    /// Sorts the moves from `base` on, the most promising first.
    #[inline(never)]
    fn sort_moves(&mut self, base: usize) {
        self.moves[base..].sort_by_key(|scored| Reverse((scored.ordering_score, scored.column)));
    }

    #[inline(never)]
    fn probe_move<'s>(
        &mut self,
        shared: &SharedSearch<'s>,
        index: usize,
        alpha: Score,
        may_defer: bool,
    ) -> MoveStatus<'s> {
        let scored = self.moves[index];
        let entry = scored.slot.is_some().then(|| shared.busy(scored.slot));
        match self.settled_move(&scored, alpha) {
            Some(score) => MoveStatus::Settled(score),
            None if may_defer && entry.is_some_and(BusyEntry::is_busy) => MoveStatus::Deferred,
            None => MoveStatus::Open(entry),
        }
    }

    /// Returns the score of a position in the list of moves, if the table
    /// [settles](Self::settled) it.
    #[inline(never)]
    fn settled_at(&mut self, index: usize, alpha: Score) -> Option<Score> {
        self.settled(self.moves[index].slot, alpha)
    }

    /// Aborts the search if another thread has settled an ancestor.
    #[inline(never)]
    pub(super) fn check_ancestors(&mut self, shared: &SharedSearch<'_>) -> Result<(), AbortReason> {
        // Scores and depths fit eight bits.
        let abort = |depth: usize, score: Score| AbortReason::Settled {
            depth: depth as u8,
            score: score as i8,
        };
        if let Some(score) = shared.result() {
            return Err(abort(0, score));
        }
        for depth in 0..self.path.len() {
            let (slot, alpha) = self.path[depth];
            if let Some(score) = self.settled(slot, alpha) {
                return Err(abort(depth, score));
            }
        }
        Ok(())
    }
}
