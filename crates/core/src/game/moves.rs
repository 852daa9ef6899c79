//! Moves and sets of moves.

use std::fmt;

/// A move: the index of a column (Connect Four) or of a cell (m,n,k), counted from 0.
///
/// People see it counted from 1: that is what [`number`](Self::number) gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u8);

impl Move {
    /// The move as people write it, counted from 1.
    pub const fn number(self) -> u32 {
        self.0 as u32 + 1
    }
}

/// A set of moves, one bit each: bit i is the move with index i. Its `Debug` lists the moves counted from 1.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct MoveSet(pub u64);

impl MoveSet {
    /// The set without a move.
    pub const EMPTY: Self = Self(0);

    /// The set of the moves with these [bits](super::Game::bit); `None` if a set has no room for one.
    pub fn of_bits(bits: impl IntoIterator<Item = u32>) -> Option<Self> {
        bits.into_iter()
            .try_fold(Self::EMPTY, |set, bit| Some(Self(set.0 | 1u64.checked_shl(bit)?)))
    }

    /// The number of moves in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True if the set holds no move.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the set holds this move.
    #[inline(always)]
    pub const fn contains(self, m: Move) -> bool {
        m.0 < 64 && self.0 >> m.0 & 1 == 1
    }

    /// True if the set holds the move with this [bit](super::Game::bit).
    #[inline(always)]
    pub const fn has(self, bit: u32) -> bool {
        bit < 64 && self.0 >> bit & 1 == 1
    }

    /// The moves of this set that are not in the other.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set with one move more.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, m: Move) -> Self {
        Self(self.0 | 1 << m.0)
    }
}

impl fmt::Debug for MoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Move::number)).finish()
    }
}

impl FromIterator<Move> for MoveSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        moves.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for MoveSet {
    type Item = Move;
    type IntoIter = Moves;

    #[inline(always)]
    fn into_iter(self) -> Moves {
        Moves(self.0)
    }
}

/// The moves of a [`MoveSet`], ascending.
#[derive(Clone, Debug)]
pub struct Moves(u64);

impl Iterator for Moves {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let m = Move(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(m)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Moves {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_counts_moves_from_1() {
        assert_eq!(format!("{:?} {:?}", MoveSet(8), MoveSet(1 | 1 << 63)), "{4} {1, 64}");
    }

    #[test]
    fn a_set_has_room_for_64_moves() {
        assert_eq!(MoveSet::of_bits([0, 63, 5]), Some(MoveSet(1 << 63 | 1 << 5 | 1)));
        assert_eq!(MoveSet::of_bits([]), Some(MoveSet::EMPTY));
        assert_eq!(MoveSet::of_bits([3, 64]), None);
        assert!(!MoveSet(u64::MAX).has(64));
    }
}
