//! Gobblet Gobblers: two pieces a side of each size are put on 3x3 cells or moved there, over smaller
//! ones too; three in a row win. Endless play is a draw.
//!
//! Only the uppermost piece of a cell counts and moves. If a move uncovers a row of the other side and
//! leaves it there, the other side wins, whatever the move makes.
//!
//! Source: T. Denoual's rules (Blue Orange, 2003).

mod notation;
mod ranks;

use std::sync::{Arc, OnceLock};

use super::masks::{self, Images};
use crate::game::{Evaluate, Game, Key, Keyed, MoveList, Outcome, Symmetric, Symmetry};
use ranks::Ranks;

const WIDTH: u8 = 3;
const CELLS: u8 = 9;
/// The pieces of a side of each size.
const PAIR: u32 = 2;
const SIZES: usize = 3;

const ALL: u16 = (1 << CELLS) - 1;

/// True for sets of cells with a row, a column or a diagonal.
static HAS_ROW: [bool; 1 << CELLS] = {
    let rows = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];
    let mut has_row = [false; 1 << CELLS];
    let mut i = 0;
    while i < 8 << CELLS {
        let (set, row) = (i >> 3, rows[i & 7]);
        has_row[set] |= set & row == row;
        i += 1;
    }
    has_row
};

/// Gobblet Gobblers with pieces of one to three sizes.
#[derive(Clone, Debug)]
pub struct Gobblet {
    /// The smallest size: all three sizes from 0, the largest alone from 2.
    smallest: u8,
    images: Arc<Images>,
    ranks: Arc<OnceLock<Ranks>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stacks {
    /// The cells of each side's pieces by size, from the smallest, row by row from the top left.
    sides: [[u16; SIZES]; 2],
    turn: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gobble {
    /// The cell left, or from 9 on the size of a new piece.
    from: u8,
    to: u8,
}

// These are in the loops of engines, in which an array's `map` and iterators that are not inlined take
// most of the time.
impl Stacks {
    /// Returns the cells with pieces of a size or larger ones, by size.
    #[inline(always)]
    fn taken(self) -> [u16; SIZES] {
        let mut taken = self.sides[0];
        let mut above = 0;
        for size in (0..SIZES).rev() {
            above |= taken[size] | self.sides[1][size];
            taken[size] = above;
        }
        taken
    }

    /// Returns the cells whose uppermost piece is a side's, given the cells taken.
    #[inline(always)]
    fn seen(self, side: u8, taken: [u16; SIZES]) -> u16 {
        let [small, medium, large] = self.sides[usize::from(side)];
        large | medium & !taken[2] | small & !taken[1]
    }

    /// Lists the moves of a side's pieces on the board.
    #[inline(always)]
    fn shifts(self, side: u8, mut see: impl FnMut(Gobble)) {
        let taken = self.taken();
        for from in masks::places(self.seen(side, taken).into()) {
            let from = from as u8;
            for to in masks::places((ALL & !taken[self.largest(side, from)]).into()) {
                see(Gobble { from, to: to as u8 });
            }
        }
    }

    /// Returns the size of a side's largest piece on a cell.
    #[inline(always)]
    fn largest(self, side: u8, cell: u8) -> usize {
        let [_, medium, large] = self.sides[usize::from(side)];
        match () {
            () if large >> cell & 1 == 1 => 2,
            () if medium >> cell & 1 == 1 => 1,
            () => 0,
        }
    }

    /// Returns the position after a move of a side on the board.
    #[inline(always)]
    fn shifted(mut self, side: u8, m: Gobble) -> Self {
        let size = self.largest(side, m.from);
        self.sides[usize::from(side)][size] ^= 1 << m.from | 1 << m.to;
        self.turn = 1 - self.turn;
        self
    }
}

impl Gobblet {
    pub(super) fn new(sizes: u8) -> Self {
        let images = Arc::new(Images::of_rectangle(WIDTH.into(), WIDTH.into()));
        Self { smallest: SIZES as u8 - sizes, images, ranks: Arc::default() }
    }

    fn sizes(&self) -> u32 {
        SIZES as u32 - u32::from(self.smallest)
    }

    fn image(&self, p: Stacks, symmetry: u8) -> Stacks {
        let image = |cells: u16| self.images.of(cells.into(), symmetry) as u16;
        Stacks { sides: p.sides.map(|side| side.map(image)), ..p }
    }
}

impl Game for Gobblet {
    type Position = Stacks;
    type Move = Gobble;
    type Moves = MoveList<Gobble>;

    fn initial(&self) -> Stacks {
        Stacks { sides: [[0; SIZES]; 2], turn: 0 }
    }

    #[inline(always)]
    fn result(&self, p: Stacks) -> Option<Outcome> {
        let taken = p.taken();
        let has_row = |side| HAS_ROW[usize::from(p.seen(side, taken))];
        match () {
            () if has_row(p.turn) => Some(Outcome::Win),
            () if has_row(1 - p.turn) => Some(Outcome::Loss),
            () => None,
        }
    }

    #[inline(always)]
    fn moves(&self, p: Stacks) -> MoveList<Gobble> {
        let mut moves = MoveList::new();
        p.shifts(p.turn, |m| moves.push(m));
        let (own, taken) = (p.sides[usize::from(p.turn)], p.taken());
        for size in usize::from(self.smallest)..SIZES {
            if own[size].count_ones() < PAIR {
                for to in masks::places((ALL & !taken[size]).into()) {
                    moves.push(Gobble { from: CELLS + size as u8, to: to as u8 });
                }
            }
        }
        moves
    }

    #[inline(always)]
    fn play(&self, mut p: Stacks, m: Gobble) -> Stacks {
        let Some(size) = m.from.checked_sub(CELLS) else { return p.shifted(p.turn, m) };
        p.sides[usize::from(p.turn)][usize::from(size)] |= 1 << m.to;
        p.turn = 1 - p.turn;
        p
    }

    /// A piece of each size in hand, with nine cells, and one on the board, with eight.
    fn most_moves(&self) -> u32 {
        17 * self.sizes()
    }

    /// A ply brings one piece to a new cell.
    fn plies_between(&self, from: Stacks, to: Stacks) -> Option<u32> {
        let sizes = from.sides.as_flattened().iter().zip(to.sides.as_flattened());
        let plies = sizes.map(|(from, to)| {
            to.count_ones().checked_sub(from.count_ones())?;
            Some((to & !from).count_ones())
        });
        plies.sum()
    }
}

impl Keyed for Gobblet {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        1 + 18 * self.sizes()
    }

    /// Nine bits for each size of each side, and the turn.
    fn key(&self, p: Stacks) -> Key {
        let [first, second] = p.sides;
        let sizes = first.iter().zip(second);
        let cells = sizes.fold(0, |key, (a, b)| key << 18 | u64::from(*a) << 9 | u64::from(b));
        Key(cells << 1 | u64::from(p.turn))
    }

    fn position_of(&self, key: Key) -> Option<Stacks> {
        let cells = |side: usize, size: usize| {
            (key.0 >> (1 + 18 * (SIZES - 1 - size) + 9 * (1 - side)) & 511) as u16
        };
        let sides = [0, 1].map(|side| std::array::from_fn(|size| cells(side, size)));
        let few = sides.as_flattened().iter().all(|cells: &u16| cells.count_ones() <= PAIR);
        let apart = sides[0].iter().zip(sides[1]).all(|(a, b)| a & b == 0);
        let fits = key.0 >> self.key_bits() == 0 && few && apart;
        fits.then_some(Stacks { sides, turn: (key.0 & 1) as u8 })
    }
}

impl Evaluate for Gobblet {}

/// The symmetries of the square.
impl Symmetric for Gobblet {
    fn symmetries(&self) -> u8 {
        self.images.symmetries()
    }

    fn image_key(&self, p: Stacks, symmetry: Symmetry) -> Key {
        self.key(self.image(p, symmetry.0))
    }

    fn image_move(&self, m: Gobble, symmetry: Symmetry) -> Gobble {
        let image = |cell| self.images.of_place(cell, symmetry.0);
        Gobble { from: if m.from < CELLS { image(m.from) } else { m.from }, to: image(m.to) }
    }
}
