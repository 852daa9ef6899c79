//! Dōbutsu shōgi: four animals a side on 3x4 cells. Who takes the other lion wins, or whose lion
//! reaches the far row and cannot be taken there; animals taken are dropped as one's own.
//!
//! A chick that steps onto the far row becomes a hen, one dropped there stays a chick, and a hen
//! taken is a chick again. A side that can take the lion does nothing else. Play can go on for ever,
//! and is then a draw.
//!
//! Source: M. Kitao's rules (2008); T. Tanaka, An analysis of a board game Dōbutsu shōgi, IPSJ SIG
//! Technical Report 2009-GI-22: the second player wins in 78 plies.

mod notation;

use super::masks;
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

/// Dōbutsu shōgi.
#[derive(Clone, Copy, Debug)]
pub struct Dobutsu {
    start: Animals,
}

/// The animals on the board and in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Animals {
    cells: [u8; CELLS as usize],
    /// The giraffes, elephants and chicks in each side's hand.
    hands: [[u8; 3]; 2],
    /// The side to move.
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
    /// The kind of an animal of a side.
    fn kind(self, cell: u8, side: u8) -> Option<u8> {
        let kind = self.cells[usize::from(cell)].checked_sub(side * KINDS)?;
        (1..=KINDS).contains(&kind).then_some(kind)
    }

    /// The cells that an animal of a side on a cell may step to, those of its own side too.
    fn reach(cell: u8, kind: u8, side: u8) -> impl Iterator<Item = u8> {
        let (x, y) = (cell % WIDTH, cell / WIDTH);
        (0..9u8).filter_map(move |step| {
            let bit = if side == 0 { step } else { 8 - step };
            let (x, y) = ((x + step % 3).checked_sub(1)?, (y + step / 3).checked_sub(1)?);
            let is_step = STEPS[usize::from(kind - 1)] >> bit & 1 == 1;
            (is_step && x < WIDTH && y < CELLS / WIDTH).then_some(y * WIDTH + x)
        })
    }

    /// The steps of the side to move.
    fn steps(self) -> impl Iterator<Item = Act> {
        let own = (0..CELLS).filter_map(move |cell| Some((cell, self.kind(cell, self.turn)?)));
        own.flat_map(move |(from, kind)| {
            let free = move |to: &u8| self.kind(*to, self.turn).is_none();
            Self::reach(from, kind, self.turn).filter(free).map(move |to| Act { from, to })
        })
    }

    /// True if a step takes the other lion.
    fn takes_lion(self, m: Act) -> bool {
        self.kind(m.to, 1 - self.turn) == Some(LION)
    }

    fn lion(self, side: u8) -> Option<u8> {
        (0..CELLS).find(|&cell| self.kind(cell, side) == Some(LION))
    }

    /// The row that a side's chicks and lion want to reach.
    fn is_far(cell: u8, side: u8) -> bool {
        cell / WIDTH == if side == 0 { CELLS / WIDTH - 1 } else { 0 }
    }

    /// The mirror image, with odd bit 0, and the board from the other side with sides exchanged,
    /// with odd bit 1.
    fn image(self, symmetry: Symmetry) -> Self {
        let mut image = self;
        for cell in 0..CELLS {
            let animal = self.cells[usize::from(cell)];
            let exchanged = if animal > KINDS { animal - KINDS } else { animal + KINDS };
            let is_exchanged = symmetry.0 & 2 != 0 && animal != 0;
            let animal = if is_exchanged { exchanged } else { animal };
            image.cells[usize::from(image_cell(cell, symmetry))] = animal;
        }
        if symmetry.0 & 2 != 0 {
            image.hands.swap(0, 1);
            image.turn = 1 - self.turn;
        }
        image
    }
}

fn image_cell(cell: u8, symmetry: Symmetry) -> u8 {
    let cell = if symmetry.0 & 2 != 0 { CELLS - 1 - cell } else { cell };
    let is_mirrored = (symmetry.0 & 1 != 0) != (symmetry.0 & 2 != 0);
    if is_mirrored { masks::mirrored(cell.into(), WIDTH.into()) as u8 } else { cell }
}

