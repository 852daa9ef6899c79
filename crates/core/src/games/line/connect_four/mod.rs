//! Connect Four on any board that fits a word, 7x6 with four in a row folded to constants.

mod geometry;

pub use geometry::Geometry;
use geometry::bits;

use super::{
    AnySize, Fixed, LineGame, Lines, Rules, Shape, Size, SizeError, Stones, Word, capabilities,
    completing_fours, rules,
};
use crate::game::{
    Continuations, Evaluate, Game, Key, Keyed, Move, MoveSet, Outcome, Perft, Symmetric, Symmetry,
    Tiered, Urgent,
};

/// A [`Shape`] of columns, with the word that holds its boards.
pub trait Columns: Shape<Geometry<Self::Word>> {
    type Word: Word;
}

impl<W: Word> Columns for AnySize<Geometry<W>> {
    type Word = W;
}

impl<const W: u8, const H: u8, const K: u8> Columns for Fixed<W, H, K> {
    type Word = u64;
}

impl<const W: u8, const H: u8, const K: u8> Shape<Geometry> for Fixed<W, H, K> {
    #[inline(always)]
    fn geometry(&self) -> &Geometry {
        const { &Geometry::new(Size { width: W, height: H, line: K }).narrow() }
    }
}

/// Connect Four: stones fall to the lowest empty cell of a column.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour<S = AnySize<Geometry>>(S);

/// Connect Four on the standard board, 7 columns x 6 rows, 4 in a row.
pub type Standard = ConnectFour<Fixed<7, 6, 4>>;

impl<const W: u8, const H: u8, const K: u8> ConnectFour<Fixed<W, H, K>> {
    /// Creates the board of the type, if it fits 64 bits: its masks are constants.
    pub const fn fixed() -> Self {
        const { assert!(W > 0 && H > 0 && K > 0 && W as u32 * (H as u32 + 1) <= 64) };
        Self(Fixed)
    }
}

impl ConnectFour {
    pub fn new(size: Size) -> Result<Self, SizeError> {
        if bits(size) > 64 {
            return Err(SizeError::TooLarge {
                board: size.board(),
                rule: "a Connect Four board has width x (height + 1) <= 64, as 7x6, 8x7 or 9x6 do",
            });
        }
        Ok(Self(AnySize(Geometry::new(size).narrow())))
    }
}

/// Connect Four on a board chosen at run time, in a word of this type.
pub type ConnectFourIn<W> = ConnectFour<AnySize<Geometry<W>>>;

/// Connect Four on a board that may be too large for 64 bits, in a word of 128.
pub type Wide = ConnectFourIn<u128>;

impl Wide {
    pub fn wide(size: Size) -> Result<Self, SizeError> {
        if bits(size) > 128 || size.width > 32 {
            return Err(SizeError::TooLarge {
                board: size.board(),
                rule: "the largest Connect Four boards have width x (height + 1) <= 128 and at \
                       most 32 columns, as 8x8, 10x8, 10x11 or 32x3 do",
            });
        }
        Ok(Self(AnySize(Geometry::new(size))))
    }
}

impl<S: Columns> Game for ConnectFour<S> {
    rules!(S::Word);

    #[inline(always)]
    fn moves(&self, position: Stones<S::Word>) -> MoveSet<u64> {
        self.0.geometry().columns(self.playable(position))
    }

    #[inline(always)]
    fn play(&self, position: Stones<S::Word>, m: Move) -> Stones<S::Word> {
        debug_assert!(self.moves(position).contains(m), "{m:?} is not a move");
        let occupied = position.occupied();
        let lowest = S::Word::ONE << (u32::from(m.0) * self.0.geometry().stride);
        let after = occupied | occupied.wrapping_add(lowest);
        Stones { own: position.other, other: after ^ position.other }
    }

    #[inline(always)]
    fn move_of_bit(&self, position: Stones<S::Word>, bit: u32) -> Option<Move> {
        let g = self.0.geometry();
        if bit >= u32::from(g.size.width) {
            return None;
        }
        let open = self.playable(position) >> (bit * g.stride) & g.field();
        (open != S::Word::ZERO).then_some(Move(bit as u8))
    }
}

impl<S: Columns> Keyed for ConnectFour<S> {
    type Key = Key<S::Word>;

    /// Returns a guard bit on top of every column's stones, and below it a bit for every stone of
    /// the side to move. The guards show the heights, the other bits the owners.
    ///
    /// ```text
    /// 7x6 after 4 4 3, second player to move; columns from the left, top of a column first:
    ///   column 3   10   guard over one stone of the other side
    ///   column 4  110   guard over an own stone over a stone of the other side
    ///   others      1   guard on the floor
    /// key = 0b10 << 14 | 0b110 << 21 | 1 << 0 | 1 << 7 | 1 << 28 | 1 << 35 | 1 << 42
    /// ```
    #[inline(always)]
    fn key(&self, position: Stones<S::Word>) -> Key<S::Word> {
        Key(position.own | position.occupied().wrapping_add(self.0.geometry().bottom))
    }

