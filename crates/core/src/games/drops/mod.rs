//! Connect Four by other rules: PopOut, in which a side may take a stone of its own out of the
//! bottom row, misère play, in which a line loses, and a cylinder, whose last column is next to its
//! first.
//!
//! A pop that makes a line of the other side alone loses, and one that makes lines of both sides
//! wins. The game is drawn if the side to move has no move.
//!
//! Sources: H. Wexler and N. Strongin, Connect Four (1974), with PopOut in Hasbro's edition;
//! Y. Yamaguchi, K. Yamaguchi and T. Tanaka, Cylinder-Infinite-Connect-Four, CG 2013.

mod notation;
mod rules;

use std::sync::Arc;

use super::masks::{self, Images};
use crate::game::{
    Evaluate, Game, Key, Keyed, MoveList, Outcome, Symmetric, Symmetry, Tiered, Urgent,
};
use rules::{CYLINDER, MISERE};
pub use rules::{CylinderFour, MisereFour, PopOut};

/// A game of stones that fall; with `POPS`, stones may be taken out of the bottom row.
#[derive(Clone, Debug)]
pub struct Drops<const POPS: bool> {
    width: u32,
    height: u32,
    /// The length of a line, with the bits of the rules chosen.
    line: u8,
    lines: Arc<[u64]>,
    images: Arc<Images>,
}

/// The stones and the side to move. Cells are bits column by column, and every column has one more
/// on top:
/// ```text
///  2 5 8   always empty
///  1 4 7
///  0 3 6
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fallen {
    first: u64,
    taken: u64,
    turn: u8,
}

/// A stone dropped into a column, or taken out below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Drop {
    Into(u8),
    OutOf(u8),
}

impl<const POPS: bool> Drops<POPS> {
    /// Returns the cells of a column, the one on top too.
    fn column(&self, column: u8) -> u64 {
        ((2 << self.height) - 1) << (u32::from(column) * (self.height + 1))
    }

    fn bottom(&self, column: u8) -> u64 {
        1 << (u32::from(column) * (self.height + 1))
    }

    /// Returns the lowest empty cell of every column.
    fn landing(&self, taken: u64) -> u64 {
        (0..self.width as u8).fold(taken, |all, column| all + self.bottom(column)) & !taken
    }

    fn is_full(&self, taken: u64, column: u8) -> bool {
        (taken & self.column(column)).count_ones() == self.height
    }

    /// Returns the moves, whether the game is over or not.
    fn drops(&self, p: Fallen) -> impl Iterator<Item = Drop> {
        let columns = 0..self.width as u8;
        let can_pop = move |column: &u8| POPS && Self::own(p) & self.bottom(*column) != 0;
        let drops = columns.clone().filter(move |column| !self.is_full(p.taken, *column));
        drops.map(Drop::Into).chain(columns.filter(can_pop).map(Drop::OutOf))
    }

    fn has_line(&self, stones: u64) -> bool {
        self.lines.iter().any(|line| stones & line == *line)
    }

    fn own(p: Fallen) -> u64 {
        if p.turn == 0 { p.first } else { p.taken & !p.first }
    }

    /// Returns the column that a symmetry takes a column to.
    fn image(width: u32, column: u32, symmetry: u8) -> u32 {
        let moved = (column + u32::from(symmetry / 2)) % width;
        if symmetry % 2 == 1 { width - 1 - moved } else { moved }
    }

    fn lines(width: u32, height: u32, line: u8) -> Vec<u64> {
        let (size, length) = ([width, height, 1], line & !(CYLINDER | MISERE));
        let columns = if line & CYLINDER != 0 { width as i32 } else { i32::MAX };
        masks::lines(size, length.into(), &masks::STEPS[..4], |[x, y, _]| {
            let [x, y, _] = masks::on_board(size, [x % columns, y, 0])?;
            Some(x * (height + 1) + y)
        })
    }
}

impl<const POPS: bool> Game for Drops<POPS> {
    type Position = Fallen;
    type Move = Drop;
    type Moves = MoveList<Drop>;

    fn initial(&self) -> Fallen {
        Fallen { first: 0, taken: 0, turn: 0 }
    }

    fn result(&self, p: Fallen) -> Option<Outcome> {
        let own = Self::own(p);
        let result = match () {
            () if self.has_line(p.taken & !own) => Outcome::Loss,
            () if POPS && self.has_line(own) => Outcome::Win,
            () => return self.drops(p).next().is_none().then_some(Outcome::Draw),
        };
        Some(if self.line & MISERE != 0 { -result } else { result })
    }

    fn moves(&self, p: Fallen) -> MoveList<Drop> {
        self.drops(p).collect()
    }

    fn play(&self, mut p: Fallen, m: Drop) -> Fallen {
        match m {
            Drop::Into(column) => {
                let cell = self.landing(p.taken) & self.column(column);
                p.taken |= cell;
                p.first |= if p.turn == 0 { cell } else { 0 };
            }
            Drop::OutOf(column) => {
                let above = self.column(column) & !self.bottom(column);
                let fall = |stones: u64| (stones & above) >> 1 | stones & !self.column(column);
                p = Fallen { first: fall(p.first), taken: fall(p.taken), ..p };
            }
        }
        p.turn = 1 - p.turn;
        p
    }

