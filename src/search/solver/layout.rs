//! Where the cells of a board lie in a word, for the solver.

use crate::game::{ConnectFour, Fixed, Shape, Size, SizeError, Stones};

/// Masks and steps of a board inside the solver.
///
/// Cell (column, row from the bottom) is bit `column * stride + row`. At least one bit above each
/// column is never a cell: it stops lines from running round an edge and takes the carry when a
/// column is added up. Where columns fit a byte they get one, so that a byte swap mirrors the
/// board. On 7x6:
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
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The dimensions.
    pub size: Size,
    /// Bits from one column to the next.
    pub stride: u32,
    /// The lowest cell of every column.
    pub bottom: u64,
    /// All cells.
    pub board: u64,
    /// The rows at an even distance from the top, the top row among them: the playable cell of a
    /// column lies in one of them exactly if the column has an odd number of empty cells.
    pub odd_rest: u64,
    /// Rows 1, 3, 5..., counted from the bottom.
    pub odd_rows: u64,
    /// The steps along the directions in which a line fits; 0 for the others.
    pub steps: [u32; 4],
}

impl Layout {
    /// The layout of a board of at most `width * (height + 1) = 64` bits.
    pub const fn new(size: Size) -> Self {
        let (width, height, line) = (size.width as u32, size.height as u32, size.line as u32);
        assert!(width * (height + 1) <= 64);
        let stride = if width <= 8 && height <= 7 { 8 } else { height + 1 };
        let mut bottom = 0;
        let mut odd_rest_column = 0u64;
        let mut i = 0;
        while i < width {
            bottom |= 1 << (i * stride);
            i += 1;
        }
        let mut row = height;
        while row > 0 {
            odd_rest_column |= 1 << (row - 1);
            row = row.saturating_sub(2);
        }
        let (across, up) = (line <= width, line <= height);
        let both = across && up;
        Self {
            size,
            stride,
            bottom,
            // A column of n ones is 2^n - 1 times its lowest bit.
            board: bottom * (u64::MAX >> (64 - height)),
            odd_rest: bottom * odd_rest_column,
            odd_rows: bottom * (0x5555_5555_5555_5555 & u64::MAX >> (64 - height)),
            steps: [
                if up { 1 } else { 0 },
                if across { stride } else { 0 },
                if both { stride - 1 } else { 0 },
                if both { stride + 1 } else { 0 },
            ],
        }
    }

    /// Cells of the board.
    #[inline(always)]
    pub const fn cells(&self) -> i32 {
        self.size.width as i32 * self.size.height as i32
    }

    /// The cells of one column.
    #[inline(always)]
    pub const fn column(&self, column: u32) -> u64 {
        (u64::MAX >> (64 - self.size.height as u32)) << (column * self.stride)
    }

    /// The column a cell lies in.
    #[inline(always)]
    pub const fn column_of(&self, cell: u64) -> u32 {
        cell.trailing_zeros() / self.stride
    }

    /// The lowest empty cell of every column that is not full.
    #[inline(always)]
    pub const fn playable(&self, occupied: u64) -> u64 {
        // Adding 1 to a column of ones leaves a one just above them.
        occupied.wrapping_add(self.bottom) & self.board
    }

    /// The cells of every column up to its lowest cell of `marks`, that one included; the whole
    /// column if none is marked.
    #[inline(always)]
    pub const fn up_to(&self, marks: u64) -> u64 {
        // Adding 1 runs through the ones below the lowest mark and changes nothing above it.
        let unmarked = self.board & !marks;
        (unmarked ^ unmarked.wrapping_add(self.bottom)) & self.board
    }

    /// All cells of the columns that have a cell of `marks`.
    #[inline(always)]
    pub const fn columns_of(&self, marks: u64) -> u64 {
        // A column of ones plus anything but zero carries into the guard row.
        let height = self.size.height as u32;
        let guards = marks.wrapping_add(self.board) & (self.bottom << height);
        guards.wrapping_sub(guards >> height)
    }

    /// The cells of the lowest `rows` rows; none if that is negative.
    #[inline(always)]
    pub const fn rows_up_to(&self, rows: i32) -> u64 {
        let height = self.size.height as i32;
        if rows <= 0 {
            0
        } else {
            let rows = if rows < height { rows } else { height };
            self.bottom * (u64::MAX >> (64 - rows))
        }
    }

    /// The cells of `empty` in the columns of `lowest`, where `empty` holds the empty cells of the
    /// board and `lowest` some of the playable ones.
    #[inline(always)]
    pub const fn rests(&self, empty: u64, lowest: u64) -> u64 {
        // In the columns of `lowest` the carry runs through the rest and clears it.
        empty & !empty.wrapping_add(lowest)
    }

    /// True if the cells hold a line.
    #[inline(always)]
    pub fn has_line(&self, cells: u64) -> bool {
        let [a, b, c, d] = self.line_starts(cells);
        a | b | c | d != 0
    }

    /// For each direction the first cells (of lowest bit) of the lines within `cells`.
    #[inline(always)]
    pub const fn line_starts(&self, cells: u64) -> [u64; 4] {
        [
            self.starts_along(self.steps[0], cells),
            self.starts_along(self.steps[1], cells),
            self.starts_along(self.steps[2], cells),
            self.starts_along(self.steps[3], cells),
        ]
    }

