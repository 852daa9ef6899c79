//! Hexapawn: pawns on two sides of a small board; who gets one across, or leaves the other side
//! without a move, wins.
//!
//! Source: M. Gardner, Mathematical Games, Scientific American, March 1962 (3x3, won by the second
//! player). Pawns move one step forward to an empty cell and capture one step diagonally forward.

use crate::game::{
    Chosen, Evaluate, Game, Keyed, MoveList, Notation, Registered, Settings, Symmetric, Tiered,
    Unreadable,
};
use crate::game::{Key, Outcome, Symmetry};

/// Two masks of cells and the turn make a key of 63 bits.
const MOST_CELLS: u32 = 31;

/// Hexapawn on a board of this many columns and rows.
#[derive(Clone, Copy, Debug)]
pub struct Hexapawn {
    width: u32,
    height: u32,
}

/// Where the pawns are. Cells are bits row by row from the first player's side:
///
/// ```text
///  6 7 8   second player's pawns at the start
///  3 4 5
///  0 1 2   first player's
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pawns {
    first: u32,
    second: u32,
    seconds_turn: bool,
}

/// A pawn's step from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    from: u8,
    to: u8,
}

impl Hexapawn {
    /// The board of this size.
    ///
    /// # Errors
    /// If it has fewer than two rows or more than 31 cells.
    pub fn new(width: u32, height: u32) -> Result<Self, Unreadable> {
        if width == 0 || height < 2 || width.saturating_mul(height) > MOST_CELLS {
            return Err(Unreadable(format!(
                "{width}x{height}: hexapawn takes one column or more, two rows or more, and at \
                 most {MOST_CELLS} cells"
            )));
        }
        Ok(Self { width, height })
    }

    fn row(&self, row: u32) -> u32 {
        ((1 << self.width) - 1) << (row * self.width)
    }

    fn board(&self) -> u32 {
        u32::MAX >> (32 - self.width * self.height)
    }

    fn mirrored(&self, cell: u32) -> u32 {
        cell - cell % self.width + (self.width - 1 - cell % self.width)
    }

    fn mirrored_mask(&self, mask: u32) -> u32 {
        (0..self.width * self.height)
            .filter(|&cell| mask >> cell & 1 == 1)
            .fold(0, |image, cell| image | 1 << self.mirrored(cell))
    }

    /// The steps of the side to move, ascending.
    fn steps(&self, p: Pawns) -> MoveList<Step> {
        let (own, other) = if p.seconds_turn { (p.second, p.first) } else { (p.first, p.second) };
        let mut steps = MoveList::new();
        for from in (0..self.width * self.height).filter(|&cell| own >> cell & 1 == 1) {
            let (column, row) = (from % self.width, from / self.width);
            let Some(next) = (if p.seconds_turn { row.checked_sub(1) } else { Some(row + 1) })
                .filter(|&row| row < self.height)
            else {
                continue;
            };
            for to in column.saturating_sub(1)..=(column + 1).min(self.width - 1) {
                let cell = 1 << (next * self.width + to);
                let free = (own | other) & cell == 0;
                if if to == column { free } else { other & cell != 0 } {
                    steps.push(Step { from: from as u8, to: (next * self.width + to) as u8 });
                }
            }
        }
        steps
    }
}

impl Game for Hexapawn {
    type Position = Pawns;
    type Move = Step;
    type Moves = MoveList<Step>;

    fn initial(&self) -> Pawns {
        Pawns { first: self.row(0), second: self.row(self.height - 1), seconds_turn: false }
    }

    fn result(&self, p: Pawns) -> Option<Outcome> {
        let across = if p.seconds_turn {
            p.first & self.row(self.height - 1)
        } else {
            p.second & self.row(0)
        };
        (across != 0 || self.steps(p).is_empty()).then_some(Outcome::Loss)
    }

    fn moves(&self, p: Pawns) -> MoveList<Step> {
        self.steps(p)
    }

