//! Connect Four on any board that fits a word, 7x6 with four in a row folded to constants.

use super::size::MoveOrder;
use super::{
    AnySize, Fixed, LineGame, Lines, Rules, Shape, Size, SizeError, Stones, Word, capabilities,
    rules,
};
use crate::game::{
    Continuations, Evaluate, Game, Key, Keyed, Move, MoveSet, Outcome, Perft, Symmetric, Symmetry,
    Tiered,
};
use crate::games::line::word::Bits;

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
    size: Size,
    lines: Lines<W>,
    stride: u32,
    /// Bit of the lowest cell of every column.
    bottom: W,
    /// All cells.
    board: W,
    order: MoveOrder,
}

impl Geometry<u128> {
    const fn new(size: Size) -> Self {
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
        let order = MoveOrder::centre_first(size.width as u32, 1);
        Self { size, lines, stride, bottom, board, order }
    }

    /// The same board, of at most 64 bits, in a word of so many.
    const fn narrow(self) -> Geometry {
        let Self { size, lines, stride, bottom, board, order } = self;
        let lines = lines.narrow();
        Geometry { size, lines, stride, bottom: bottom as u64, board: board as u64, order }
    }
}

impl<W: Word> Geometry<W> {
    /// The cell each open column would take its next stone in.
    #[inline(always)]
    fn playable(&self, occupied: W) -> W {
        // Adding 1 to a column of ones leaves a one just above them.
        occupied.wrapping_add(self.bottom) & self.board
    }

    /// The columns of a mask with at most one bit a column.
    #[inline(always)]
    fn columns(&self, cells: W) -> MoveSet {
        let column = W::ones(self.size.height.into());
        let mut moves = 0;
        for c in 0..u32::from(self.size.width) {
            moves |= u64::from(cells >> (c * self.stride) & column != W::ZERO) << c;
        }
        MoveSet(moves)
    }

    /// The lowest column of a key, its guard's highest place included.
    #[inline(always)]
    fn field(&self) -> W {
        W::ones(self.stride)
    }
}

/// A [`Shape`] of columns, which says in what word its boards are held.
pub trait Columns: Shape<Geometry<Self::Word>> {
    /// The word of its masks.
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
///
/// ```
/// use everyply::game::Game;
/// use everyply::games::line::{Size, Wide, notation::parse_moves};
/// let game = Wide::wide(Size::new(8, 8, 4).unwrap()).unwrap();
/// let position = parse_moves(&game, "1212121").unwrap();
/// assert!(game.result(position).is_some());
/// ```
pub type Wide = ConnectFourIn<u128>;

impl Wide {
    /// The board of this size.
    ///
    /// # Errors
    /// If width x (height + 1) is more than 128 bits, or there are more than 32 columns.
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

/// The bits of a word that a board of this size takes.
const fn bits(size: Size) -> u32 {
    size.width as u32 * (size.height as u32 + 1)
}

impl<S: Columns> Game for ConnectFour<S> {
    rules!(S::Word);

    #[inline(always)]
    fn moves(&self, position: Stones<S::Word>) -> MoveSet {
        let g = self.0.geometry();
        g.columns(g.playable(position.occupied()))
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
        let open = g.playable(position.occupied()) >> (bit * g.stride) & g.field();
        (open != S::Word::ZERO).then_some(Move(bit as u8))
    }
}

impl<S: Columns> Keyed for ConnectFour<S> {
    type Key = Key<S::Word>;

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

    #[inline(always)]
    fn moves_of_image(
        &self,
        position: Stones<S::Word>,
        images: MoveSet,
        symmetry: Symmetry,
    ) -> MoveSet {
        self.image_moves(position, images, self.inverse(symmetry))
    }
}

capabilities!([S: Columns] ConnectFour<S>, S::Word);

impl<S: Columns> Perft for ConnectFour<S> {
    type Shared = S::Word;

    /// The cells that complete a line of the side to move: its stones are the same whatever the
    /// other side played last.
    #[inline(always)]
    fn shared(&self, position: Stones<S::Word>) -> S::Word {
        self.completing_cells(position.own)
    }

    #[inline(always)]
    fn shared_below(&self, position: Stones<S::Word>) -> S::Word {
        self.completing_cells(position.other)
    }

    #[inline(always)]
    fn quiet_moves(&self, position: Stones<S::Word>, completing: S::Word) -> MoveSet {
        if self.plies_left(position) == 1 {
            return MoveSet::EMPTY;
        }
        self.moves(position).without(self.moves_to(position, completing))
    }

    #[inline(always)]
    fn continuations(&self, position: Stones<S::Word>, completing: S::Word) -> Continuations {
        let playable = self.0.geometry().playable(position.occupied());
        let nodes = u64::from(playable.count_ones());
        let wins = u64::from((completing & playable).count_ones());
        let draws = if self.plies_left(position) == 1 { nodes - wins } else { 0 };
        Continuations { nodes, wins, draws }
    }

