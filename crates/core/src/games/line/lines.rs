//! Lines (k in a row) on bitboards: where they are complete, and which cells complete them.

use super::Word;

/// A direction of lines.
///
/// ```text
/// cell index of the i-th stone of a line that starts at cell s:  s + i * shift
/// ```
///
/// `starts` has a bit for every cell where a whole line fits on the board, so a run of stones
/// that wraps round an edge is never counted, whatever the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Direction<W> {
    shift: u32,
    starts: W,
}

impl<W: Word> Direction<W> {
    #[inline(always)]
    fn if_fitting(self, cells: impl Fn(Self) -> W) -> W {
        if self.starts == W::ZERO { W::ZERO } else { cells(self) }
    }

    #[inline(always)]
    fn tally_open(self, length: u32, own: W, other: W, tally: &mut impl FnMut(u32, u32)) {
        let Self { shift, starts } = self;
        if starts == W::ZERO {
            return;
        }
        let mut open = starts;
        // A binary counter per line, one bit plane per digit: planes[d] holds digit d of the
        // number of own stones in the line that starts at each bit.
        let mut planes = [W::ZERO; 6];
        let planes = &mut planes[..(u32::BITS - length.leading_zeros()) as usize];
        for i in 0..length {
            open &= !(other >> (i * shift));
            let mut carry = own >> (i * shift);
            for plane in &mut *planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        for stones in 0..=length {
            let mut lines = open;
            for (digit, plane) in planes.iter().enumerate() {
                lines &= if stones >> digit & 1 == 1 { *plane } else { !*plane };
            }
            tally(length - stones, lines.count_ones());
        }
    }

    /// Returns the lines of four that hold one, two and three stones of `own` and none of `other`;
    /// then the same with the sides exchanged.
    #[inline(always)]
    fn open_fours(self, own: W, other: W) -> [[u32; 3]; 2] {
        let Self { shift, starts } = self;
        if starts == W::ZERO {
            return [[0; 3]; 2];
        }
        // An array's `map` is not inlined, and took half of a search's time.
        let cells = |s: W| [s, s >> shift, s >> (2 * shift), s >> (3 * shift)];
        let (own, other) = (cells(own), cells(other));
        let without = |[a, b, c, d]: [W; 4]| starts & !(a | b | c | d);
        // Two half adders and what they carry; four stones give neither digit.
        let count = |[a, b, c, d]: [W; 4], open: W| {
            let (ones, carry) = ((a ^ b) ^ (c ^ d), (a ^ b) & (c ^ d));
            let twos = (a & b) ^ (c & d) ^ carry;
            let (ones, twos) = (ones & open, twos & open);
            let [one, two, three] = [ones & !twos, twos & !ones, ones & twos];
            [one.count_ones(), two.count_ones(), three.count_ones()]
        };
        [count(own, without(other)), count(other, without(own))]
    }
}

/// The lines of a board: its directions and its line length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines<W = u64> {
    directions: [Direction<W>; 4],
    length: u32,
}

impl Lines<u128> {
    /// The cell (column, row) is bit `column * column_step + row * row_step`.
    pub(super) const fn new(
        width: u32,
        height: u32,
        length: u32,
        column_step: u32,
        row_step: u32,
    ) -> Self {
        // (columns, rows) a line advances by per stone.
        let ways: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let mut directions = [Direction { shift: 0, starts: 0 }; 4];
        let mut d = 0;
        while d < 4 {
            let (dx, dy) = ways[d];
            let shift = dx * column_step as i32 + dy * row_step as i32;
            // A falling diagonal may run towards lower bits: start it from its other end.
            let (dx, dy, shift) = if shift < 0 { (-dx, -dy, -shift) } else { (dx, dy, shift) };
            let reach = length as i32 - 1;
            let mut starts = 0;
            let mut x = 0;
            while x < width as i32 {
                let mut y = 0;
                while y < height as i32 {
                    let (ex, ey) = (x + dx * reach, y + dy * reach);
                    let fits = ex >= 0 && ex < width as i32 && ey >= 0 && ey < height as i32;
                    // A line of one stone runs in no particular direction: count it once.
                    if fits && (length > 1 || d == 0) {
                        starts |= 1 << (x as u32 * column_step + y as u32 * row_step);
                    }
                    y += 1;
                }
                x += 1;
            }
            directions[d] = Direction { shift: shift as u32, starts };
            d += 1;
        }
        Self { directions, length }
    }