    #[inline(always)]
    const fn starts_along(&self, step: u32, cells: u64) -> u64 {
        let length = self.size.line as u32;
        if step == 0 {
            return 0;
        }
        if length == 4 {
            let pairs = cells & cells >> step;
            return pairs & pairs >> (2 * step);
        }
        // Doubling: `run` marks the cells from which `have` cells lie in a row.
        let (mut run, mut have) = (cells, 1);
        while have < length {
            let more = if have < length - have { have } else { length - have };
            run &= run >> (more * step);
            have += more;
        }
        run
    }

    /// The cells of the lines that start at `starts`, for each direction.
    #[inline(always)]
    pub const fn cells_of(&self, starts: [u64; 4]) -> u64 {
        self.along(self.steps[0], starts[0])
            | self.along(self.steps[1], starts[1])
            | self.along(self.steps[2], starts[2])
            | self.along(self.steps[3], starts[3])
    }

    /// The cells of the lines along `step` that start at `starts`.
    #[inline(always)]
    pub const fn along(&self, step: u32, starts: u64) -> u64 {
        let length = self.size.line as u32;
        if length == 4 {
            let pairs = starts | starts << step;
            return pairs | pairs << (2 * step);
        }
        let (mut cells, mut i) = (0, 0);
        while i < length {
            cells |= starts << (i * step);
            i += 1;
        }
        cells
    }

    /// The cells at which a line along `step` may start to run through one of `cells`.
    #[inline(always)]
    pub const fn starts_through(&self, step: u32, cells: u64) -> u64 {
        let length = self.size.line as u32;
        if length == 4 {
            let pairs = cells | cells >> step;
            return pairs | pairs >> (2 * step);
        }
        let (mut starts, mut i) = (0, 0);
        while i < length {
            starts |= cells >> (i * step);
            i += 1;
        }
        starts
    }

    /// The cells that complete a line of `stones`, occupied or not.
    #[inline(always)]
    pub fn completing(&self, stones: u64) -> u64 {
        if self.size.line != 4 || self.steps[2] == 0 {
            return self.completing_any_length(stones);
        }
        // Three stones directly below; then, along each other direction and both ways, two
        // neighbours with the third beyond them or on the other side.
        let s = stones;
        let mut cells = s << 1 & s << 2 & s << 3;
        let mut d = self.stride - 1;
        while d <= self.stride + 1 {
            let pair = s << d & s << (2 * d);
            cells |= pair & (s << (3 * d) | s >> d);
            let pair = s >> d & s >> (2 * d);
            cells |= pair & (s << d | s >> (3 * d));
            d += 1;
        }
        cells & self.board
    }

    fn completing_any_length(&self, stones: u64) -> u64 {
        let length = u32::from(self.size.line);
        let mut cells = 0;
        for step in self.steps {
            if step == 0 {
                continue;
            }
            // Lines so far without a missing stone, and with one. Cells off the board count as
            // missing, so a line that leaves the board and misses one stone more is dropped.
            let (mut full, mut short) = (u64::MAX, 0);
            for i in 0..length {
                let here = stones >> (i * step);
                short = (short & here) | (full & !here);
                full &= here;
            }
            for i in 0..length {
                cells |= short << (i * step);
            }
        }
        cells & self.board & !stones
    }

    /// The mirror image of a mask.
    #[inline(always)]
    pub fn mirror(&self, mask: u64) -> u64 {
        let width = u32::from(self.size.width);
        if self.stride == 8 {
            return mask.swap_bytes() >> (64 - 8 * width);
        }
        let field = (1u64 << self.stride) - 1;
        (0..width).fold(0, |image, c| {
            image | (mask >> (c * self.stride) & field) << ((width - 1 - c) * self.stride)
        })
    }

    /// The lowest bits of a mask that hold every cell and guard.
    pub const fn bits(&self) -> u32 {
        self.size.width as u32 * self.stride
    }

    /// The stones of a position of the game, laid out anew: own and other side's.
    pub fn stones(&self, position: Stones) -> (u64, u64) {
        let from = u32::from(self.size.height) + 1;
        let spread = |stones: u64| {
            let field = u64::MAX >> (64 - u32::from(self.size.height));
            (0..u32::from(self.size.width))
                .fold(0, |all, c| all | (stones >> (c * from) & field) << (c * self.stride))
        };
        (spread(position.own), spread(position.other))
    }
}

/// A layout made at run time.
#[derive(Clone, Copy, Debug)]
pub struct AnyLayout(Layout);

impl AnyLayout {
    /// The layout of a board of this size.
    pub fn new(size: Size) -> Result<Self, SizeError> {
        // The game knows which sizes fit a word.
        ConnectFour::new(size)?;
        Ok(Self(Layout::new(size)))
    }
}

impl Shape<Layout> for AnyLayout {
    #[inline(always)]
    fn geometry(&self) -> &Layout {
        &self.0
    }
}

impl<const W: u8, const H: u8, const K: u8> Shape<Layout> for Fixed<W, H, K> {
    #[inline(always)]
    fn geometry(&self) -> &Layout {
        const { &Layout::new(Size { width: W, height: H, line: K }) }
    }
}
