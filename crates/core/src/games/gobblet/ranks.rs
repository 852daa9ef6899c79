//! Ranks of Gobblet Gobblers: a tier has the positions with the same numbers of pieces.

use super::{CELLS, Gobblet, PAIR, SIZES, Stacks};
use crate::game::{Game, Ranked, Tier, TierId};
use crate::games::masks::{Images, places};

/// The cells of one size's pieces: the side to move's, and the other's.
type Pair = [u16; 2];

/// The numbers of pieces by size: the side to move's, and the other's.
type Counts = [[usize; 2]; SIZES];

/// The pairs by their two numbers of pieces.
type ByCounts = [[Vec<Pair>; PAIR as usize + 1]; PAIR as usize + 1];

/// The number of sets of up to two cells.
const SETS: usize = 46;

/// A pair among the pairs with the same numbers of pieces.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    place: u16,
    /// The place of its least image among the pairs that are their own least image.
    class: u16,
    /// The symmetries that lead to that image, as bits.
    to_least: u8,
}

/// The positions of a tier with the same numbers of pieces.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    tier: u32,
    /// The index of the order in its tier.
    order: u64,
    /// The number of pairs of each size, and of classes of the largest.
    factors: [u64; SIZES],
}

/// The pairs of pieces and the tiers. A tier has both orders of two numbers of pieces, and the tiers
/// of more pieces come first. A rank begins with the class of the largest pieces; symmetries that
/// leave those unchanged leave holes. All tables together fit the L1 cache.
#[derive(Debug)]
pub(super) struct Ranks {
    pairs: ByCounts,
    least: ByCounts,
    /// The numbers of sets of up to two cells.
    numbers: Vec<u8>,
    /// The numbers of their images, by symmetry.
    images: Vec<[u8; SETS]>,
    /// By the numbers of both sets of a pair.
    places: Vec<Place>,
    tiers: Vec<[Counts; 2]>,
    /// By [`number`].
    parts: Vec<Part>,
}

#[inline(always)]
fn number(counts: Counts) -> usize {
    let mut number = 0;
    for [a, b] in counts {
        number = 9 * number + 3 * a + b;
    }
    number
}

fn exchanged(counts: Counts) -> Counts {
    counts.map(|[a, b]| [b, a])
}

impl Ranks {
    fn new(smallest: u8, images: &Images) -> Self {
        let few = || (0..1u16 << CELLS).filter(|set| set.count_ones() <= PAIR);
        let mut numbers = vec![0; 1 << CELLS];
        (0..).zip(few()).for_each(|(number, set)| numbers[usize::from(set)] = number);
        let mut ranks = Self {
            pairs: ByCounts::default(),
            least: ByCounts::default(),
            numbers,
            images: vec![[0; SETS]; 8],
            places: vec![Place::default(); SETS * SETS],
            tiers: Vec::new(),
            parts: vec![Part::default(); 3usize.pow(2 * SIZES as u32)],
        };
        for symmetry in 0..8 {
            for (number, set) in few().enumerate() {
                let image = ranks.numbers[images.of(set.into(), symmetry) as usize];
                ranks.images[usize::from(symmetry)][number] = image;
            }
        }
        let all = few().flat_map(|own| few().map(move |other| [own, other]));
        // The least image of a pair comes before the pair.
        for pair in all.filter(|[own, other]| own & other == 0) {
            let [a, b] = pair.map(|set| set.count_ones() as usize);
            let image = |s| pair.map(|set| images.of(set.into(), s) as u16);
            let least = (0..8).map(image).min().unwrap_or(pair);
            let to_least = (0..8).filter(|&s| image(s) == least).fold(0, |all, s| all | 1 << s);
            let class = match least == pair {
                true => ranks.least[a][b].len() as u16,
                false => ranks.place(ranks.numbers(least), 0).class,
            };
            let place = ranks.pairs[a][b].len() as u16;
            let [own, other] = ranks.numbers(pair);
            ranks.places[own * SETS + other] = Place { place, class, to_least };
            ranks.pairs[a][b].push(pair);
            if least == pair {
                ranks.least[a][b].push(pair);
            }
        }
        let most = 3usize.pow(2 * (SIZES as u32 - u32::from(smallest)));
        let counts = |number: usize| -> Counts {
            let digit = |n: usize| number / 3usize.pow(n as u32) % 3;
            std::array::from_fn(|size| [2, 1].map(|n| digit(2 * (SIZES - size) - n)))
        };
        let mut tiers: Vec<_> = (0..most).map(counts).filter(|c| *c >= exchanged(*c)).collect();
        tiers.sort_by_key(|counts| std::cmp::Reverse(counts.as_flattened().iter().sum::<usize>()));
        for (tier, counts) in (0..).zip(tiers) {
            let orders = [counts, exchanged(counts)];
            ranks.tiers.push(orders);
            // If both orders are the same, it is the first.
            for (order, counts) in [(1, orders[1]), (0, orders[0])] {
                let factors = ranks.factors(counts);
                ranks.parts[number(counts)] = Part { tier, order, factors };
            }
        }
        ranks
    }

    fn factors(&self, counts: Counts) -> [u64; SIZES] {
        std::array::from_fn(|size| {
            let of = if size + 1 < SIZES { &self.pairs } else { &self.least };
            let [a, b] = counts[size];
            of[a][b].len() as u64
        })
    }