    /// Narrows the masks of a board of at most 64 bits. (A `const fn` cannot be generic
    /// over the word, so lines are made in the widest.)
    pub(super) const fn narrow(self) -> Lines {
        let mut directions = [Direction { shift: 0, starts: 0 }; 4];
        let mut d = 0;
        while d < 4 {
            let Direction { shift, starts } = self.directions[d];
            directions[d] = Direction { shift, starts: starts as u64 };
            d += 1;
        }
        Lines { directions, length: self.length }
    }
}

impl<W: Word> Lines<W> {
    #[inline(always)]
    pub const fn length(&self) -> u32 {
        self.length
    }

    pub fn count(&self) -> u32 {
        self.directions.iter().map(|d| d.starts.count_ones()).sum()
    }

    /// Returns the union of what `cells` gives for each direction in which a line fits. Written out
    /// instead of a loop, so that the masks of a board known at compile time become constants.
    #[inline(always)]
    fn union(&self, cells: impl Fn(Direction<W>) -> W + Copy) -> W {
        let [a, b, c, d] = self.directions;
        a.if_fitting(cells) | b.if_fitting(cells) | c.if_fitting(cells) | d.if_fitting(cells)
    }

    /// Runs work that depends on the line length with the common lengths as constants, so that
    /// its loops are unrolled.
    #[inline(always)]
    fn unrolled<T>(&self, work: impl FnOnce(u32) -> T) -> T {
        match self.length {
            3 => work(3),
            4 => work(4),
            5 => work(5),
            length => work(length),
        }
    }

    #[inline(always)]
    pub fn is_complete(&self, stones: W) -> bool {
        self.unrolled(
            #[inline(always)]
            |length| {
                let starts = self.union(
                    #[inline(always)]
                    |Direction { shift, starts }| {
                        // Doubling: `run` marks the cells from which `have` stones lie in a row.
                        let mut run = stones;
                        let mut have = 1;
                        while have < length {
                            let step = have.min(length - have);
                            run &= run >> (step * shift);
                            have += step;
                        }
                        run & starts
                    },
                );
                starts != W::ZERO
            },
        )
    }

    /// Returns the cells that complete a line of `stones`: every cell without such a stone whose
    /// line is otherwise filled by them; a stone of the other side may stand there.
    #[inline(always)]
    pub fn completing_cells(&self, stones: W) -> W {
        self.unrolled(
            #[inline(always)]
            |length| {
                let cells = self.union(
                    #[inline(always)]
                    |Direction { shift, starts }| short_lines(stones, starts, shift, length),
                );
                // Of the cells of a line that misses one at most, that is the one without a stone.
                cells & !stones
            },
        )
    }

    /// Returns true if a line has none of these stones.
    #[inline(always)]
    pub fn is_open(&self, stones: W) -> bool {
        self.unrolled(
            #[inline(always)]
            |length| {
                let open = self.union(
                    #[inline(always)]
                    |Direction { shift, starts }| {
                        (0..length).fold(starts, |open, i| open & !(stones >> (i * shift)))
                    },
                );
                open != W::ZERO
            },
        )
    }

    /// Calls `see` with the cells of every line, as a mask: the slow way to look at lines.
    pub fn for_each(&self, mut see: impl FnMut(W)) {
        for Direction { shift, mut starts } in self.directions {
            while starts != W::ZERO {
                let start = starts.trailing_zeros();
                let cell = |i| W::ONE << (start + i * shift);
                see((0..self.length).fold(W::ZERO, |line, i| line | cell(i)));
                starts ^= starts.lowest();
            }
        }
    }

    /// Returns the lead of one side over the other in lines of four with stones of one side alone,
    /// by the points of one stone, two and three.
    #[inline(always)]
    pub fn lead_in_fours(&self, own: W, other: W, points: [i32; 3]) -> i32 {
        let [a, b, c, d] = self.directions;
        let lead = |direction: Direction<W>| {
            let [own, other] = direction.open_fours(own, other);
            (0..3).map(|i| points[i] * (own[i] as i32 - other[i] as i32)).sum::<i32>()
        };
        lead(a) + lead(b) + lead(c) + lead(d)
    }

    /// Returns the sum of 2 to the number of own stones over the lines without a stone of `other`.
    #[inline(always)]
    pub fn weight(&self, own: W, other: W) -> u64 {
        let mut weight = 0;
        self.tally_open(own, other, |missing, n| weight += u64::from(n) << (self.length - missing));
        weight
    }

