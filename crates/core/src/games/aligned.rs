//! Games in which a few stones a side are moved until they form a pattern: Neutreeko, Dao, Teeko.
//! Endless play is a draw.
//!
//! Sources: J. K. Haugland, neutreeko.net (a draw, the longest win has 51 plies); D. De Clercq's
//! program for Dao by J. Pickering and B. van Buskirk (a draw); J. Scarne's Teeko, by G. L. Steele,
//! Summary of the solving of the game of Teeko (1999), a draw, and with squares of any size a win for
//! the first player.

use std::sync::{Arc, OnceLock};

use super::masks::{self, Images, places};
use super::ranks::{Classes, Sides, Subsets};
use crate::game::{
    Drawn, Evaluate, Game, Keyed, MoveList, Notation, Parameter, Ranked, Symmetric, Tier, TierId,
    Unreadable,
};
use crate::game::{Key, Outcome, Symmetry};

/// The rules in which these games differ.
#[derive(Clone, Copy, Debug)]
struct Rules {
    title: &'static str,
    /// The number of columns, and of rows.
    width: u32,
    /// The stones of a side.
    stones: u32,
    /// The board at the start, from the top.
    start: &'static str,
    /// True if a stone moves until something stops it, false if it moves to a cell next to it.
    slides: bool,
    /// True if a stone in a corner wins as soon as three of the other side shut it in.
    traps: bool,
    /// True if diagonal rows of a side's stones win, as straight ones do.
    diagonals: bool,
    /// The sides of the squares whose corners win.
    squares: &'static [u32],
    /// The rule that adds squares, if there is one, and their sides.
    more: &'static [Parameter],
    more_squares: &'static [u32],
}

const NEUTREEKO: Rules = Rules {
    title: "Neutreeko",
    width: 5,
    stones: 3,
    start: ".O.O./..X../...../..O../.X.X.",
    slides: true,
    traps: false,
    diagonals: true,
    squares: &[],
    more: &[],
    more_squares: &[],
};

const DAO: Rules = Rules {
    title: "Dao",
    width: 4,
    stones: 4,
    start: "O..X/.OX./.XO./X..O",
    slides: true,
    traps: true,
    diagonals: false,
    squares: &[1, 3],
    more: &[],
    more_squares: &[],
};

const TEEKO: Rules = Rules {
    title: "Teeko",
    width: 5,
    stones: 4,
    start: "...../...../...../...../.....",
    slides: false,
    traps: false,
    diagonals: true,
    squares: &[1],
    more: &[Parameter::rule("advanced", "The corners of larger squares win too")],
    more_squares: &[2, 3, 4],
};

registered!(
    Neutreeko: Aligned = "neutreeko",
    "Neutreeko: stones slide, three in a row win, play may be endless",
    NEUTREEKO.more,
    |_| Ok(Aligned::new(NEUTREEKO, false))
);
registered!(
    Dao: Aligned = "dao",
    "Dao: stones slide into a line, a square or the corners",
    DAO.more,
    |_| Ok(Aligned::new(DAO, false))
);
registered!(
    Teeko: Aligned = "teeko",
    "Teeko: stones are placed, then moved, into a row or a square",
    TEEKO.more,
    |[more, ..]: [u8; 3]| Ok(Aligned::new(TEEKO, more == 2))
);

#[derive(Clone, Debug)]
pub struct Aligned {
    rules: Rules,
    patterns: Arc<[u32]>,
    /// The cells that a stone can reach from each cell of an empty board, by direction: four to lower
    /// cells, then four to higher ones.
    rays: Arc<[[u32; 8]]>,
    /// The corners with the cells around them, if stones there can be shut in.
    traps: Arc<[[u32; 2]]>,
    images: Arc<Images>,
    /// The ranks of each tier, made on first use.
    ranks: Arc<OnceLock<Vec<Sides>>>,
    start: Placed,
    /// True if the rule that adds patterns is chosen.
    has_more: bool,
}

/// The stones of both sides. Cells are bits row by row from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placed {
    sides: [u32; 2],
    turn: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shift {
    from: Option<u8>,
    to: u8,
}

