//! The morris family: stones are placed in turn, then moved along lines; three in a row, a mill,
//! take a stone of the other side. A side with fewer than three stones, or without a move, loses;
//! endless play is a draw.
//!
//! Three men play on a square with its middle, four to six on two squares, seven on two squares
//! with a middle, nine on three squares. A stone in a mill is taken only if all are in mills. With
//! the rule `flying`, a side with three stones left moves them anywhere.
//!
//! Sources: the rules and R. Gasser, Solving Nine Men's Morris, Computational Intelligence 12
//! (1996); seven men's morris is won by the first player, six men's morris is a draw.

use std::sync::{Arc, OnceLock};

use super::masks::{self, Images, places};
use super::ranks::{Classes, Sides, Subsets};
use crate::game::{
    Drawn, Evaluate, Game, Keyed, Look, MoveList, Notation, Parameter, Ranked, Symmetric, Tier,
    TierId, Unreadable,
};
use crate::game::{Key, Outcome, Symmetry};

#[derive(Clone, Debug)]
pub struct Morris {
    men: u8,
    flying: bool,
    board: Arc<Board>,
}

/// The points and lines of a board. Points are numbered along the squares from the top left corner,
/// the outer square first, and the middle of the board last.
#[derive(Debug)]
struct Board {
    /// The places of the points in the picture: column and row from the top left.
    squares: Vec<(u8, u8)>,
    next: Vec<u64>,
    /// The pairs of points that make a mill with each point.
    mills: Vec<Vec<u64>>,
    images: Arc<Images>,
    /// Made on first use.
    ranks: OnceLock<Ranks>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Men {
    sides: [u32; 2],
    /// The stones still to be placed.
    hands: [u8; 2],
    turn: usize,
}

impl Men {
    fn left(&self, side: usize) -> u32 {
        self.sides[side].count_ones() + u32::from(self.hands[side])
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The point that the stone leaves; `None` if it is placed.
    from: Option<u8>,
    to: u8,
    take: Option<u8>,
}

impl Board {
    fn new(men: u8) -> Self {
        let (rings, has_middle) = match men {
            3 => (1, true),
            4..=7 => (2, men == 7),
            _ => (3, false),
        };
        let points = rings * 8 + u32::from(has_middle);
        let ring = |r: u32| (0..8).map(move |k| (r, k));
        let point = |r: u32, k: u32| r * 8 + k % 8;
        let squares = (0..rings).flat_map(ring).map(|(r, k)| {
            // The corners and middles of a square around the middle of the board.
            let (x, y) =
                [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)][k as usize];
            let side = rings - r;
            ((r + x * side) as u8, (r + y * side) as u8)
        });
        let middle = has_middle.then_some((rings as u8, rings as u8));
        // A line of points joins each to the next, and three of them make a mill.
        let corner_lines = (0..rings).flat_map(|r| {
            [0, 2, 4, 6].map(|k| vec![point(r, k), point(r, k + 1), point(r, k + 2)])
        });
        let inner = rings - 1;
        let inwards = [1, 3, 5, 7].map(|k| {
            let across = (0..rings).map(|r| point(r, k));
            across.chain(has_middle.then_some(points - 1)).collect()
        });
        let through = (0..4).filter(|k| has_middle && (rings == 1 || k % 2 == 1));
        let through = through.map(|k| vec![point(inner, k), points - 1, point(inner, k + 4)]);
        let lines: Vec<Vec<u32>> = corner_lines.chain(inwards).chain(through).collect();

