//! Moves and sets of moves.

use std::fmt;

use super::Word;

/// A move: the index of a column (Connect Four) or of a cell (m,n,k), counted from 0.
///
/// People count it from 1, as [`number`](Self::number) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u8);

impl Move {
    /// The move as people write it, counted from 1.
    pub const fn number(self) -> u32 {
        self.0 as u32 + 1
    }
}

/// A set of moves, one bit each: bit i is the move with index i. Its `Debug` lists the moves counted from 1.
///
/// Games of stones and lines, whose sets are made at every node, take words of 64 bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct MoveSet<W = u128>(pub W);

impl MoveSet {
    /// The number of moves that a set has room for.
    pub const ROOM: u32 = u128::BITS;

    /// The set of the moves with these [bits](super::Game::bit); `None` if a set has no room for one.
    pub fn of_bits(bits: impl IntoIterator<Item = u32>) -> Option<Self> {
        bits.into_iter()
            .try_fold(Self::EMPTY, |set, bit| Some(Self(set.0 | 1u128.checked_shl(bit)?)))
    }
}

impl<W: Word> MoveSet<W> {
    /// The set without a move.
    pub const EMPTY: Self = Self(W::ZERO);

    /// The number of moves in the set.
    #[inline(always)]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True if the set holds no move.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// True if the set holds this move.
    #[inline(always)]
    pub fn contains(self, m: Move) -> bool {
        self.has(m.0.into())
    }

    /// True if the set holds the move with this [bit](super::Game::bit).
    #[inline(always)]
    pub fn has(self, bit: u32) -> bool {
        bit < W::BITS && self.0 >> bit & W::ONE == W::ONE
    }

    /// The moves of this set that are not in the other.
    #[inline(always)]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set with one move more.
    #[inline(always)]
    #[must_use]
    pub fn with(self, m: Move) -> Self {
        Self(self.0 | W::ONE << m.0.into())
    }
}

impl From<MoveSet<u64>> for MoveSet {
    fn from(MoveSet(moves): MoveSet<u64>) -> Self {
        Self(moves.into())
    }
}

impl<W: Word> fmt::Debug for MoveSet<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Move::number)).finish()
    }
}

impl<W: Word> FromIterator<Move> for MoveSet<W> {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        moves.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl<W: Word> IntoIterator for MoveSet<W> {
    type Item = Move;
    type IntoIter = Moves<W>;

    #[inline(always)]
    fn into_iter(self) -> Moves<W> {
        Moves(self.0)
    }
}

/// The moves of a [`MoveSet`], ascending.
#[derive(Clone, Debug)]
pub struct Moves<W = u128>(W);

impl<W: Word> Iterator for Moves<W> {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        if self.0 == W::ZERO {
            return None;
        }
        let m = Move(self.0.trailing_zeros() as u8);
        self.0 &= self.0.wrapping_sub(W::ONE);
        Some(m)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl<W: Word> ExactSizeIterator for Moves<W> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_counts_moves_from_1() {
        assert_eq!(format!("{:?} {:?}", MoveSet(8u64), MoveSet(1 | 1u128 << 127)), "{4} {1, 128}");
    }

    #[test]
    fn a_set_has_room_for_128_moves() {
        assert_eq!(MoveSet::of_bits([0, 127, 5]), Some(MoveSet(1 << 127 | 1 << 5 | 1)));
        assert_eq!(MoveSet::of_bits([]), Some(MoveSet::EMPTY));
        assert_eq!(MoveSet::of_bits([3, 128]), None);
        assert!(!MoveSet(u128::MAX).has(128));
    }
}
