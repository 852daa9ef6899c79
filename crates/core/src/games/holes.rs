//! Pits and stores of two sides, for games in which seeds are sown.

use super::masks;
use crate::game::{Key, Parameter, ParameterKind, Unreadable};

pub(super) const MOST_PITS: usize = 6;

/// The most seeds and holes: a key has a bit for each, and one for the turn.
const MOST_BITS: usize = 63;

pub(super) const PITS: Parameter = Parameter {
    name: "pits",
    help: "Pits of each side",
    kind: ParameterKind::Number { usual: 3, least: 1, most: MOST_PITS as u8 },
};

/// The rows of a drawing, in words.
pub(super) const ROWS: &str = "X has the lower row, its pits counted from the left, and the store on the right; O the \
                               upper row, counted from the right, and the store on the left.";

/// The number of seeds in a pit, usually this one.
pub(super) const fn seeds(usual: u8) -> Parameter {
    let kind = ParameterKind::Number { usual, least: 1, most: 27 };
    Parameter { name: "seeds", help: "Seeds in each pit", kind }
}

/// The seeds in every hole: a side's pits in the order of sowing, then its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Holes {
    pub(super) sides: [[u8; MOST_PITS + 1]; 2],
    pub(super) turn: usize,
}

impl Holes {
    /// Refuses numbers of pits a side and seeds in each that a key has no bits for.
    pub(super) fn check(game: &str, pits: u8, seeds: u8) -> Result<(), Unreadable> {
        let (most, all) = (usize::from(pits), 2 * usize::from(pits) * usize::from(seeds));
        if pits == 0 || most > MOST_PITS || seeds == 0 || all + 2 * most + 2 > MOST_BITS {
            return Err(Unreadable(format!(
                "{pits} pits with {seeds} seeds: {game} takes up to {MOST_PITS} pits a side, and at \
                 most {MOST_BITS} seeds, pits and stores together, as 6 pits with 4 seeds have 62"
            )));
        }
        Ok(())
    }

    /// Empty stores, and pits with this many seeds each.
    pub(super) fn start(pits: usize, seeds: u8) -> Self {
        let mut side = [0; MOST_PITS + 1];
        side[..pits].fill(seeds);
        Self { sides: [side; 2], turn: 0 }
    }

    /// A one for every seed and a zero after every hole but the last, then the turn.
    pub(super) fn key(self, pits: usize) -> Key {
        let holes = self.sides.iter().flat_map(|side| &side[..=pits]);
        let row = holes.fold(0u64, |row, &seeds| (((row + 1) << seeds) - 1) << 1);
        Key((row & !1) | self.turn as u64)
    }

    /// The holes of a key, if they have `all` seeds.
    pub(super) fn of_key(key: Key, pits: usize, all: u32) -> Option<Self> {
        let mut p = Self { sides: [[0; MOST_PITS + 1]; 2], turn: (key.0 & 1) as usize };
        let (mut row, mut seeds) = (key.0 >> 1, 0);
        for number in (0..2 * pits + 2).rev() {
            let there = row.trailing_ones();
            seeds += there;
            p.sides[number / (pits + 1)][number % (pits + 1)] = there as u8;
            row = row.checked_shr(there + 1).unwrap_or(0);
        }
        (row == 0 && seeds == all).then_some(p)
    }

    /// A ply is needed for a change, and seeds in a store stay there.
    pub(super) fn plies_between(self, to: Self, pits: usize) -> Option<u32> {
        let stays = |side: usize| self.sides[side][pits] <= to.sides[side][pits];
        (stays(0) && stays(1)).then_some((self != to).into())
    }

    /// The second player's store and pits, then the first player's pits and store; then who moves.
    pub(super) fn picture(self, pits: usize) -> String {
        let words = |holes: &mut dyn Iterator<Item = &u8>| {
            holes.map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        let [first, second] = [0, 1].map(|side| &self.sides[side][..=pits]);
        let (above, below) = (words(&mut second.iter().rev()), words(&mut first.iter()));
        format!("{above}/{below}:{}", ['X', 'O'][self.turn])
    }

    /// The holes of a picture with this number of pits and seeds.
    pub(super) fn of_picture(text: &str, pits: usize, all: u32) -> Option<Self> {
        let (board, turn, rest) = masks::board_and_turn(text)?;
        let (above, below) = board.split_once('/')?;
        let numbers = |row: &str| -> Option<Vec<u8>> {
            let numbers = row.split_whitespace().map(|word| word.parse().ok());
            numbers.collect::<Option<Vec<u8>>>().filter(|numbers| numbers.len() == pits + 1)
        };
        let (mut second, first) = (numbers(above)?, numbers(below)?);
        second.reverse();
        let mut p = Self { sides: [[0; MOST_PITS + 1]; 2], turn };
        p.sides[0][..=pits].copy_from_slice(&first);
        p.sides[1][..=pits].copy_from_slice(&second);
        let seeds: u32 = p.sides.iter().flatten().map(|&seeds| u32::from(seeds)).sum();
        (rest.is_empty() && seeds == all).then_some(p)
    }

    /// The number of seeds in each pit as one character; the stores stand at both ends.
    pub(super) fn drawn(self, pits: usize) -> String {
        // Numbers in circles, which Unicode has up to 50.
        let number = |seeds: u8| {
            let first = match seeds {
                0 => return '○',
                1..=20 => 0x2460 - 1,
                21..=35 => 0x3251 - 21,
                36..=50 => 0x32b1 - 36,
                _ => return '#',
            };
            char::from_u32(first + u32::from(seeds)).unwrap_or('#')
        };
        let [first, second] = [0, 1].map(|side| &self.sides[side][..=pits]);
        let above: String = second.iter().rev().map(|&seeds| number(seeds)).collect();
        let below: String = first.iter().map(|&seeds| number(seeds)).collect();
        format!("{above} / {below}")
    }

    /// The place of a pit of the side to move in this drawing.
    pub(super) fn drawn_squares(self, pits: usize, pit: u8) -> Vec<(u8, u8)> {
        vec![if self.turn == 0 { (pit + 1, 1) } else { (pits as u8 - pit, 0) }]
    }
}
