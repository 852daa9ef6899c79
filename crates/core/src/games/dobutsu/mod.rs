//! Dōbutsu shōgi: four animals a side on 3x4 cells. A side wins if it takes the other lion, or if
//! its own reaches the far row and cannot be taken there; animals taken are dropped as one's own.
//!
//! A chick that steps onto the far row becomes a hen, one dropped there stays a chick, and a hen
//! taken is a chick again. A side that can take the lion does nothing else. Endless play is a draw.
//!
//! Source: M. Kitao's rules (2008); T. Tanaka, An analysis of a board game Dōbutsu shōgi, IPSJ SIG
//! Technical Report 2009-GI-22: the second player wins in 78 plies.

mod notation;

use crate::game::{Evaluate, Game, Key, Keyed, MoveList, Outcome, Symmetric, Symmetry};

/// The columns and cells. Cells are numbered row by row from the first player's side.
const WIDTH: u8 = 3;
const CELLS: u8 = 12;

/// The kinds of animals, from 1; those of the second player have 5 more.
const LION: u8 = 1;
const CHICK: u8 = 4;
const HEN: u8 = 5;
const KINDS: u8 = 5;
const LETTERS: &str = "LGECH";

/// The steps of lion, giraffe, elephant, chick and hen, as bits of the cells around one:
/// ```text
///  6 7 8   the far side
///  3 . 5
///  0 1 2
/// ```
const STEPS: [u16; 5] = [0b111_101_111, 0b010_101_010, 0b101_000_101, 0b010_000_000, 0b111_101_010];

/// The lowest of the four bits of every cell. Sets of cells have these bits.
const LOW: u64 = 0x1111_1111_1111;

/// Returns the place of a cell: the first cell has the highest bits.
const fn place(cell: u8) -> u8 {
    4 * (CELLS - 1 - cell)
}

const fn set(cell: u8) -> u64 {
    1 << place(cell)
}

/// Returns the cells of a set, ascending.
fn cells(mut of: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (of != 0).then(|| CELLS - 1 - (of.ilog2() / 4) as u8)?;
        of &= !set(cell);
        Some(cell)
    })
}

/// The cells that an animal may step to, with those of its own side: by side, kind (counted from 0)
/// and cell.
const REACH: [[[u64; CELLS as usize]; KINDS as usize]; 2] = {
    let mut reach = [[[0; CELLS as usize]; KINDS as usize]; 2];
    let mut n = 0;
    while n < 2 * KINDS as usize * CELLS as usize * 9 {
        let (side, kind, cell, step) = (n % 2, n / 2 % 5, n / 10 % 12, n / 120);
        let bit = if side == 0 { step } else { 8 - step };
        let (x, y) = (cell % 3 + step % 3, cell / 3 + step / 3);
        if STEPS[kind] >> bit & 1 == 1 && 1 <= x && x <= 3 && 1 <= y && y <= 4 {
            reach[side][kind][cell] |= set((3 * (y - 1) + x - 1) as u8);
        }
        n += 1;
    }
    reach
};

#[derive(Clone, Copy, Debug)]
pub struct Dobutsu {
    start: Animals,
}

/// The animals on the board and in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Animals {
    /// Four bits a cell, the first cell in the highest of 48: 0 or the animal.
    cells: u64,
    /// Two bits for the number of giraffes, elephants and chicks in each side's hand, the first
    /// side's giraffes in the highest of 12.
    hands: u16,
    turn: u8,
}

/// A step from a cell to another, or a drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Act {
    /// The cell left, or from 12 on a kind in hand: giraffe, elephant, chick.
    from: u8,
    to: u8,
}

impl Default for Dobutsu {
    fn default() -> Self {
        Self::from_rows(["ELG", ".C.", ".c.", "gle"])
    }
}

impl Animals {
    /// Returns the kind of an animal of a side.
    fn kind(self, cell: u8, side: u8) -> Option<u8> {
        let animal = (self.cells >> place(cell) & 15) as u8;
        animal.checked_sub(side * KINDS).filter(|kind| (1..=KINDS).contains(kind))
    }

    const fn empty(self) -> u64 {
        let c = self.cells;
        !(c | c >> 1 | c >> 2 | c >> 3) & LOW
    }

