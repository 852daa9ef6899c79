//! Awari: the seeds of a pit are sown one by one around the board. If the last one makes two or three
//! in a pit of the other side, these are captured, and so are unbroken twos and threes in the pits
//! before it on that side. More seeds win.
//!
//! A side must leave the other a seed to sow, if it can. A side without seeds ends the game, and the
//! other keeps the seeds on the board. A sowing skips the pit it began in. In endless play the seeds
//! left are divided evenly: it scores nothing more.
//!
//! Source: J. W. Romein and H. E. Bal, Solving the Game of Awari using Parallel Retrograde Analysis,
//! IEEE Computer 36 (2003), who count 889,063,398,406 positions with up to 48 seeds on the board.

use super::holes::{self, Holes, MOST_PITS, Sowing};
use super::ranks::{composition, composition_rank, compositions};
use crate::game::{Evaluate, Game, MoveList, Outcome, Ranked, Tier, TierId, Unreadable};

#[derive(Clone, Debug)]
pub struct Awari {
    pits: usize,
    seeds: u8,
}

impl Awari {
    pub fn new(pits: u8, seeds: u8) -> Result<Self, Unreadable> {
        Holes::check("awari", pits, seeds)?;
        Ok(Self { pits: pits.into(), seeds })
    }

    /// Returns the seeds in the pits of a side.
    fn sum(&self, p: Holes, side: usize) -> u32 {
        p.sides[side][..self.pits].iter().map(|&seeds| u32::from(seeds)).sum()
    }

    /// Returns the captured seeds of the side to move minus the other side's.
    fn stored(&self, p: Holes) -> i32 {
        let store = |side: usize| i32::from(p.sides[side][self.pits]);
        store(p.turn) - store(1 - p.turn)
    }

    /// Returns the final points of a game that is over: the other side gets the seeds on the board.
    fn final_points(&self, p: Holes) -> i32 {
        self.stored(p) - self.sum(p, 1 - p.turn) as i32
    }

    /// Returns true if play may lead to the seeds in the pits: the side that moved emptied one.
    fn may_be_reached(&self, p: Holes) -> bool {
        let is_start =
            || p.sides.iter().all(|side| side[..self.pits].iter().all(|&n| n == self.seeds));
        p.sides[1 - p.turn][..self.pits].contains(&0) || is_start()
    }

    /// Returns the tier of a number of seeds on the board. A capture takes two at least, so that
    /// play never leaves all seeds but one.
    fn tier(&self, seeds: u32) -> Option<TierId> {
        match self.all() - seeds {
            0 => Some(TierId(self.all() - 1)),
            1 => None,
            _ => Some(TierId(seeds)),
        }
    }

    /// Returns the seeds on the board in a tier.
    fn seeds_of(&self, TierId(tier): TierId) -> u32 {
        tier + u32::from(tier + 1 == self.all())
    }

    /// Returns the next pit of a sowing, counted from the first own pit; skips the pit sown.
    const fn next(&self, at: usize, origin: usize) -> usize {
        let ring = 2 * self.pits;
        let next = (at + 1) % ring;
        if next == origin { (next + 1) % ring } else { next }
    }
}

impl Game for Awari {
    type Position = Holes;
    /// The number of a pit, from 0.
    type Move = u8;
    type Moves = MoveList<u8>;
    const COUNTS_POINTS: bool = true;

    fn initial(&self) -> Holes {
        Holes::start(self.pits, self.seeds)
    }

    fn result(&self, p: Holes) -> Option<Outcome> {
        let is_over = self.sum(p, p.turn) == 0;
        Outcome::from_sign(self.final_points(p).signum().into()).filter(|_| is_over)
    }

    fn moves(&self, p: Holes) -> MoveList<u8> {
        let all = || (0..self.pits as u8).filter(|&pit| p.sides[p.turn][usize::from(pit)] > 0);
        let leaves_a_move = |&pit: &u8| self.sum(self.play(p, pit), 1 - p.turn) > 0;
        let feeding: MoveList<u8> = all().filter(leaves_a_move).collect();
        if feeding.is_empty() { all().collect() } else { feeding }
    }

    fn play(&self, mut p: Holes, m: u8) -> Holes {
        let (own, other, pits, origin) = (p.turn, 1 - p.turn, self.pits, usize::from(m));
        let mut at = origin;
        for _ in 0..std::mem::take(&mut p.sides[own][origin]) {
            at = self.next(at, origin);
            p.sides[if at < pits { own } else { other }][at % pits] += 1;
        }
        while at >= pits && matches!(p.sides[other][at - pits], 2 | 3) {
            p.sides[own][pits] += std::mem::take(&mut p.sides[other][at - pits]);
            at -= 1;
        }
        p.turn = other;
        p
    }

