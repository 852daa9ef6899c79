//! Tic-tac-toe and every other m,n,k game: stones on any empty cell, k in a row win.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::size::CentreFirst;
use super::{
    AnySize, Fixed, LineGame, Lines, Rules, Shape, Size, SizeError, Stones, capabilities, rules,
};
use crate::game::{
    Continuations, Evaluate, Game, Key, Keyed, Move, MoveSet, Outcome, Perft, Symmetric, Symmetry,
    Tiered, Urgent,
};
use crate::games::masks;

/// Most cells of a board: 3^40 < 2^64, so that the base-3 key fits a word.
const MAX_CELLS: u32 = 40;

/// The most stones of positions that a search folds into one of their images.
const MOST_STONES_FOLDED: u8 = 16;

/// Masks of an m,n,k board. Cells are bits row by row from the top left:
///
/// ```text
///  0 1 2      cell 1..9 of a move string is bit 0..8
///  3 4 5
///  6 7 8
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    size: Size,
    lines: Lines,
    board: u64,
    order: CentreFirst,
}

impl Geometry {
    const fn new(size: Size) -> Self {
        let (width, height) = (size.width as u32, size.height as u32);
        Self {
            size,
            lines: Lines::new(width, height, size.line as u32, 1, width).narrow(),
            board: u64::MAX >> (64 - size.cells()),
            order: CentreFirst::of_grid(width, height),
        }
    }
}

impl<const W: u8, const H: u8, const K: u8> Shape<Geometry> for Fixed<W, H, K> {
    #[inline(always)]
    fn geometry(&self) -> &Geometry {
        const { &Geometry::new(Size { width: W, height: H, line: K }) }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Mnk<S = AnySize<Geometry>> {
    shape: S,
    images: &'static Images,
}

pub type TicTacToe = Mnk<Fixed<3, 3, 3>>;

impl<const W: u8, const H: u8, const K: u8> Mnk<Fixed<W, H, K>> {
    /// Creates the board of the type, if it has at most 40 cells: its masks are constants.
    pub fn fixed() -> Self {
        const { assert!(W > 0 && H > 0 && K > 0 && W as u32 * H as u32 <= MAX_CELLS) };
        Self { shape: Fixed, images: Images::of(u32::from(W), u32::from(H)) }
    }
}

impl Mnk {
    pub fn new(size: Size) -> Result<Self, SizeError> {
        if size.cells() > MAX_CELLS {
            return Err(SizeError::TooLarge {
                board: size.board(),
                rule: "an m,n,k board has at most 40 cells",
            });
        }
        let images = Images::of(u32::from(size.width), u32::from(size.height));
        Ok(Self { shape: AnySize(Geometry::new(size)), images })
    }
}

/// The symmetries of a board: images of cells, and keys of images.
#[derive(Debug)]
struct Images {
    cells: masks::Images,
    keys: masks::TernaryKeys,
}

impl Images {
    /// Returns the tables of a board, made once per process: few boards have 40 cells at most.
    fn of(width: u32, height: u32) -> &'static Self {
        static MADE: OnceLock<Mutex<HashMap<(u32, u32), &'static Images>>> = OnceLock::new();
        let made = MADE.get_or_init(Mutex::default);
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry((width, height)).or_insert_with(|| {
            let cells = masks::Images::of_rectangle(width, height);
            let keys = masks::TernaryKeys::new(&cells, width * height);
            Box::leak(Box::new(Self { cells, keys }))
        })
    }
}

impl<S: Shape<Geometry>> Mnk<S> {
    #[inline(always)]
    fn geometry(&self) -> &Geometry {
        self.shape.geometry()
    }
}

impl<S: Shape<Geometry>> Game for Mnk<S> {
    rules!(u64);

    #[inline(always)]
    fn moves(&self, position: Stones) -> MoveSet<u64> {
        MoveSet(self.playable(position))
    }

    #[inline(always)]
    fn play(&self, position: Stones, m: Move) -> Stones {
        debug_assert!(self.moves(position).contains(m), "{m:?} is not a move");
        Stones { own: position.other, other: position.own | 1 << m.0 }
    }

