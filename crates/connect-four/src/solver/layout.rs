//! The layout of a board in a word, for the solver.

use everyply_core::games::line::{
    AnySize, Fixed, Shape, Size, Word, completing_fours, short_lines,
};

/// Masks and steps of a board inside the solver.
///
/// Cell (column, row from the bottom) is bit `column * stride + row`. At least one bit above each
/// column is never a cell: it keeps lines from continuing round an edge, and takes the carry of an
/// addition in the column. If every column fits a byte, it gets one, so that a byte swap mirrors
/// the board. On 7x6:
///
/// ```text
///   7 15 23 31 39 47 55   <- never a cell
///   6 14 22 30 38 46 54   <- never a cell: the guard row
///  --------------------
///   5 13 21 29 37 45 53   <- top row
///   4 12 20 28 36 44 52
///   3 11 19 27 35 43 51
///   2 10 18 26 34 42 50
///   1  9 17 25 33 41 49
///   0  8 16 24 32 40 48   <- bottom row
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout<W = u64> {
    pub size: Size,
    /// Bits from one column to the next.
    pub stride: u32,
    /// The number of bits that [`packed`](Self::packed) words leave out of every column.
    spare: u32,
    /// The lowest cell of every column.
    pub bottom: W,
    pub board: W,
    /// The rows at an even distance from the top, the top row included: the playable cell of a
    /// column lies in one of them exactly if the column has an odd number of empty cells.
    pub odd_empties: W,
    /// Rows 1, 3, 5..., counted from the bottom.
    pub odd_rows: W,
    /// The steps along the directions in which a line fits; 0 for the others.
    pub steps: [u32; 4],
}

/// Every other bit, from the lowest on.
const ALTERNATE: u128 = u128::MAX / 3;

impl Layout<u128> {
    /// Creates the layout of a board whose `width * (height + 1)` bits fit a word of `bits`.
    const fn in_word(bits: u32, size: Size) -> Self {
        let (width, height, line) = (size.width as u32, size.height as u32, size.line as u32);
        assert!(width * (height + 1) <= bits);
        let in_bytes = width <= bits / 8 && height <= 7;
        let stride = if in_bytes { 8 } else { height + 1 };
        let mut bottom = 0u128;
        let mut odd_empties_column = 0;
        let mut i = 0;
        while i < width {
            bottom |= 1 << (i * stride);
            i += 1;
        }
        let mut row = height;
        while row > 0 {
            odd_empties_column |= 1 << (row - 1);
            row = row.saturating_sub(2);
        }
        // A column of n ones is 2^n - 1 times its lowest bit.
        let column = u128::MAX >> (128 - height);
        let (across, up) = (line <= width, line <= height);
        let both = across && up;
        Self {
            size,
            stride,
            // Words of up to seven bytes fit an entry of the table without packing.
            spare: if width > 7 { stride - (height + 1) } else { 0 },
            bottom,
            board: bottom * column,
            odd_empties: bottom * odd_empties_column,
            odd_rows: bottom * (ALTERNATE & column),
            steps: [
                if up { 1 } else { 0 },
                if across { stride } else { 0 },
                if both { stride - 1 } else { 0 },
                if both { stride + 1 } else { 0 },
            ],
        }
    }
}

impl Layout {
    /// Creates the layout of a board that fits 64 bits, as a constant.
    const fn fixed(size: Size) -> Self {
        let wide = Layout::in_word(64, size);
        Self {
            size,
            stride: wide.stride,
            spare: wide.spare,
            bottom: wide.bottom as u64,
            board: wide.board as u64,
            odd_empties: wide.odd_empties as u64,
            odd_rows: wide.odd_rows as u64,
            steps: wide.steps,
        }
    }
}

impl<W: Word> Layout<W> {
    /// Creates the layout of a board whose `width * (height + 1)` bits fit the word.
    pub fn new(size: Size) -> Self {
        let wide = Layout::in_word(W::BITS, size);
        Self {
            size,
            stride: wide.stride,
            spare: wide.spare,
            bottom: W::narrow(wide.bottom),
            board: W::narrow(wide.board),
            odd_empties: W::narrow(wide.odd_empties),
            odd_rows: W::narrow(wide.odd_rows),
            steps: wide.steps,
        }
    }

    #[inline(always)]
    pub const fn cells(&self) -> i32 {
        self.size.width as i32 * self.size.height as i32
    }

    #[inline(always)]
    pub fn column(&self, column: u32) -> W {
        W::ones(u32::from(self.size.height)) << (column * self.stride)
    }