        let mut next = vec![0; points as usize];
        let mut mills = vec![Vec::new(); points as usize];
        for line in &lines {
            for pair in line.windows(2) {
                next[pair[0] as usize] |= 1 << pair[1];
                next[pair[1] as usize] |= 1 << pair[0];
            }
            let mill = line.iter().fold(0u64, |mill, point| mill | 1 << point);
            for &point in line.iter().filter(|_| line.len() == 3) {
                mills[point as usize].push(mill & !(1 << point));
            }
        }
        let swaps = if rings > 1 && !has_middle { 2 } else { 1 };
        let images = Images::new(points, 8 * swaps, |place, symmetry| {
            let (turn, mirror, swap) = (symmetry % 4, symmetry / 4 % 2, symmetry / 8);
            if place == rings * 8 {
                return place;
            }
            let (r, k) = (place / 8, place % 8);
            let r = if swap == 1 { rings - 1 - r } else { r };
            point(r, if mirror == 1 { 8 - k } else { k } + 2 * u32::from(turn))
        });
        let (images, ranks) = (Arc::new(images), OnceLock::new());
        Self { squares: squares.chain(middle).collect(), next, mills, images, ranks }
    }

    fn points(&self) -> u32 {
        self.squares.len() as u32
    }

    /// Returns the number of columns of the picture, and of rows.
    fn width(&self) -> u32 {
        1 + u32::from(self.squares[2].0)
    }

    fn is_mill(&self, point: u32, stones: u32) -> bool {
        self.mills[point as usize].iter().any(|others| u64::from(stones) & others == *others)
    }

    fn name(&self, point: u8) -> String {
        let (x, y) = self.squares[usize::from(point)];
        masks::cell_name(
            (self.width() - 1 - u32::from(y)) * self.width() + u32::from(x),
            self.width(),
        )
    }
}

impl Morris {
    pub fn new(men: u8, flying: bool) -> Result<Self, Unreadable> {
        if !matches!(men, 3..=7 | 9) {
            return Err(Unreadable(format!("{men} men: morris is played with 3 to 7 or 9 a side")));
        }
        Ok(Self { men, flying, board: Arc::new(Board::new(men)) })
    }

    fn empty(&self, p: Men) -> u64 {
        !u64::from(p.sides[0] | p.sides[1]) & ((1 << self.board.points()) - 1)
    }

    fn targets(&self, p: Men, from: u32) -> u64 {
        let flies = self.flying && p.sides[p.turn].count_ones() == 3;
        self.empty(p) & if flies { u64::MAX } else { self.board.next[from as usize] }
    }

    /// Returns the stones of the other side that a mill may take.
    fn victims(&self, p: Men) -> u64 {
        let other = p.sides[1 - p.turn];
        let free = places(other.into()).filter(|&point| !self.board.is_mill(point, other));
        match free.fold(0, |free, point| free | 1 << point) {
            0 => other.into(),
            free => free,
        }
    }

    /// Returns the bits of the stones in hand in a key.
    const fn hand_bits(&self) -> u32 {
        if self.men > 7 { 4 } else { 3 }
    }

    fn ranks(&self) -> &Ranks {
        self.board.ranks.get_or_init(|| Ranks::new(&self.board, self.men.into()))
    }
}

/// The most moves of nine men: nine stones on any places, with the free points where most moves
/// lead, or most that take one of nine stones. No smaller board has a position with more than 64.
const MOST_MOVES: usize = 95;

impl Game for Morris {
    type Position = Men;
    type Move = Step;
    type Moves = MoveList<Step, MOST_MOVES>;

    fn initial(&self) -> Men {
        Men { sides: [0; 2], hands: [self.men; 2], turn: 0 }
    }

    fn result(&self, p: Men) -> Option<Outcome> {
        let own = u64::from(p.sides[p.turn]);
        let moves = || p.hands[p.turn] > 0 || places(own).any(|from| self.targets(p, from) != 0);
        (p.left(p.turn) < 3 || !moves()).then_some(Outcome::Loss)
    }

