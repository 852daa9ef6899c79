//! Hexapawn and Breakthrough: pawns on two sides of a small board. A side wins if it gets one
//! across or leaves the other without a move.
//!
//! Pawns move one step forward to an empty cell and capture one step diagonally forward; in
//! Breakthrough they also move diagonally to an empty cell, and fill two rows of each side.
//!
//! Sources: M. Gardner, Mathematical Games, Scientific American, March 1962 (hexapawn 3x3, won by
//! the second player); D. Troyka, Breakthrough, 2000; J. K. Haugland, littlegolem.net, 2006
//! (Breakthrough 5x5, won by the second player in 26 plies).

use super::masks::{self, places};
use crate::game::{
    Drawn, Evaluate, Game, Key, Keyed, MoveList, Notation, Outcome, Parameter, Symmetric, Symmetry,
    Tiered, Unreadable, Urgent,
};

/// Two masks of cells and the turn make a key of 63 bits.
const MOST_CELLS: u32 = 31;

/// The rules in which these games differ.
#[derive(Clone, Copy, Debug)]
struct Rules {
    name: &'static str,
    title: &'static str,
    /// The rows that a side's pawns fill at the start.
    rows: u32,
    /// True if pawns move diagonally to empty cells too.
    slants: bool,
}

const HEXAPAWN: Rules = Rules { name: "hexapawn", title: "Hexapawn", rows: 1, slants: false };
const BREAKTHROUGH: Rules =
    Rules { name: "breakthrough", title: "Breakthrough", rows: 2, slants: true };

registered!(
    Hexapawn: PawnGame = HEXAPAWN.name,
    "Hexapawn: pawns across a small board",
    &[Parameter::size(3, 3)],
    |parameters| PawnGame::new(HEXAPAWN, parameters)
);
registered!(
    Breakthrough: PawnGame = BREAKTHROUGH.name,
    "Breakthrough: two rows of pawns, straight or diagonally across",
    &[Parameter::size(4, 4)],
    |parameters| PawnGame::new(BREAKTHROUGH, parameters)
);

#[derive(Clone, Copy, Debug)]
pub struct PawnGame {
    width: u32,
    height: u32,
    rules: Rules,
}