    /// Returns the lowest empty cell of every column that is not full.
    #[inline(always)]
    pub fn playable(&self, occupied: W) -> W {
        // Adding 1 to a column of ones leaves a one just above them.
        occupied.wrapping_add(self.bottom) & self.board
    }

    /// Returns the cells of every column up to and including its lowest cell in `marks`; the whole
    /// column if it has none.
    #[inline(always)]
    pub fn up_to(&self, marks: W) -> W {
        // Adding 1 runs through the ones below the lowest mark and changes nothing above it.
        let unmarked = self.board & !marks;
        (unmarked ^ unmarked.wrapping_add(self.bottom)) & self.board
    }

    /// Returns all cells of the columns that have a cell in `marks`.
    #[inline(always)]
    pub fn columns_of(&self, marks: W) -> W {
        // A column of ones plus anything but zero carries into the guard row.
        let height = u32::from(self.size.height);
        let guards = marks.wrapping_add(self.board) & (self.bottom << height);
        guards.wrapping_sub(guards >> height)
    }

    /// Returns the cells of the lowest `rows` rows; none if `rows` is negative.
    #[inline(always)]
    pub fn rows_up_to(&self, rows: i32) -> W {
        let height = i32::from(self.size.height);
        if rows <= 0 { W::ZERO } else { self.bottom.wrapping_mul(W::ones(rows.min(height) as u32)) }
    }

    /// Returns the cells of `empty` in the columns of `lowest`, where `empty` holds the empty cells
    /// of the board and `lowest` some of the playable ones.
    #[inline(always)]
    pub fn empties_of(&self, empty: W, lowest: W) -> W {
        // In the columns of `lowest` the carry runs through the rest and clears it.
        empty & !empty.wrapping_add(lowest)
    }

    /// Returns for each direction the first cells (of lowest bit) of the lines within `cells`.
    #[inline(always)]
    pub fn line_starts(&self, cells: W) -> [W; 4] {
        [
            self.starts_along(self.steps[0], cells),
            self.starts_along(self.steps[1], cells),
            self.starts_along(self.steps[2], cells),
            self.starts_along(self.steps[3], cells),
        ]
    }

    #[inline(always)]
    fn starts_along(&self, step: u32, cells: W) -> W {
        let length = u32::from(self.size.line);
        if step == 0 {
            return W::ZERO;
        }
        if length == 4 {
            let pairs = cells & cells >> step;
            return pairs & pairs >> (2 * step);
        }
        // Doubling: `run` marks the cells from which `have` cells lie in a row.
        let (mut run, mut have) = (cells, 1);
        while have < length {
            let more = have.min(length - have);
            run &= run >> (more * step);
            have += more;
        }
        run
    }

    /// Returns the cells of the lines that start at `starts`, for each direction.
    #[inline(always)]
    pub fn cells_of(&self, starts: [W; 4]) -> W {
        self.along(self.steps[0], starts[0])
            | self.along(self.steps[1], starts[1])
            | self.along(self.steps[2], starts[2])
            | self.along(self.steps[3], starts[3])
    }

    /// Returns the cells of the lines along `step` that start at `starts`.
    #[inline(always)]
    pub fn along(&self, step: u32, starts: W) -> W {
        let length = u32::from(self.size.line);
        if length == 4 {
            let pairs = starts | starts << step;
            return pairs | pairs << (2 * step);
        }
        let (mut cells, mut i) = (W::ZERO, 0);
        while i < length {
            cells |= starts << (i * step);
            i += 1;
        }
        cells
    }

    /// Returns the cells at which a line along `step` through one of `cells` may start.
    #[inline(always)]
    pub fn starts_through(&self, step: u32, cells: W) -> W {
        let length = u32::from(self.size.line);
        if length == 4 {
            let pairs = cells | cells >> step;
            return pairs | pairs >> (2 * step);
        }
        let (mut starts, mut i) = (W::ZERO, 0);
        while i < length {
            starts |= cells >> (i * step);
            i += 1;
        }
        starts
    }

    /// Returns the cells that complete a line of `stones`, occupied or not.
    #[inline(always)]
    pub fn completing(&self, stones: W) -> W {
        if self.size.line == 4 && self.steps[2] != 0 {
            return completing_fours(stones, self.stride) & self.board;
        }
        let mut cells = W::ZERO;
        for step in self.steps {
            if step != 0 {
                cells |= short_lines(stones, !W::ZERO, step, self.size.line.into());
            }
        }
        cells & self.board & !stones
    }