    #[inline(always)]
    fn key_bits(&self) -> u32 {
        bits(self.0.geometry().size)
    }

    fn position_of(&self, key: Key<S::Word>) -> Option<Stones<S::Word>> {
        let g = self.0.geometry();
        let bits = bits(g.size);
        if bits < S::Word::BITS && key.0 >> bits != S::Word::ZERO {
            return None;
        }
        let mut position: Stones<S::Word> = Stones::default();
        for column in 0..u32::from(g.size.width) {
            let bits = key.0 >> (column * g.stride) & g.field();
            if bits == S::Word::ZERO {
                return None;
            }
            let guard = S::Word::ONE << (S::Word::BITS - 1 - bits.leading_zeros());
            let stones = guard.wrapping_sub(S::Word::ONE);
            position.own |= (bits & stones) << (column * g.stride);
            position.other |= (!bits & stones) << (column * g.stride);
        }
        (position.own.count_ones() == u32::from(position.ply().0) / 2).then_some(position)
    }
}

impl<S: Columns> Symmetric for ConnectFour<S> {
    #[inline(always)]
    fn symmetries(&self) -> u8 {
        2
    }

    #[inline(always)]
    fn image_key(&self, position: Stones<S::Word>, symmetry: Symmetry) -> Key<S::Word> {
        let key = self.key(position);
        if symmetry == Symmetry::IDENTITY {
            return key;
        }
        let g = self.0.geometry();
        let width = u32::from(g.size.width);
        let mut mirrored = S::Word::ZERO;
        for column in 0..width {
            let bits = key.0 >> (column * g.stride) & g.field();
            mirrored |= bits << ((width - 1 - column) * g.stride);
        }
        Key(mirrored)
    }

    #[inline(always)]
    fn image_move(&self, m: Move, symmetry: Symmetry) -> Move {
        if symmetry == Symmetry::IDENTITY {
            m
        } else {
            Move(self.0.geometry().size.width - 1 - m.0)
        }
    }

    #[inline(always)]
    fn image_moves(&self, _: Stones<S::Word>, moves: MoveSet, symmetry: Symmetry) -> MoveSet {
        moves.into_iter().map(|m| self.image_move(m, symmetry)).collect()
    }
}

capabilities!([S: Columns] ConnectFour<S>, S::Word);

impl<S: Columns> LineGame<S::Word> for ConnectFour<S> {
    #[inline(always)]
    fn size(&self) -> Size {
        self.0.geometry().size
    }

    fn rules(&self) -> Rules {
        Rules::ConnectFour
    }

    #[inline(always)]
    fn lines(&self) -> &Lines<S::Word> {
        &self.0.geometry().lines
    }

    fn cell(&self, column: u32, row: u32) -> S::Word {
        let g = self.0.geometry();
        S::Word::ONE << (column * g.stride + u32::from(g.size.height) - 1 - row)
    }

    #[inline(always)]
    fn completing_cells(&self, stones: S::Word) -> S::Word {
        let g = self.0.geometry();
        if g.size.line != 4 || g.size.width < 4 {
            return g.lines.completing_cells(stones);
        }
        completing_fours(stones, g.stride) & g.board
    }

    fn last_moves(&self, position: Stones<S::Word>) -> MoveSet<u64> {
        // The top stone of a column is the one without a stone above it.
        let occupied = position.occupied();
        self.0.geometry().columns(position.other & !(occupied >> 1))
    }

    fn take_back(&self, position: Stones<S::Word>, m: Move) -> Stones<S::Word> {
        debug_assert!(self.last_moves(position).contains(m), "{m:?} was not the last move");
        let g = self.0.geometry();
        let stones = position.occupied() & g.field() << (u32::from(m.0) * g.stride);
        let top = stones & !(stones >> 1);
        Stones { own: position.other & !top, other: position.own }
    }

    #[inline(always)]
    fn playable(&self, position: Stones<S::Word>) -> S::Word {
        self.0.geometry().playable(position.occupied())
    }

    #[inline(always)]
    fn landing(&self, position: Stones<S::Word>, m: Move) -> S::Word {
        let g = self.0.geometry();
        self.playable(position) & g.field() << (u32::from(m.0) * g.stride)
    }

    #[inline(always)]
    fn above(&self, cells: S::Word) -> S::Word {
        cells << 1 & self.0.geometry().board
    }

    #[inline(always)]
    fn moves_to(&self, position: Stones<S::Word>, cells: S::Word) -> MoveSet<u64> {
        self.0.geometry().columns(self.playable(position) & cells)
    }

    #[inline(always)]
    fn inverse(&self, symmetry: Symmetry) -> Symmetry {
        symmetry
    }

    #[inline(always)]
    fn centre_first(&self) -> &[Move] {
        self.0.geometry().order.as_slice()
    }
}
