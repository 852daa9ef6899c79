//! Dots and boxes: draw an edge; who draws the fourth edge of a box owns it and moves again; more
//! boxes win.
//!
//! Source: E. R. Berlekamp, The Dots and Boxes Game, 2000. Boxes that the first player wins over
//! the second's, by an independent program: 1x1 -1, 2x1 0, 3x1 -1, 2x2 +2, 3x2 -2, 4x2 +2, 3x3 -3.

use std::sync::Arc;

use crate::game::{
    Chosen, Evaluate, Game, Keyed, MoveList, Notation, Registered, Settings, Symmetric, Tiered,
    Unreadable,
};
use crate::game::{Key, Outcome, Symmetry};

/// A key has the edges and seven bits for the lead.
const MOST_EDGES: u32 = 57;

/// Added to the lead in a key.
const OFFSET: i8 = 64;

/// Dots and boxes on a rectangle of boxes.
#[derive(Clone, Debug)]
pub struct Dots(Arc<Tables>);

/// Edges are bits: the horizontal ones row by row from the top left, then the vertical ones:
///
/// ```text
///  +  0  +  1  +
///  6     7     8
///  +  2  +  3  +      2x2 boxes
///  9    10    11
///  +  4  +  5  +
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drawn {
    edges: u64,
    /// Boxes of the side to move minus the other side's.
    lead: i8,
}

#[derive(Debug)]
struct Tables {
    width: u32,
    height: u32,
    handicap: i8,
    edges: u32,
    /// The edges of every box.
    boxes: Vec<u64>,
    /// The boxes on both sides of every edge; a box that is not there can never be complete.
    beside: Vec<[u64; 2]>,
    /// `[symmetry][edge]`: where the edge goes.
    images: Vec<Vec<u8>>,
    /// `[symmetry][byte][v]`: where the edges of a byte of the mask go.
    masks: Vec<Vec<[u64; 256]>>,
}

impl Dots {
    /// The board of this many boxes.
    ///
    /// # Errors
    /// If it has no box, or more than 57 edges.
    pub fn new(width: u32, height: u32) -> Result<Self, Unreadable> {
        Self::with_handicap(width, height, 0)
    }

    /// The same with boxes given to the first player, or to the second where negative, before
    /// the first move: what outcomes say of each handicap is by how many boxes a board is won.
    ///
    /// # Errors
    /// If the board has no box or more than 57 edges, or if the handicap is more than its boxes.
    pub fn with_handicap(width: u32, height: u32, handicap: i8) -> Result<Self, Unreadable> {
        let (w, h) = (u64::from(width), u64::from(height));
        let edges = w.saturating_mul(h + 1).saturating_add(h.saturating_mul(w + 1));
        if w * h == 0 || edges > u64::from(MOST_EDGES) {
            return Err(Unreadable(format!(
                "{width}x{height} boxes have {edges} edges: dots and boxes takes one box or more \
                 and at most {MOST_EDGES} edges, as 5x4 and 4x5 have 49"
            )));
        }
        if u64::from(handicap.unsigned_abs()) > w * h {
            return Err(Unreadable(format!("a handicap of {handicap} is more than all boxes")));
        }
        Ok(Self(Arc::new(Tables::new(width, height, handicap))))
    }

    /// The boxes that an edge completes.
    #[inline(always)]
    fn completed(&self, edges: u64, m: u8) -> i8 {
        let [one, two] = self.0.beside[usize::from(m)];
        let after = edges | 1 << m;
        i8::from(after & one == one) + i8::from(after & two == two)
    }
}

impl Tables {
    fn new(width: u32, height: u32, handicap: i8) -> Self {
        let count = width * (height + 1) + height * (width + 1);
        let across = |x: u32, y: u32| y * width + x;
        let upright = |x: u32, y: u32| width * (height + 1) + y * (width + 1) + x;
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let around = |(x, y)| [across(x, y), across(x, y + 1), upright(x, y), upright(x + 1, y)];
        let boxes: Vec<u64> =
            cells.map(|cell| around(cell).into_iter().fold(0, |mask, e| mask | 1 << e)).collect();
        let beside = |edge: u32| {
            let mut found = boxes.iter().copied().filter(|cell| cell >> edge & 1 == 1);
            [found.next().unwrap_or(u64::MAX), found.next().unwrap_or(u64::MAX)]
        };
        let image = |edge: u32, symmetry: u32| {
            let is_across = edge < width * (height + 1);
            let (mut x, mut y) = if is_across {
                (edge % width, edge / width)
            } else {
                let edge = edge - width * (height + 1);
                (edge % (width + 1), edge / (width + 1))
            };
            if symmetry & 1 != 0 {
                x = if is_across { width - 1 } else { width } - x;
            }
            if symmetry & 2 != 0 {
                y = if is_across { height } else { height - 1 } - y;
            }
            match (symmetry & 4 != 0, is_across) {
                (false, true) => across(x, y),
                (false, false) => upright(x, y),
                (true, true) => upright(y, x),
                (true, false) => across(y, x),
            }
        };
        let symmetries = if width == height { 8 } else { 4 };
        let images: Vec<Vec<u8>> = (0..symmetries)
            .map(|s| (0..count).map(|edge| image(edge, s) as u8).collect())
            .collect();
        let byte_masks = |to: &[u8]| -> Vec<[u64; 256]> {
            let mask = |bytes: &[u8], v: usize| {
                let set = bytes.iter().enumerate().filter(|(i, _)| v >> i & 1 == 1);
                set.fold(0u64, |mask, (_, &edge)| mask | 1 << edge)
            };
            to.chunks(8).map(|bytes| std::array::from_fn(|v| mask(bytes, v))).collect()
        };
        let masks = images.iter().map(|to| byte_masks(to)).collect();
        let beside = (0..count).map(beside).collect();
        Self { width, height, handicap, edges: count, boxes, beside, images, masks }
    }
}