    fn most_moves(&self) -> u32 {
        self.width * if POPS { 2 } else { 1 }
    }

    /// A ply changes one column.
    fn plies_between(&self, from: Fallen, to: Fallen) -> Option<u32> {
        let added = (to.taken.count_ones()).checked_sub(from.taken.count_ones());
        if !POPS {
            let is_kept = (from.taken ^ from.first ^ to.first ^ to.taken) & from.taken == 0;
            return added.filter(|_| is_kept && from.first & !to.first == 0);
        }
        let differ = (from.first ^ to.first) | (from.taken ^ to.taken);
        let columns = (0..self.width as u8).filter(|column| differ & self.column(*column) != 0);
        Some((columns.count() as u32).max((from != to).into()).max(added.unwrap_or(0)))
    }
}

impl<const POPS: bool> Keyed for Drops<POPS> {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        self.width * (self.height + 1) + 1
    }

    /// Returns the first player's stones, and in every column a bit above the highest stone.
    fn key(&self, p: Fallen) -> Key {
        Key((self.landing(p.taken) | p.first) << 1 | u64::from(p.turn))
    }

    fn position_of(&self, key: Key) -> Option<Fallen> {
        let (stones, turn) = (key.0 >> 1, (key.0 & 1) as u8);
        let mut p = Fallen { first: 0, taken: 0, turn };
        for column in 0..self.width as u8 {
            let bits = stones & self.column(column);
            let highest = 1 << bits.checked_ilog2()?;
            p.first |= bits & !highest;
            p.taken |= highest - self.bottom(column);
        }
        let fits = stones >> (self.width * (self.height + 1)) == 0;
        let in_turn = POPS || {
            let first = p.first.count_ones();
            2 * first == p.taken.count_ones() + u32::from(turn)
        };
        (fits && in_turn).then_some(p)
    }
}

/// The mirror image, and the turns of a cylinder.
impl<const POPS: bool> Symmetric for Drops<POPS> {
    fn symmetries(&self) -> u8 {
        self.images.symmetries()
    }

    fn image_key(&self, p: Fallen, symmetry: Symmetry) -> Key {
        let image = |stones| self.images.of(stones, symmetry.0);
        self.key(Fallen { first: image(p.first), taken: image(p.taken), ..p })
    }

    fn image_move(&self, m: Drop, symmetry: Symmetry) -> Drop {
        let image = |column: u8| Self::image(self.width, column.into(), symmetry.0) as u8;
        match m {
            Drop::Into(column) => Drop::Into(image(column)),
            Drop::OutOf(column) => Drop::OutOf(image(column)),
        }
    }
}

/// Play ends if no stone leaves the board.
impl Tiered for Drops<false> {
    fn plies_left(&self, p: Fallen) -> u32 {
        self.width * self.height - p.taken.count_ones()
    }

    /// A draw is a full board.
    fn plies_to_draw(&self, p: Fallen) -> Option<u32> {
        Some(self.plies_left(p))
    }

    fn last_move_wins(&self) -> bool {
        self.line & MISERE == 0
    }
}

impl<const POPS: bool> Evaluate for Drops<POPS> {
    /// The nearer to the middle, the more promising.
    fn promise(&self, _: Fallen, m: Drop) -> i32 {
        match m {
            Drop::Into(column) => -(2 * i32::from(column) + 1 - self.width as i32).abs(),
            Drop::OutOf(_) => -64,
        }
    }

    /// Cells that complete lines of the side that has moved, less those of the other; the reverse if a
    /// line loses.
    fn prospect(&self, next: Fallen, _: bool) -> i32 {
        let own = Self::own(next);
        let cells = |stones| (masks::completing(&self.lines, stones) & !next.taken).count_ones();
        let lead = cells(next.taken & !own) as i32 - cells(own) as i32;
        if self.line & MISERE == 0 { 128 * lead } else { -128 * lead }
    }

    #[inline(always)]
    fn habit(&self, p: Fallen, (bit, m): (u32, Drop)) -> u8 {
        match m {
            Drop::Into(column) => {
                (self.landing(p.taken) & self.column(column)).trailing_zeros() as u8
            }
            Drop::OutOf(_) => 128 + bit as u8,
        }
    }

    /// The lowest empty cell of a column stays open until it is taken.
    fn urgent(&self, p: Fallen) -> Urgent {
        if POPS || self.line & MISERE != 0 {
            return Urgent::Unknown;
        }
        let own = Self::own(p);
        let tops = (0..self.width as u8).fold(0, |all, column| all | self.bottom(column));
        let open = self.landing(p.taken) & !(tops << self.height);
        masks::urgent(&self.lines, [own, p.taken & !own], open)
    }

    /// A side makes only lines in which the other has no stone.
    fn possible(&self, p: Fallen) -> [Outcome; 2] {
        if POPS {
            return [Outcome::Loss, Outcome::Win];
        }
        let own = Self::own(p);
        let is_open = |against: u64| self.lines.iter().any(|line| line & against == 0);
        let [own, other] = [is_open(p.taken & !own), is_open(own)];
        let [loses, wins] = if self.line & MISERE == 0 { [other, own] } else { [own, other] };
        [
            if loses { Outcome::Loss } else { Outcome::Draw },
            if wins { Outcome::Win } else { Outcome::Draw },
        ]
    }
}