    fn moves(&self, p: Men) -> MoveList<Step, MOST_MOVES> {
        let mut moves = MoveList::new();
        let own = p.sides[p.turn];
        let mut victims = None;
        let mut add = |from: Option<u8>, to: u32, stones: u32| {
            let step = Step { from, to: to as u8, take: None };
            let is_mill = self.board.is_mill(to, stones);
            match if is_mill { *victims.get_or_insert_with(|| self.victims(p)) } else { 0 } {
                0 => moves.push(step),
                victims => places(victims)
                    .for_each(|victim| moves.push(Step { take: Some(victim as u8), ..step })),
            }
        };
        if p.hands[p.turn] > 0 {
            places(self.empty(p)).for_each(|to| add(None, to, own));
        } else {
            for from in places(own.into()) {
                let others = own & !(1 << from);
                places(self.targets(p, from)).for_each(|to| add(Some(from as u8), to, others));
            }
        }
        moves
    }

    #[inline(always)]
    fn play(&self, mut p: Men, m: Step) -> Men {
        match m.from {
            Some(from) => p.sides[p.turn] ^= 1 << from,
            None => p.hands[p.turn] -= 1,
        }
        p.sides[p.turn] |= 1 << m.to;
        p.turn = 1 - p.turn;
        if let Some(take) = m.take {
            p.sides[p.turn] ^= 1 << take;
        }
        p
    }

    fn most_moves(&self) -> u32 {
        if self.men > 7 { MOST_MOVES as u32 } else { 64 }
    }

    /// A ply brings one stone of its side to a new point; stones in hand come first, and stones
    /// taken do not come back.
    fn plies_between(&self, from: Men, to: Men) -> Option<u32> {
        let plies = |side: usize| {
            from.left(side).checked_sub(to.left(side))?;
            let placed = from.hands[side].checked_sub(to.hands[side])?;
            let new = (to.sides[side] & !from.sides[side]).count_ones();
            Some(new.max(placed.into()))
        };
        Some(plies(0)? + plies(1)?)
    }
}

impl Keyed for Morris {
    type Key = Key;

    fn key_bits(&self) -> u32 {
        2 * self.board.points() + 2 * self.hand_bits() + 1
    }

    fn key(&self, p: Men) -> Key {
        let [first, second] = masks::both(p.sides, u64::from);
        let [hand, other_hand] = masks::both(p.hands, u64::from);
        let (points, bits) = (self.board.points(), self.hand_bits());
        let hands = hand << bits | other_hand;
        Key(((first << points | second) << (2 * bits) | hands) << 1 | p.turn as u64)
    }

    fn position_of(&self, key: Key) -> Option<Men> {
        let (points, bits) = (self.board.points(), self.hand_bits());
        let mask = (1u64 << points) - 1;
        let (first, second) = (key.0 >> (points + 2 * bits + 1), key.0 >> (2 * bits + 1) & mask);
        let hand = |shift: u32| (key.0 >> shift & ((1 << bits) - 1)) as u8;
        let p = Men {
            sides: [(first & mask) as u32, second as u32],
            hands: [hand(bits + 1), hand(1)],
            turn: (key.0 & 1) as usize,
        };
        let few = [0, 1].into_iter().all(|side| p.left(side) <= self.men.into());
        // The sides place in turn.
        let in_turn = p.hands[0] + p.turn as u8 == p.hands[1] || p.hands == [0; 2];
        (first <= mask && first & second == 0 && few && in_turn).then_some(p)
    }
}

/// The symmetries of the square, and the exchange of the outer and the inner one if that changes
/// nothing.
impl Symmetric for Morris {
    fn symmetries(&self) -> u8 {
        self.board.images.symmetries()
    }

    fn image_key(&self, p: Men, symmetry: Symmetry) -> Key {
        let image = |side: u32| self.board.images.of(side.into(), symmetry.0) as u32;
        self.key(Men { sides: masks::both(p.sides, image), ..p })
    }

    /// Looks at the second player's stones only if the first player's have the least image.
    fn canonical(&self, p: Men) -> (Key, Symmetry) {
        let mut best = ([u64::MAX; 2], Symmetry::IDENTITY);
        for symmetry in 0..self.symmetries() {
            let image = |side: usize| self.board.images.of(p.sides[side].into(), symmetry);
            let first = image(0);
            if first <= best.0[0] {
                best = best.min(([first, image(1)], Symmetry(symmetry)));
            }
        }
        (self.key(Men { sides: best.0.map(|side| side as u32), ..p }), best.1)
    }