    #[inline(always)]
    pub fn mirror(&self, mask: W) -> W {
        let width = u32::from(self.size.width);
        if self.stride == 8 {
            return mask.swap_bytes() >> (W::BITS - 8 * width);
        }
        let field = W::ones(self.stride);
        (0..width).fold(W::ZERO, |image, c| {
            image | (mask >> (c * self.stride) & field) << ((width - 1 - c) * self.stride)
        })
    }

    /// Returns the word without the bits above the guard row, which are 0 in every key, so that it
    /// takes less room in the table.
    #[inline(always)]
    pub fn packed(&self, word: W) -> W {
        if self.spare == 0 {
            return word;
        }
        // Columns are bytes. Each step closes the gaps between neighbours: columns, then pairs...
        let pairs = close_gaps(word, 0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff, self.spare);
        let fours = close_gaps(pairs, 0x0000_ffff_0000_ffff_0000_ffff_0000_ffff, 2 * self.spare);
        let eights = close_gaps(fours, 0x0000_0000_ffff_ffff_0000_0000_ffff_ffff, 4 * self.spare);
        close_gaps(eights, 0x0000_0000_0000_0000_ffff_ffff_ffff_ffff, 8 * self.spare)
    }

    /// Returns the number of low bits of a packed word that hold every cell and guard.
    #[inline(always)]
    pub const fn bits(&self) -> u32 {
        self.size.width as u32 * (self.stride - self.spare)
    }

    #[inline(always)]
    pub fn column_of(&self, cell: W) -> u32 {
        cell.trailing_zeros() / self.stride
    }

    #[inline(always)]
    pub fn has_line(&self, cells: W) -> bool {
        let [a, b, c, d] = self.line_starts(cells);
        a | b | c | d != W::ZERO
    }

    /// Converts the stones of one side from the game's layout to this one.
    pub fn convert_stones(&self, stones: W) -> W {
        let height = u32::from(self.size.height);
        (0..u32::from(self.size.width)).fold(W::ZERO, |all, c| {
            all | (stones >> (c * (height + 1)) & W::ones(height)) << (c * self.stride)
        })
    }
}

/// Moves all bits outside `still` down.
#[inline(always)]
fn close_gaps<W: Word>(word: W, still: u128, by: u32) -> W {
    let still = W::narrow(still);
    word & still | (word & !still) >> by
}

/// The source of an engine's layout: a constant or a value at run time.
pub trait LayoutSource: Shape<Layout<<Self as LayoutSource>::Word>> {
    type Word: Word;
}

impl<W: Word> LayoutSource for AnySize<Layout<W>> {
    type Word = W;
}

impl<const W: u8, const H: u8, const K: u8> Shape<Layout> for Fixed<W, H, K> {
    #[inline(always)]
    fn geometry(&self) -> &Layout {
        const { &Layout::fixed(Size { width: W, height: H, line: K }) }
    }
}

impl<const W: u8, const H: u8, const K: u8> LayoutSource for Fixed<W, H, K> {
    type Word = u64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::random::Random;

    /// Checks that packed words keep every bit of cells and guards.
    fn packed_words_keep_everything<W: Word>(width: u8, height: u8) {
        let l = Layout::<W>::new(Size { width, height, line: 4 });
        let column = u32::from(height) + 1;
        assert_eq!(l.bits(), u32::from(width) * column);
        let field = W::ones(column);
        let mut random = Random::new(6);
        for _ in 0..1000 {
            let bits = u128::from(random.next()) << 64 | u128::from(random.next());
            let marks = (l.bottom.wrapping_mul(field)) & W::narrow(bits);
            let packed = l.packed(marks);
            for c in 0..u32::from(width) {
                let unpacked = packed >> (c * column) & field;
                assert_eq!(unpacked, marks >> (c * l.stride) & field, "{width}x{height}");
            }
        }
    }

    #[test]
    fn nothing_is_lost_by_packing() {
        for height in 1..=7 {
            packed_words_keep_everything::<u64>(8, height);
            for width in 8..=16 {
                packed_words_keep_everything::<u128>(width, height);
            }
        }
    }

    #[test]
    fn constants_and_run_time_layouts_agree() {
        let size = Size { width: 8, height: 6, line: 4 };
        let constant: &Layout = Fixed::<8, 6, 4>.geometry();
        assert_eq!(*constant, Layout::new(size));
        let wide = Layout::<u128>::new(size);
        assert_eq!(wide.stride, constant.stride);
        assert_eq!(wide.board, constant.board.to_u128());
        assert_eq!(wide.odd_empties, 0x2a2a_2a2a_2a2a_2a2a);
        assert_eq!(wide.odd_rows, 0x1515_1515_1515_1515);
    }
}