    const fn of(self, side: u8) -> u64 {
        // Animals of the second side are 6 to 10: adding 2 sets bit 8.
        let second = (self.cells + 2 * LOW) >> 3 & LOW;
        if side == 1 { second } else { LOW & !second & !self.empty() }
    }

    /// Returns the cells with an animal of a kind of a side.
    const fn of_kind(self, kind: u8, side: u8) -> u64 {
        Self { cells: self.cells ^ (LOW * (kind + side * KINDS) as u64), ..self }.empty()
    }

    fn put(&mut self, cell: u8, animal: u8) {
        self.cells &= !(15 << place(cell));
        self.cells |= u64::from(animal) << place(cell);
    }

    /// Returns the place in `hands` of a kind, counted from giraffes.
    const fn pocket(side: u8, kind: u8) -> u8 {
        2 * (5 - 3 * side - kind)
    }

    /// Returns the number of a kind, counted from giraffes, in a side's hand.
    const fn held(self, side: u8, kind: u8) -> u8 {
        (self.hands >> Self::pocket(side, kind) & 3) as u8
    }

    /// Returns the steps of the side to move to some cells.
    fn steps(self, within: u64) -> impl Iterator<Item = Act> {
        cells(self.of(self.turn)).flat_map(move |from| {
            let kind = self.kind(from, self.turn).unwrap_or(LION);
            let reach = REACH[usize::from(self.turn)][usize::from(kind - 1)][usize::from(from)];
            cells(reach & within).map(move |to| Act { from, to })
        })
    }

    /// Returns the cells that the side to move may step to.
    const fn free(self) -> u64 {
        LOW & !self.of(self.turn)
    }

    /// Returns the cell of the other lion if the side to move can take it, else no cell.
    fn prey(self) -> u64 {
        let lion = self.of_kind(LION, 1 - self.turn);
        if lion != 0 && self.steps(lion).next().is_some() { lion } else { 0 }
    }

    /// Returns the far row of a side's chicks and lion.
    const fn far(side: u8) -> u64 {
        if side == 0 { 0x111 } else { 0x111 << 36 }
    }

    /// Returns the mirror image if bit 0 is set, and after that the board from the other side with
    /// the sides exchanged if bit 1 is.
    fn image(self, symmetry: Symmetry) -> Self {
        /// The cells at one end of the rows, and a row.
        const END: u64 = 0x00f_00f_00f_00f;
        const ROW: u64 = 0xfff;
        let mut image = self;
        if symmetry.0 & 1 != 0 {
            let c = self.cells;
            image.cells = (c & END) << 8 | (c >> 8 & END) | (c & END << 4);
        }
        if symmetry.0 & 2 != 0 {
            let c = image.cells;
            let rows = c << 36 | (c & ROW << 12) << 12 | (c >> 12 & ROW << 12) | c >> 36;
            let c = rows & ((1 << 48) - 1);
            image.cells = c;
            image.cells = c + image.of(0) * u64::from(KINDS) - image.of(1) * u64::from(KINDS);
            image.hands = (self.hands << 6 | self.hands >> 6) & 0xfff;
            image.turn = 1 - self.turn;
        }
        image
    }
}

fn image_cell(cell: u8, symmetry: Symmetry) -> u8 {
    let (x, y) = (cell % WIDTH, cell / WIDTH);
    let x = if symmetry.0 & 1 != 0 { WIDTH - 1 - x } else { x };
    let y = if symmetry.0 & 2 != 0 { CELLS / WIDTH - 1 - y } else { y };
    y * WIDTH + x
}

impl Dobutsu {
    /// Creates the game from rows, the first player's first: capitals are that side's animals.
    pub(crate) fn from_rows(rows: [&str; 4]) -> Self {
        let mut start = Animals { cells: 0, hands: 0, turn: 0 };
        for (cell, letter) in (0..CELLS).zip(rows.concat().chars()) {
            let kind = LETTERS.find(letter.to_ascii_uppercase()).map_or(0, |kind| kind as u8 + 1);
            let is_second = letter.is_ascii_lowercase();
            start.put(cell, kind + if is_second { KINDS } else { 0 });
        }
        Self { start }
    }
}

impl Game for Dobutsu {
    type Position = Animals;
    type Move = Act;
    type Moves = MoveList<Act>;

    fn initial(&self) -> Animals {
        self.start
    }

