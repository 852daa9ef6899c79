//! Othello on small boards: a disc turns over all discs of the other side between it and discs of
//! its own; a side without such a move passes; more discs at the end win.
//!
//! A pass is not among the moves played: the other side keeps the turn.
//!
//! Sources: G. Hasegawa's rules of 1971; J. Feinstein, 1993, for 6x6, which the second player wins
//! by 4; on 4x4 the second player wins by 8.

use std::sync::Arc;

use super::masks::{self, Images, TernaryKeys, places};
use crate::game::{
    Drawn, Evaluate, Game, Key, Keyed, MoveList, Notation, Outcome, Parameter, Registered,
    Symmetric, Symmetry, Tiered, Unreadable, Word,
};

/// Returns the most cells: a set has 64 bits, and a key base-3 digits beside the turn.
const fn most_cells<W: Word>() -> u32 {
    if W::BITS > 64 { 64 } else { 39 }
}

/// The most discs of positions that a search folds into one of their images.
const MOST_DISCS_FOLDED: u32 = 12;

/// Othello with keys of a word.
#[derive(Clone, Debug)]
pub struct Othello<W = u64> {
    width: u32,
    height: u32,
    board: u64,
    /// The cells of all columns but the first and the last.
    inner: u64,
    images: Arc<Images>,
    keys: Arc<TernaryKeys<W>>,
}

/// The discs of both sides. Cells are bits row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Discs {
    sides: [u64; 2],
    turn: usize,
}

impl<W: Word> Othello<W> {
    pub fn new(width: u32, height: u32) -> Result<Self, Unreadable> {
        let is_even = width.is_multiple_of(2) && height.is_multiple_of(2);
        if !is_even || width.min(height) < 4 || width.saturating_mul(height) > most_cells::<W>() {
            return Err(Unreadable(format!(
                "{width}x{height}: othello takes even numbers of columns and rows, 4 at least, and \
                 at most {} cells, as 4x4 and 6x6",
                most_cells::<W>()
            )));
        }
        // Half turns and the diagonals keep the four discs at the start in place.
        let symmetries = if width == height { 4 } else { 2 };
        let images = Images::new(width * height, symmetries, |cell, symmetry| {
            let cell = if symmetry & 1 == 1 { width * height - 1 - cell } else { cell };
            if symmetry & 2 == 0 { cell } else { cell % width * width + cell / width }
        });
        let cells = width * height;
        let edges = (0..height).fold(0, |all, y| all | (1 | 1 << (width - 1)) << (y * width));
        let board = u64::MAX >> (64 - cells);
        let keys = Arc::new(TernaryKeys::new(&images, cells));
        Ok(Self { width, height, board, inner: board & !edges, images: Arc::new(images), keys })
    }

    /// Returns the steps along which discs are turned, each with the cells that may lie between two
    /// ends: the step from them wraps round no edge.
    #[inline(always)]
    fn steps(&self) -> [(u32, u64); 4] {
        let width = self.width;
        [(1, self.inner), (width, self.board), (width - 1, self.inner), (width + 1, self.inner)]
    }

    /// Returns the discs that a side's disc in an empty cell turns over.
    #[inline(always)]
    fn turned(&self, p: Discs, side: usize, cell: u32) -> u64 {
        let (own, other, disc) = (p.sides[side], p.sides[1 - side], 1u64 << cell);
        let mut turned = 0;
        for (step, on) in self.steps() {
            let between = other & on;
            let (mut up, mut down) = (between & disc << step, between & disc >> step);
            for _ in 3..self.width.max(self.height) {
                up |= between & up << step;
                down |= between & down >> step;
            }
            // Of the cells moved by a step, only the one beyond the line is not in it.
            if up << step & own != 0 {
                turned |= up;
            }
            if down >> step & own != 0 {
                turned |= down;
            }
        }
        turned
    }