impl Aligned {
    fn new(rules: Rules, has_more: bool) -> Self {
        let (width, cells) = (rules.width, rules.width * rules.width);
        let size = [width, width, 1];
        let steps = &masks::STEPS[..if rules.diagonals { 4 } else { 2 }];
        let rows = masks::lines(size, rules.stones, steps, |at| {
            masks::on_board(size, at).map(|[x, y, _]| y * width + x)
        });
        let more = rules.more_squares.iter().filter(|_| has_more);
        let squares = rules.squares.iter().chain(more).flat_map(|&side| {
            let corners = (1 | 1 << side) | (1 | 1 << side) << (side * width);
            let first = (0..width - side).flat_map(move |y| (0..width - side).map(move |x| (x, y)));
            first.map(move |(x, y)| corners << (y * width + x))
        });
        let ray = |cell: u32, d: usize, most: u32| {
            // Nine steps on the square around a cell, without the one that stays.
            let d = d as u32 + u32::from(d > 3);
            let next = |(x, y): (u32, u32)| {
                let next = ((x + d % 3).checked_sub(1)?, (y + d / 3).checked_sub(1)?);
                (next.0 < width && next.1 < width).then_some(next)
            };
            let cells = std::iter::successors(next((cell % width, cell / width)), |&at| next(at));
            cells.take(most as usize).fold(0, |ray, (x, y)| ray | 1u32 << (y * width + x))
        };
        let rays = |cell: u32, most: u32| std::array::from_fn(|d| ray(cell, d, most));
        let corners = [0, width - 1, cells - width, cells - 1].into_iter().filter(|_| rules.traps);
        let trap =
            |corner: u32| [1u32 << corner, rays(corner, 1).iter().fold(0, |all, ray| all | ray)];
        let reach = if rules.slides { width } else { 1 };
        let side = |stone: char| {
            let rows = rules.start.split('/').rev().flat_map(str::chars).zip(0..);
            rows.filter(|(mark, _)| *mark == stone)
                .fold(0, |side, (_, cell): (_, u32)| side | 1 << cell)
        };
        Self {
            rules,
            patterns: rows.into_iter().map(|row| row as u32).chain(squares).collect(),
            rays: (0..cells).map(|cell| rays(cell, reach)).collect(),
            traps: corners.map(trap).collect(),
            images: Arc::new(Images::of_rectangle(width, width)),
            ranks: Arc::default(),
            start: Placed { sides: [side('X'), side('O')], turn: 0 },
            has_more,
        }
    }

    fn cells(&self) -> u32 {
        self.rules.width * self.rules.width
    }

    /// Returns the stones of both sides together.
    fn all(&self) -> u32 {
        2 * self.rules.stones
    }

    fn has_pattern(&self, stones: u32) -> bool {
        self.patterns.contains(&stones)
    }

    /// Returns the cells that a stone can move to: in each direction the last before another stone.
    #[inline]
    fn targets(&self, p: Placed, from: u32) -> u64 {
        let taken = p.sides[0] | p.sides[1];
        let down = |ray: u32| {
            let nearest = (ray & taken).checked_ilog2();
            let free = nearest.map_or(ray, |stone| ray & (u32::MAX - 1) << stone);
            free & free.wrapping_neg()
        };
        let up = |ray: u32| {
            let stones = ray & taken;
            let free = ray & (stones & stones.wrapping_neg()).wrapping_sub(1);
            free.checked_ilog2().map_or(0, |cell| 1 << cell)
        };
        let rays = &self.rays[from as usize];
        (0..4).fold(0, |targets, d| targets | down(rays[d]) | up(rays[4 + d])).into()
    }

    /// Returns true if the side to move puts its stones on the board.
    fn is_placing(&self, p: Placed) -> bool {
        p.sides[p.turn].count_ones() < self.rules.stones
    }

    /// Returns true if the side to move has no move: no stone of its own can go anywhere.
    fn is_stuck(&self, p: Placed) -> bool {
        !self.is_placing(p) && places(p.sides[p.turn].into()).all(|from| self.targets(p, from) == 0)
    }

    /// Returns true if a stone of the side to move is in a corner among three of the other side.
    fn is_trapped(&self, p: Placed) -> bool {
        let (own, other) = (p.sides[p.turn], p.sides[1 - p.turn]);
        self.traps.iter().any(|[corner, around]| own & corner != 0 && around & !other == 0)
    }