    fn image_move(&self, m: Step, symmetry: Symmetry) -> Step {
        let image = |point| self.board.images.of_place(point, symmetry.0);
        Step { from: m.from.map(image), to: image(m.to), take: m.take.map(image) }
    }
}

/// The ranks of the positions. While stones are placed, a tier has one number of stones of each
/// side; after that, both orders of two numbers.
#[derive(Debug)]
struct Ranks {
    men: usize,
    tiers: Vec<Tier>,
    /// Ascending by tier.
    parts: Vec<Part>,
    /// The index of a part by its four numbers, if there is one.
    places: Vec<Option<u16>>,
}

#[derive(Debug)]
struct Part {
    tier: TierId,
    hands: [usize; 2],
    /// The first rank of the tier.
    first: u64,
    sides: Sides,
}

impl Ranks {
    fn new(board: &Board, men: usize) -> Self {
        let points = board.points();
        let classes = |stones| Arc::new(Classes::new(points, stones as u32, &board.images));
        let classes: Vec<Arc<Classes>> = (0..=men).map(classes).collect();
        let sets = |stones| Arc::new(Subsets::new(points, stones as u32));
        let sets: Vec<Arc<Subsets>> = (0..=men).map(sets).collect();
        let mut all = Vec::new();
        // Hands are equal if the first player is to move; the other stones were placed or taken.
        for hands in (0..=men).flat_map(|h| [[h, h], [h + 1, h]]).filter(|[own, _]| *own <= men) {
            for own in 0..=men - hands[0] {
                let others = (0..=men - hands[1]).filter(|other| other + hands[1] > 2);
                all.extend(others.map(|other| [[own, other], hands]));
            }
        }
        let is_part = |[[own, _], hands]: &[[usize; 2]; 2]| own + hands[0] > 1;
        let moves = |[stones, hands]: [[usize; 2]; 2]| hands == [0; 2] && stones[0] > 2;
        all.retain(is_part);
        // Stones are taken, and hands become empty.
        all.sort_by_key(|&[[own, other], hands]| {
            (hands[0] + hands[1], own + other, own.min(other))
        });
        let mut ranks = Self {
            men,
            tiers: Vec::new(),
            parts: Vec::new(),
            places: vec![None; (men + 1).pow(4)],
        };
        for numbers in all {
            let [[own, other], hands] = numbers;
            let sides = Sides::new(points, own as u32, &classes[own], &sets[other]);
            // The two orders share a tier.
            let turned = ranks.part([[other, own], hands]).filter(|_| moves(numbers));
            let tier = turned.map(|part| part.tier).unwrap_or_else(|| {
                let hand = match hands {
                    [0, 0] => String::new(),
                    [own, other] => format!("+{own}-{other}"),
                };
                let (name, leads_to) = (format!("{own}-{other}{hand}"), Vec::new());
                ranks.tiers.push(Tier { name, ranks: 0, loops: moves(numbers), leads_to });
                TierId(ranks.tiers.len() as u32 - 1)
            });
            let place = ranks.index(numbers);
            ranks.places[place] = Some(ranks.parts.len() as u16);
            let Tier { ranks: count, leads_to, .. } = &mut ranks.tiers[tier.index()];
            ranks.parts.push(Part { tier, hands, first: *count, sides });
            *count += ranks.parts.last().map_or(0, |part| part.sides.ranks());
            // A stone is placed or moved, and may take one.
            let mut to = std::mem::take(leads_to);
            if own + hands[0] > 2 {
                let after = [own + usize::from(hands[0] > 0), hands[0].saturating_sub(1)];
                for taken in 0..=other.min(1) {
                    let next = ranks.part([[other - taken, after[0]], [hands[1], after[1]]]);
                    to.extend(next.map(|part| part.tier).filter(|to| *to != tier));
                }
            }
            ranks.tiers[tier.index()].leads_to = to;
        }
        ranks
    }

