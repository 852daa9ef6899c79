//! Games of marks on cells in which a row decides: wild and misère tic-tac-toe, notakto, and qubic in
//! three or four layers.
//!
//! Sources: S. W. Golomb and A. W. Hales, Hypercube tic-tac-toe, More Games of No Chance (2002),
//! for misère play and 3x3x3 cells, which the first player wins; O. Patashnik, Qubic: 4x4x4 tic-tac-toe,
//! Mathematics Magazine 53 (1980), for 4x4x4 cells, which the first player wins, too; T. E. Plambeck and
//! G. Whitehead, The secrets of notakto, arXiv:1301.1672 (2013): the first player wins on one board and on
//! three and loses on two.

mod board;
mod kinds;
mod notation;

use std::sync::Arc;

use super::masks::{self, Images, TernaryKeys, places};
use crate::game::{
    Evaluate, Game, Key, Keyed, MoveList, Outcome, Symmetric, Symmetry, Tiered, Urgent, Word,
};
pub use board::{Choice, Shape};
use kinds::Kind;
pub use kinds::{Misere, Notakto, Qubic, WideQubic, Wild};

/// The most marks of positions with wide keys that a search folds into one of their images.
const MOST_MARKS_FOLDED: u32 = 6;

/// A game of marks with keys of a word: the sets of both marks, or digits of base three if the word is
/// wider than a set.
#[derive(Clone, Debug)]
pub struct Marks<W = u64> {
    kind: &'static Kind,
    parameters: [u8; 3],
    shape: Shape,
    lines: Arc<[u64]>,
    /// The number of lines through each cell.
    crossings: Arc<[i32]>,
    images: Arc<Images>,
    keys: Arc<TernaryKeys<W>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Marked {
    marks: [u64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    cell: u8,
    /// 0 is a cross, 1 a nought.
    mark: u8,
}

impl Marked {
    fn taken(self) -> u64 {
        self.marks[0] | self.marks[1]
    }

    /// Returns the side to move if the sides alternate from the empty board.
    fn turn(self) -> u8 {
        self.taken().count_ones() as u8 % 2
    }
}

impl<W: Word> Marks<W> {
    /// Returns the cells of a cell's layer.
    fn layer(&self, cell: u32) -> u64 {
        let cells = self.shape.size[0] * self.shape.size[1];
        ((1u64 << cells) - 1) << (cell / cells * cells)
    }

    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.shape.cells())
    }

    fn with_image(&self, p: Marked, symmetry: Symmetry) -> Marked {
        let places = self.images.symmetries();
        let mut marks = masks::both(p.marks, |side| self.images.of(side, symmetry.0 % places));
        if symmetry.0 >= places {
            marks.swap(0, 1);
        }
        Marked { marks }
    }
}

impl<W: Word> Game for Marks<W> {
    type Position = Marked;
    type Move = Mark;
    type Moves = MoveList<Mark>;

    fn initial(&self) -> Marked {
        Marked { marks: [0, 0] }
    }

    fn result(&self, p: Marked) -> Option<Outcome> {
        let is_full = p.taken() == self.all();
        if self.shape.choice == Choice::Crosses {
            return is_full.then_some(Outcome::Win);
        }
        let has_row = |marks: u64| self.lines.iter().any(|line| marks & line == *line);
        if masks::both(p.marks, has_row).contains(&true) {
            return Some(if self.shape.misere { Outcome::Win } else { Outcome::Loss });
        }
        is_full.then_some(Outcome::Draw)
    }

    fn moves(&self, p: Marked) -> MoveList<Mark> {
        let open = places(self.all() & !p.taken());
        let put = |cell, mark| Mark { cell: cell as u8, mark };
        match self.shape.choice {
            Choice::Own => open.map(|cell| put(cell, p.turn())).collect(),
            Choice::Either => open.flat_map(|cell| [put(cell, 0), put(cell, 1)]).collect(),
            Choice::Crosses => open.map(|cell| put(cell, 0)).collect(),
        }
    }

    fn play(&self, mut p: Marked, m: Mark) -> Marked {
        let marks = &mut p.marks[usize::from(m.mark)];
        *marks |= 1 << m.cell;
        let has_row =
            || self.lines.iter().any(|line| line >> m.cell & 1 == 1 && *marks & line == *line);
        if self.shape.choice == Choice::Crosses && has_row() {
            *marks |= self.layer(m.cell.into());
        }
        p
    }