    fn ranks(&self) -> &[Sides] {
        self.ranks.get_or_init(|| {
            let least = self.start.sides.map(u32::count_ones).iter().sum();
            let sides = |stones: u32| {
                let cells = self.cells();
                let own = stones / 2;
                let first = Arc::new(Classes::new(cells, own, &self.images));
                let second = Arc::new(Subsets::new(cells - own, stones - own));
                Sides::new(cells, own, &first, &second)
            };
            (least..=self.all()).rev().map(sides).collect()
        })
    }
}

impl Game for Aligned {
    type Position = Placed;
    type Move = Shift;
    type Moves = MoveList<Shift>;

    fn initial(&self) -> Placed {
        self.start
    }

    #[inline]
    fn result(&self, p: Placed) -> Option<Outcome> {
        match () {
            () if self.has_pattern(p.sides[1 - p.turn]) => Some(Outcome::Loss),
            () if self.is_trapped(p) => Some(Outcome::Win),
            () => self.is_stuck(p).then_some(Outcome::Loss),
        }
    }

    fn moves(&self, p: Placed) -> MoveList<Shift> {
        if self.is_placing(p) {
            let empty = !u64::from(p.sides[0] | p.sides[1]) & ((1 << self.cells()) - 1);
            return places(empty).map(|to| Shift { from: None, to: to as u8 }).collect();
        }
        let moved = |from| {
            let to = places(self.targets(p, from));
            to.map(move |to| Shift { from: Some(from as u8), to: to as u8 })
        };
        places(p.sides[p.turn].into()).flat_map(moved).collect()
    }

    #[inline]
    fn play(&self, mut p: Placed, m: Shift) -> Placed {
        p.sides[p.turn] ^= m.from.map_or(0, |from| 1 << from) | 1 << m.to;
        p.turn = 1 - p.turn;
        p
    }

    fn most_moves(&self) -> u32 {
        (8 * self.rules.stones).max(self.cells())
    }

    /// A ply brings one stone of its side to a new cell.
    fn plies_between(&self, from: Placed, to: Placed) -> Option<u32> {
        let plies = |side: usize| {
            let [from, to] = [from.sides[side], to.sides[side]];
            to.count_ones().checked_sub(from.count_ones())?;
            Some((to & !from).count_ones())
        };
        Some(plies(0)? + plies(1)?)
    }
}

impl Keyed for Aligned {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        2 * self.cells() + 1
    }

    #[inline]
    fn key(&self, p: Placed) -> Key {
        let [first, second] = masks::both(p.sides, u64::from);
        Key((first << self.cells() | second) << 1 | p.turn as u64)
    }

    fn position_of(&self, key: Key) -> Option<Placed> {
        let cells = self.cells();
        let (first, second) = (key.0 >> (cells + 1), key.0 >> 1 & ((1 << cells) - 1));
        let (stones, other) = (first.count_ones(), second.count_ones());
        let turn = key.0 as u32 & 1;
        let most = self.rules.stones;
        let in_turn = stones == other + turn || (stones, other) == (most, most);
        let fits = first >> cells == 0 && first & second == 0 && stones <= most && in_turn;
        let is_there = fits && stones >= self.start.sides[0].count_ones();
        is_there.then_some(Placed { sides: [first as u32, second as u32], turn: turn as usize })
    }
}

/// The symmetries of the square.
impl Symmetric for Aligned {
    fn symmetries(&self) -> u8 {
        self.images.symmetries()
    }

    #[inline]
    fn image_key(&self, p: Placed, symmetry: Symmetry) -> Key {
        let image = |side: u32| self.images.of(side.into(), symmetry.0) as u32;
        self.key(Placed { sides: masks::both(p.sides, image), ..p })
    }

    fn image_move(&self, m: Shift, symmetry: Symmetry) -> Shift {
        let image = |cell| self.images.of_place(cell, symmetry.0);
        Shift { from: m.from.map(image), to: image(m.to) }
    }
}