    #[inline(always)]
    fn numbers(&self, [own, other]: Pair) -> [usize; 2] {
        [self.numbers[usize::from(own)].into(), self.numbers[usize::from(other)].into()]
    }

    /// Returns the place of an image of the pair with these numbers.
    #[inline(always)]
    fn place(&self, [own, other]: [usize; 2], symmetry: usize) -> Place {
        let images = &self.images[symmetry];
        self.places[usize::from(images[own]) * SETS + usize::from(images[other])]
    }

    /// Returns the class of the largest pieces, and the least number of the smaller ones under the
    /// symmetries that lead to the least image of the largest.
    #[inline(always)]
    fn class(&self, pieces: [Pair; SIZES], factors: [u64; SIZES]) -> (u64, u64) {
        let [small, medium, large] = pieces;
        let (small, medium) = (self.numbers(small), self.numbers(medium));
        let Place { class, to_least, .. } = self.place(self.numbers(large), 0);
        let mut least = u64::MAX;
        for symmetry in places(to_least.into()) {
            let place = |pair| u64::from(self.place(pair, symmetry as usize).place);
            least = least.min(place(medium) * factors[0] + place(small));
        }
        (class.into(), least)
    }
}

impl Gobblet {
    #[inline(always)]
    fn ranks(&self) -> &Ranks {
        self.ranks.get_or_init(|| Ranks::new(self.smallest, &self.images))
    }
}

/// Returns the pieces of the side to move and of the other side, by size.
#[inline(always)]
fn by_size(p: Stacks) -> [Pair; SIZES] {
    let (own, other) = (p.sides[usize::from(p.turn)], p.sides[usize::from(1 - p.turn)]);
    [[own[0], other[0]], [own[1], other[1]], [own[2], other[2]]]
}

impl Ranked for Gobblet {
    fn tiers(&self) -> Vec<Tier> {
        let ranks = self.ranks();
        let tier = |orders: &[Counts; 2]| {
            let counts = orders[0];
            let number = |side: usize| {
                let sizes = counts[usize::from(self.smallest)..].iter().rev();
                sizes.map(|pair| pair[side].to_string()).collect::<String>()
            };
            let of_order: u64 = ranks.factors(counts).iter().product();
            let is_one = orders[0] == orders[1];
            let mut leads_to = Vec::new();
            for (counts, size) in orders.iter().flat_map(|c| (0..SIZES).map(move |size| (*c, size)))
            {
                let mut next = exchanged(counts);
                next[size][1] += 1;
                let can = counts[size][0] < PAIR as usize && size >= self.smallest.into();
                leads_to.extend(can.then(|| TierId(ranks.parts[super::ranks::number(next)].tier)));
            }
            leads_to.sort_unstable();
            leads_to.dedup();
            Tier {
                name: format!("{}-{}", number(0), number(1)),
                ranks: if is_one { of_order } else { 2 * of_order },
                loops: counts != Counts::default(),
                leads_to,
            }
        };
        ranks.tiers.iter().map(tier).collect()
    }

    #[inline(always)]
    fn rank(&self, p: Stacks) -> Option<(TierId, u64)> {
        let (ranks, pieces) = (self.ranks(), by_size(p));
        let mut counts = Counts::default();
        for size in 0..SIZES {
            let [own, other] = pieces[size];
            counts[size] = [own.count_ones() as usize, other.count_ones() as usize];
        }
        let Part { tier, order, factors } = ranks.parts[number(counts)];
        let (class, smaller) = ranks.class(pieces, factors);
        let [small, medium, large] = factors;
        Some((TierId(tier), (order * large + class) * medium * small + smaller))
    }

    #[inline(always)]
    fn unrank(&self, tier: TierId, rank: u64) -> Option<Stacks> {
        let ranks = self.ranks();
        let orders = &ranks.tiers[tier.index()];
        let [small, medium, large] = ranks.parts[number(orders[0])].factors;
        let (class, smaller) = (rank / (medium * small), rank % (medium * small));
        let [few, more, most] = orders[(class / large) as usize];
        let pieces = [
            ranks.pairs[few[0]][few[1]][(smaller % small) as usize],
            ranks.pairs[more[0]][more[1]][(smaller / small) as usize],
            ranks.least[most[0]][most[1]][(class % large) as usize],
        ];
        let is_least = ranks.class(pieces, [small, medium, large]).1 == smaller;
        let [[a, b], [c, d], [e, f]] = pieces;
        is_least.then_some(Stacks { sides: [[a, c, e], [b, d, f]], turn: 0 })
    }

    fn exchanged(&self, p: Stacks) -> Option<Stacks> {
        let [first, second] = p.sides;
        Some(Stacks { sides: [second, first], turn: 1 - p.turn })
    }

    #[inline(always)]
    fn is_exchanged(&self, p: Stacks) -> bool {
        p.turn == 1
    }

    /// A move takes back a move on the board, unless a row stood before it.
    fn predecessors(&self, p: Stacks, see: &mut impl FnMut(Stacks, bool)) -> bool {
        p.shifts(1 - p.turn, |m| {
            let before = p.shifted(1 - p.turn, m);
            if self.result(before).is_none() {
                see(before, false);
            }
        });
        true
    }
}
