//! Nim: take any number of stones from one heap; the side that takes the last one wins, or in the
//! misère game loses.
//!
//! Source: C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3
//! (1901/02): the side to move loses exactly if the heaps' sizes combine to 0 by exclusive or; in
//! the misère game too, but with no heap above one stone the reverse holds.

use super::masks;
use crate::game::{
    Chosen, Drawn, Evaluate, Game, Key, Keyed, Notation, Outcome, Parameter, Registered, Symmetric,
    Tiered, Unreadable,
};

/// The most heaps: a key has a byte for each.
const MOST_HEAPS: usize = 8;

#[derive(Clone, Debug)]
pub struct Nim {
    start: Heaps,
    heaps: usize,
    largest: u8,
    misere: bool,
}

/// The stones of every heap; heaps beyond the game's are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heaps([u8; MOST_HEAPS]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Take {
    heap: u8,
    stones: u8,
}

/// The moves of a position, ascending: without a list, since there may be many.
#[derive(Clone, Debug)]
pub struct Takes {
    heaps: Heaps,
    last: Take,
}

impl Iterator for Takes {
    type Item = Take;

    fn next(&mut self) -> Option<Take> {
        let Take { heap, stones } = &mut self.last;
        while *stones == *self.heaps.0.get(usize::from(*heap))? {
            (*heap, *stones) = (*heap + 1, 0);
        }
        *stones += 1;
        Some(self.last)
    }
}

impl Nim {
    pub fn new(heaps: &[u32], misere: bool) -> Result<Self, Unreadable> {
        if heaps.is_empty() || heaps.len() > MOST_HEAPS {
            let n = heaps.len();
            return Err(Unreadable(format!("{n} heaps: nim takes one heap to {MOST_HEAPS}")));
        }
        let mut start = [0; MOST_HEAPS];
        for (i, (heap, &stones)) in start.iter_mut().zip(heaps).enumerate() {
            *heap = u8::try_from(stones).map_err(|_| {
                Unreadable(format!("heap {} has {stones} stones: at most 255 are possible", i + 1))
            })?;
        }
        let largest = start.into_iter().max().unwrap_or(0);
        if largest == 0 {
            return Err(Unreadable(
                "no heap has a stone: put at least one into one of them".into(),
            ));
        }
        Ok(Self { start: Heaps(start), heaps: heaps.len(), largest, misere })
    }

    /// Reads heaps: numbers of stones, separated by commas.
    pub fn parse_heaps(text: &str) -> Result<Vec<u32>, Unreadable> {
        let number = |(i, word): (usize, &str)| {
            let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| word.parse().ok()).flatten().ok_or_else(|| {
                Unreadable(format!(
                    "heap {} of '{text}', '{word}', is no number of stones: write heaps as 3,5,7",
                    i + 1
                ))
            })
        };
        text.split(',').enumerate().map(number).collect()
    }
}

impl Game for Nim {
    type Position = Heaps;
    type Move = Take;
    type Moves = Takes;

    fn initial(&self) -> Heaps {
        self.start
    }

    fn result(&self, position: Heaps) -> Option<Outcome> {
        let last_wins = if self.misere { Outcome::Win } else { Outcome::Loss };
        (position.0 == [0; MOST_HEAPS]).then_some(last_wins)
    }

    fn moves(&self, heaps: Heaps) -> Takes {
        Takes { heaps, last: Take { heap: 0, stones: 0 } }
    }

    fn play(&self, mut position: Heaps, m: Take) -> Heaps {
        position.0[usize::from(m.heap)] -= m.stones;
        position
    }

    fn most_moves(&self) -> u32 {
        self.plies_left(self.start)
    }

    /// Counts the heaps that differ: one ply takes all that has to go from a heap.
    fn plies_between(&self, from: Heaps, to: Heaps) -> Option<u32> {
        let pairs = || from.0.into_iter().zip(to.0);
        let differ = pairs().filter(|(before, after)| before != after).count() as u32;
        pairs().all(|(before, after)| before >= after).then_some(differ)
    }
}

impl Keyed for Nim {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        8 * self.heaps as u32
    }

    fn key(&self, position: Heaps) -> Key {
        Key(u64::from_le_bytes(position.0))
    }

    fn position_of(&self, key: Key) -> Option<Heaps> {
        let heaps = key.0.to_le_bytes();
        let (used, rest) = heaps.split_at(self.heaps);
        let fits = used.iter().all(|&n| n <= self.largest) && rest.iter().all(|&n| n == 0);
        fits.then_some(Heaps(heaps))
    }
}