impl Game for Dots {
    type Position = Drawn;
    type Move = u8;
    type Moves = MoveList<u8>;

    fn initial(&self) -> Drawn {
        Drawn { edges: 0, lead: self.0.handicap }
    }

    fn result(&self, p: Drawn) -> Option<Outcome> {
        (self.plies_left(p) == 0).then_some(match p.lead {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        })
    }

    fn moves(&self, p: Drawn) -> MoveList<u8> {
        (0..self.0.edges as u8).filter(|edge| p.edges >> edge & 1 == 0).collect()
    }

    fn play(&self, p: Drawn, m: u8) -> Drawn {
        let edges = p.edges | 1 << m;
        match self.completed(p.edges, m) {
            0 => Drawn { edges, lead: -p.lead },
            boxes => Drawn { edges, lead: p.lead + boxes },
        }
    }

    fn keeps_turn(&self, p: Drawn, m: u8) -> bool {
        self.completed(p.edges, m) > 0
    }

    fn most_moves(&self) -> u32 {
        self.0.edges
    }
}

impl Keyed for Dots {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        self.0.edges + 7
    }

    fn key(&self, p: Drawn) -> Key {
        Key(p.edges << 7 | (p.lead + OFFSET) as u64)
    }

    fn position_of(&self, key: Key) -> Option<Drawn> {
        let p = Drawn { edges: key.0 >> 7, lead: (key.0 & 127) as i8 - OFFSET };
        let whole = self.0.boxes.iter().filter(|&&cell| p.edges & cell == cell).count() as i8;
        let handicap = self.0.handicap.abs();
        let fits = p.edges >> self.0.edges == 0
            && p.lead.abs() <= whole + handicap
            && (p.lead + whole + handicap) % 2 == 0;
        fits.then_some(p)
    }
}

/// Symmetry s mirrors left and right if bit 0 is set, top and bottom if bit 1 is, and after that
/// swaps columns and rows if bit 2 is (squares only).
impl Symmetric for Dots {
    fn symmetries(&self) -> u8 {
        self.0.images.len() as u8
    }

    #[inline]
    fn image_key(&self, p: Drawn, symmetry: Symmetry) -> Key {
        let masks = &self.0.masks[usize::from(symmetry.0)];
        let bytes = masks.iter().enumerate();
        let edges = bytes.fold(0, |to, (i, mask)| to | mask[(p.edges >> (8 * i) & 255) as usize]);
        self.key(Drawn { edges, ..p })
    }

    fn image_move(&self, m: u8, symmetry: Symmetry) -> u8 {
        self.0.images[usize::from(symmetry.0)][usize::from(m)]
    }
}

impl Tiered for Dots {
    #[inline(always)]
    fn plies_left(&self, p: Drawn) -> u32 {
        self.0.edges - p.edges.count_ones()
    }
}

impl Evaluate for Dots {
    fn evaluate(&self, p: Drawn) -> i32 {
        100 * i32::from(p.lead)
    }

    fn promise(&self, p: Drawn, m: u8) -> i32 {
        self.completed(p.edges, m).into()
    }
}

impl Notation for Dots {
    const NAME: &'static str = "dots";

    fn parameters(&self) -> [u8; 3] {
        [self.0.width as u8, self.0.height as u8, 1]
    }

    fn title(&self) -> String {
        format!("Dots and boxes, {}x{} boxes", self.0.width, self.0.height)
    }

    /// The number of the edge: the horizontal ones row by row from the top left, from 1, then the
    /// vertical ones.
    fn write_move(&self, m: u8) -> String {
        (m + 1).to_string()
    }

    /// Dots and edges, and after a colon the lead of the side to move.
    fn picture(&self, p: Drawn) -> String {
        let (w, h) = (self.0.width, self.0.height);
        let drawn = |edge: u32, c| if p.edges >> edge & 1 == 1 { c } else { '.' };
        let across = |y: u32| {
            (0..w).flat_map(|x| ['+', drawn(y * w + x, '-')]).chain(['+']).collect::<String>()
        };
        let upright = |y: u32| {
            let edge = |x| drawn(w * (h + 1) + y * (w + 1) + x, '|');
            (0..w).flat_map(|x| [edge(x), '.']).chain([edge(w)]).collect::<String>()
        };
        let rows = (0..h).flat_map(|y| [across(y), upright(y)]).chain([across(h)]);
        format!("{}:{}", rows.collect::<Vec<_>>().join("/"), p.lead)
    }

    fn position_help(&self) -> &'static str {
        "the edges drawn, separated by commas: the horizontal ones are counted from 1 row by row \
         from the top left, then the vertical ones"
    }
}

impl Registered for Dots {
    const ABOUT: &'static str = "Dots and boxes: the fourth edge wins a box and another move";

    const SETTINGS: Settings = Settings { size: Some((2, 2)), flags: &[] };

    fn choose(chosen: &Chosen) -> Result<Self, Unreadable> {
        let (width, height) = chosen.size.unwrap_or((2, 2));
        Self::new(width.into(), height.into())
    }

    fn of_parameters([width, height, _]: [u8; 3]) -> Result<Self, Unreadable> {
        Self::new(width.into(), height.into())
    }
}
