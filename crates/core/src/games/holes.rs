//! Games in which seeds are sown: pits and stores of two sides, their keys, notation and drawing.

use super::masks;
use crate::game::{Drawn, Game, Key, Keyed, Notation, Parameter, Symmetric, Symmetry, Unreadable};

pub(super) const MOST_PITS: usize = 6;

/// The most seeds and holes: a key has a bit for each, and one for the turn.
const MOST_BITS: usize = 63;

pub(super) const PITS: Parameter =
    Parameter::number("pits", "Pits of each side", 3, 1..=MOST_PITS as u8);

/// Returns the parameter of the seeds in each pit, with its usual value.
pub(super) const fn seeds(usual: u8) -> Parameter {
    Parameter::number("seeds", "Seeds in each pit", usual, 1..=27)
}

/// The seeds in every hole: a side's pits in the order of sowing, then its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Holes {
    pub(crate) sides: [[u8; MOST_PITS + 1]; 2],
    pub(crate) turn: usize,
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

    /// Returns empty stores, and pits with `seeds` seeds each.
    pub(super) fn start(pits: usize, seeds: u8) -> Self {
        let mut side = [0; MOST_PITS + 1];
        side[..pits].fill(seeds);
        Self { sides: [side; 2], turn: 0 }
    }

    /// Returns one ply for any change; `None` if a store loses seeds.
    pub(super) fn plies_between(self, to: Self, pits: usize) -> Option<u32> {
        let stays = |side: usize| self.sides[side][pits] <= to.sides[side][pits];
        (stays(0) && stays(1)).then_some((self != to).into())
    }

    fn all(self) -> u32 {
        self.sides.iter().flatten().map(|&seeds| u32::from(seeds)).sum()
    }

    /// Returns the second player's store and pits, then the first player's pits and store.
    fn rows(self, pits: usize) -> [Vec<u8>; 2] {
        let [below, mut above] = self.sides.map(|side| side[..=pits].to_vec());
        above.reverse();
        [above, below]
    }
}

/// A game in which the seeds of pits are sown.
pub trait Sowing: Game<Position = Holes, Move = u8> {
    const TITLE: &'static str;
    /// The rules that can be chosen, as the title names them.
    const RULES: &'static [&'static str] = &[];

    /// Returns the pits of each side.
    fn pits(&self) -> usize;

    /// Returns the seeds of each pit at the start.
    fn seeds(&self) -> u8;

    /// Returns the [rules](Self::RULES) chosen, as bits.
    fn rules(&self) -> u8 {
        0
    }

    /// Returns the seeds of all pits at the start.
    fn all(&self) -> u32 {
        2 * self.pits() as u32 * u32::from(self.seeds())
    }
}

impl<G: Sowing> Keyed for G {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        self.all() + 2 * self.pits() as u32 + 2
    }

    /// Returns a one for every seed and a zero after every hole but the last, then the turn.
    fn key(&self, p: Holes) -> Key {
        let holes = p.sides.iter().flat_map(|side| &side[..=self.pits()]);
        let row = holes.fold(0u64, |row, &seeds| (((row + 1) << seeds) - 1) << 1);
        Key((row & !1) | p.turn as u64)
    }

    fn position_of(&self, key: Key) -> Option<Holes> {
        let mut p = Holes { turn: (key.0 & 1) as usize, ..Holes::start(self.pits(), 0) };
        let (mut row, holes) = (key.0 >> 1, self.pits() + 1);
        for number in (0..2 * holes).rev() {
            let seeds = row.trailing_ones();
            p.sides[number / holes][number % holes] = seeds as u8;
            row = row.checked_shr(seeds + 1).unwrap_or(0);
        }
        (row == 0 && p.all() == self.all()).then_some(p)
    }
}

// The two sides are images of each other only if the turn changes too.
impl<G: Sowing> Symmetric for G {
    /// Seeds in the stores move no more, and both sides play by the same rules.
    #[inline(always)]
    fn points_key(&self, p: Holes) -> (Key, Symmetry, i32) {
        let mut sides = [p.sides[p.turn], p.sides[1 - p.turn]];
        let [own, other] = sides.each_mut().map(|side| std::mem::take(&mut side[self.pits()]));
        let key = self.key(Holes { sides, turn: 0 });
        (key, Symmetry::IDENTITY, i32::from(own) - i32::from(other))
    }
}

impl<G: Sowing> Notation for G {
    const POSITION_HELP: &'static str = "the pits sown, separated by commas: each side counts its own from 1 in the order of sowing";

    fn parameters(&self) -> [u8; 3] {
        [self.pits() as u8, self.seeds(), 1 + self.rules()]
    }

    fn title(&self) -> String {
        let rules = (0..).zip(G::RULES).filter(|(bit, _)| self.rules() >> bit & 1 == 1);
        let rules: String = rules.map(|(_, rule)| format!(", {rule}")).collect();
        format!("{}({},{}){rules}", G::TITLE, self.pits(), self.seeds())
    }

    /// Returns the number of the pit, from 1, in the order of sowing.
    fn write_move(&self, m: u8) -> String {
        (m + 1).to_string()
    }

    /// Returns the rows of seeds, then who moves.
    fn picture(&self, p: Holes) -> String {
        let rows = p.rows(self.pits()).map(|row| {
            let words: Vec<String> = row.iter().map(ToString::to_string).collect();
            words.join(" ")
        });
        format!("{}:{}", rows.join("/"), ['X', 'O'][p.turn])
    }

    fn of_picture(&self, text: &str) -> Option<Holes> {
        let (board, turn, rest) = masks::board_and_turn(text)?;
        let (above, below) = board.split_once('/')?;
        let mut p = Holes { turn, ..Holes::start(self.pits(), 0) };
        for (side, row) in p.sides.iter_mut().zip([below, above]) {
            let numbers = row.split_whitespace().map(|word| word.parse().ok());
            let numbers = numbers.collect::<Option<Vec<u8>>>()?;
            if numbers.len() != self.pits() + 1 {
                return None;
            }
            side[..=self.pits()].copy_from_slice(&numbers);
        }
        p.sides[1][..=self.pits()].reverse();
        (rest.is_empty() && p.all() == self.all()).then_some(p)
    }

    fn to_move(&self, p: Holes) -> Option<char> {
        Some(['X', 'O'][p.turn])
    }
}

impl<G: Sowing> Drawn for G {
    /// Returns the number of seeds in each pit as one character; the stores stand at both ends.
    fn drawn(&self, p: Holes) -> String {
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
        let rows = p.rows(self.pits());
        rows.map(|row| row.into_iter().map(number).collect::<String>()).join(" / ")
    }

    fn beside(&self, _: Holes) -> Option<String> {
        Some(
            "X has the lower row, its pits counted from the left, and the store on the right; O the \
             upper row, counted from the right, and the store on the left."
                .to_owned(),
        )
    }

    /// Returns the place of a pit of the side to move.
    fn drawn_squares(&self, p: Holes, pit: u8) -> Vec<(u8, u8)> {
        vec![if p.turn == 0 { (pit + 1, 1) } else { (self.pits() as u8 - pit, 0) }]
    }
}
