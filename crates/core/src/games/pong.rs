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
    first: u8,
    second: u8,
    seconds_turn: bool,
}

const NEXT: [u8; 5] = [0b01110, 0b10101, 0b11011, 0b00101, 0b00110];

/// The places of the points on a drawing of three columns and rows.
const PLACES: [(u8, u8); 5] = [(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)];

const ALL: u8 = 0b11111;

fn mirrored(point: u8) -> u8 {
    [1, 0, 2, 4, 3][usize::from(point)]
}

fn mirrored_mask(mask: u8) -> u8 {
    (0..5).filter(|&point| mask >> point & 1 == 1).fold(0, |to, point| to | 1 << mirrored(point))
}

impl Points {
    fn empty(self) -> u8 {
        ALL & !(self.first | self.second)
    }

    /// Returns the stones of the side to move that are next to the empty point.
    fn movable(self) -> u8 {
        let own = if self.seconds_turn { self.second } else { self.first };
        own & NEXT[self.empty().trailing_zeros() as usize]
    }
}

impl Game for Pong {
    type Position = Points;
    /// The point a stone leaves: it goes to the empty one.
    type Move = u8;
    type Moves = MoveList<u8>;

    fn initial(&self) -> Points {
        Points { first: 0b11000, second: 0b00011, seconds_turn: false }
    }

    fn result(&self, p: Points) -> Option<Outcome> {
        (p.movable() == 0).then_some(Outcome::Loss)
    }

    fn moves(&self, p: Points) -> MoveList<u8> {
        (0..5).filter(|point| p.movable() >> point & 1 == 1).collect()
    }

    fn play(&self, p: Points, m: u8) -> Points {
        let moved = 1 << m | p.empty();
        let (first, second) =
            if p.seconds_turn { (p.first, p.second ^ moved) } else { (p.first ^ moved, p.second) };
        Points { first, second, seconds_turn: !p.seconds_turn }
    }

    fn most_moves(&self) -> u32 {
        2
    }
}

impl Keyed for Pong {
    type Key = Key;

    fn key(&self, p: Points) -> Key {
        Key(u64::from(p.first) << 6 | u64::from(p.second) << 1 | u64::from(p.seconds_turn))
    }

    fn position_of(&self, key: Key) -> Option<Points> {
        let (first, second) = ((key.0 >> 6) as u8, (key.0 >> 1) as u8 & ALL);
        let fits = key.0 >> 11 == 0
            && first & second == 0
            && first.count_ones() == 2
            && second.count_ones() == 2;
        fits.then_some(Points { first, second, seconds_turn: key.0 & 1 == 1 })
    }
}

/// The mirror image.
impl Symmetric for Pong {
    fn symmetries(&self) -> u8 {
        2
    }

    fn image_key(&self, p: Points, symmetry: Symmetry) -> Key {
        if symmetry == Symmetry::IDENTITY {
            return self.key(p);
        }
        self.key(Points { first: mirrored_mask(p.first), second: mirrored_mask(p.second), ..p })
    }

    fn image_move(&self, m: u8, symmetry: Symmetry) -> u8 {
        if symmetry == Symmetry::IDENTITY { m } else { mirrored(m) }
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
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|point| masks::mark([p.first, p.second], point));
        format!("{a}{b}/{c}/{d}{e}:{}", if p.seconds_turn { 'O' } else { 'X' })
    }

    fn of_picture(&self, text: &str) -> Option<Points> {
        let row: String = text.split('/').collect();
        let (sides, turn) = masks::sides_and_turn(&row, (5, 1), |x, _| Some(x))?;
        let [first, second] = sides.map(|side| side as u8);
        Some(Points { first, second, seconds_turn: turn == 1 })
    }

    fn to_move(&self, p: Points) -> Option<char> {
        Some(if p.seconds_turn { 'O' } else { 'X' })
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
            point.map_or(' ', |point| masks::mark([p.first, p.second], point as u32))
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