    /// Counts the lines of each direction without a stone of `other`, by the number of stones missing:
    /// calls `tally(missing, lines)` with each number from 0 to `length`.
    #[inline(always)]
    pub fn tally_open(&self, own: W, other: W, mut tally: impl FnMut(u32, u32)) {
        self.unrolled(
            #[inline(always)]
            |length| {
                let [a, b, c, d] = self.directions;
                a.tally_open(length, own, other, &mut tally);
                b.tally_open(length, own, other, &mut tally);
                c.tally_open(length, own, other, &mut tally);
                d.tally_open(length, own, other, &mut tally);
            },
        );
    }
}

/// Returns the cells of the lines that miss one stone at most, among the lines in one direction
/// that begin at `starts`. Cells off the board count as missing.
#[inline(always)]
pub fn short_lines<W: Word>(stones: W, starts: W, shift: u32, length: u32) -> W {
    // Lines so far without a missing stone, and with one at most.
    let (mut full, mut short) = (starts, W::ZERO);
    for i in 0..length {
        let here = stones >> (i * shift);
        short = (short & here) | full;
        full &= here;
    }
    (0..length).fold(W::ZERO, |cells, i| cells | short << (i * shift))
}

/// Returns the cells that complete four in a row on a board of columns `stride` bits apart, with an
/// empty bit above each column at least; occupied or not, and bits above a column among them.
#[inline(always)]
pub fn completing_fours<W: Word>(stones: W, stride: u32) -> W {
    // Three stones directly below; then, along each other direction and both ways, two neighbours
    // with the third beyond them or on the other side. The empty bit above each column stops every
    // wrap-round but into itself.
    let s = stones;
    let mut cells = s << 1 & s << 2 & s << 3;
    for d in [stride, stride - 1, stride + 1] {
        let pair = s << d & s << (2 * d);
        cells |= pair & (s << (3 * d) | s >> d);
        let pair = s >> d & s >> (2 * d);
        cells |= pair & (s << d | s >> (3 * d));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn line_counts_of_known_boards() {
        // Rows of 4 on 7x6: 24 horizontal, 21 vertical, 12 on each diagonal.
        assert_eq!(Lines::new(7, 6, 4, 7, 1).count(), 69);
        assert_eq!(Lines::new(3, 3, 3, 1, 3).count(), 8);
        assert_eq!(Lines::new(2, 2, 1, 1, 2).count(), 4);
        assert_eq!(Lines::new(3, 2, 4, 1, 3).count(), 0);
        assert_eq!(Lines::new(1, 40, 40, 1, 1).count(), 1);
    }

    #[test]
    fn the_fast_forms_agree_with_a_look_at_every_line() {
        for (width, height, length) in
            [(3, 3, 3), (4, 3, 3), (5, 2, 2), (7, 5, 4), (6, 6, 5), (2, 2, 1), (8, 5, 3)]
        {
            let lines = Lines::new(width, height, length, 1, width);
            compare_forms(lines.narrow(), width * height);
            compare_forms(lines, width * height);
        }
        for (width, height, length) in [(8, 8, 4), (9, 14, 6), (32, 3, 3)] {
            compare_forms(Lines::new(width, height, length, 1, width), width * height);
        }
    }

    fn compare_forms<W: Word>(lines: Lines<W>, cells: u32) {
        let mut random = Random::new(1);
        let board = W::ones(cells);
        let length = lines.length() as usize;
        for _ in 0..2000 {
            let mut mask =
                || W::narrow(u128::from(random.next()) << 64 | u128::from(random.next())) & board;
            let (a, b) = (mask(), mask());
            let (own, other) = (a & !b, b & !a);
            let (mut complete, mut completing) = (false, W::ZERO);
            let (mut open, mut weight) = (vec![0; length + 1], 0);
            lines.for_each(|line| {
                complete |= own & line == line;
                let missing = line & !own;
                if missing.count_ones() == 1 {
                    completing |= missing;
                }
                if other & line == W::ZERO {
                    open[missing.count_ones() as usize] += 1;
                    weight += 1 << (own & line).count_ones();
                }
            });
            assert_eq!(lines.is_complete(own), complete);
            assert_eq!(lines.completing_cells(own), completing);
            let mut seen = vec![0; length + 1];
            lines.tally_open(own, other, |missing, n| seen[missing as usize] += n);
            assert_eq!((seen, lines.weight(own, other)), (open, weight));
        }
    }
}