impl Dobutsu {
    /// The game from these rows, the first player's first: capitals are that side's animals.
    pub(super) fn from_rows(rows: [&str; 4]) -> Self {
        let mut cells = [0; CELLS as usize];
        for (cell, letter) in cells.iter_mut().zip(rows.concat().chars()) {
            let kind = LETTERS.find(letter.to_ascii_uppercase()).map_or(0, |kind| kind as u8 + 1);
            let is_second = letter.is_ascii_lowercase();
            *cell = kind + if is_second { KINDS } else { 0 };
        }
        Self { start: Animals { cells, hands: [[0; 3]; 2], turn: 0 } }
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
        if p.lion(p.turn).is_none() {
            return Some(Outcome::Loss);
        }
        let has_arrived = p.lion(1 - p.turn).is_some_and(|cell| Animals::is_far(cell, 1 - p.turn));
        let is_lost = has_arrived && !p.steps().any(|m| p.takes_lion(m));
        (is_lost || self.moves(p).is_empty()).then_some(Outcome::Loss)
    }

    fn moves(&self, p: Animals) -> MoveList<Act> {
        if p.steps().any(|m| p.takes_lion(m)) {
            return p.steps().filter(|m| p.takes_lion(*m)).collect();
        }
        let held = (0..3).filter(|&kind| p.hands[usize::from(p.turn)][usize::from(kind)] > 0);
        let empty = (0..CELLS).filter(|&cell| p.cells[usize::from(cell)] == 0);
        let drops =
            held.flat_map(|kind| empty.clone().map(move |to| Act { from: CELLS + kind, to }));
        p.steps().chain(drops).collect()
    }

    fn play(&self, mut p: Animals, m: Act) -> Animals {
        let own = usize::from(p.turn);
        let kind = match m.from.checked_sub(CELLS) {
            Some(held) => {
                p.hands[own][usize::from(held)] -= 1;
                held + 2
            }
            None => {
                let kind = p.kind(m.from, p.turn).unwrap_or(LION);
                p.cells[usize::from(m.from)] = 0;
                if kind == CHICK && Animals::is_far(m.to, p.turn) { HEN } else { kind }
            }
        };
        if let Some(taken @ 2..) = p.kind(m.to, 1 - p.turn) {
            p.hands[own][usize::from(taken.min(CHICK) - 2)] += 1;
        }
        p.cells[usize::from(m.to)] = kind + p.turn * KINDS;
        p.turn = 1 - p.turn;
        p
    }

    /// Lion and hen, one giraffe and one elephant on the board, and three kinds to drop on the seven
    /// empty cells have 43 at most.
    fn most_moves(&self) -> u32 {
        43
    }

    /// An animal changes its cell in a ply, or its side.
    fn plies_between(&self, from: Animals, to: Animals) -> Option<u32> {
        let changed = from.cells.iter().zip(to.cells).filter(|(before, after)| *before != after);
        Some((changed.count() as u32).div_ceil(2).max((from != to).into()))
    }
}

impl Keyed for Dobutsu {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        61
    }

    /// Four bits a cell, two for each number in hand, and the turn.
    fn key(&self, p: Animals) -> Key {
        let cells = p.cells.iter().fold(0, |key, &animal| key << 4 | u64::from(animal));
        let hands = p.hands.iter().flatten().fold(cells, |key, &n| key << 2 | u64::from(n));
        Key(hands << 1 | u64::from(p.turn))
    }

    fn position_of(&self, key: Key) -> Option<Animals> {
        let mut p = Animals { cells: [0; 12], hands: [[0; 3]; 2], turn: (key.0 & 1) as u8 };
        let mut rest = key.0 >> 1;
        for held in p.hands.iter_mut().flatten().rev() {
            *held = (rest & 3) as u8;
            rest >>= 2;
        }
        for cell in p.cells.iter_mut().rev() {
            *cell = (rest & 15) as u8;
            rest >>= 4;
        }
        let is_animal = |animal: &u8| *animal <= 2 * KINDS;
        let fits = rest == 0 && p.cells.iter().all(is_animal);
        // Two of a kind at most, hens among the chicks, and one lion of each side.
        let mut animals = [[0; KINDS as usize + 1]; 2];
        for (cell, side) in (0..CELLS).flat_map(|cell| [(cell, 0), (cell, 1)]) {
            animals[usize::from(side)][usize::from(p.kind(cell, side).unwrap_or(0))] += 1;
        }
        let of = |kind: u8| animals[0][usize::from(kind)] + animals[1][usize::from(kind)];
        let held = |kind: usize| p.hands[0][kind] + p.hands[1][kind];
        let most = [of(2) + held(0), of(3) + held(1), of(CHICK) + of(HEN) + held(2)];
        let is_lion = animals.iter().all(|side| side[usize::from(LION)] <= 1);
        (fits && is_lion && most.iter().all(|n| *n <= 2)).then_some(p)
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
