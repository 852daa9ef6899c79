//! A position inside the solver, with the threats of both sides.

use super::layout::Layout;
use super::score::Score;
use crate::games::line::Word;

/// Stones and threats, from the view of the side to move.
///
/// A threat is an empty cell that completes a line of a side's stones, playable or not. After a
/// move only the mover's threats are computed anew; the other side's lose the cell that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<W = u64> {
    /// Stones of the side to move.
    pub own: W,
    /// Stones of the side that moved last.
    pub other: W,
    /// Threats of the side to move.
    pub own_threats: W,
    /// Threats of the side that moved last.
    pub other_threats: W,
}

/// A position after all forced replies.
#[derive(Clone, Copy, Debug)]
pub enum Resolved<W = u64> {
    /// A decided game: the score for the side to move before the forced replies.
    Decided(Score),
    /// A position with a choice, after this number of forced plies. Its side to move has no win at
    /// once, faces none, has a move that does not allow one, and more than two cells are empty.
    Quiet(Board<W>, u32),
}

impl<W: Word> Board<W> {
    /// Creates the position with these stones.
    pub fn new(l: &Layout<W>, own: W, other: W) -> Self {
        let empty = l.board & !(own | other);
        Self {
            own,
            other,
            own_threats: l.completing(own) & empty,
            other_threats: l.completing(other) & empty,
        }
    }

    /// Returns the occupied cells.
    #[inline(always)]
    pub fn occupied(&self) -> W {
        self.own | self.other
    }

    /// Returns the position after the side to move takes a playable cell.
    #[inline(always)]
    pub fn play(&self, l: &Layout<W>, cell: W) -> Self {
        let mover = self.own | cell;
        let empty = l.board & !(mover | self.other);
        Self {
            own: self.other,
            other: mover,
            own_threats: self.other_threats & !cell,
            other_threats: l.completing(mover) & empty,
        }
    }

    /// Returns the safe cells: playable cells that neither ignore a playable threat of the other
    /// side nor lie right below a threat. With two playable threats no cell is safe.
    #[inline(always)]
    pub fn safe_cells(&self, l: &Layout<W>) -> W {
        let playable = l.playable(self.occupied());
        let danger = playable & self.other_threats;
        let cells = playable & !(self.other_threats >> 1);
        if danger == W::ZERO {
            cells
        } else if danger & danger.wrapping_sub(W::ONE) == W::ZERO {
            cells & danger
        } else {
            W::ZERO
        }
    }

    /// Plays replies as long as they are forced. The side to move must have no win at once.
    ///
    /// That condition stays true after every reply: a forced reply blocks the only playable threat
    /// and does not make another one playable.
    #[inline(always)]
    pub fn resolve(mut self, l: &Layout<W>, mut empties: i32) -> Resolved<W> {
        let mut plies = 0;
        loop {
            let turn = |score: Score| if plies & 1 == 1 { -score } else { score };
            let safe = self.safe_cells(l);
            if safe == W::ZERO {
                // Lost at the second ply from here; with no cell left the score is 0, a draw.
                return Resolved::Decided(turn(-(empties / 2)));
            }
            if empties <= 2 {
                // A safe move with at most one reply, which does not complete a line either.
                return Resolved::Decided(0);
            }
            if safe & self.other_threats == W::ZERO {
                return Resolved::Quiet(self, plies);
            }
            self = self.play(l, safe);
            empties -= 1;
            plies += 1;
        }
    }
}