    fn most_moves(&self) -> u32 {
        self.pits as u32
    }

    fn points(&self, over: Holes) -> Option<i32> {
        Some(self.final_points(over))
    }

    fn plies_between(&self, from: Holes, to: Holes) -> Option<u32> {
        from.plies_between(to, self.pits)
    }
}

impl Sowing for Awari {
    const TITLE: &'static str = "Awari";

    fn pits(&self) -> usize {
        self.pits
    }

    fn seeds(&self) -> u8 {
        self.seeds
    }
}

impl Evaluate for Awari {}

/// A tier has the positions with one number of seeds in the pits, ranked by the pits of the side to
/// move, then the other's; captured seeds count as points only.
impl Ranked for Awari {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |seeds: u32| Tier {
            name: format!("seeds-{seeds}"),
            ranks: compositions(seeds, 2 * self.pits as u32),
            loops: seeds > 0,
            // A sowing captures up to three seeds of every pit.
            leads_to: (seeds.saturating_sub(3 * self.pits as u32)..(seeds + 1).saturating_sub(2))
                .filter_map(|below| self.tier(below))
                .collect(),
        };
        (0..=self.all()).filter(|&seeds| self.tier(seeds).is_some()).map(tier).collect()
    }

    fn rank(&self, p: Holes) -> Option<(TierId, u64)> {
        let mut counts = [0; 2 * MOST_PITS];
        for (side, counts) in [p.turn, 1 - p.turn].into_iter().zip(counts.chunks_mut(self.pits)) {
            counts.iter_mut().zip(p.sides[side]).for_each(|(count, seeds)| *count = seeds.into());
        }
        let counts = &counts[..2 * self.pits];
        let tier = self.tier(counts.iter().sum()).filter(|_| self.may_be_reached(p))?;
        Some((tier, composition_rank(counts)))
    }

    /// Divides the captured seeds evenly; an odd one is the other side's.
    fn unrank(&self, tier: TierId, rank: u64) -> Option<Holes> {
        let (seeds, mut counts) = (self.seeds_of(tier), [0; 2 * MOST_PITS]);
        composition(seeds, rank, &mut counts[..2 * self.pits]);
        let mut p = Holes::start(self.pits, 0);
        for (i, count) in counts[..2 * self.pits].iter().enumerate() {
            p.sides[i / self.pits][i % self.pits] = *count as u8;
        }
        let captured = (self.all() - seeds) as u8;
        (p.sides[0][self.pits], p.sides[1][self.pits]) = (captured / 2, captured.div_ceil(2));
        self.may_be_reached(p).then_some(p)
    }

    fn exchanged(&self, p: Holes) -> Option<Holes> {
        Some(Holes { sides: [p.sides[1], p.sides[0]], turn: 1 - p.turn })
    }

    fn is_exchanged(&self, p: Holes) -> bool {
        p.turn == 1
    }

    /// Takes the seeds back into every pit that may have been sown, one by one.
    fn predecessors(&self, p: Holes, see: &mut impl FnMut(Holes, bool)) -> bool {
        let (own, other, pits) = (1 - p.turn, p.turn, self.pits);
        let feeds = self.sum(p, other) > 0;
        for origin in (0..pits).filter(|&pit| p.sides[own][pit] == 0) {
            let mut before = Holes { turn: own, ..p };
            let mut last = origin;
            loop {
                last = self.next(last, origin);
                let side = if last < pits { own } else { other };
                let hole = &mut before.sides[side][last % pits];
                if *hole == 0 {
                    break;
                }
                *hole -= 1;
                before.sides[own][origin] += 1;
                // A sowing that ends in two or three of the other side's captures them.
                let captures = last >= pits && matches!(p.sides[other][last - pits], 2 | 3);
                let m = origin as u8;
                let is_move = || feeds || self.moves(before).into_iter().any(|other| other == m);
                if !captures && self.may_be_reached(before) && is_move() {
                    see(before, false);
                }
            }
        }
        true
    }

    fn lead(&self, p: Holes) -> Option<i32> {
        Some(self.stored(p))
    }
}

registered!(
    impl Awari: Self = "awari",
    "Awari: seeds are sown and captured, more of them win",
    &[holes::PITS, holes::seeds(2)],
    |[pits, seeds, _]: [u8; 3]| Self::new(pits, seeds)
);