/// The pawns of both sides. Cells are bits row by row from the first player's side:
/// ```text
///  6 7 8   second player's pawns at the start
///  3 4 5
///  0 1 2   first player's
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pawns {
    sides: [u64; 2],
    turn: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(u8, u8);

impl PawnGame {
    fn new(rules: Rules, [w, h, _]: [u8; 3]) -> Result<Self, Unreadable> {
        let (width, height, rows) = (w.into(), h.into(), 2 * rules.rows);
        if width == 0 || height < rows || width * height > MOST_CELLS {
            let name = rules.name;
            return Err(Unreadable(format!(
                "{w}x{h}: {name} takes a column, {rows} rows and at most {MOST_CELLS} cells"
            )));
        }
        Ok(Self { width, height, rules })
    }

    /// Returns the row that a side's pawns have to reach, where the other side's start.
    fn goal(&self, side: usize) -> u64 {
        ((1 << self.width) - 1) << if side == 0 { (self.height - 1) * self.width } else { 0 }
    }

    /// Returns the cells that moves of the side to move reach.
    #[inline(always)]
    fn targets(&self, p: Pawns) -> u64 {
        let (own, other, width) = (p.sides[p.turn], p.sides[1 - p.turn], self.width);
        let first = (0..self.height).fold(0, |all, y| all | 1u64 << (y * width));
        let ahead = |pawns: u64| if p.turn == 0 { pawns << width } else { pawns >> width };
        let (left, right) = (ahead(own & !first) >> 1, ahead(own & !(first << (width - 1))) << 1);
        let slanting = if self.rules.slants { !own } else { other };
        let board = (1 << (width * self.height)) - 1;
        (ahead(own) & !(own | other) | (left | right) & slanting) & board
    }

    /// Returns the image of a cell under a symmetry.
    fn image(&self, cell: u32, symmetry: Symmetry) -> u32 {
        if symmetry == Symmetry::IDENTITY { cell } else { masks::mirrored(cell, self.width) }
    }
}

impl Game for PawnGame {
    type Position = Pawns;
    type Move = Step;
    type Moves = MoveList<Step>;

    fn initial(&self) -> Pawns {
        let rows = |row: u64| (0..self.rules.rows).fold(0, |all, i| all | row << (i * self.width));
        let second = self.goal(0) >> ((self.rules.rows - 1) * self.width);
        Pawns { sides: [self.goal(1), second].map(rows), turn: 0 }
    }

    #[inline]
    fn result(&self, p: Pawns) -> Option<Outcome> {
        let across = p.sides[1 - p.turn] & self.goal(1 - p.turn) != 0;
        (across || self.targets(p) == 0).then_some(Outcome::Loss)
    }

    #[inline]
    fn moves(&self, p: Pawns) -> MoveList<Step> {
        let (own, other, width) = (p.sides[p.turn], p.sides[1 - p.turn], self.width);
        let steps = places(own & !self.goal(p.turn)).flat_map(|from| {
            let ahead = if p.turn == 0 { from + width } else { from - width };
            let (left, right) = (from % width > 0, from % width + 1 < width);
            (ahead - u32::from(left)..=ahead + u32::from(right)).map(move |to| (from, to))
        });
        let possible = |&(from, to): &(u32, u32)| {
            let targets = match from % width == to % width {
                true => !(own | other),
                false if self.rules.slants => !own,
                false => other,
            };
            targets >> to & 1 == 1
        };
        steps.filter(possible).map(|(from, to)| Step(from as u8, to as u8)).collect()
    }

    #[inline]
    fn play(&self, mut p: Pawns, m: Step) -> Pawns {
        p.sides[p.turn] ^= 1 << m.0 | 1 << m.1;
        p.turn = 1 - p.turn;
        p.sides[p.turn] &= !(1 << m.1);
        p
    }

    fn most_moves(&self) -> u32 {
        3 * self.width * self.rules.rows
    }

    /// A ply brings one pawn of its side to a new cell in the next row, and takes at most one of the
    /// other's. Pawns left at the end stood no further ahead before: from each row on, no more of them
    /// than at the end. Their steps are the fewest if they were the foremost such pawns; the steps of
    /// pawns taken come on top. Sides take turns.
    fn plies_between(&self, from: Pawns, to: Pawns) -> Option<u32> {
        let mut least = [0; 2];
        for side in 0..2 {
            let (mut stayed, mut end, mut rows) = (0, 0, 0);
            for ahead in (0..self.height).rev() {
                let row = if side == 0 { ahead } else { self.height - 1 - ahead };
                let pawns = |p: Pawns| {
                    (p.sides[side] >> (row * self.width) & ((1 << self.width) - 1)).count_ones()
                };
                end += pawns(to);
                let stay = pawns(from).min(end - stayed);
                stayed += stay;
                rows = rows + ahead * pawns(to) - ahead * stay;
            }
            (stayed == end).then_some(())?;
            let moved = (to.sides[side] & !from.sides[side]).count_ones();
            let lost = from.sides[side].count_ones() - stayed;
            least[side] = rows.max(moved).max(least[side]);
            least[1 - side] = lost.max(least[1 - side]);
        }
        let plies = (2 * least[from.turn]).saturating_sub(1).max(2 * least[1 - from.turn]);
        Some(plies + (plies + (from.turn + to.turn) as u32) % 2)
    }
}

impl Keyed for PawnGame {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        32 + self.width * self.height
    }

    #[inline]
    fn key(&self, p: Pawns) -> Key {
        Key(p.sides[0] << 32 | p.sides[1] << 1 | p.turn as u64)
    }

    fn position_of(&self, key: Key) -> Option<Pawns> {
        let (first, second) = (key.0 >> 32, u64::from(key.0 as u32 >> 1));
        let fits = first & second == 0 && (first | second) >> (self.width * self.height) == 0;
        fits.then_some(Pawns { sides: [first, second], turn: (key.0 & 1) as usize })
    }
}

/// The mirror image.
impl Symmetric for PawnGame {
    fn symmetries(&self) -> u8 {
        2
    }

    #[inline]
    fn image_key(&self, p: Pawns, symmetry: Symmetry) -> Key {
        let image = |mask| masks::moved(mask, |cell| self.image(cell, symmetry));
        self.key(Pawns { sides: masks::both(p.sides, image), ..p })
    }

    fn image_move(&self, m: Step, symmetry: Symmetry) -> Step {
        let image = |cell: u8| self.image(cell.into(), symmetry) as u8;
        Step(image(m.0), image(m.1))
    }

    /// Mirror images are seldom met once pawns are taken.
    #[inline(always)]
    fn search_key(&self, p: Pawns) -> (Key, Symmetry) {
        match p.sides.iter().all(|side| side.count_ones() == self.rules.rows * self.width) {
            true => self.canonical(p),
            false => (self.key(p), Symmetry::IDENTITY),
        }
    }

    #[inline(always)]
    fn image_label(&self, _: Pawns, (_, m): (u32, Step), symmetry: Symmetry) -> u32 {
        let Step(from, to) = self.image_move(m, symmetry);
        (u32::from(from) + 3 * u32::from(to)) & 63
    }
}

impl Tiered for PawnGame {
    /// Returns the steps left to all pawns: a move takes one away, a capture the victim's too.
    #[inline]
    fn plies_left(&self, p: Pawns) -> u32 {
        let row = (1 << self.width) - 1;
        let pawns = |side: usize, y: u32| (p.sides[side] >> (y * self.width) & row).count_ones();
        let last = self.height - 1;
        (0..=last).map(|y| (last - y) * pawns(0, y) + y * pawns(1, y)).sum()
    }
}