    /// With P the playable cells, Q those of them that do not win, and T the cells that complete
    /// a line of the other side: a move q of Q leaves P without q, and the cell above q, which
    /// is q << 1 if the board reaches so far. Summed over Q, each term is one population count.
    #[inline(always)]
    fn two_plies(&self, position: Stones<S::Word>, completing: S::Word) -> [Continuations; 2] {
        let count = |cells: S::Word| u64::from(cells.count_ones());
        let playable = self.0.geometry().playable(position.occupied());
        let winning = completing & playable;
        let left = self.plies_left(position);
        let first = Continuations {
            nodes: count(playable),
            wins: count(winning),
            draws: if left == 1 { count(playable & !winning) } else { 0 },
        };
        if left == 1 {
            return [first, Continuations::default()];
        }
        let quiet = playable & !winning;
        let above = quiet << 1 & self.0.geometry().board;
        let threats = self.completing_cells(position.other);
        let nodes = count(quiet) * (first.nodes - 1) + count(above);
        let wins = count(quiet) * count(threats & playable) - count(threats & quiet)
            + count(threats & above);
        let draws = if left == 2 { nodes - wins } else { 0 };
        [first, Continuations { nodes, wins, draws }]
    }
}

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

    fn last_moves(&self, position: Stones<S::Word>) -> MoveSet {
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
    fn moves_to(&self, position: Stones<S::Word>, cells: S::Word) -> MoveSet {
        let g = self.0.geometry();
        g.columns(g.playable(position.occupied()) & cells)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::games::line::laws;
    use crate::games::line::notation::{picture, side_to_move};

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

    fn wide(width: u8, height: u8, line: u8) -> Wide {
        Wide::wide(Size::new(width, height, line).unwrap()).unwrap()
    }

    #[test]
    fn the_laws_hold_on_wide_boards() {
        for (width, height, line) in [
            (8, 8, 4),
            (9, 7, 4),
            (10, 8, 5),
            (7, 9, 3),
            (10, 11, 6),
            (32, 3, 3),
            (4, 31, 4),
            (1, 127, 4),
            (16, 7, 4),
        ] {
            laws::check(wide(width, height, line));
        }
    }

    #[test]
    fn both_words_play_the_same_game() {
        laws::check_same(Standard::fixed(), wide(7, 6, 4));
        for (width, height, line) in [(4, 15, 4), (9, 6, 5), (5, 5, 3), (32, 1, 4), (3, 4, 4)] {
            laws::check_same(board(width, height, line), wide(width, height, line));
            laws::check_same(wide(width, height, line), board(width, height, line));
        }
    }

    /// True if some stone of `side` in a picture begins a line of so many.
    fn has_line_drawn(picture: &str, side: char, line: usize) -> bool {
        let rows: Vec<Vec<char>> = picture.split('/').map(|row| row.chars().collect()).collect();
        let stone = |x: isize, y: isize| {
            let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
            row.and_then(|row| usize::try_from(x).ok().and_then(|x| row.get(x))) == Some(&side)
        };
        (0..rows.len() as isize).any(|y| {
            (0..rows[0].len() as isize).any(|x| {
                [(1, 0), (0, 1), (1, 1), (-1, 1)]
                    .into_iter()
                    .any(|(dx, dy)| (0..line as isize).all(|i| stone(x + i * dx, y + i * dy)))
            })
        })
    }

    #[test]
    fn wide_games_end_where_a_line_can_be_seen() {
        for (width, height, line) in [(8, 8, 4), (10, 8, 4), (9, 7, 5), (12, 9, 3)] {
            let game = wide(width, height, line);
            let mut lines = 0;
            crate::game::laws::random_positions(&game, 200, |p| {
                let drawn = picture(&game, p);
                let seen = ['X', 'O'].map(|side| has_line_drawn(&drawn, side, line.into()));
                lines += u32::from(seen[0] || seen[1]);
                let last = usize::from(side_to_move(p) == 'X');
                assert!(!seen[1 - last], "{drawn}");
                let full = !drawn.contains('.');
                let outcome = match (seen[last], full) {
                    (true, _) => Some(Outcome::Loss),
                    (false, true) => Some(Outcome::Draw),
                    _ => None,
                };
                assert_eq!(game.result(p), outcome, "{drawn}");
            });
            assert!(lines > 100);
        }
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

    #[test]
    fn boards_over_128_bits_are_refused() {
        for (width, height) in [(12, 10), (33, 1), (1, 128), (255, 255)] {
            let size = Size::new(width, height, 4).unwrap();
            let refused = Wide::wide(size).unwrap_err().to_string();
            assert!(refused.contains("<= 128 and at most 32 columns"), "{refused}");
        }
    }
}
