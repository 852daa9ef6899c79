//! The move scorer for eight moves of a node side by side.

use super::{CELLS, HISTORY_MAX, Histories, OrderingContext, Weights};
use crate::connect_four::solver::board::Board;
use crate::connect_four::solver::lanes::{Lanes, Mask};
use crate::connect_four::solver::layout::Layout;
use crate::games::line::Bits;

/// The move scorer of a node for eight moves at a time; it gives what
/// [`MoveScorer`](super::MoveScorer) gives.
#[derive(Clone, Copy, Debug)]
pub struct MoveScorerInLanes {
    /// The open lines: along four directions, of the mover, then of the other side.
    open: Lanes,
    /// Those with a stone.
    begun: Lanes,
    context: OrderingContext,
}

/// Eight moves to be scored, see [`Candidate`](super::Candidate).
#[derive(Clone, Copy, Debug)]
pub struct Candidates<'a> {
    /// The cells they take, and their numbers.
    pub cells: Lanes,
    /// See [`cells`](Self::cells).
    pub numbers: Lanes,
    /// Their columns: eight that lie side by side, the first a multiple of eight.
    pub columns: Lanes,
    /// The positions after them and the replies they force.
    pub after: &'a Board<Lanes>,
    /// How many forced replies follow them.
    pub forced: Lanes,
    /// The safe cells after that.
    pub safe: Lanes,
}

/// Lanes of the other side's lines; the mover's come before.
const OF_OTHER: usize = 4;

impl MoveScorerInLanes {
    /// Creates the scorer of a node.
    #[inline(always)]
    pub fn new(l: &Layout<Lanes>, board: &Board<u64>, context: OrderingContext) -> Self {
        let [a, b, c, d] = l.steps;
        let [a, b, c, d] = [u64::from(a), u64::from(b), u64::from(c), u64::from(d)];
        let steps = Lanes::of([a, b, c, d, a, b, c, d]);
        let (own, other) = (Lanes::splat(board.own), Lanes::splat(board.other));
        let lanes_of_other = u8::MAX << OF_OTHER;
        let side = own.or_in(lanes_of_other, other);
        let against = other.or_in(lanes_of_other, own);
        // Doubling, as for a single direction in the layout.
        let length = u32::from(l.size.line);
        let (mut open, mut with_a_stone, mut have) = (l.board & !against, side, 1);
        while have < length {
            let more = have.min(length - have);
            let bits = steps.times(more as i32);
            open &= open.down_each(bits);
            with_a_stone |= with_a_stone.down_each(bits);
            have += more;
        }
        let open = open.only(steps.nonzero());
        Self { open, begun: open & with_a_stone, context }
    }

    /// How early to try each move: the higher the earlier.
    #[inline(always)]
    pub fn score_moves(
        &self,
        l: &Layout<Lanes>,
        w: &Weights,
        histories: &Histories,
        c: &Candidates<'_>,
    ) -> Lanes {
        let Board { own_threats, other_threats, .. } = *c.after;
        let again = c.forced.meets(Lanes::splat(1));
        let threats = other_threats.or_in(again, own_threats);
        let against = own_threats.or_in(again, other_threats);
        let useful = threats & !(against << 1);
        let playable = l.playable(c.after.occupied());
        let counted = |cells: Lanes, weight| cells.count_ones().times(weight);
        let safe_moves = counted(c.safe, w.safe_move).negated_in(!again);
        let right_of_middle =
            (c.columns << 1).wrapping_sub(Lanes::number(i32::from(l.size.width) - 1));
        let from_middle = right_of_middle.negated_in(Lanes::ZERO.exceeds(right_of_middle));
        let rows = c.numbers.wrapping_sub(c.columns.times(l.stride as i32));
        let HistoryLanes { are_killers, history, countermove } =
            histories.in_lanes(self.context, c.numbers);
        let learnt = history.times(w.history).wrapping_add(countermove.times(w.countermove));
        let weights = [
            counted(useful & playable << 1, w.next_turn),
            counted(useful & playable << 2, w.turn_after),
            counted(useful, w.threat),
            c.forced.times(w.forced),
            Lanes::number(w.again).only(again),
            safe_moves,
            self.through(l, w, c.cells),
            (from_middle.times(w.centre) >> 1).negated_in(Mask::MAX),
            rows.times(w.height),
            Lanes::number(w.odd_row).only(c.cells.meets(l.odd_rows)),
            Lanes::number(w.killer).only(are_killers),
            learnt.divided::<{ (2 * HISTORY_MAX).ilog2() }>(),
        ];
        weights.into_iter().fold(Lanes::ZERO, Lanes::wrapping_add)
    }

    /// What the lines through each cell are worth.
    #[inline(always)]
    fn through(&self, l: &Layout<Lanes>, w: &Weights, cells: Lanes) -> Lanes {
        let [mut own, mut own_begun, mut other, mut other_begun] = [Lanes::ZERO; 4];
        for d in 0..l.steps.len() {
            let through = l.starts_through(l.steps[d], cells);
            let count = |starts: Lanes, lane: usize| (starts.spread(lane) & through).count_ones();
            own = own.wrapping_add(count(self.open, d));
            own_begun = own_begun.wrapping_add(count(self.begun, d));
            other = other.wrapping_add(count(self.open, OF_OTHER + d));
            other_begun = other_begun.wrapping_add(count(self.begun, OF_OTHER + d));
        }
        let mover = own.times(w.own_line).wrapping_add(own_begun.times(w.own_line_begun));
        let against = other.times(w.other_line).wrapping_add(other_begun.times(w.other_line_begun));
        mover.wrapping_add(against)
    }
}

/// The histories of eight moves.
struct HistoryLanes {
    are_killers: Mask,
    history: Lanes,
    countermove: Lanes,
}

impl Histories {
    /// Returns the histories of moves with these numbers in the eight columns from a multiple of
    /// eight on, which are told apart.
    #[inline(always)]
    fn in_lanes(&self, context: OrderingContext, numbers: Lanes) -> HistoryLanes {
        let OrderingContext { empties, last } = context;
        let killer = self.killers[empties as usize % (2 * CELLS)];
        HistoryLanes {
            are_killers: numbers.equals(Lanes::splat(killer.into())),
            history: numbers.look_up(&self.history[empties as usize % 2]),
            countermove: Lanes::small(&self.countermoves[usize::from(last) % CELLS]),
        }
    }
}