    #[inline(always)]
    fn move_of_bit(&self, position: Stones, bit: u32) -> Option<Move> {
        let open = self.playable(position).checked_shr(bit)?;
        (open & 1 == 1).then_some(Move(bit as u8))
    }
}

impl<S: Shape<Geometry>> Keyed for Mnk<S> {
    type Key = Key;

    /// Returns the cells as digits of a base-3 number, cell 1 the lowest: 0 empty, 1 first player,
    /// 2 second player. Whose turn it is follows from the counts.
    #[inline(always)]
    fn key(&self, position: Stones) -> Key {
        self.image_key(position, Symmetry::IDENTITY)
    }

    fn key_bits(&self) -> u32 {
        let largest = 3u64.pow(self.size().cells()) - 1;
        64 - largest.leading_zeros()
    }

    fn position_of(&self, key: Key) -> Option<Stones> {
        let [first, second] = masks::TernaryKeys::sides(key.0, self.size().cells())?;
        let (x, o) = (first.count_ones(), second.count_ones());
        (x == o || x == o + 1).then(|| Stones::from_players(first, second))
    }
}

impl<S: Shape<Geometry>> Symmetric for Mnk<S> {
    #[inline(always)]
    fn symmetries(&self) -> u8 {
        self.images.cells.symmetries()
    }

    #[inline(always)]
    fn image_key(&self, position: Stones, symmetry: Symmetry) -> Key {
        let (first, second) = position.by_player();
        Key(self.images.keys.key([first, second], symmetry.0))
    }

    /// The images of positions with many stones are seldom met again.
    #[inline(always)]
    fn search_key(&self, position: Stones) -> (Key, Symmetry) {
        match position.ply().0 {
            ..=MOST_STONES_FOLDED => self.canonical(position),
            _ => (self.key(position), Symmetry::IDENTITY),
        }
    }

    #[inline(always)]
    fn image_move(&self, m: Move, symmetry: Symmetry) -> Move {
        Move(self.images.cells.of_place(m.0, symmetry.0))
    }

    #[inline(always)]
    fn image_moves(&self, _: Stones, moves: MoveSet, symmetry: Symmetry) -> MoveSet {
        MoveSet(self.images.cells.of(moves.0 as u64, symmetry.0).into())
    }
}

capabilities!([S: Shape<Geometry>] Mnk<S>, u64);

impl<S: Shape<Geometry>> LineGame for Mnk<S> {
    #[inline(always)]
    fn size(&self) -> Size {
        self.geometry().size
    }

    fn rules(&self) -> Rules {
        Rules::Mnk
    }

    #[inline(always)]
    fn lines(&self) -> &Lines {
        &self.geometry().lines
    }

    fn cell(&self, column: u32, row: u32) -> u64 {
        1 << (row * u32::from(self.geometry().size.width) + column)
    }

    fn last_moves(&self, position: Stones) -> MoveSet<u64> {
        MoveSet(position.other)
    }

    fn take_back(&self, position: Stones, m: Move) -> Stones {
        debug_assert!(self.last_moves(position).contains(m), "{m:?} was not the last move");
        Stones { own: position.other & !(1 << m.0), other: position.own }
    }

    #[inline(always)]
    fn playable(&self, position: Stones) -> u64 {
        self.geometry().board & !position.occupied()
    }

    #[inline(always)]
    fn landing(&self, _: Stones, m: Move) -> u64 {
        1 << m.0
    }

    #[inline(always)]
    fn empty(&self, _: Stones, playable: u64) -> u32 {
        playable.count_ones()
    }

    #[inline(always)]
    fn moves_to(&self, position: Stones, cells: u64) -> MoveSet<u64> {
        MoveSet(self.playable(position) & cells)
    }

    #[inline(always)]
    fn inverse(&self, symmetry: Symmetry) -> Symmetry {
        // Columns and rows change places last, so the inverse begins with that.
        Symmetry(match symmetry.0 {
            s if s & 4 != 0 => 4 | (s & 1) << 1 | s >> 1 & 1,
            mirrors => mirrors,
        })
    }

    #[inline(always)]
    fn centre_first(&self) -> &[Move] {
        self.geometry().order.as_slice()
    }
}
