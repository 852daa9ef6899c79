//! Both sides put crosses on a strip; three in a row win (Winning Ways, 1982, chapter 4).

use everyply::game::*;
use everyply::games::masks;

/// A strip of this many cells.
#[derive(Clone, Debug)]
pub struct Treblecross(u32);

impl Game for Treblecross {
    /// The cells with a cross.
    type Position = u64;
    /// The number of a cell, from 0.
    type Move = u32;
    type Moves = MoveList<u32>;

    fn initial(&self) -> u64 {
        0
    }

    /// The side to move after three in a row has lost: the other side made them.
    fn result(&self, crosses: u64) -> Option<Outcome> {
        (crosses & crosses >> 1 & crosses >> 2 != 0).then_some(Outcome::Loss)
    }

    fn moves(&self, crosses: u64) -> MoveList<u32> {
        (0..self.0).filter(|cell| crosses >> cell & 1 == 0).collect()
    }

    fn play(&self, crosses: u64, m: u32) -> u64 {
        crosses | 1 << m
    }

    fn most_moves(&self) -> u32 {
        self.0
    }
}

impl Keyed for Treblecross {
    type Key = Key;

    fn key(&self, crosses: u64) -> Key {
        Key(crosses)
    }

    fn position_of(&self, key: Key) -> Option<u64> {
        (key.0 >> self.0 == 0).then_some(key.0)
    }
}

// The mirror image is left out: no game needs its symmetries, they only save time and memory.
impl Symmetric for Treblecross {}
impl Evaluate for Treblecross {}

impl Tiered for Treblecross {
    fn plies_left(&self, crosses: u64) -> u32 {
        self.0 - crosses.count_ones()
    }
}

impl Notation for Treblecross {
    fn parameters(&self) -> [u8; 3] {
        [self.0 as u8, 1, 1]
    }

    fn title(&self) -> String {
        format!("Treblecross, {} cells", self.0)
    }

    fn write_move(&self, m: u32) -> String {
        (m + 1).to_string()
    }

    fn picture(&self, crosses: u64) -> String {
        masks::picture(self.0, 1, |x, _| if crosses >> x & 1 == 1 { 'X' } else { '.' })
    }
}

impl Drawn for Treblecross {
    /// The square of the picture that a move takes: the explorer draws it as a board.
    fn squares(&self, _: u64, m: u32) -> Vec<(u8, u8)> {
        vec![(m as u8, 0)]
    }
}

impl Registered for Treblecross {
    type Game = Self;
    const NAME: &'static str = "treblecross";
    const ABOUT: &'static str = "Treblecross: three crosses in a row on a strip, by either side";
    const PARAMETERS: &'static [Parameter] = &[Parameter::size(9, 1)];

    fn of_parameters([width, height, _]: [u8; 3]) -> Result<Self, Unreadable> {
        match (width, height) {
            (3..=60, 1) => Ok(Self(width.into())),
            _ => Err(Unreadable(format!("{width}x{height}: a strip is 3x1 to 60x1"))),
        }
    }
}
