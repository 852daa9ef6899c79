//! Move generation: the moves of a node that need a search.

use super::board::{Board, Resolved};
use super::bounds::{self, Effort, StaticBounds};
use super::layout::LayoutSource;
use super::ordering::{Candidate, MoveScorer, Node, ScoredMove, Weights};
use super::score::Score;
use super::search::Searcher;
use crate::processor::{Processor, on_avx2};
use everyply_core::games::line::Word;

/// Returns the least number of empties of positions for which the costlier bounds are tried. The
/// larger the board, the longer a node waits for the memory of the table, and the more a bound is
/// worth.
const fn min_empties_for_full_bounds(cells: i32) -> i32 {
    if cells > 42 { 18 } else { 20 }
}

impl<L: LayoutSource> Searcher<'_, L> {
    /// Lists and scores the moves of a node that are not decided at once. Returns true if the node
    /// is settled, with its result in `best`.
    #[inline(always)]
    pub(super) fn generate_moves(
        &mut self,
        board: &Board<L::Word>,
        node: &Node,
        best: &mut Score,
    ) -> bool {
        let l = self.layout.geometry();
        let mut cells = board.safe_cells(l);
        while cells != Word::ZERO {
            let cell = cells.lowest();
            cells ^= cell;
            let column = l.column_of(cell);
            let (after, forced) = match board.play(l, cell).resolve(l, node.empties - 1) {
                Resolved::Decided(score) => {
                    *best = (-score).max(*best);
                    if *best > node.alpha {
                        return true;
                    }
                    continue;
                }
                Resolved::Quiet(after, forced) => (after, forced),
            };
            let plies = forced + 1;
            if let Some(score) = self.static_bound(node, &after, plies, Effort::Quick) {
                *best = score.max(*best);
                if score > node.alpha {
                    return true;
                }
                continue;
            }
            let slot = self.slot(&after, node.empties - plies as i32);
            self.moves.push(ScoredMove {
                board: after,
                slot,
                ordering_score: 0,
                cell: cell.trailing_zeros() as u8,
                plies: plies as u8,
                column: column as u8,
            });
        }
        // A second loop gives the prefetched memory of the table time to arrive.
        let scorer = MoveScorer::new(l, board, node.context);
        let weights = Weights::for_board(l.size);
        for scored in &mut self.moves[node.base..] {
            let candidate = Candidate {
                cell: scored.cell,
                column: scored.column.into(),
                after: &scored.board,
                forced: u32::from(scored.plies) - 1,
            };
            scored.ordering_score = scorer.score_move(l, weights, &self.histories, &candidate);
        }
        false
    }

    /// Drops moves that the table settles. Returns true if one of them settles the node: an
    /// enhanced transposition cutoff (Plaat, Schaeffer, Pijls and de Bruin, "Exploiting graph
    /// properties of game trees", AAAI 1996).
    #[inline(always)]
    pub(super) fn enhanced_transposition_cutoff(&mut self, node: &Node, best: &mut Score) -> bool {
        self.drop_settled(
            node,
            best,
            #[inline(always)]
            |searcher, scored| searcher.settled_move(scored, node.alpha),
        )
    }

    /// Drops moves for which `settle` returns a bound on one side of the window. Returns true if
    /// one of them settles the node.
    #[inline(always)]
    fn drop_settled(
        &mut self,
        node: &Node,
        best: &mut Score,
        settle: impl Fn(&mut Self, &ScoredMove<L::Word>) -> Option<Score>,
    ) -> bool {
        let mut i = node.base;
        while let Some(scored) = self.moves.get(i).copied() {
            match settle(self, &scored) {
                Some(score) => {
                    *best = score.max(*best);
                    if score > node.alpha {
                        return true;
                    }
                    self.moves.swap_remove(i);
                }
                None => i += 1,
            }
        }
        false
    }

    /// Returns a bound of a move for the side to move at its node, if the table knows on which side
    /// of the window the score lies.
    #[inline(always)]
    pub(super) fn settled_move(
        &mut self,
        scored: &ScoredMove<L::Word>,
        alpha: Score,
    ) -> Option<Score> {
        if scored.plies & 1 == 1 {
            self.settled(scored.slot, -alpha - 1).map(|score| -score)
        } else {
            self.settled(scored.slot, alpha)
        }
    }

    /// Drops moves that the costlier static bounds settle. Returns true if the node is settled. The
    /// bounds were tried on the node itself when it was the position after a move.
    #[inline(always)]
    pub(super) fn apply_static_bounds(&mut self, node: &Node, best: &mut Score) -> bool {
        if node.empties < min_empties_for_full_bounds(self.layout.geometry().cells()) {
            return false;
        }
        match self.processor {
            Processor::Portable => self.apply_static_bounds_here(node, best),
            // SAFETY: the processor has the features.
            #[cfg(target_arch = "x86_64")]
            Processor::Avx2 => unsafe { self.apply_static_bounds_on_avx2(node, best) },
        }
    }

    on_avx2! {
        #[inline(never)]
        fn apply_static_bounds_on_avx2(&mut self, node: &Node, best: &mut Score) -> bool {
            self.apply_static_bounds_here(node, best)
        }
    }

    #[inline(always)]
    fn apply_static_bounds_here(&mut self, node: &Node, best: &mut Score) -> bool {
        self.drop_settled(
            node,
            best,
            #[inline(always)]
            |searcher, scored| {
                searcher.static_bound(node, &scored.board, scored.plies.into(), Effort::Full)
            },
        )
    }

    /// Returns the static bound of a root, if the bound settles the root.
    #[inline(never)]
    pub(super) fn static_bound_at_root(
        &self,
        board: &Board<L::Word>,
        empties: i32,
        alpha: Score,
    ) -> Option<Score> {
        let l = self.layout.geometry();
        if self.static_bounds != StaticBounds::On
            || empties < min_empties_for_full_bounds(l.cells())
        {
            return None;
        }
        bounds::claimeven_bound(l, board, alpha, Effort::Quick)
            .or_else(|| bounds::claimeven_bound(l, board, alpha, Effort::Full))
    }

    /// Returns the static bound of a position `plies` below a node, for the side to move at the
    /// node, if the bound settles on which side of its window the position lies: an upper bound of
    /// at most alpha if that side is to move again, else a lower bound above alpha.
    #[inline(always)]
    fn static_bound(
        &self,
        node: &Node,
        board: &Board<L::Word>,
        plies: u32,
        effort: Effort,
    ) -> Option<Score> {
        if self.static_bounds != StaticBounds::On {
            return None;
        }
        let turned = plies & 1 == 1;
        let alpha = if turned { -node.alpha - 1 } else { node.alpha };
        let upper = bounds::claimeven_bound(self.layout.geometry(), board, alpha, effort)?;
        Some(if turned { -upper } else { upper })
    }
}