    fn play(&self, p: Pawns, m: Step) -> Pawns {
        let (from, to) = (1 << m.from, 1 << m.to);
        let step = |own: u32, other: u32| (own & !from | to, other & !to);
        let (first, second) = if p.seconds_turn {
            let (second, first) = step(p.second, p.first);
            (first, second)
        } else {
            step(p.first, p.second)
        };
        Pawns { first, second, seconds_turn: !p.seconds_turn }
    }

    fn most_moves(&self) -> u32 {
        3 * self.width
    }
}

impl Keyed for Hexapawn {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        32 + self.width * self.height
    }

    fn key(&self, p: Pawns) -> Key {
        Key(u64::from(p.first) << 32 | u64::from(p.second) << 1 | u64::from(p.seconds_turn))
    }

    fn position_of(&self, key: Key) -> Option<Pawns> {
        let (first, second) = ((key.0 >> 32) as u32, key.0 as u32 >> 1);
        let fits = first & second == 0 && (first | second) & !self.board() == 0;
        fits.then_some(Pawns { first, second, seconds_turn: key.0 & 1 == 1 })
    }
}

/// The mirror image.
impl Symmetric for Hexapawn {
    fn symmetries(&self) -> u8 {
        2
    }

    fn image_key(&self, p: Pawns, symmetry: Symmetry) -> Key {
        if symmetry == Symmetry::IDENTITY {
            return self.key(p);
        }
        let (first, second) = (self.mirrored_mask(p.first), self.mirrored_mask(p.second));
        self.key(Pawns { first, second, ..p })
    }

    fn image_move(&self, m: Step, symmetry: Symmetry) -> Step {
        if symmetry == Symmetry::IDENTITY {
            return m;
        }
        let image = |cell: u8| self.mirrored(cell.into()) as u8;
        Step { from: image(m.from), to: image(m.to) }
    }
}

impl Tiered for Hexapawn {
    /// The steps all pawns have before them: a move takes one away, a capture the victim's too.
    fn plies_left(&self, p: Pawns) -> u32 {
        let pawns = |mask: u32, row: u32| (mask & self.row(row)).count_ones();
        (0..self.height)
            .map(|row| pawns(p.first, row) * (self.height - 1 - row) + pawns(p.second, row) * row)
            .sum()
    }
}

impl Evaluate for Hexapawn {
    fn evaluate(&self, p: Pawns) -> i32 {
        let lead = p.first.count_ones() as i32 - p.second.count_ones() as i32;
        100 * if p.seconds_turn { -lead } else { lead }
    }
}

impl Notation for Hexapawn {
    const NAME: &'static str = "hexapawn";

    fn parameters(&self) -> [u8; 3] {
        [self.width as u8, self.height as u8, 1]
    }

    fn title(&self) -> String {
        format!("Hexapawn {}x{}", self.width, self.height)
    }

    /// `a1b2`: columns by letter, rows from the first player's side.
    fn write_move(&self, m: Step) -> String {
        let cell = |cell: u8| {
            let (column, row) = (u32::from(cell) % self.width, u32::from(cell) / self.width);
            format!("{}{}", char::from(b'a' + column as u8), row + 1)
        };
        cell(m.from) + &cell(m.to)
    }

    /// First player's pawns are `X`, the second's `O`; the second player's side on top.
    fn picture(&self, p: Pawns) -> String {
        let cell = |cell: u32| match (p.first >> cell & 1, p.second >> cell & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '.',
        };
        let row =
            |row: u32| (0..self.width).map(|x| cell(row * self.width + x)).collect::<String>();
        (0..self.height).rev().map(row).collect::<Vec<_>>().join("/")
    }
}

impl Registered for Hexapawn {
    const ABOUT: &'static str = "Hexapawn: pawns across a small board";

    const SETTINGS: Settings = Settings { size: Some((3, 3)), flags: &[] };

    fn choose(chosen: &Chosen) -> Result<Self, Unreadable> {
        let (width, height) = chosen.size.unwrap_or((3, 3));
        Self::new(width.into(), height.into())
    }

    fn of_parameters([width, height, _]: [u8; 3]) -> Result<Self, Unreadable> {
        Self::new(width.into(), height.into())
    }
}
