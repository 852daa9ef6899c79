//! Connect Four on any board that fits a machine word, 7x6 with four in a row folded to
//! constants.

use super::size::MoveOrder;
use super::{
    AnySize, Continuations, Fixed, Game, Key, Lines, Move, MoveSet, Shape, Size, SizeError, Stones,
    Symmetry,
};

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
pub struct Geometry {
    size: Size,
    lines: Lines,
    stride: u32,
    /// Bit of the lowest cell of every column.
    bottom: u64,
    /// All cells.
    board: u64,
    order: MoveOrder,
}

impl Geometry {
    const fn new(size: Size) -> Self {
        let stride = size.height as u32 + 1;
        let mut bottom = 0;
        let mut column = 0;
        while column < size.width as u32 {
            bottom |= 1 << (column * stride);
            column += 1;
        }
        // A column of n ones is 2^n - 1 times its lowest bit.
        let board = bottom * (u64::MAX >> (64 - size.height as u32));
        let lines = Lines::new(size.width as u32, size.height as u32, size.line as u32, stride, 1);
        let order = MoveOrder::centre_first(size.width as u32, 1);
        Self { size, lines, stride, bottom, board, order }
    }
}

impl<const W: u8, const H: u8, const K: u8> Shape<Geometry> for Fixed<W, H, K> {
    #[inline(always)]
    fn geometry(&self) -> &Geometry {
        const { &Geometry::new(Size { width: W, height: H, line: K }) }
    }
}

/// Connect Four: stones fall to the lowest empty cell of a column.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour<S = AnySize<Geometry>>(S);

/// Connect Four on the standard board, 7 columns x 6 rows, 4 in a row.
pub type Standard = ConnectFour<Fixed<7, 6, 4>>;

impl<const W: u8, const H: u8, const K: u8> ConnectFour<Fixed<W, H, K>> {
    /// The board of the type, its masks folded to constants.
    ///
    /// Compiling fails if the board does not fit 64 bits.
    #[must_use]
    pub const fn fixed() -> Self {
        const { assert!(W > 0 && H > 0 && K > 0 && W as u32 * (H as u32 + 1) <= 64) };
        Self(Fixed)
    }
}

impl ConnectFour {
    /// The board of this size.
    ///
    /// # Errors
    /// If width x (height + 1) is more than 64 bits.
    pub fn new(size: Size) -> Result<Self, SizeError> {
        if u32::from(size.width) * (u32::from(size.height) + 1) > 64 {
            return Err(SizeError::TooLarge {
                board: size.board(),
                rule: "a Connect Four board has width x (height + 1) <= 64, as 7x6, 8x7 or 9x6 do",
            });
        }
        Ok(Self(AnySize(Geometry::new(size))))
    }
}

impl<S: Shape<Geometry>> ConnectFour<S> {
    #[inline(always)]
    fn geometry(&self) -> &Geometry {
        self.0.geometry()
    }

    /// The cell each open column would take its next stone in.
    #[inline(always)]
    fn playable(&self, occupied: u64) -> u64 {
        let g = self.geometry();
        // Adding 1 to a column of ones leaves a one just above them.
        occupied.wrapping_add(g.bottom) & g.board
    }

    /// The columns of a mask with at most one bit a column.
    #[inline(always)]
    fn columns(&self, cells: u64) -> MoveSet {
        let g = self.geometry();
        let column = u64::MAX >> (64 - g.size.height as u32);
        let mut moves = 0;
        for c in 0..u32::from(g.size.width) {
            moves |= u64::from(cells >> (c * g.stride) & column != 0) << c;
        }
        MoveSet(moves)
    }
}

impl<S: Shape<Geometry>> Game for ConnectFour<S> {
    #[inline(always)]
    fn size(&self) -> Size {
        self.geometry().size
    }

