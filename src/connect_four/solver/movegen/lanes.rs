//! Move generation on boards of 64 bits, eight moves at a time.

use std::mem::offset_of;

use crate::connect_four::solver::board::{Board, ResolvedLanes};
use crate::connect_four::solver::bounds::{Alphas, StaticBounds, claimeven_bounds_in_lanes};
use crate::connect_four::solver::key::keys_of;
use crate::connect_four::solver::lanes::{LANES, Lanes, Mask, transposed};
use crate::connect_four::solver::layout::{Layout, LayoutSource};
use crate::connect_four::solver::node::{Node, ScoredMove};
use crate::connect_four::solver::ordering::{Candidates, MoveScorerInLanes, Weights};
use crate::connect_four::solver::score::Score;
use crate::connect_four::solver::search::{MIN_EMPTIES_IN_TABLE, Searcher};
use crate::connect_four::solver::slot::Slots;
use crate::games::line::{Bits, Word};

/// The moves in eight columns of a node.
struct Moves {
    columns: Lanes,
    cells: Lanes,
    /// The lanes with a safe move.
    all: Mask,
    after: ResolvedLanes,
    /// Plies from the node to the positions after the moves and the replies they force.
    plies: Lanes,
}

impl<L: LayoutSource> Searcher<'_, L> {
    /// Returns the same as [`generate_moves`](Searcher::generate_moves), and the moves in the same
    /// order.
    #[inline(always)]
    pub(in crate::connect_four::solver) fn generate_moves_in_lanes(
        &mut self,
        board: &Board<L::Word>,
        node: &Node,
        best: &mut Score,
    ) -> bool {
        let word = |word: L::Word| word.to_u128() as u64;
        let one = self.layout.geometry().map(word);
        let l = one.map(Lanes::splat);
        let board = board.map(word);
        let boards = board.map(Lanes::splat);
        let safe = Lanes::splat(board.safe_cells(&one));
        for first in (0..one.size.width).step_by(LANES) {
            let columns = Lanes::NUMBERS.wrapping_add(Lanes::splat(first.into()));
            let column = Lanes::ones(one.size.height.into());
            let cells = safe & column.up_each(columns.times(one.stride as i32));
            let all = cells.nonzero();
            let after = boards.play(&l, cells).resolve_in_lanes(&l, node.empties - 1, all);
            let plies = after.forced.wrapping_add(Lanes::splat(1));
            let moves = Moves { columns, cells, all, after, plies };
            // Before the static bounds: it takes longer for the memory to come than for
            // them to look at the positions.
            let most_plies = Lanes::number(node.empties - MIN_EMPTIES_IN_TABLE);
            let in_table = all & !after.decided & !plies.exceeds(most_plies);
            let keys = keys_of(&l, self.table.key_kind(), &after.boards);
            let slots = self.table.slots(&l, keys, in_table);
            let (settled, scores) = self.settled_lanes(&l, node.alpha, &moves);
            let above = settled & scores.exceeds(Lanes::number(node.alpha));
            if above != 0 {
                *best = scores.numbers()[above.trailing_zeros() as usize] as Score;
                return true;
            }
            *best = Lanes::number(*best).or_in(settled, scores).greatest().max(*best);
            let open = all & !settled;
            if open != 0 {
                let scorer = MoveScorerInLanes::new(&l, &board, node.context);
                self.push_moves(&l, &scorer, &moves, slots, open);
            }
        }
        false
    }

    /// Returns the moves that are settled without a search, and their scores for the side to move
    /// at the node.
    #[inline(always)]
    fn settled_lanes(&self, l: &Layout<Lanes>, alpha: Score, moves: &Moves) -> (Mask, Lanes) {
        let &Moves { all, after, plies, .. } = moves;
        let turned = plies.meets(Lanes::splat(1));
        let scores = Lanes::ZERO.wrapping_sub(after.scores);
        let left = all & !after.decided;
        if self.static_bounds != StaticBounds::On || left == 0 {
            return (after.decided, scores);
        }
        let alphas = Alphas { alpha, turned };
        let (bounded, bounds) = claimeven_bounds_in_lanes(l, &after.boards, alphas, left);
        (after.decided | bounded, scores.or_in(bounded, bounds.negated_in(turned)))
    }

    /// Appends these moves to the list of moves.
    #[inline(always)]
    fn push_moves(
        &mut self,
        l: &Layout<Lanes>,
        scorer: &MoveScorerInLanes,
        moves: &Moves,
        slots: Slots,
        wanted: Mask,
    ) {
        let &Moves {
            columns, cells, after: ResolvedLanes { boards, forced, safe, .. }, plies, ..
        } = moves;
        let numbers = cells.wrapping_sub(Lanes::splat(1)).count_ones();
        let candidates = Candidates { cells, numbers, columns, after: &boards, forced, safe };
        let weights = Weights::for_board(l.size);
        let scores = scorer.score_moves(l, weights, &self.histories, &candidates);
        let Board { own, other, own_threats, other_threats } = boards;
        let Slots { buckets, low, high } = slots;
        let scores = scores & Lanes::splat(u32::MAX.into());
        let last = scores | numbers << 32 | plies << 40 | columns << 48;
        let moves = transposed([own, other, own_threats, other_threats, buckets, low, high, last]);
        self.moves.reserve(LANES);
        let mut length = self.moves.len();
        let list: *mut Lanes = self.moves.as_mut_ptr().cast();
        for (lane, scored) in moves.into_iter().enumerate() {
            // One that is not wanted is overwritten: that costs less than a branch of the
            // processor's that is often foretold wrongly.
            // SAFETY: there is room, and the words are those of a move in their order.
            unsafe { list.add(length).write(scored) };
            length += usize::from(wanted >> lane & 1);
        }
        // SAFETY: they have been written.
        unsafe { self.moves.set_len(length) };
    }
}

// Moves are written as eight words: four of the board, three of the slot, then score, cell,
// plies and column from the lowest bits on.
const _: () = {
    type One = ScoredMove<u64>;
    assert!(size_of::<One>() == size_of::<Lanes>() && align_of::<One>() == align_of::<Lanes>());
    assert!(offset_of!(One, board) == 0 && offset_of!(One, slot) == 32);
    assert!(offset_of!(One, ordering_score) == 56 && offset_of!(One, cell) == 60);
    assert!(offset_of!(One, plies) == 61 && offset_of!(One, column) == 62);
};
