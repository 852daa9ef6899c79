//! Dots and boxes: the fourth edge of a box wins it and another move; more boxes win.
//!
//! Source: E. R. Berlekamp, The Dots and Boxes Game, 2000. First player's boxes minus the second's,
//! by an independent program: 1x1 -1, 2x1 0, 3x1 -1, 2x2 +2, 3x2 -2, 4x2 +2, 3x3 -3.

use std::sync::Arc;

use super::lattice::Lattice;
use super::masks;
use crate::game::{
    Evaluate, Game, Key, Keyed, MoveList, MoveSet, Notation, Outcome, Parameter, Symmetric,
    Symmetry, Tiered, Unreadable,
};

/// A key has the edges and seven bits for the lead.
const MOST_EDGES: u64 = 57;

/// Added to the lead in a key.
const OFFSET: i8 = 64;

#[derive(Clone, Debug)]
pub struct Dots {
    board: Arc<Lattice>,
}

/// The edges drawn, as bits of the [`Lattice`], and the lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drawn {
    edges: u64,
    /// Boxes of the side to move minus the other side's.
    lead: i8,
}

impl Dots {
    /// Creates the board of `width` x `height` boxes.
    pub fn new(width: u32, height: u32) -> Result<Self, Unreadable> {
        let (w, h) = (u64::from(width), u64::from(height));
        let edges = w.saturating_mul(h + 1).saturating_add(h.saturating_mul(w + 1));
        if w * h == 0 || edges > MOST_EDGES {
            return Err(Unreadable(format!(
                "{width}x{height} boxes have {edges} edges: dots and boxes takes a box or more and \
                 at most {MOST_EDGES} edges, as 5x4 and 4x5 have 49"
            )));
        }
        Ok(Self { board: Arc::new(Lattice::new(width, height)) })
    }

    /// Returns the edges that are not drawn.
    #[inline(always)]
    fn free(&self, edges: u64) -> u64 {
        u64::MAX >> (64 - self.board.edges()) & !edges
    }

    /// Returns the boxes that an edge completes.
    #[inline(always)]
    fn completed(&self, edges: u64, m: u8) -> i8 {
        let lacks = !(edges | 1 << m);
        let [one, other] = masks::both(self.board.beside(m), |cell| i8::from(cell & lacks == 0));
        one + other
    }

    /// Returns the chains of boxes that lack two edges, joined by edges that are not drawn: the
    /// number of boxes of each, and whether it is closed, a loop.
    fn chains(&self, edges: u64) -> Vec<(usize, bool)> {
        let free = self.board.boxes.iter().map(|cell| cell & !edges);
        let mut boxes: Vec<u64> = free.filter(|free| free.count_ones() == 2).collect();
        let mut chains = Vec::new();
        while let Some(mut free) = boxes.pop() {
            let mut length = 1;
            while let Some(next) = boxes.iter().position(|other| other & free != 0) {
                free |= boxes.swap_remove(next);
                length += 1;
            }
            chains.push((length, free.count_ones() as usize == length));
        }
        chains.sort_unstable();
        chains
    }

    /// Returns the box on the other side of an edge of a box, and its edges that are not drawn; on the border
    /// these are more than a box has.
    #[inline(always)]
    fn across(&self, edges: u64, cell: u64, edge: u64) -> (u64, u64) {
        let [one, other] = self.board.beside(edge.trailing_zeros() as u8);
        let next = if one == cell { other } else { one };
        (next, next & !edges)
    }
}