    /// Returns the cells in which a disc of a side turns over others.
    #[inline(always)]
    fn open(&self, p: Discs, side: usize) -> u64 {
        let (own, other) = (p.sides[side], p.sides[1 - side]);
        let mut ends = 0;
        for (step, on) in self.steps() {
            let between = other & on;
            let (mut up, mut down) = (between & own << step, between & own >> step);
            for _ in 3..self.width.max(self.height) {
                up |= between & up << step;
                down |= between & down >> step;
            }
            ends |= up << step | down >> step;
        }
        ends & self.board & !(own | other)
    }

    fn corners(&self) -> u64 {
        let row = 1 | 1 << (self.width - 1);
        row | row << (self.width * (self.height - 1))
    }

    /// Returns the discs of the side to move minus the other side's.
    fn lead(p: Discs) -> i32 {
        let discs = |side: usize| p.sides[side].count_ones() as i32;
        discs(p.turn) - discs(1 - p.turn)
    }
}

impl<W: Word> Game for Othello<W> {
    type Position = Discs;
    /// The number of a cell, from 0.
    type Move = u8;
    type Moves = MoveList<u8>;
    const COUNTS_POINTS: bool = true;

    fn initial(&self) -> Discs {
        let cell = |dx: u32, dy: u32| {
            1 << ((self.height / 2 - 1 + dy) * self.width + self.width / 2 - 1 + dx)
        };
        Discs { sides: [cell(1, 0) | cell(0, 1), cell(0, 0) | cell(1, 1)], turn: 0 }
    }

    fn result(&self, p: Discs) -> Option<Outcome> {
        let is_over = self.open(p, p.turn) == 0;
        Outcome::from_sign(Self::lead(p).signum().into()).filter(|_| is_over)
    }

    fn moves(&self, p: Discs) -> MoveList<u8> {
        places(self.open(p, p.turn)).map(|cell| cell as u8).collect()
    }

    fn play(&self, mut p: Discs, m: u8) -> Discs {
        let turned = self.turned(p, p.turn, m.into());
        p.sides[p.turn] |= turned | 1 << m;
        p.sides[1 - p.turn] &= !turned;
        let can_move = |side| self.open(p, side) != 0;
        if can_move(1 - p.turn) || !can_move(p.turn) {
            p.turn = 1 - p.turn;
        }
        p
    }

    fn keeps_turn(&self, p: Discs, m: u8) -> bool {
        self.play(p, m).turn == p.turn
    }

    #[inline(always)]
    fn step(&self, p: Discs, m: u8) -> (Discs, bool) {
        let next = self.play(p, m);
        (next, next.turn == p.turn)
    }

    fn points(&self, p: Discs) -> Option<i32> {
        Some(Self::lead(p))
    }

    fn most_moves(&self) -> u32 {
        self.width * self.height - 4
    }

    /// Returns the number of discs placed between the two.
    fn plies_between(&self, from: Discs, to: Discs) -> Option<u32> {
        let [from, to] = [from, to].map(|p| p.sides[0] | p.sides[1]);
        (from & !to == 0).then(|| (to & !from).count_ones())
    }
}

impl<W: Word> Keyed for Othello<W> {
    type Key = Key<W>;

    fn key_bits(&self) -> u32 {
        (2 * 3u128.pow(self.width * self.height)).ilog2() + 1
    }

    fn key(&self, p: Discs) -> Key<W> {
        self.image_key(p, Symmetry::IDENTITY)
    }

    fn position_of(&self, key: Key<W>) -> Option<Discs> {
        let sides = TernaryKeys::sides(key.0 >> 1, self.width * self.height)?;
        Some(Discs { sides, turn: usize::from(key.0 & W::ONE != W::ZERO) })
    }
}

impl<W: Word> Symmetric for Othello<W> {
    fn symmetries(&self) -> u8 {
        self.images.symmetries()
    }

    fn image_key(&self, p: Discs, symmetry: Symmetry) -> Key<W> {
        Key(self.keys.key(p.sides, symmetry.0) << 1 | W::narrow(p.turn as u128))
    }