impl Evaluate for PawnGame {
    fn evaluate(&self, p: Pawns) -> i32 {
        let pawns = |side: usize| p.sides[side].count_ones() as i32;
        100 * (pawns(p.turn) - pawns(1 - p.turn))
    }

    /// Pawns, and the squares of their rows.
    #[inline]
    fn prospect(&self, next: Pawns, _: bool) -> i32 {
        let mover = 1 - next.turn;
        let progress = |side: usize| {
            let rows = places(next.sides[side]).map(|cell| {
                let row = cell / self.width;
                (if side == 0 { row } else { self.height - 1 - row }) as i32
            });
            rows.map(|row| 64 + 4 * row * row).sum::<i32>()
        };
        progress(mover) - progress(1 - mover)
    }

    /// Both cells of a step.
    #[inline(always)]
    fn habit(&self, _: Pawns, (_, Step(from, to)): (u32, Step)) -> u8 {
        from.wrapping_mul(8) ^ to
    }

    /// A pawn that can get across wins at once.
    #[inline(always)]
    fn urgent(&self, p: Pawns) -> Urgent {
        if self.targets(p) & self.goal(p.turn) == 0 { Urgent::Unknown } else { Urgent::Win }
    }
}

impl Notation for PawnGame {
    fn parameters(&self) -> [u8; 3] {
        [self.width as u8, self.height as u8, 1]
    }

    fn title(&self) -> String {
        format!("{} {}x{}", self.rules.title, self.width, self.height)
    }

    /// `a1b2`: columns by letter, rows from the first player's side.
    fn write_move(&self, m: Step) -> String {
        masks::cell_name(m.0.into(), self.width) + &masks::cell_name(m.1.into(), self.width)
    }

    /// `a1-a2`, `a1xb2` and, as in chess, `a2` and `axb2` are read too.
    fn is_written(&self, m: Step, word: &str) -> bool {
        let [from, to] = [m.0, m.1].map(|cell| masks::cell_name(cell.into(), self.width));
        let short = match from.chars().next() == to.chars().next() {
            true => to.clone(),
            false => format!("{}x{to}", &from[..1]),
        };
        let plain: String = word.chars().filter(|c| !['x', '-'].contains(c)).collect();
        plain == from + &to || word == short
    }

    /// First player's pawns are `X`, the second's `O`; the second player's side on top; then who moves.
    fn picture(&self, p: Pawns) -> String {
        let board = masks::picture(self.width, self.height, |x, y| {
            masks::mark(p.sides, (self.height - 1 - y) * self.width + x)
        });
        format!("{board}:{}", ['X', 'O'][p.turn])
    }

    fn of_picture(&self, text: &str) -> Option<Pawns> {
        let place = |x, y| Some((self.height - 1 - y) * self.width + x);
        let (sides, turn) = masks::sides_and_turn(text, (self.width, self.height), place)?;
        Some(Pawns { sides, turn })
    }

    fn to_move(&self, p: Pawns) -> Option<char> {
        Some(['X', 'O'][p.turn])
    }
}

impl Drawn for PawnGame {
    fn squares(&self, _: Pawns, m: Step) -> Vec<(u8, u8)> {
        let square = |cell: u8| {
            let (x, y) = (u32::from(cell) % self.width, u32::from(cell) / self.width);
            (x as u8, (self.height - 1 - y) as u8)
        };
        vec![square(m.0), square(m.1)]
    }

    /// Returns the steps across that the other side threatens, whether it could move at all, and
    /// pawns with none of the other side's on or beside their way.
    fn remark(&self, p: Pawns) -> Option<String> {
        let names = ['X', 'O'];
        let foe = Pawns { turn: 1 - p.turn, ..p };
        let name = names[foe.turn];
        let steps = self.moves(foe);
        let across = steps.into_iter().filter(|m| self.goal(foe.turn) >> m.1 & 1 == 1);
        let across: Vec<String> = across.map(|m| self.write_move(m)).collect();
        let mut sentences = Vec::new();
        if !across.is_empty() {
            sentences.push(format!("{name} threatens to get across by {}.", across.join(" or ")));
        } else if self.moves(foe).is_empty() {
            sentences.push(format!("{name} could not move if it had to."));
        }
        for side in [p.turn, foe.turn].into_iter().filter(|_| !self.rules.slants) {
            let is_free = |from: &u32| {
                places(p.sides[1 - side]).all(|to| {
                    let ahead = if side == 0 { to > *from } else { to < *from };
                    to / self.width == from / self.width
                        || !ahead
                        || (to % self.width).abs_diff(from % self.width) > 1
                })
            };
            let free = places(p.sides[side]).filter(is_free);
            let free: Vec<String> = free.map(|cell| masks::cell_name(cell, self.width)).collect();
            if !free.is_empty() {
                let side = names[side];
                sentences.push(format!("The way is free for {side} from {}.", free.join(" and ")));
            }
        }
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}
