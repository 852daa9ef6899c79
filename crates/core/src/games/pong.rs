//! Pong Hau K'i: two stones a side on five points, moved along lines to the one empty point; a side
//! that cannot move loses. Endless play is a draw.
//!
//! Source: J. Straffin, Position graphs for Pong Hau K'i and Mu Torere, Mathematics Magazine 68
//! (1995): with best play neither side is ever blocked.

use super::masks;
use crate::game::{
    Drawn, Evaluate, Game, Key, Keyed, Look, MoveList, Notation, Outcome, Symmetric, Symmetry,
};

#[derive(Clone, Copy, Debug, Default)]
pub struct Pong;

/// The stones of both sides. Points are bits; no line joins the two at the bottom:
///
/// ```text
///  0 --- 1     second player's stones at the start
///  | \ / |
///  |  2  |
///  | / \ |
///  3     4     first player's
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Points {
    sides: [u8; 2],
    turn: usize,
}

const NEXT: [u8; 5] = [0b01110, 0b10101, 0b11011, 0b00101, 0b00110];

/// The places of the points on a drawing of three columns and rows.
const PLACES: [(u8, u8); 5] = [(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)];

const ALL: u8 = 0b11111;

fn image(point: u8, symmetry: Symmetry) -> u8 {
    if symmetry == Symmetry::IDENTITY { point } else { [1, 0, 2, 4, 3][usize::from(point)] }
}

impl Points {
    fn empty(self) -> u8 {
        ALL & !(self.sides[0] | self.sides[1])
    }

    /// Returns the stones of the side to move that are next to the empty point.
    fn movable(self) -> u8 {
        self.sides[self.turn] & NEXT[self.empty().trailing_zeros() as usize]
    }
}

impl Game for Pong {
    type Position = Points;
    /// The point a stone leaves: it goes to the empty one.
    type Move = u8;
    type Moves = MoveList<u8>;

    fn initial(&self) -> Points {
        Points { sides: [0b11000, 0b00011], turn: 0 }
    }

    fn result(&self, p: Points) -> Option<Outcome> {
        (p.movable() == 0).then_some(Outcome::Loss)
    }

    fn moves(&self, p: Points) -> MoveList<u8> {
        masks::places(p.movable().into()).map(|point| point as u8).collect()
    }

    fn play(&self, mut p: Points, m: u8) -> Points {
        p.sides[p.turn] ^= 1 << m | p.empty();
        p.turn = 1 - p.turn;
        p
    }

    fn most_moves(&self) -> u32 {
        2
    }
}

impl Keyed for Pong {
    type Key = Key;

    fn key(&self, p: Points) -> Key {
        let [first, second] = p.sides.map(u64::from);
        Key(first << 6 | second << 1 | p.turn as u64)
    }

    fn position_of(&self, key: Key) -> Option<Points> {
        let sides = [(key.0 >> 6) as u8, (key.0 >> 1) as u8 & ALL];
        let are_pairs = sides.map(u8::count_ones) == [2; 2] && sides[0] & sides[1] == 0;
        let fits = key.0 >> 11 == 0 && are_pairs;
        fits.then_some(Points { sides, turn: (key.0 & 1) as usize })
    }
}

/// The mirror image.
impl Symmetric for Pong {
    fn symmetries(&self) -> u8 {
        2
    }

    fn image_key(&self, p: Points, symmetry: Symmetry) -> Key {
        let image = |point| image(point as u8, symmetry).into();
        let sides = p.sides.map(|side| masks::moved(side.into(), image) as u8);
        self.key(Points { sides, ..p })
    }

    fn image_move(&self, m: u8, symmetry: Symmetry) -> u8 {
        image(m, symmetry)
    }
}

impl Evaluate for Pong {}

impl Notation for Pong {
    const POSITION_HELP: &'static str = "the points that stones left, separated by commas: 1 and 2 at the top, 3 in the middle, 4 \
         and 5 at the bottom";

    fn parameters(&self) -> [u8; 3] {
        [1, 1, 1]
    }

    fn title(&self) -> String {
        "Pong Hau K'i".to_owned()
    }

    /// Returns the number of the point that a stone leaves, from 1 at the top left.
    fn write_move(&self, m: u8) -> String {
        (m + 1).to_string()
    }

    /// Returns the two points on top, the one in the middle, the two at the bottom, and who moves.
    fn picture(&self, p: Points) -> String {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|point| masks::mark(p.sides, point));
        format!("{a}{b}/{c}/{d}{e}:{}", ['X', 'O'][p.turn])
    }

    fn of_picture(&self, text: &str) -> Option<Points> {
        let row: String = text.split('/').collect();
        let (sides, turn) = masks::sides_and_turn(&row, (5, 1), |x, _| Some(x))?;
        Some(Points { sides: sides.map(|side| side as u8), turn })
    }

    fn to_move(&self, p: Points) -> Option<char> {
        Some(['X', 'O'][p.turn])
    }
}

impl Drawn for Pong {
    fn look(&self) -> Look {
        let pairs = (0..5).flat_map(|from| (0..from).map(move |to| (from, to)));
        let pairs = pairs.filter(|&(from, to)| NEXT[from] >> to & 1 == 1);
        Look {
            lines: pairs.map(|(from, to)| [PLACES[from], PLACES[to]]).collect(),
            ..Look::default()
        }
    }

    fn drawn(&self, p: Points) -> String {
        masks::picture(3, 3, |x, y| {
            let point = PLACES.iter().position(|&place| place == (x as u8, y as u8));
            point.map_or(' ', |point| masks::mark(p.sides, point as u32))
        })
    }

    fn drawn_squares(&self, p: Points, m: u8) -> Vec<(u8, u8)> {
        [m.into(), p.empty().trailing_zeros() as usize].map(|point| PLACES[point]).to_vec()
    }
}

registered!(
    impl Pong: Self = "pong",
    "Pong Hau K'i: who cannot move loses, and play may be endless",
    &[],
    |_| Ok(Self)
);