    #[inline(always)]
    fn index(&self, [[own, other], hands]: [[usize; 2]; 2]) -> usize {
        [own, other, hands[0], hands[1]].into_iter().fold(0, |i, n| i * (self.men + 1) + n)
    }

    #[inline(always)]
    fn part(&self, numbers: [[usize; 2]; 2]) -> Option<&Part> {
        let part = *self.places.get(self.index(numbers))?;
        Some(&self.parts[usize::from(part?)])
    }
}

impl Ranked for Morris {
    fn tiers(&self) -> Vec<Tier> {
        self.ranks().tiers.clone()
    }

    #[inline(always)]
    fn rank(&self, p: Men) -> Option<(TierId, u64)> {
        let (ranks, own, other) = (self.ranks(), p.turn, 1 - p.turn);
        // Without `map` on the arrays: its parts are not inlined.
        let stones = |side: usize| p.sides[side].count_ones() as usize;
        let hand = |side: usize| usize::from(p.hands[side]);
        let part = ranks.part([[stones(own), stones(other)], [hand(own), hand(other)]])?;
        let rank = part.sides.rank(p.sides[own].into(), p.sides[other].into());
        Some((part.tier, part.first + rank))
    }

    #[inline(always)]
    fn unrank(&self, tier: TierId, rank: u64) -> Option<Men> {
        let parts = &self.ranks().parts;
        let is_before = |part: &Part| part.tier < tier || part.tier == tier && part.first <= rank;
        let part = &parts[parts.partition_point(is_before) - 1];
        let [own, other] = part.sides.unrank(rank - part.first)?;
        let (own, other) = (own as u32, other as u32);
        let [hand, other_hand] = [part.hands[0] as u8, part.hands[1] as u8];
        Some(match hand == other_hand {
            true => Men { sides: [own, other], hands: [hand, hand], turn: 0 },
            false => Men { sides: [other, own], hands: [other_hand, hand], turn: 1 },
        })
    }

    fn exchanged(&self, p: Men) -> Option<Men> {
        let [first, second] = p.sides;
        (p.hands == [0; 2]).then_some(Men { sides: [second, first], turn: 1 - p.turn, ..p })
    }

    #[inline(always)]
    fn is_exchanged(&self, p: Men) -> bool {
        p.turn == 1 && p.hands == [0; 2]
    }

    /// The other side moved a stone, which made no mill, as a mill takes a stone.
    fn predecessors(&self, p: Men, see: &mut impl FnMut(Men, bool)) -> bool {
        let moved = Men { turn: 1 - p.turn, ..p };
        let stones = p.sides[moved.turn];
        if p.hands != [0; 2] || p.left(p.turn) < 3 {
            return true;
        }
        for to in places(stones.into()) {
            let others = stones & !(1 << to);
            if !self.board.is_mill(to, others) {
                for from in places(self.targets(moved, to)) {
                    let mut before = moved;
                    before.sides[moved.turn] = others | 1 << from;
                    see(before, false);
                }
            }
        }
        true
    }
}

impl Evaluate for Morris {}

impl Notation for Morris {
    const POSITION_HELP: &'static str =
        "the moves played, separated by commas: a1 places a stone, a1c1 moves one, a1xe5 takes one";

    fn parameters(&self) -> [u8; 3] {
        [self.men, 1 + u8::from(self.flying), 1]
    }

    fn title(&self) -> String {
        let men =
            ["Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"][usize::from(self.men) - 3];
        format!("{men} men's morris{}", if self.flying { ", flying" } else { "" })
    }

