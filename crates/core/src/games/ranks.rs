//! Parts that [ranks](crate::game::Ranked) are made of: sets of places numbered without gaps, alone
//! or up to symmetry. For games of your own too.
//!
//! | part | numbers |
//! |---|---|
//! | [`subset_rank`], [`subset`], [`Subsets`] | sets of k of n places |
//! | [`squeezed`], [`spread`] | sets of the places that other stones leave free |
//! | [`Classes`] | sets of k of n places up to the symmetries of a board |
//! | [`Sides`] | stones of two sides on a board up to its symmetries |
//! | [`composition_rank`], [`composition`] | ways to put n equal things into k places |
//!
//! A product of two parts is `first * length_of_second + second`.

use std::sync::Arc;

use super::masks::{Images, places};

const PLACES: usize = 64;

/// Binomial coefficients of up to 64 things: row n, column k.
static BINOMIALS: [[u64; PLACES + 1]; PLACES + 1] = {
    let mut rows = [[0; PLACES + 1]; PLACES + 1];
    let mut n = 0;
    while n <= PLACES {
        rows[n][0] = 1;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};

/// Returns the number of sets of k of n places, n at most 64.
#[inline(always)]
pub fn choose(n: u32, k: u32) -> u64 {
    BINOMIALS[n as usize].get(k as usize).copied().unwrap_or(0)
}

/// Returns the rank of a set among the sets with as many places, ascending as numbers: the
/// combinatorial number system.
///
/// ```
/// # use everyply_core as everyply;
/// use everyply::games::ranks::{choose, subset, subset_rank};
/// let sets: Vec<u64> = (0..choose(4, 2)).map(|rank| subset(4, 2, rank)).collect();
/// assert_eq!(sets, [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100]);
/// assert!((0..6).all(|rank| subset_rank(sets[rank as usize]) == rank));
/// ```
#[inline(always)]
pub fn subset_rank(set: u64) -> u64 {
    places(set).zip(1..).map(|(place, k)| BINOMIALS[place as usize][k]).sum()
}

/// Returns the set of k of n places with this rank.
#[inline(always)]
pub fn subset(n: u32, k: u32, mut rank: u64) -> u64 {
    let mut set = 0;
    let mut place = n as usize;
    for k in (1..=k as usize).rev() {
        // The highest place with no more sets below it than are left.
        place -= 1;
        while BINOMIALS[place][k] > rank {
            place -= 1;
        }
        rank -= BINOMIALS[place][k];
        set |= 1 << place;
    }
    set
}

/// Renumbers a set as if the places `out` were removed.
#[inline(always)]
pub fn squeezed(set: u64, out: u64) -> u64 {
    places(set).fold(0, |squeezed, place| {
        squeezed | 1 << (place - (out & ((1 << place) - 1)).count_ones())
    })
}

/// Returns the rank of [`squeezed`] in one pass.
#[inline(always)]
fn squeezed_rank(set: u64, out: u64) -> u64 {
    let place = |place: u32| place - (out & ((1 << place) - 1)).count_ones();
    places(set).zip(1..).map(|(at, k)| BINOMIALS[place(at) as usize][k]).sum()
}

/// Inverts [`squeezed`].
#[inline(always)]
pub fn spread(squeezed: u64, out: u64) -> u64 {
    places(out).fold(squeezed, |set, place| {
        let below = (1u64 << place) - 1;
        set & below | (set & !below) << 1
    })
}

/// Returns the rank of a way to put equal things into places, given by the number in each place.
pub fn composition_rank(counts: &[u32]) -> u64 {
    // The bars between the places, in a row of things and bars.
    let but_last = counts.split_last().map_or(&[][..], |(_, others)| others);
    let mut at = 0;
    subset_rank(but_last.iter().fold(0, |bars, count| {
        at += count + 1;
        bars | 1 << (at - 1)
    }))
}

/// Returns the number of ways to put n equal things into k places; n + k - 1 is at most 64.
pub fn compositions(n: u32, k: u32) -> u64 {
    if k == 0 { u64::from(n == 0) } else { choose(n + k - 1, k - 1) }
}

/// Writes to `counts` the way of this rank to put n things into its places.
pub fn composition(n: u32, rank: u64, counts: &mut [u32]) {
    let Some(bars) = (counts.len() as u32).checked_sub(1) else { return };
    let end = n + bars;
    let mut first = 0;
    let bars = places(subset(end, bars, rank)).chain([end]);
    for (count, bar) in counts.iter_mut().zip(bars) {
        *count = bar - first;
        first = bar + 1;
    }
}

/// Bits of a symmetry: boards have up to 64.
const SYMMETRY_BITS: u32 = 6;

/// The sets of k of n places up to the symmetries of a board: a class has all images of one set.
#[derive(Debug)]
pub struct Classes {
    images: Arc<Images>,
    /// By rank of a set: its class, and in the lower bits a symmetry that leads to the least set of
    /// the class.
    class: Vec<u32>,
    /// The least set of each class, and the symmetries that leave it unchanged as bits.
    least: Vec<(u64, u64)>,
}

impl Classes {
    /// Finds the classes of the sets of k of n places.
    pub fn new(n: u32, k: u32, images: &Arc<Images>) -> Self {
        let symmetries = images.symmetries();
        let (mut class, mut least) = (Vec::with_capacity(choose(n, k) as usize), Vec::new());
        for rank in 0..choose(n, k) {
            let set = subset(n, k, rank);
            // Ranks ascend as the sets do.
            let (first, symmetry) =
                (0..symmetries).map(|s| (images.of(set, s), s)).min().expect("the identity");
            if first == set {
                let still = (0..symmetries).filter(|&s| images.of(set, s) == set);
                class.push((least.len() as u32) << SYMMETRY_BITS | u32::from(symmetry));
                least.push((set, still.fold(0, |still, s| still | 1 << s)));
            } else {
                let least = class[subset_rank(first) as usize] >> SYMMETRY_BITS;
                class.push(least << SYMMETRY_BITS | u32::from(symmetry));
            }
        }
        Self { images: Arc::clone(images), class, least }
    }

    pub fn len(&self) -> u64 {
        self.least.len() as u64
    }

    /// Returns true if there is no class, as for sets of more places than the board has.
    pub fn is_empty(&self) -> bool {
        self.least.is_empty()
    }

    /// Returns the class of a set, and a symmetry that leads to its least set.
    #[inline(always)]
    pub fn of(&self, set: u64) -> (u64, u8) {
        let class = self.class[subset_rank(set) as usize];
        ((class >> SYMMETRY_BITS).into(), (class & ((1 << SYMMETRY_BITS) - 1)) as u8)
    }

    /// Returns the least set of a class.
    #[inline(always)]
    pub fn least(&self, class: u64) -> u64 {
        self.least[class as usize].0
    }

    /// Returns the least image of a second set under the symmetries that leave the least set of a
    /// class unchanged.
    #[inline(always)]
    pub fn least_beside(&self, class: u64, second: u64) -> u64 {
        // The identity is symmetry 0.
        let others = self.least[class as usize].1 & !1;
        places(others).fold(second, |least, s| least.min(self.images.of(second, s as u8)))
    }
}

/// The sets of k of n places in a table, unless they are more than two million.
#[derive(Debug)]
pub struct Subsets {
    n: u32,
    k: u32,
    sets: Vec<u64>,
}

impl Subsets {
    /// Lists the sets of k of n places, sets within fewer places first.
    pub fn new(n: u32, k: u32) -> Self {
        const MOST: u64 = 1 << 21;
        let count = if choose(n, k) > MOST { 0 } else { choose(n, k) };
        Self { n, k, sets: (0..count).map(|rank| subset(n, k, rank)).collect() }
    }

    #[inline(always)]
    pub fn of(&self, rank: u64) -> u64 {
        self.sets.get(rank as usize).copied().unwrap_or_else(|| subset(self.n, self.k, rank))
    }
}

/// Stones of two sides on a board up to its symmetries: the class of the first side's set, and the
/// second side's among the places that are left. Symmetries that leave the first side's stones
/// unchanged leave holes.
#[derive(Debug)]
pub struct Sides {
    first: Arc<Classes>,
    second: Arc<Subsets>,
    /// The number of the second side's sets beside one of the first.
    count: u64,
}

impl Sides {
    /// Creates the ranks of boards of n places: the first side has a set of `stones` places in
    /// these classes, the second side one of these sets.
    pub fn new(n: u32, stones: u32, first: &Arc<Classes>, second: &Arc<Subsets>) -> Self {
        let count = choose(n - stones, second.k);
        Self { first: Arc::clone(first), second: Arc::clone(second), count }
    }

    pub fn ranks(&self) -> u64 {
        self.first.len() * self.count
    }

    /// Returns the rank of both sides' stones.
    #[inline(always)]
    pub fn rank(&self, first: u64, second: u64) -> u64 {
        let (class, symmetry) = self.first.of(first);
        let second = self.first.least_beside(class, self.first.images.of(second, symmetry));
        class * self.count + squeezed_rank(second, self.first.least(class))
    }

    /// Returns the stones of both sides; `None` for a hole.
    #[inline(always)]
    pub fn unrank(&self, rank: u64) -> Option<[u64; 2]> {
        let (class, rank) = (rank / self.count, rank % self.count);
        let first = self.first.least(class);
        let second = spread(self.second.of(rank), first);
        (self.first.least_beside(class, second) == second).then_some([first, second])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn subsets_are_numbered_in_their_order() {
        for (n, k) in [(0, 0), (1, 1), (5, 0), (5, 2), (9, 4), (20, 3), (64, 2), (64, 63)] {
            let sets: Vec<u64> = (0..choose(n, k)).map(|rank| subset(n, k, rank)).collect();
            assert!(sets.is_sorted_by(|a, b| a < b), "{n} {k}");
            for (set, rank) in sets.iter().zip(0..) {
                assert_eq!((set.count_ones(), subset_rank(*set)), (k, rank));
                assert!(n == 64 || set >> n == 0);
            }
        }
        assert_eq!((choose(64, 32), choose(3, 65)), (1_832_624_140_942_590_534, 0));
        assert_eq!(subset_rank(subset(64, 32, choose(64, 32) - 1)), choose(64, 32) - 1);
    }

    #[test]
    fn places_taken_out_are_put_back() {
        assert_eq!(squeezed(0b1010_0001, 0b0101_0010), 0b11001);
        for seed in 1..500u64 {
            let set = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let out = set.rotate_left(17) & !set;
            assert_eq!(spread(squeezed(set, out), out), set);
        }
    }

    #[test]
    fn compositions_are_numbered_without_gaps() {
        for (n, k) in [(0, 1), (4, 1), (0, 3), (3, 2), (5, 4), (2, 12)] {
            let mut seen = HashSet::new();
            for rank in 0..compositions(n, k) {
                let mut counts = vec![0; k as usize];
                composition(n, rank, &mut counts);
                assert_eq!((counts.iter().sum::<u32>(), composition_rank(&counts)), (n, rank));
                seen.insert(counts);
            }
            assert_eq!(seen.len() as u64, compositions(n, k), "{n} in {k}");
        }
        assert_eq!((compositions(48, 12), compositions(0, 0)), (choose(59, 11), 1));
    }

    #[test]
    fn sides_are_numbered_up_to_symmetry() {
        let images = Arc::new(Images::of_rectangle(4, 3));
        for stones in [[0, 0], [0, 3], [1, 1], [2, 3], [4, 4], [6, 6], [12, 0]] {
            let classes = Arc::new(Classes::new(12, stones[0], &images));
            let sets = Arc::new(Subsets::new(12, stones[1]));
            let sides = Sides::new(12, stones[0], &classes, &sets);
            let least = |[first, second]: [u64; 2]| {
                (0..4).map(|s| [images.of(first, s), images.of(second, s)]).min()
            };
            let mut orbits = HashSet::new();
            let all = 0..choose(12, stones[0]);
            for first in all.map(|rank| subset(12, stones[0], rank)) {
                for rank in 0..choose(12 - stones[0], stones[1]) {
                    let both = [first, spread(subset(12, stones[1], rank), first)];
                    orbits.insert(least(both));
                    let found = sides.unrank(sides.rank(both[0], both[1]));
                    assert_eq!(found.and_then(least), least(both));
                }
            }
            let ranks = (0..sides.ranks()).filter(|&rank| {
                sides.unrank(rank).is_some_and(|[first, second]| sides.rank(first, second) == rank)
            });
            assert_eq!(ranks.count(), orbits.len(), "{stones:?}");
        }
    }
}