// Heaps in another order are no image, since a move names its heap.
impl Symmetric for Nim {}

impl Tiered for Nim {
    fn plies_left(&self, position: Heaps) -> u32 {
        position.0.into_iter().map(u32::from).sum()
    }
}

impl Evaluate for Nim {}

impl Notation for Nim {
    const POSITION_HELP: &'static str = "the heaps, as 3,5,7";

    fn parameters(&self) -> [u8; 3] {
        [self.heaps as u8, self.largest, 1 + u8::from(self.misere)]
    }

    fn title(&self) -> String {
        let rule = if self.misere { "the last stone loses" } else { "the last stone wins" };
        format!("Nim, {rule}")
    }

    /// `2-3`: three stones off the second heap.
    fn write_move(&self, m: Take) -> String {
        format!("{}-{}", m.heap + 1, m.stones)
    }

    fn picture(&self, position: Heaps) -> String {
        position.0[..self.heaps].iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }

    fn parse_position(&self, text: &str) -> Result<Heaps, Unreadable> {
        let heaps = Self::parse_heaps(text)?;
        if heaps.len() != self.heaps {
            let (number, own) = (heaps.len(), self.heaps);
            return Err(Unreadable(format!("'{text}' has {number} heaps, this game {own}")));
        }
        let mut position = [0; MOST_HEAPS];
        for (i, (heap, stones)) in position.iter_mut().zip(heaps).enumerate() {
            let fits = u8::try_from(stones).ok().filter(|&n| n <= self.largest);
            let (number, most) = (i + 1, self.largest);
            let refusal =
                format!("heap {number} of '{text}' has {stones} stones: at most {most} fit");
            *heap = fits.ok_or(Unreadable(refusal))?;
        }
        Ok(Heaps(position))
    }
}

impl Drawn for Nim {
    /// Returns a row of stones for each heap.
    fn drawn(&self, position: Heaps) -> String {
        masks::picture(self.largest.into(), self.heaps as u32, |x, y| {
            if x < position.0[y as usize].into() { '*' } else { ' ' }
        })
    }

    /// The nim-sum, which settles the winner, except in misère play with single stones.
    fn remark(&self, Heaps(heaps): Heaps) -> Option<String> {
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        if self.misere && heaps.iter().all(|&heap| heap < 2) {
            let odd = if sum == 1 { "odd" } else { "even" };
            return Some(format!(
                "The number of single stones is {odd}: whoever faces an odd number loses."
            ));
        }
        let who = if sum == 0 { "any move changes that, and the reply" } else { "a winning move" };
        let until = if self.misere { ", or leaves an odd number of single stones" } else { "" };
        Some(format!("The nim-sum of the heaps is {sum}: {who} makes it 0{until}."))
    }

    /// Returns the stone that is taken with all to the right of it.
    fn drawn_squares(&self, position: Heaps, m: Take) -> Vec<(u8, u8)> {
        vec![(position.0[usize::from(m.heap)] - m.stones, m.heap)]
    }
}

impl Registered for Nim {
    type Game = Self;
    const NAME: &'static str = "nim";
    const ABOUT: &'static str = "Nim: stones off one heap, the last one wins";

    const PARAMETERS: &'static [Parameter] = &[Parameter::rule("misere", "The last stone loses")];

    /// Chooses the heaps of the position, or 3,5,7.
    fn choose(chosen: &Chosen) -> Result<Self, Unreadable> {
        let heaps = chosen.position.as_deref().unwrap_or("3,5,7");
        Self::new(&Self::parse_heaps(heaps)?, chosen.has("misere"))
    }

    fn choices(game: &Self) -> Chosen {
        let rules = game.misere.then(|| "misere".to_owned());
        Chosen { rules: rules.into_iter().collect(), ..Chosen::default() }
    }

    fn of_parameters([heaps, largest, rules]: [u8; 3]) -> Result<Self, Unreadable> {
        match rules {
            1 | 2 => Self::new(&vec![largest.into(); heaps.into()], rules == 2),
            _ => Err(Unreadable(format!("nim has rules 1 and 2, not {rules}"))),
        }
    }
}