    fn result(&self, p: Animals) -> Option<Outcome> {
        let has_arrived = p.of_kind(LION, 1 - p.turn) & Animals::far(1 - p.turn) != 0;
        let holds_some = (0..3).any(|kind| p.held(p.turn, kind) > 0);
        let is_lost = p.of_kind(LION, p.turn) == 0
            || has_arrived && p.prey() == 0
            || !holds_some && p.steps(p.free()).next().is_none();
        is_lost.then_some(Outcome::Loss)
    }

    fn moves(&self, p: Animals) -> MoveList<Act> {
        let prey = p.prey();
        if prey != 0 {
            return p.steps(prey).collect();
        }
        let held = (0..3).filter(|&kind| p.held(p.turn, kind) > 0);
        let drops =
            held.flat_map(|kind| cells(p.empty()).map(move |to| Act { from: CELLS + kind, to }));
        p.steps(p.free()).chain(drops).collect()
    }

    fn play(&self, mut p: Animals, m: Act) -> Animals {
        let kind = match m.from.checked_sub(CELLS) {
            Some(held) => {
                p.hands -= 1 << Animals::pocket(p.turn, held);
                held + 2
            }
            None => {
                let kind = p.kind(m.from, p.turn).unwrap_or(LION);
                p.put(m.from, 0);
                let is_far = Animals::far(p.turn) & set(m.to) != 0;
                if kind == CHICK && is_far { HEN } else { kind }
            }
        };
        if let Some(taken @ 2..) = p.kind(m.to, 1 - p.turn) {
            p.hands += 1 << Animals::pocket(p.turn, taken.min(CHICK) - 2);
        }
        p.put(m.to, kind + p.turn * KINDS);
        p.turn = 1 - p.turn;
        p
    }

    /// Lion and hen, one giraffe and one elephant on the board, and three kinds to drop on the seven
    /// empty cells have 43 at most.
    fn most_moves(&self) -> u32 {
        43
    }

    /// A ply changes two cells at most.
    fn plies_between(&self, from: Animals, to: Animals) -> Option<u32> {
        let same = Animals { cells: from.cells ^ to.cells, ..from }.empty();
        let changed = u32::from(CELLS) - same.count_ones();
        Some(changed.div_ceil(2).max((from != to).into()))
    }
}

impl Keyed for Dobutsu {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        61
    }

    /// Four bits a cell, two for each number in hand, and the turn.
    fn key(&self, p: Animals) -> Key {
        Key(p.cells << 13 | u64::from(p.hands) << 1 | u64::from(p.turn))
    }

    fn position_of(&self, Key(key): Key) -> Option<Animals> {
        let hands = (key >> 1 & 0xfff) as u16;
        let p = Animals { cells: key >> 13, hands, turn: (key & 1) as u8 };
        // Two of a kind at most, hens among the chicks, and one lion of each side.
        let lions = [0, 1].map(|side| p.of_kind(LION, side).count_ones());
        let of = |kind| (p.of_kind(kind, 0) | p.of_kind(kind, 1)).count_ones();
        let held = |kind| u32::from(p.held(0, kind) + p.held(1, kind));
        let most = [of(2) + held(0), of(3) + held(1), of(CHICK) + of(HEN) + held(2)];
        // Numbers above 10 are no animals.
        let animals: u32 = (1..=KINDS).map(of).sum();
        let fits = key >> 61 == 0 && animals + p.empty().count_ones() == u32::from(CELLS);
        let few = lions.iter().all(|n| *n <= 1) && most.iter().all(|n| *n <= 2);
        (fits && few).then_some(p)
    }
}

/// The mirror image, and the board from the other side with the sides exchanged: both have the same
/// value for the side to move. Play from the start reaches most images of what it reaches, not all.
impl Symmetric for Dobutsu {
    fn symmetries(&self) -> u8 {
        4
    }

    fn image_key(&self, p: Animals, symmetry: Symmetry) -> Key {
        self.key(p.image(symmetry))
    }

    fn image_move(&self, m: Act, symmetry: Symmetry) -> Act {
        let image = |cell| image_cell(cell, symmetry);
        Act { from: if m.from < CELLS { image(m.from) } else { m.from }, to: image(m.to) }
    }
}

impl Evaluate for Dobutsu {}
