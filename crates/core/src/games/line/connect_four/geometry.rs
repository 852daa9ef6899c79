//! The geometry of a Connect Four board: which bit of a word is which cell.

use crate::game::MoveSet;
use crate::games::line::size::CentreFirst;
use crate::games::line::{Lines, Size, Word};

/// Masks and steps of a Connect Four board.
///
/// Cell (column, row from the bottom) is bit `column * stride + row`, `stride = height + 1`. The
/// bit above each column stays empty, so that no shift carries a line round an edge; in a key it
/// holds the guard of a full column. On 7x6:
///
/// ```text
///   6 13 20 27 34 41 48   <- always empty
///  --------------------
///   5 12 19 26 33 40 47   <- top row
///   4 11 18 25 32 39 46
///   3 10 17 24 31 38 45
///   2  9 16 23 30 37 44
///   1  8 15 22 29 36 43
///   0  7 14 21 28 35 42   <- bottom row
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Geometry<W = u64> {
    pub(super) size: Size,
    pub(super) lines: Lines<W>,
    pub(super) stride: u32,
    /// Bit of the lowest cell of every column.
    pub(super) bottom: W,
    /// All cells.
    pub(super) board: W,
    pub(super) order: CentreFirst,
}

impl Geometry<u128> {
    pub(super) const fn new(size: Size) -> Self {
        let stride = size.height as u32 + 1;
        let mut bottom = 0;
        let mut column = 0;
        while column < size.width as u32 {
            bottom |= 1 << (column * stride);
            column += 1;
        }
        // A column of n ones is 2^n - 1 times its lowest bit.
        let board = bottom * (u128::MAX >> (128 - size.height as u32));
        let lines = Lines::new(size.width as u32, size.height as u32, size.line as u32, stride, 1);
        let order = CentreFirst::of_grid(size.width as u32, 1);
        Self { size, lines, stride, bottom, board, order }
    }

    /// Narrows a board of at most 64 bits to a word of 64 bits.
    pub(super) const fn narrow(self) -> Geometry {
        let Self { size, lines, stride, bottom, board, order } = self;
        let lines = lines.narrow();
        Geometry { size, lines, stride, bottom: bottom as u64, board: board as u64, order }
    }
}

impl<W: Word> Geometry<W> {
    /// Returns the cell of the next stone in each open column.
    #[inline(always)]
    pub(super) fn playable(&self, occupied: W) -> W {
        // Adding 1 to a column of ones leaves a one just above them.
        occupied.wrapping_add(self.bottom) & self.board
    }

    /// Returns the columns of a mask with at most one bit a column.
    #[inline(always)]
    pub(super) fn columns(&self, cells: W) -> MoveSet<u64> {
        let column = W::ones(self.size.height.into());
        let mut moves = 0;
        for c in 0..u32::from(self.size.width) {
            moves |= u64::from(cells >> (c * self.stride) & column != W::ZERO) << c;
        }
        MoveSet(moves)
    }

    /// Returns the lowest column of a key, its guard's highest place included.
    #[inline(always)]
    pub(super) fn field(&self) -> W {
        W::ones(self.stride)
    }
}

/// Returns the bits of a word that a board of this size takes.
pub(super) const fn bits(size: Size) -> u32 {
    size.width as u32 * (size.height as u32 + 1)
}