    fn image_move(&self, m: u8, symmetry: Symmetry) -> u8 {
        self.images.of_place(m, symmetry.0)
    }

    #[inline(always)]
    fn image_label(&self, _: Discs, (_, m): (u32, u8), symmetry: Symmetry) -> u32 {
        self.image_move(m, symmetry).into()
    }

    /// The images of positions with many discs are seldom met again.
    #[inline(always)]
    fn search_key(&self, p: Discs) -> (Key<W>, Symmetry) {
        match (p.sides[0] | p.sides[1]).count_ones() {
            ..=MOST_DISCS_FOLDED => self.canonical(p),
            _ => (self.key(p), Symmetry::IDENTITY),
        }
    }
}

impl<W: Word> Tiered for Othello<W> {
    /// Counts the empty cells.
    fn plies_left(&self, p: Discs) -> u32 {
        self.width * self.height - (p.sides[0] | p.sides[1]).count_ones()
    }
}

impl<W: Word> Evaluate for Othello<W> {
    fn evaluate(&self, p: Discs) -> i32 {
        100 * Self::lead(p)
    }

    /// Few moves for the other side, and corners.
    fn prospect(&self, next: Discs, keeps_turn: bool) -> i32 {
        let mover = if keeps_turn { next.turn } else { 1 - next.turn };
        let corners = |side: usize| (next.sides[side] & self.corners()).count_ones() as i32;
        let moves = |side: usize| self.open(next, side).count_ones() as i32;
        200 * (corners(mover) - corners(1 - mover)) - 100 * moves(1 - mover)
    }

    /// Cells have numbers that never change.
    #[inline(always)]
    fn habit(&self, _: Discs, (_, m): (u32, u8)) -> u8 {
        m
    }
}

impl<W: Word> Notation for Othello<W> {
    const POSITION_HELP: &'static str =
        "the cells played, separated by commas; a side that passes is left out";

    fn parameters(&self) -> [u8; 3] {
        [self.width as u8, self.height as u8, 1]
    }

    fn title(&self) -> String {
        format!("Othello {}x{}", self.width, self.height)
    }

    /// Columns by letter, rows from above.
    fn write_move(&self, m: u8) -> String {
        masks::cell_name(m.into(), self.width)
    }

    /// Also accepts the number of the cell, counted from 1 row by row.
    fn is_written(&self, m: u8, word: &str) -> bool {
        self.write_move(m) == word || word.parse() == Ok(u32::from(m) + 1)
    }

    /// First player's discs are `X`, the second's `O`; then who moves.
    fn picture(&self, p: Discs) -> String {
        let board = masks::picture(self.width, self.height, |x, y| {
            masks::mark(p.sides, y * self.width + x)
        });
        format!("{board}:{}", ['X', 'O'][p.turn])
    }

    fn of_picture(&self, text: &str) -> Option<Discs> {
        let place = |x, y| Some(y * self.width + x);
        let (sides, turn) = masks::sides_and_turn(text, (self.width, self.height), place)?;
        Some(Discs { sides, turn })
    }

    fn to_move(&self, p: Discs) -> Option<char> {
        Some(['X', 'O'][p.turn])
    }
}

impl<W: Word> Drawn for Othello<W> {
    fn squares(&self, _: Discs, m: u8) -> Vec<(u8, u8)> {
        let cell = u32::from(m);
        vec![((cell % self.width) as u8, (cell / self.width) as u8)]
    }
}

impl<W: Word> Registered for Othello<W> {
    type Game = Self;
    const NAME: &'static str = "othello";
    const ABOUT: &'static str = "Othello on small boards: more discs win";

    const PARAMETERS: &'static [Parameter] = &[Parameter::size(4, 4)];

    fn of_parameters([width, height, _]: [u8; 3]) -> Result<Self, Unreadable> {
        Self::new(width.into(), height.into())
    }
}