    /// Returns the point that a stone leaves, if it is moved, where it goes, and after `x` what it
    /// takes: `a1`, `a1c1`, `a1xe5`. Columns by letter, rows from below.
    fn write_move(&self, m: Step) -> String {
        let name = |point: u8| self.board.name(point);
        let take = m.take.map(|take| format!("x{}", name(take)));
        m.from.map(name).unwrap_or_default() + &name(m.to) + &take.unwrap_or_default()
    }

    /// First player's stones are `X`, the second's `O`; then who moves, and the stones in hand.
    fn picture(&self, p: Men) -> String {
        let width = self.board.width();
        let board = masks::picture(width, width, |x, y| {
            let point = self.board.squares.iter().position(|&at| at == (x as u8, y as u8));
            match point {
                Some(point) => masks::mark(p.sides, point as u32),
                None if (x, y) == (width / 2, width / 2) => ' ',
                None if x.min(width - 1 - x) < y.min(width - 1 - y) => '|',
                None => '-',
            }
        });
        let turn = ['X', 'O'][p.turn];
        format!("{board}:{turn}{}", p.hands.map(|hand| format!("+{hand}")).concat())
    }

    fn of_picture(&self, text: &str) -> Option<Men> {
        let (board, turn, rest) = masks::board_and_turn(text)?;
        let width = self.board.width();
        let point = |x: u32, y: u32| {
            let point = self.board.squares.iter().position(|&at| at == (x as u8, y as u8));
            point.map(|point| point as u32)
        };
        let sides = masks::sides_of(board, (width, width), point)?;
        let hands = rest.strip_prefix('+')?.split_once('+')?;
        let hands = [hands.0.parse().ok()?, hands.1.parse().ok()?];
        Some(Men { sides: sides.map(|side| side as u32), hands, turn })
    }

    fn to_move(&self, p: Men) -> Option<char> {
        Some(['X', 'O'][p.turn])
    }
}

impl Drawn for Morris {
    fn squares(&self, _: Men, m: Step) -> Vec<(u8, u8)> {
        let points = m.from.into_iter().chain(m.take).chain([m.to]);
        points.map(|point| self.board.squares[usize::from(point)]).collect()
    }

    fn look(&self) -> Look {
        let squares = &self.board.squares;
        let pairs = (0..squares.len()).flat_map(|from| (0..from).map(move |to| (from, to)));
        let pairs = pairs.filter(|&(from, to)| self.board.next[from] >> to & 1 == 1);
        let lines = pairs.map(|(from, to)| [squares[from], squares[to]]).collect();
        Look { lines, ..Look::default() }
    }

    fn beside(&self, p: Men) -> Option<String> {
        let [first, second] = p.hands;
        (first + second > 0).then(|| format!("In hand: X {first}, O {second}."))
    }

    /// Returns the mills that either side could close with a move now.
    fn remark(&self, p: Men) -> Option<String> {
        let mills = |turn: usize| {
            let moves = self.moves(Men { turn, ..p }).into_iter();
            let mut points: Vec<u8> = moves.filter_map(|m| m.take.and(Some(m.to))).collect();
            points.sort_unstable();
            points.dedup();
            points.into_iter().map(|point| self.board.name(point)).collect::<Vec<_>>()
        };
        let (own, other) = (mills(p.turn), mills(1 - p.turn));
        let [side, foe] = [['X', 'O'][p.turn], ['X', 'O'][1 - p.turn]];
        let mut sentences = Vec::new();
        if !own.is_empty() {
            sentences
                .push(format!("{side} can close a mill on {} and take a stone.", own.join(" or ")));
        }
        if !other.is_empty() {
            sentences.push(format!("{foe} threatens a mill on {}.", other.join(" and ")));
        }
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

registered!(
    impl Morris: Self = "morris",
    "Three to seven and nine men's morris: mills take stones, play may be endless",
    &[
        Parameter::number(
            "men",
            "Stones of each side; games of nine are only solved into files",
            3,
            3..=9
        ),
        Parameter::rule("flying", "A side with three stones left moves them anywhere"),
    ],
    |[men, flying, _]: [u8; 3]| Self::new(men, flying == 2)
);