/// A tier for each number of stones on the board, the most first. Ranks distinguish the side to move from
/// the other, not the first player from the second.
impl Ranked for Aligned {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |(before, sides): (u32, &Sides)| Tier {
            name: (self.all() - before).to_string(),
            ranks: sides.ranks(),
            loops: before == 0,
            leads_to: before.checked_sub(1).map(TierId).into_iter().collect(),
        };
        (0..).zip(self.ranks()).map(tier).collect()
    }

    #[inline(always)]
    fn rank(&self, p: Placed) -> Option<(TierId, u64)> {
        let [own, other] = masks::both([p.turn, 1 - p.turn], |side| p.sides[side]);
        let stones = own.count_ones() + other.count_ones();
        let tier = self.all().checked_sub(stones)?;
        let rank = self.ranks().get(tier as usize)?.rank(own.into(), other.into());
        Some((TierId(tier), rank))
    }

    #[inline(always)]
    fn unrank(&self, tier: TierId, rank: u64) -> Option<Placed> {
        let [own, other] = self.ranks()[tier.index()].unrank(rank)?.map(|side| side as u32);
        let turn = (self.all() - tier.0) as usize % 2;
        Some(Placed { sides: if turn == 0 { [own, other] } else { [other, own] }, turn })
    }

    fn exchanged(&self, p: Placed) -> Option<Placed> {
        let ([first, second], turn) = (p.sides, 1 - p.turn);
        let is_full = first.count_ones() + second.count_ones() == self.all();
        is_full.then_some(Placed { sides: [second, first], turn })
    }

    #[inline(always)]
    fn is_exchanged(&self, p: Placed) -> bool {
        p.turn == 1 && (p.sides[0] | p.sides[1]).count_ones() == self.all()
    }
}

impl Evaluate for Aligned {}

impl Notation for Aligned {
    const POSITION_HELP: &'static str =
        "the moves played, separated by commas: a1 places a stone, a1b2 moves one";

    fn parameters(&self) -> [u8; 3] {
        [1 + u8::from(self.has_more), 1, 1]
    }

    fn title(&self) -> String {
        let more =
            self.rules.more.iter().filter(|_| self.has_more).map(|rule| format!(", {}", rule.name));
        self.rules.title.to_owned() + &more.collect::<String>()
    }

    /// `a1` places a stone, `a1a5` moves one: columns by letter, rows from below.
    fn write_move(&self, m: Shift) -> String {
        let name = |cell: u8| masks::cell_name(cell.into(), self.rules.width);
        m.from.map(name).unwrap_or_default() + &name(m.to)
    }

    /// First player's stones are `X`, the second's `O`; then who moves.
    fn picture(&self, p: Placed) -> String {
        let board = masks::picture(self.rules.width, self.rules.width, |x, y| {
            masks::mark(p.sides, (self.rules.width - 1 - y) * self.rules.width + x)
        });
        format!("{board}:{}", ['X', 'O'][p.turn])
    }

    fn of_picture(&self, text: &str) -> Option<Placed> {
        let place = |x, y| Some((self.rules.width - 1 - y) * self.rules.width + x);
        let (sides, turn) =
            masks::sides_and_turn(text, (self.rules.width, self.rules.width), place)?;
        Some(Placed { sides: sides.map(|side| side as u32), turn })
    }

    fn check_reached(&self, p: Placed) -> Result<(), Unreadable> {
        match self.has_pattern(p.sides[p.turn]) {
            true => Err(Unreadable(format!(
                "no game reaches this position: {} is to move and has won already",
                ['X', 'O'][p.turn]
            ))),
            false => Ok(()),
        }
    }

    fn to_move(&self, p: Placed) -> Option<char> {
        Some(['X', 'O'][p.turn])
    }
}

impl Drawn for Aligned {
    fn squares(&self, _: Placed, m: Shift) -> Vec<(u8, u8)> {
        let width = self.rules.width as u8;
        let square = |cell: u8| (cell % width, width - 1 - cell / width);
        m.from.into_iter().chain([m.to]).map(square).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted by G. L. Steele.
    #[test]
    fn teeko_has_44_patterns_and_58_with_larger_squares() {
        assert_eq!(Aligned::new(TEEKO, false).patterns.len(), 44);
        assert_eq!(Aligned::new(TEEKO, true).patterns.len(), 58);
        assert_eq!(Aligned::new(DAO, false).patterns.len(), 8 + 9 + 1);
    }
}
