//! Ranks of Gobblet Gobblers: a tier for each numbers of pieces on the board.

use super::{CELLS, Gobblet, PAIR, SIZES, Stacks};
use crate::game::{Game, Ranked, Tier, TierId};
use crate::games::masks::{Images, places};

/// The cells of a size's pieces: those of the side to move, and the other's.
type Pair = [u16; 2];

/// The numbers of pieces by size: the side to move's, and the other's.
type Counts = [[usize; 2]; SIZES];

/// The pairs of each two numbers of pieces.
type ByCounts = [[Vec<Pair>; PAIR as usize + 1]; PAIR as usize + 1];

/// Sets of cells of both sides as an index.
const fn index([own, other]: Pair) -> usize {
    (own as usize) << CELLS | other as usize
}

/// A pair among those of its numbers of pieces.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    place: u32,
    /// The place, among the pairs that are least among their images, of the least image.
    class: u32,
    /// The symmetries that lead to that image, as bits.
    to_least: u8,
}

/// The pairs of pieces and the tiers. A tier has both orders of two numbers of pieces, and the tiers
/// of more pieces come first. A rank begins with the class of the largest pieces; symmetries that
/// leave those unchanged leave holes.
#[derive(Debug)]
pub(super) struct Ranks {
    pairs: ByCounts,
    least: ByCounts,
    places: Vec<Place>,
    tiers: Vec<[Counts; 2]>,
    /// By [`number`]: the tier, and the place of the order.
    tier_of: Vec<(u32, u64)>,
}

fn number(counts: Counts) -> usize {
    counts.as_flattened().iter().fold(0, |number, n| 3 * number + n)
}

fn exchanged(counts: Counts) -> Counts {
    counts.map(|[a, b]| [b, a])
}

impl Ranks {
    fn new(smallest: u8, images: &Images) -> Self {
        let mut ranks = Self {
            pairs: ByCounts::default(),
            least: ByCounts::default(),
            places: vec![Place::default(); 1 << (2 * CELLS)],
            tiers: Vec::new(),
            tier_of: vec![(0, 0); 3usize.pow(2 * SIZES as u32)],
        };
        let few = || (0..1u16 << CELLS).filter(|set| set.count_ones() <= PAIR);
        let all = few().flat_map(|own| few().map(move |other| [own, other]));
        // The least image of a pair comes before the pair.
        for pair in all.filter(|[own, other]| own & other == 0) {
            let [a, b] = pair.map(|set| set.count_ones() as usize);
            let image = |s| pair.map(|set| images.of(set.into(), s) as u16);
            let least = (0..8).map(image).min().unwrap_or(pair);
            let to_least = (0..8).filter(|&s| image(s) == least).fold(0, |all, s| all | 1 << s);
            let class = match least == pair {
                true => ranks.least[a][b].len() as u32,
                false => ranks.places[index(least)].class,
            };
            let place = ranks.pairs[a][b].len() as u32;
            ranks.places[index(pair)] = Place { place, class, to_least };
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
            ranks.tiers.push([counts, exchanged(counts)]);
            ranks.tier_of[number(exchanged(counts))] = (tier, 1);
            ranks.tier_of[number(counts)] = (tier, 0);
        }
        ranks
    }

    /// The number of pairs of each size, and of classes of the largest.
    fn factors(&self, counts: Counts) -> [u64; SIZES] {
        std::array::from_fn(|size| {
            let of = if size + 1 < SIZES { &self.pairs } else { &self.least };
            let [a, b] = counts[size];
            of[a][b].len() as u64
        })
    }

    /// The least number of the smaller pieces under the symmetries that make the largest ones stand for
    /// their images.
    fn smaller(&self, pieces: [Pair; SIZES], factors: [u64; SIZES], images: &Images) -> u64 {
        let number = |s: u32| {
            let place = |size: usize| {
                let pair = pieces[size].map(|set| images.of(set.into(), s as u8) as u16);
                u64::from(self.places[index(pair)].place)
            };
            place(1) * factors[0] + place(0)
        };
        let symmetries = places(self.places[index(pieces[2])].to_least.into());
        symmetries.map(number).min().unwrap_or(0)
    }
}

impl Gobblet {
    fn ranks(&self) -> &Ranks {
        self.ranks.get_or_init(|| Ranks::new(self.smallest, &self.images))
    }
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
                leads_to.extend(can.then(|| TierId(ranks.tier_of[super::ranks::number(next)].0)));
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
        let ranks = self.ranks();
        let sides = [p.turn, 1 - p.turn].map(|side| p.sides[usize::from(side)]);
        let pieces: [Pair; SIZES] = std::array::from_fn(|size| sides.map(|side| side[size]));
        let counts = pieces.map(|pair| pair.map(|set| set.count_ones() as usize));
        let (tier, order) = ranks.tier_of[number(counts)];
        let factors = ranks.factors(counts);
        let class = u64::from(ranks.places[index(pieces[2])].class);
        let smaller = ranks.smaller(pieces, factors, &self.images);
        let [small, medium, large] = factors;
        Some((TierId(tier), (order * large + class) * medium * small + smaller))
    }

    #[inline(always)]
    fn unrank(&self, tier: TierId, rank: u64) -> Option<Stacks> {
        let ranks = self.ranks();
        let orders = ranks.tiers[tier.index()];
        let [small, medium, large] = ranks.factors(orders[0]);
        let class = rank / (medium * small);
        let counts = orders[(class / large) as usize];
        let smaller = rank % (medium * small);
        let pair = |of: &ByCounts, size: usize, n: u64| {
            let [a, b]: [usize; 2] = counts[size];
            of[a][b][n as usize]
        };
        let pieces = [
            pair(&ranks.pairs, 0, smaller % small),
            pair(&ranks.pairs, 1, smaller / small),
            pair(&ranks.least, 2, class % large),
        ];
        let sides = [0, 1].map(|side| pieces.map(|pair| pair[side]));
        let is_least = ranks.smaller(pieces, [small, medium, large], &self.images) == smaller;
        is_least.then_some(Stacks { sides, turn: 0 })
    }

    fn exchanged(&self, p: Stacks) -> Option<Stacks> {
        let [first, second] = p.sides;
        Some(Stacks { sides: [second, first], turn: 1 - p.turn })
    }

    #[inline(always)]
    fn is_exchanged(&self, p: Stacks) -> bool {
        p.turn == 1
    }

    /// A move on the board can be taken back by a move, unless a row was there before it.
    fn predecessors(&self, p: Stacks, see: &mut impl FnMut(Stacks, bool)) -> bool {
        let before = p.shifts(1 - p.turn).map(|m| p.shifted(1 - p.turn, m));
        before
            .filter(|before| self.result(*before).is_none())
            .for_each(|before| see(before, false));
        true
    }
}