    fn most_moves(&self) -> u32 {
        self.shape.cells() * if self.shape.choice == Choice::Either { 2 } else { 1 }
    }

    /// A ply adds a mark, or fills up a board.
    fn plies_between(&self, from: Marked, to: Marked) -> Option<u32> {
        let is_kept = from.marks.iter().zip(to.marks).all(|(before, after)| before & !after == 0);
        let added = to.taken() & !from.taken();
        let plies = (0..self.shape.size[2]).map(|z| {
            let layer = self.layer(self.shape.cell([0, 0, z]));
            let most = if self.shape.choice == Choice::Crosses && layer & !to.taken() == 0 {
                1
            } else {
                64
            };
            (added & layer).count_ones().min(most)
        });
        is_kept.then(|| plies.sum())
    }
}

impl<W: Word> Keyed for Marks<W> {
    type Key = Key<W>;

    fn key_bits(&self) -> u32 {
        match self.shape.cells() {
            cells if W::BITS > 64 => 3u128.pow(cells).ilog2() + 1,
            cells => cells * if self.shape.choice == Choice::Crosses { 1 } else { 2 },
        }
    }

    #[inline(always)]
    fn key(&self, p: Marked) -> Key<W> {
        if W::BITS > 64 {
            return Key(self.keys.key(p.marks, 0));
        }
        let [crosses, noughts] = masks::both(p.marks, |marks| W::narrow(marks.into()));
        Key(noughts << self.shape.cells() | crosses)
    }

    fn position_of(&self, key: Key<W>) -> Option<Marked> {
        let cells = self.shape.cells();
        let marks = if W::BITS > 64 {
            TernaryKeys::sides(key.0, cells)?
        } else {
            let key = key.0.to_u128() as u64;
            [key & self.all(), key >> cells]
        };
        let [crosses, noughts] = masks::both(marks, u64::count_ones);
        let fits = marks[1] & !self.all() == 0 && marks[0] & marks[1] == 0;
        let is_choice = match self.shape.choice {
            Choice::Own => crosses == noughts || crosses == noughts + 1,
            Choice::Either => true,
            Choice::Crosses => noughts == 0,
        };
        (fits && is_choice).then_some(Marked { marks })
    }
}

/// The symmetries of the board; if both sides put both marks, these change places too.
impl<W: Word> Symmetric for Marks<W> {
    fn symmetries(&self) -> u8 {
        self.images.symmetries() * if self.shape.choice == Choice::Either { 2 } else { 1 }
    }

    fn image_key(&self, p: Marked, symmetry: Symmetry) -> Key<W> {
        self.key(self.with_image(p, symmetry))
    }

    fn image_move(&self, m: Mark, symmetry: Symmetry) -> Mark {
        let places = self.images.symmetries();
        let cell = self.images.of_place(m.cell, symmetry.0 % places);
        Mark { cell, mark: m.mark ^ u8::from(symmetry.0 >= places) }
    }

    /// The 192 images of positions with many marks take longer to look through than they save.
    #[inline(always)]
    fn search_key(&self, p: Marked) -> (Key<W>, Symmetry) {
        if W::BITS > 64 && p.taken().count_ones() > MOST_MARKS_FOLDED {
            return (self.key(p), Symmetry::IDENTITY);
        }
        self.canonical(p)
    }
}

impl<W: Word> Tiered for Marks<W> {
    fn plies_left(&self, p: Marked) -> u32 {
        self.shape.cells() - p.taken().count_ones()
    }

    /// A draw is a full board.
    fn plies_to_draw(&self, p: Marked) -> Option<u32> {
        Some(self.plies_left(p))
    }

    fn last_move_wins(&self) -> bool {
        !self.shape.misere
    }
}

impl<W: Word> Evaluate for Marks<W> {
    /// The more rows a cell is in, the more promising.
    fn promise(&self, _: Marked, m: Mark) -> i32 {
        self.crossings[usize::from(m.cell)]
    }

    #[inline(always)]
    fn habit(&self, _: Marked, (_, m): (u32, Mark)) -> u8 {
        m.cell | m.mark << 7
    }

    fn urgent(&self, p: Marked) -> Urgent {
        if self.shape.choice != Choice::Own || self.shape.misere {
            return Urgent::Unknown;
        }
        let (own, other) = (usize::from(p.turn()), usize::from(1 - p.turn()));
        let open = self.all() & !p.taken();
        masks::urgent(&self.lines, [p.marks[own], p.marks[other]], open)
    }
}
