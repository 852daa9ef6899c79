//! A position inside the solver, with the threats of both sides, and its key in the table, which
//! holds only the facts that can still matter.

use super::layout::Layout;
use super::score::Score;
use everyply_core::games::line::{Stones, Word};

/// Stones and threats, from the view of the side to move.
///
/// A threat is an empty cell that completes a line of a side's stones, playable or not. After a
/// move only the mover's threats are recomputed; the other side's lose the cell taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<W = u64> {
    pub own: W,
    pub other: W,
    pub own_threats: W,
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
    /// Converts a position from the game's layout.
    pub fn new(l: &Layout<W>, position: Stones<W>) -> Self {
        let [own, other] = [position.own, position.other].map(|stones| l.convert_stones(stones));
        let empty = l.board & !(own | other);
        Self {
            own,
            other,
            own_threats: l.completing(own) & empty,
            other_threats: l.completing(other) & empty,
        }
    }

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

/// The key of a position in the table: two packed words of the layout, equal for a position and its
/// mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableKey<W = u64> {
    /// Guards and the marks of the side to move.
    pub own: W,
    /// Guards and the marks of the other side; 0 in a narrow key.
    pub other: W,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// A single word: the stones of the side to move under a guard on top of every column.
    Narrow,
    /// Two words: the marks of each side.
    Wide,
}

/// Returns the key of a position: equal keys mean equal values, distances included.
///
/// # The facts that matter
/// Play never continues above a cell that both sides threaten, nor above the upper of two threats
/// of one side that lie on each other: whichever side takes the lower of the two cells, the
/// threatening side has won by the time the upper one is taken. Let E be the other empty cells:
/// only they are ever filled. Let T(p) be side p's threats in E. A stone of p is *live* if it lies
/// in a line within p's stones and E without T(p).
///
/// Heights, threats in E and live stones decide every continuation. E follows from heights and
/// threats: the cells at which it ends are themselves in E. Suppose p takes cell c of E, and the
/// game was not over before. If c is in T(p), p wins. If c is not in T(p) and completes a line L,
/// then L lies in p's present stones and E; it holds no other cell of T(p), for p would have won
/// when he took that cell. So L lies within p's stones and E without T(p): its present stones are
/// live, and any position with the same live stones of p and the same E has them too. The same
/// holds in the other direction, so both positions have the same continuations with the same ends,
/// and the same number of cells is left.
///
/// # Layout of a word before it is packed, for each column
/// ```text
/// row   height + 1 and up   threats, moved up by one
///       height              guard: 1 in both words
///       below               live stones
/// ```
/// No cell holds live stones of both sides, so the guard is the lowest bit that both words share.
/// Heights, live stones and threats can be read from the words, so different sets of them have
/// different keys.
#[inline(always)]
pub fn key_of<W: Word>(l: &Layout<W>, kind: KeyKind, board: &Board<W>) -> TableKey<W> {
    let guards = board.occupied().wrapping_add(l.bottom);
    let key = match kind {
        KeyKind::Narrow => TableKey { own: board.own | guards, other: W::ZERO },
        KeyKind::Wide => {
            let Board { own_threats: a, other_threats: b, .. } = *board;
            let ends = a & b | a & a << 1 | b & b << 1;
            let open = l.board & !board.occupied() & l.up_to(ends);
            TableKey {
                own: guards | marks(l, open, board.own, a),
                other: guards | marks(l, open, board.other, b),
            }
        }
    };
    // The lower of the keys of a position and of its mirror image is the key of both.
    let key = key.min(TableKey { own: l.mirror(key.own), other: l.mirror(key.other) });
    TableKey { own: l.packed(key.own), other: l.packed(key.other) }
}

/// Returns the marks of a side: its live stones, and its threats moved up by one, if only the cells
/// in `open` are ever filled.
#[inline(always)]
fn marks<W: Word>(l: &Layout<W>, open: W, stones: W, threats: W) -> W {
    let threats = threats & open;
    let room = stones | open & !threats;
    stones & l.cells_of(l.line_starts(room)) | threats << 1
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use everyply_core::control::Control;
    use everyply_core::exhaustive::Solution;
    use everyply_core::game::{Game, Keyed, images};
    use everyply_core::games::line::{ConnectFour, Size};

    fn equal_keys_mean_equal_values(width: u8, height: u8, line: u8) {
        let size = Size::new(width, height, line).unwrap();
        let game = ConnectFour::new(size).unwrap();
        let l = Layout::<u64>::new(size);
        let control = Control::default();
        let solution = Solution::within(game, game.initial(), u64::MAX, &control).unwrap();
        let (mut positions, mut keys) = (0, HashMap::new());
        solution.canonical(&mut |part| {
            for solved in part {
                let canonical = game.position_of(solved.key).unwrap();
                if game.result(canonical).is_some() {
                    continue;
                }
                for (image, _) in images(&game, canonical) {
                    let position = game.position_of(image).unwrap();
                    let key = key_of(&l, KeyKind::Wide, &Board::new(&l, position));
                    let value = *keys.entry(key).or_insert(solved.value);
                    assert_eq!(value, solved.value, "{size} {position:?}");
                    positions += 1;
                }
            }
        });
        let keys = keys.len();
        assert!(keys * 2 < positions, "{size}: {keys} keys for {positions} positions");
    }

    #[test]
    fn equal_keys_mean_equal_values_on_small_boards() {
        for (width, height, line) in [(4, 4, 4), (4, 4, 3), (5, 3, 3), (3, 6, 3), (3, 7, 4)] {
            equal_keys_mean_equal_values(width, height, line);
        }
    }

    #[test]
    #[ignore = "a minute: every position of 5x4, 4x5 and 4x6"]
    fn equal_keys_mean_equal_values_on_larger_boards() {
        for (width, height, line) in [(5, 4, 4), (4, 5, 4), (5, 4, 3), (4, 6, 4)] {
            equal_keys_mean_equal_values(width, height, line);
        }
    }
}