/// Writes numbers as `1, 2 and 4`.
fn listed(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    match &texts[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

impl Game for Dots {
    type Position = Drawn;
    type Move = u8;
    type Moves = MoveList<u8>;
    const COUNTS_POINTS: bool = true;

    fn initial(&self) -> Drawn {
        Drawn { edges: 0, lead: 0 }
    }

    fn result(&self, p: Drawn) -> Option<Outcome> {
        Outcome::from_sign(p.lead.signum().into()).filter(|_| self.plies_left(p) == 0)
    }

    fn moves(&self, p: Drawn) -> MoveList<u8> {
        masks::places(self.free(p.edges)).map(|edge| edge as u8).collect()
    }

    fn play(&self, p: Drawn, m: u8) -> Drawn {
        self.step(p, m).0
    }

    #[inline(always)]
    fn step(&self, p: Drawn, m: u8) -> (Drawn, bool) {
        let edges = p.edges | 1 << m;
        match self.completed(p.edges, m) {
            0 => (Drawn { edges, lead: -p.lead }, false),
            boxes => (Drawn { edges, lead: p.lead + boxes }, true),
        }
    }

    fn keeps_turn(&self, p: Drawn, m: u8) -> bool {
        self.completed(p.edges, m) > 0
    }

    fn points(&self, p: Drawn) -> Option<i32> {
        Some(p.lead.into())
    }

    fn most_moves(&self) -> u32 {
        self.board.edges()
    }

    fn plies_between(&self, from: Drawn, to: Drawn) -> Option<u32> {
        let added = (to.edges & !from.edges).count_ones();
        (from.edges & !to.edges == 0).then_some(added)
    }
}

impl Keyed for Dots {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        self.board.edges() + 7
    }

    fn key(&self, p: Drawn) -> Key {
        Key(p.edges << 7 | (p.lead + OFFSET) as u64)
    }

    fn position_of(&self, key: Key) -> Option<Drawn> {
        let p = Drawn { edges: key.0 >> 7, lead: (key.0 & 127) as i8 - OFFSET };
        let most = self.board.complete(p.edges) as i8;
        let fits = p.edges >> self.board.edges() == 0;
        (fits && p.lead.abs() <= most && (p.lead + most) % 2 == 0).then_some(p)
    }
}

impl Symmetric for Dots {
    fn symmetries(&self) -> u8 {
        self.board.images.symmetries()
    }

    #[inline]
    fn image_key(&self, p: Drawn, symmetry: Symmetry) -> Key {
        self.key(Drawn { edges: self.board.images.of(p.edges, symmetry.0), ..p })
    }

    #[inline(always)]
    fn image_move(&self, m: u8, symmetry: Symmetry) -> u8 {
        self.board.images.of_place(m, symmetry.0)
    }

    #[inline(always)]
    fn image_label(&self, _: Drawn, (_, m): (u32, u8), symmetry: Symmetry) -> u32 {
        self.image_move(m, symmetry).into()
    }

    /// Boxes won change nothing about boxes to come. Of a box's edges on the border, only the number drawn
    /// matters: the first ones stand for them.
    #[inline(always)]
    fn points_key(&self, p: Drawn) -> (Key, Symmetry, i32) {
        let key = |symmetry| {
            let mut edges = self.board.images.of(p.edges, symmetry);
            for &[first, later] in &self.board.borders {
                if edges & (first | later) == later {
                    edges ^= first | later;
                }
            }
            (Key(edges << 7), Symmetry(symmetry))
        };
        let (key, symmetry) = (0..self.symmetries()).map(key).min().expect("the identity");
        (key, symmetry, p.lead.into())
    }
}

impl Tiered for Dots {
    #[inline(always)]
    fn plies_left(&self, p: Drawn) -> u32 {
        self.board.edges() - p.edges.count_ones()
    }
}

impl Evaluate for Dots {
    fn evaluate(&self, p: Drawn) -> i32 {
        100 * i32::from(p.lead)
    }

    fn promise(&self, p: Drawn, m: u8) -> i32 {
        self.completed(p.edges, m).into()
    }

    /// The lead, and the boxes that can be taken.
    #[inline(always)]
    fn prospect(&self, next: Drawn, keeps_turn: bool) -> i32 {
        let lacks_one = |cell: &&u64| (*cell & !next.edges).is_power_of_two();
        let open = self.board.boxes.iter().filter(lacks_one).count() as i32;
        let points = 100 * (i32::from(next.lead) + open);
        if keeps_turn { points } else { -points }
    }

    #[inline(always)]
    fn habit(&self, _: Drawn, (_, m): (u32, u8)) -> u8 {
        m
    }

    /// Returns an edge that takes a box, if there is one; if that may be wrong, another one too.
    ///
    /// Let e take a box B, and N be the box across e. A turn is a series of moves that take boxes, then one that
    /// takes none (or the end). Taking e is compared with turns that leave e, assuming the rule for fewer edges;
    /// if e is in a turn, it may as well come first: every other move still completes its box.
    ///
    /// 1. The last move of the turn is h, and N does not then lack {e, h} alone. Then e before h takes a box, h
    ///    still takes none, and the other side, which could have taken B itself, is left in the same position
    ///    with less.
    /// 2. N then lacks {e, h} alone, but lacked more at first. Its edge f that the turn drew last took the box
    ///    F across it. The turn with e for f takes as many boxes and leaves F and N, which f takes, for B and
    ///    N, which e takes: taking them is best by 1 (their neighbour lacks one edge), and leads to one
    ///    position.
    /// 3. So e is best unless N lacks {e, g} alone, and the turn ends with g, which takes no box. Let M be the
    ///    box across g, lacking {g, k} alone, and L the box across k. If L lacks k alone when the turn ends,
    ///    and more at first, 2 holds for f of L: the turn with e for f that ends with k leaves four boxes, as
    ///    the turn with g does. If L does not lack two edges, nor k alone, then e and k are better than g: N
    ///    and M are left, not B, N, and M. If L lacks {k, l}, then e and g take two boxes, and afterwards the
    ///    side to move has k and l, two boxes more, or l alone, two boxes less with the other turn: one of
    ///    these is no loss. If l takes a box too, the five are a closed chain: e and k leave four of them, g
    ///    all five.
    /// 4. What remains is a chain of two that ends at M, or a closed chain of four. Of two such chains a turn
    ///    cannot leave both, so that one of their edges is best.
    #[inline(always)]
    fn enough(&self, p: Drawn) -> MoveSet<u64> {
        let all = self.free(p.edges);
        let set = |edges: [u64; 2]| {
            let bit = |edge: u64| 1 << (all & (edge - 1)).count_ones();
            MoveSet(bit(edges[0]) | bit(edges[1]))
        };
        let mut left: Option<(u64, u64)> = None;
        for &cell in &self.board.boxes {
            let e = cell & !p.edges;
            if !e.is_power_of_two() {
                continue;
            }
            let (next, lacks) = self.across(p.edges, cell, e);
            let g = lacks ^ e;
            if lacks.count_ones() != 2 {
                return set([e, e]);
            }
            let (third, lacks) = self.across(p.edges, next, g);
            let k = lacks ^ g;
            let is_best = match lacks.count_ones() {
                1 => true,
                2 => self.across(p.edges, third, k).1 != k,
                _ => false,
            };
            match left {
                _ if is_best => return set([e, e]),
                Some((other, of_other)) if of_other != g => return set([e, other]),
                _ => left = Some((e, g)),
            }
        }
        left.map_or(MoveSet(u64::MAX), |(e, g)| set([e, g]))
    }
}

impl Notation for Dots {
    const POSITION_HELP: &'static str = "the edges drawn, separated by commas: the horizontal ones are counted from 1 row by row \
         from the top left, then the vertical ones";

    fn parameters(&self) -> [u8; 3] {
        [self.board.width as u8, self.board.height as u8, 1]
    }

    fn title(&self) -> String {
        format!("Dots and boxes, {}x{} boxes", self.board.width, self.board.height)
    }

    /// Returns the number of the edge: the horizontal ones row by row from the top left, from 1,
    /// then the vertical ones.
    fn write_move(&self, m: u8) -> String {
        (m + 1).to_string()
    }

    /// Dots and edges, and after a colon the lead of the side to move.
    fn picture(&self, p: Drawn) -> String {
        format!("{}:{}", self.board.picture(p.edges), p.lead)
    }

    fn of_picture(&self, text: &str) -> Option<Drawn> {
        let (board, lead) = text.split_once(':')?;
        let (mut edges, lead) = (0, lead.parse().ok()?);
        for (y, row) in (0..).zip(board.split('/')) {
            for (x, mark) in (0..).zip(row.chars()) {
                let edge =
                    (0..self.board.edges() as u8).find(|&edge| self.board.place_of(edge) == (x, y));
                edges |= edge.filter(|_| mark == '-' || mark == '|').map_or(0, |edge| 1 << edge);
            }
        }
        Some(Drawn { edges, lead })
    }
}

impl crate::game::Drawn for Dots {
    fn squares(&self, _: Drawn, m: u8) -> Vec<(u8, u8)> {
        let (x, y) = self.board.place_of(m);
        vec![(x as u8, y as u8)]
    }

    fn beside(&self, p: Drawn) -> Option<String> {
        let boxes = p.lead.unsigned_abs();
        Some(match p.lead.signum() {
            0 => "Both sides have the same number of boxes.".to_owned(),
            sign => format!(
                "The side to move has {boxes} {} {} than the other.",
                if boxes == 1 { "box" } else { "boxes" },
                if sign > 0 { "more" } else { "fewer" }
            ),
        })
    }

    fn remark(&self, p: Drawn) -> Option<String> {
        if self.plies_left(p) == 0 {
            return None;
        }
        let lacks = |cell: u64| (cell & !p.edges).count_ones();
        let open = || (0..self.board.edges() as u8).filter(|edge| p.edges >> edge & 1 == 0);
        let gains: i8 = open().map(|edge| self.completed(p.edges, edge)).sum();
        let safe = open().filter(|edge| self.board.beside(*edge).iter().all(|b| lacks(*b) > 2));
        let mut sentences = vec![match (gains, safe.count()) {
            (0, 0) => "Every edge gives boxes away: the side to move must open a chain.".to_owned(),
            (0, 1) => "One edge gives no box away; after it a chain must be opened.".to_owned(),
            (0, n) => {
                format!("{n} edges give no box away; once they are gone, a chain must be opened.")
            }
            (1, _) => "A box lacks one edge: the side to move can take it.".to_owned(),
            (n, _) => format!("{n} boxes lack one edge: the side to move can take them."),
        }];
        let chains = self.chains(p.edges);
        for (kind, is_loop, rest) in [("long chain", false, "two boxes"), ("loop", true, "four")] {
            // A loop has four boxes at least.
            let of_kind = chains.iter().filter(|chain| chain.0 > 2 && chain.1 == is_loop);
            let lengths: Vec<usize> = of_kind.map(|chain| chain.0).collect();
            let count = match lengths.len() {
                0 => continue,
                1 => format!("is one {kind}"),
                n => format!("are {n} {kind}s"),
            };
            sentences.push(format!(
                "There {count}, of {} boxes: a side that takes one can leave its last {rest}, so that \
                 the other must open the next.",
                listed(&lengths)
            ));
        }
        Some(sentences.join(" "))
    }
}

registered!(
    impl Dots: Self = "dots",
    "Dots and boxes: the fourth edge wins a box and another move",
    &[Parameter::size(2, 2)],
    |[width, height, _]: [u8; 3]| Self::new(width.into(), height.into())
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_named() {
        let remark = |width, height, moves: &str| {
            let game = Dots::new(width, height).unwrap();
            crate::game::Drawn::remark(&game, game.parse_position(moves).unwrap())
                .unwrap_or_default()
        };
        assert_eq!(
            remark(2, 2, ""),
            "12 edges give no box away; once they are gone, a chain must be opened."
        );
        // +-+-+-+-+  above and below a row of four boxes.
        let row = remark(4, 1, "1,2,3,4,5,6,7,8");
        assert!(row.starts_with("Every edge gives boxes away: the side to move must"), "{row}");
        assert!(row.contains(" There is one long chain, of 4 boxes: a side that takes"), "{row}");
        let open = remark(4, 1, "1,2,3,4,5,6,7,8,9");
        assert!(open.starts_with("A box lacks one edge: the side to move can take it."), "{open}");
        // The frame of 2x2 boxes encloses a loop.
        let frame = remark(2, 2, "1,2,5,6,7,9,10,12");
        assert!(frame.contains("There is one loop, of 4 boxes: "), "{frame}");
        assert!(!frame.contains("chain, of"), "{frame}");
        // Two rows of three, apart.
        let rows = remark(3, 2, "1,2,3,4,5,6,7,8,9");
        assert!(rows.contains("There are 2 long chains, of 3 and 3 boxes: "), "{rows}");
        assert_eq!(remark(1, 1, "1,2,3,4"), "");
    }
}
