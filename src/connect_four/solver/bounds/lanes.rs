//! The quick claimeven bounds of eight positions side by side.

use super::super::board::Board;
use super::super::lanes::{Lanes, Mask};
use super::super::layout::Layout;
use super::super::score::Score;
use super::claimeven::highest_row;
use crate::games::line::Bits;

/// The window asked about, as the side to move sees it: after an odd number of plies that is the
/// other side.
#[derive(Clone, Copy, Debug)]
pub struct Alphas {
    /// The alpha of all lanes but those in `turned`.
    pub alpha: Score,
    /// The lanes that see the window (-alpha - 1, -alpha) instead.
    pub turned: Mask,
}

impl Alphas {
    /// Returns the alpha of each lane.
    #[inline(always)]
    fn in_lanes(self) -> Lanes {
        Lanes::number(self.alpha).or_in(self.turned, Lanes::number(self.turned_alpha()))
    }

    /// Returns the alpha of the lanes in `turned`.
    #[inline(always)]
    const fn turned_alpha(self) -> Score {
        -self.alpha - 1
    }

    /// Returns the only alpha that is negative: one of the two is.
    #[inline(always)]
    fn negative_alpha(self) -> Score {
        self.alpha.min(self.turned_alpha())
    }

    /// Returns the lanes whose alpha is negative.
    #[inline(always)]
    fn negative(self) -> Mask {
        if self.alpha < 0 { !self.turned } else { self.turned }
    }
}

/// What [`claimeven_bound`](super::claimeven_bound()) with [`Effort::Quick`](super::Effort) says of
/// each lane in `wanted`: the lanes with a bound, and their bounds as signed numbers.
#[inline(always)]
pub fn claimeven_bounds_in_lanes(
    l: &Layout<Lanes>,
    board: &Board<Lanes>,
    alphas: Alphas,
    wanted: Mask,
) -> (Mask, Lanes) {
    let occupied = board.occupied();
    let (empty, playable) = (l.board & !occupied, l.playable(occupied));
    let odd = playable & l.odd_empties;
    let answers = empty & (l.odd_empties ^ l.empties_of(empty, odd));
    let closed = l.columns_of(board.other_threats & answers);
    let paired = odd & !closed;
    let turned = board.other_threats & empty & !answers & !playable;
    let is_odd = paired.count_ones().meets(Lanes::splat(1));
    let mut others = (playable & !paired & (odd | l.columns_of(turned))).only(is_odd);
    let plan = Plan { l, board, alphas, empty, odd, answers };
    let mut left = wanted & !(is_odd & !others.nonzero());
    let (mut found, mut bounds) = (0, Lanes::ZERO);
    while left != 0 {
        let other = others.lowest();
        others ^= other;
        let (proved, bound) = plan.bound(paired | other, left);
        bounds = bounds.or_in(proved, bound);
        found |= proved;
        left &= !proved & others.nonzero();
    }
    (found, bounds)
}

/// The plans of eight positions, see that of a single one.
struct Plan<'a> {
    l: &'a Layout<Lanes>,
    board: &'a Board<Lanes>,
    alphas: Alphas,
    empty: Lanes,
    odd: Lanes,
    answers: Lanes,
}

impl Plan<'_> {
    /// Returns the lanes of `wanted` with a bound if the columns with these playable cells, an even
    /// number, are paired, and their bounds.
    #[inline(always)]
    fn bound(&self, paired: Lanes, wanted: Mask) -> (Mask, Lanes) {
        let Self { l, board, alphas, empty, odd, answers } = *self;
        let follower = (answers ^ l.empties_of(empty, paired)) & !paired;
        let traps = board.other_threats & follower;
        let closed = l.columns_of(traps);
        let trapped = traps.nonzero();
        let reached = l.up_to(traps);
        let follower = follower & reached;
        // At most floor(r / 2) + 1 below 0: r counts the cells above traps, and two for each
        // trapped column but one.
        let above = (closed & !reached).count_ones() >> 1;
        let columns = (closed & l.bottom).count_ones();
        let with_traps = Lanes::ZERO.wrapping_sub(above.wrapping_add(columns));
        // Without traps 0, or alpha if that is negative and the follower has a line in time.
        let (alpha, negative) = (alphas.in_lanes(), alphas.negative());
        let bound = alpha.only(negative).or_in(trapped, with_traps);
        let does_not_fit = ((odd ^ paired) & !closed).nonzero();
        let mut left = wanted & !does_not_fit & !bound.exceeds(alpha);
        let needs_line = left & negative & !trapped;
        if needs_line != 0 {
            let low = l.rows_up_to(highest_row(l, alphas.negative_alpha()));
            let lines = l.all_line_starts(board.other | follower & low);
            left &= !needs_line | lines.nonzero();
        }
        if left == 0 {
            return (0, bound);
        }
        let attacker = board.own | empty & reached & !follower & !paired;
        let mut unsafe_lanes = l.all_line_starts(attacker | paired).nonzero();
        let first = paired.lowest();
        let second = paired ^ first;
        // Only if there are two cells are paired, each of them is looked at alone.
        let two = second.nonzero() & !(second ^ second.lowest()).nonzero();
        let looked_at = left & unsafe_lanes & two;
        if looked_at != 0 {
            let lines = l.all_line_starts(attacker | first) | l.all_line_starts(attacker | second);
            unsafe_lanes &= !looked_at | lines.nonzero();
        }
        (left & !unsafe_lanes, bound)
    }
}