    fn name(&self) -> &'static str {
        "connect4"
    }

    #[inline(always)]
    fn lines(&self) -> &Lines {
        &self.geometry().lines
    }

    fn cell(&self, column: u32, row: u32) -> u64 {
        let g = self.geometry();
        1 << (column * g.stride + u32::from(g.size.height) - 1 - row)
    }

    #[inline(always)]
    fn moves(&self, position: Stones) -> MoveSet {
        self.columns(self.playable(position.occupied()))
    }

    #[inline(always)]
    fn play(&self, position: Stones, m: Move) -> Stones {
        let occupied = position.occupied();
        let after =
            occupied | occupied.wrapping_add(1 << (u32::from(m.0) * self.geometry().stride));
        Stones { own: position.other, other: after ^ position.other }
    }

    #[inline(always)]
    fn completing_cells(&self, stones: u64) -> u64 {
        let g = self.geometry();
        if g.size.line != 4 || g.size.width < 4 {
            return g.lines.completing_cells(stones);
        }
        // Three stones directly below; then, along each other direction and both ways, two
        // neighbours with the third beyond them or on the other side. The empty bit above each
        // column stops every wrap-round but into itself, and it is no cell.
        let s = stones;
        let mut cells = s << 1 & s << 2 & s << 3;
        for d in [g.stride, g.stride - 1, g.stride + 1] {
            let pair = s << d & s << (2 * d);
            cells |= pair & (s << (3 * d) | s >> d);
            let pair = s >> d & s >> (2 * d);
            cells |= pair & (s << d | s >> (3 * d));
        }
        cells & g.board
    }

    fn last_moves(&self, position: Stones) -> MoveSet {
        let occupied = position.occupied();
        // The top stone of a column is the one without a stone above it.
        self.columns(position.other & !(occupied >> 1))
    }

    fn take_back(&self, position: Stones, m: Move) -> Stones {
        let g = self.geometry();
        let column = (u64::MAX >> (64 - g.stride)) << (u32::from(m.0) * g.stride);
        let stones = position.occupied() & column;
        let top = stones & !(stones >> 1);
        Stones { own: position.other & !top, other: position.own }
    }

    #[inline(always)]
    fn moves_to(&self, position: Stones, cells: u64) -> MoveSet {
        self.columns(self.playable(position.occupied()) & cells)
    }

    /// A guard bit on top of every column's stones, and below it a bit for every stone of the
    /// side to move. The guards tell the heights, the rest who owns what.
    ///
    /// ```text
    /// 7x6 after 4 4 3, second player to move; columns from the left, top of a column first:
    ///   column 3   10   guard over one stone of the other side
    ///   column 4  110   guard over an own stone over a stone of the other side
    ///   others      1   guard on the floor
    /// key = 0b10 << 14 | 0b110 << 21 | 1 << 0 | 1 << 7 | 1 << 28 | 1 << 35 | 1 << 42
    /// ```
    #[inline(always)]
    fn key(&self, position: Stones) -> Key {
        Key(position.own | position.occupied().wrapping_add(self.geometry().bottom))
    }

    #[inline(always)]
    fn key_bits(&self) -> u32 {
        let g = self.geometry();
        u32::from(g.size.width) * g.stride
    }

    fn position_of(&self, key: Key) -> Option<Stones> {
        let g = self.geometry();
        let field = u64::MAX >> (64 - g.stride);
        if self.key_bits() < 64 && key.0 >> self.key_bits() != 0 {
            return None;
        }
        let mut position = Stones::default();
        for column in 0..u32::from(g.size.width) {
            let bits = key.0 >> (column * g.stride) & field;
            if bits == 0 {
                return None;
            }
            let guard = 1 << (63 - bits.leading_zeros());
            position.own |= (bits ^ guard) << (column * g.stride);
            position.other |= (!bits & (guard - 1)) << (column * g.stride);
        }
        (position.own.count_ones() == u32::from(position.ply().0) / 2).then_some(position)
    }

    #[inline(always)]
    fn symmetries(&self) -> u8 {
        2
    }

    #[inline(always)]
    fn image_key(&self, position: Stones, symmetry: Symmetry) -> Key {
        let key = self.key(position);
        if symmetry == Symmetry::IDENTITY {
            return key;
        }
        let g = self.geometry();
        let field = u64::MAX >> (64 - g.stride);
        let width = u32::from(g.size.width);
        let mut mirrored = 0;
        for column in 0..width {
            let bits = key.0 >> (column * g.stride) & field;
            mirrored |= bits << ((width - 1 - column) * g.stride);
        }
        Key(mirrored)
    }

    #[inline(always)]
    fn image_move(&self, m: Move, symmetry: Symmetry) -> Move {
        if symmetry == Symmetry::IDENTITY { m } else { Move(self.geometry().size.width - 1 - m.0) }
    }

    #[inline(always)]
    fn inverse(&self, symmetry: Symmetry) -> Symmetry {
        symmetry
    }

    #[inline(always)]
    fn centre_first(&self) -> &[Move] {
        self.geometry().order.as_slice()
    }

    #[inline(always)]
    fn continuations(&self, position: Stones) -> Continuations {
        let playable = self.playable(position.occupied());
        let nodes = u64::from(playable.count_ones());
        let lines = u64::from((self.completing_cells(position.own) & playable).count_ones());
        let draws = if self.plies_left(position) == 1 { nodes - lines } else { 0 };
        Continuations { nodes, lines, draws }
    }

    /// With P the playable cells, Q those of them that do not win, and T the cells that complete
    /// a line of the other side: a move q of Q leaves P without q, and the cell above q, which
    /// is q << 1 if the board reaches so far. Summed over Q, each term is one population count.
    #[inline(always)]
    fn two_plies(&self, position: Stones, completing: u64) -> [Continuations; 2] {
        let count = |cells: u64| u64::from(cells.count_ones());
        let playable = self.playable(position.occupied());
        let winning = completing & playable;
        let left = self.plies_left(position);
        let first = Continuations {
            nodes: count(playable),
            lines: count(winning),
            draws: if left == 1 { count(playable & !winning) } else { 0 },
        };
        if left == 1 {
            return [first, Continuations::default()];
        }
        let quiet = playable & !winning;
        let above = quiet << 1 & self.geometry().board;
        let threats = self.completing_cells(position.other);
        let nodes = count(quiet) * (first.nodes - 1) + count(above);
        let lines = count(quiet) * count(threats & playable) - count(threats & quiet)
            + count(threats & above);
        let draws = if left == 2 { nodes - lines } else { 0 };
        [first, Continuations { nodes, lines, draws }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::laws;

    fn board(width: u8, height: u8, line: u8) -> ConnectFour {
        ConnectFour::new(Size::new(width, height, line).unwrap()).unwrap()
    }

    #[test]
    fn the_laws_hold() {
        laws::check(Standard::fixed());
        for (width, height, line) in [
            (7, 6, 4),
            (4, 4, 4),
            (5, 3, 3),
            (1, 63, 4),
            (2, 31, 2),
            (8, 7, 4),
            (9, 6, 5),
            (3, 2, 1),
            (32, 1, 4),
            (3, 9, 4),
        ] {
            laws::check(board(width, height, line));
        }
    }

    #[test]
    fn constants_and_run_time_sizes_agree() {
        laws::check_same(Standard::fixed(), board(7, 6, 4));
    }

    #[test]
    fn the_key_worked_out_by_hand() {
        let game = Standard::fixed();
        let position =
            [3, 3, 2].into_iter().fold(game.initial(), |p, column| game.play(p, Move(column)));
        let expected = 0b10 << 14 | 0b110 << 21 | 1 | 1 << 7 | 1 << 28 | 1 << 35 | 1u64 << 42;
        assert_eq!(game.key(position), Key(expected));
    }

    #[test]
    fn boards_over_64_bits_are_refused() {
        for (width, height) in [(8, 8), (10, 6), (1, 64), (33, 1), (255, 255)] {
            let size = Size::new(width, height, 4).unwrap();
            assert!(matches!(ConnectFour::new(size), Err(SizeError::TooLarge { .. })));
        }
    }
}
