//! The board as bit masks, for plans.

use everyply_core::games::line::{ConnectFour, LineGame, Size, SizeError, Stones};

/// A board of at most 64 bits: cell (column, row from the bottom) is bit
/// `column * (height + 1) + row`, as in the game itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub game: ConnectFour,
    pub width: u32,
    pub height: u32,
    pub stride: u32,
    pub cells: u32,
    bottom: u64,
    board: u64,
}

impl Grid {
    pub fn new(size: Size) -> Result<Self, SizeError> {
        let game = ConnectFour::new(size)?;
        if size.width > 26 {
            return Err(SizeError::TooLarge {
                board: size.board(),
                rule: "a strategy names columns by letters, of which there are 26",
            });
        }
        let (width, height) = (u32::from(size.width), u32::from(size.height));
        let stride = height + 1;
        let bottom = (0..width).fold(0, |all, c| all | 1u64 << (c * stride));
        let board = bottom * ((1 << height) - 1);
        Ok(Self { game, width, height, stride, cells: width * height, bottom, board })
    }

    /// Returns the lowest empty cell of every column that has one.
    #[inline(always)]
    pub fn playable(&self, occupied: u64) -> u64 {
        occupied.wrapping_add(self.bottom) & self.board
    }

    pub fn empties(&self, occupied: u64) -> u64 {
        self.board & !occupied
    }

    #[inline(always)]
    pub fn column(&self, column: u32) -> u64 {
        ((1 << self.height) - 1) << (column * self.stride)
    }

    #[inline(always)]
    pub fn column_of(&self, cell: u32) -> u32 {
        cell / self.stride
    }

    /// Returns the cells that complete a line of these stones; some may be occupied.
    #[inline(always)]
    pub fn completing(&self, stones: u64) -> u64 {
        self.game.completing_cells(stones)
    }

    /// Returns the leftmost playable cell in which one more stone completes a line of these stones.
    #[inline(always)]
    pub fn completes_now(&self, stones: u64, occupied: u64) -> Option<u64> {
        let cells = self.completing(stones) & self.playable(occupied);
        (cells != 0).then_some(cells & cells.wrapping_neg())
    }

    pub fn mirror(&self, mask: u64) -> u64 {
        let column = (1u64 << self.stride) - 1;
        (0..self.width).fold(0, |image, c| {
            image | (mask >> (c * self.stride) & column) << ((self.width - 1 - c) * self.stride)
        })
    }

    pub fn mirrored(&self, position: Stones) -> Stones {
        Stones { own: self.mirror(position.own), other: self.mirror(position.other) }
    }

    /// Returns the canonical orientation of a position, and true if that is the mirror image.
    pub fn canonical(&self, position: Stones) -> (Stones, bool) {
        let image = self.mirrored(position);
        let is_image = (image.other, image.own) < (position.other, position.own);
        (if is_image { image } else { position }, is_image)
    }
}

/// Iterates over the single cells of a mask, from the lowest bit up.
pub(super) fn each_cell(mut mask: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = mask & mask.wrapping_neg();
        mask ^= cell;
        (cell != 0).then_some(cell)
    })
}
