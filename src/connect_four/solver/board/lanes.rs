//! Eight positions side by side.

use super::Board;
use crate::connect_four::solver::lanes::{Lanes, Mask};
use crate::connect_four::solver::layout::Layout;
use crate::games::line::Bits;

/// What eight positions turn out to be once all forced replies are played, see
/// [`Resolved`](super::Resolved).
#[derive(Clone, Copy, Debug)]
pub struct ResolvedLanes {
    /// The positions after the forced replies.
    pub boards: Board<Lanes>,
    /// How many there were.
    pub forced: Lanes,
    /// The safe cells of quiet positions.
    pub safe: Lanes,
    /// The positions that are decided.
    pub decided: Mask,
    /// Their scores for the side to move in the position asked about.
    pub scores: Lanes,
}

impl Board<Lanes> {
    /// Returns the safe cells of every lane, see [`safe_cells`](Board::safe_cells).
    #[inline(always)]
    fn safe_cells_in_lanes(&self, l: &Layout<Lanes>) -> Lanes {
        let playable = l.playable(self.occupied());
        let danger = playable & self.other_threats;
        let cells = playable & !(self.other_threats >> 1);
        let more_than_one = danger & danger.wrapping_sub(Lanes::splat(1));
        cells.or_in(danger.nonzero(), cells & danger).only(!more_than_one.nonzero())
    }

    /// Returns the same as [`resolve`](Board::resolve) of the positions in `wanted`, which all have
    /// `empties` empty cells.
    #[inline(always)]
    pub fn resolve_in_lanes(self, l: &Layout<Lanes>, empties: i32, wanted: Mask) -> ResolvedLanes {
        let one = Lanes::splat(1);
        let (mut boards, mut empties) = (self, Lanes::number(empties));
        let (mut forced, mut decided, mut scores) = (Lanes::ZERO, 0, Lanes::ZERO);
        loop {
            let safe = boards.safe_cells_in_lanes(l);
            let is_own_turn = !forced.meets(one);
            let lost = wanted & !decided & !safe.nonzero();
            scores = scores.or_in(lost, (empties >> 1).negated_in(is_own_turn));
            let drawn = wanted & !decided & !lost & !empties.exceeds(Lanes::splat(2));
            decided |= lost | drawn;
            let replying = wanted & !decided & safe.meets(boards.other_threats);
            if replying == 0 {
                return ResolvedLanes { boards, forced, safe, decided, scores };
            }
            boards = boards.or_in(replying, boards.play(l, safe));
            let ply = one.only(replying);
            forced = forced.wrapping_add(ply);
            empties = empties.wrapping_sub(ply);
        }
    }

    /// In these lanes `other`.
    #[inline(always)]
    fn or_in(self, lanes: Mask, other: Self) -> Self {
        Self {
            own: self.own.or_in(lanes, other.own),
            other: self.other.or_in(lanes, other.other),
            own_threats: self.own_threats.or_in(lanes, other.own_threats),
            other_threats: self.other_threats.or_in(lanes, other.other_threats),
        }
    }
}
