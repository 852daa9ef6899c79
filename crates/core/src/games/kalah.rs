//! Kalah: the seeds of a pit are sown one by one along the board. A last seed in one's own store
//! brings another move; in an empty pit of one's own it captures the pit opposite. A side without a
//! seed to sow ends the game, and the other keeps the seeds on its side; more seeds win.
//!
//! Kalah(m,n) has m pits a side with n seeds each. A last seed opposite an empty pit stays there,
//! unless the rule `empty` lets it capture itself. The side to move ends the game if it has no seed to
//! sow; under the rule `either` so does the other side.
//!
//! Source: G. Irving, J. Donkers and J. Uiterwijk, Solving Kalah, ICGA Journal 23 (2000). The program
//! of that paper (github.com/girving/kalah, rules.c) plays by both rules.

use std::sync::Arc;

use super::holes::{self, Holes, Sowing};
use crate::game::{Evaluate, Game, MoveList, Outcome, Parameter, Tiered, Unreadable};

#[derive(Clone, Debug)]
pub struct Kalah {
    pits: usize,
    seeds: u8,
    /// True if a last seed opposite an empty pit captures itself.
    empty: bool,
    /// True if the game ends when either side has no seeds in its pits.
    either: bool,
    /// Bounds of the plies left by the number of seeds, if all of them lie in last pits.
    plies: Arc<[u32]>,
}

impl Kalah {
    pub fn new(pits: u8, seeds: u8, [empty, either]: [bool; 2]) -> Result<Self, Unreadable> {
        Holes::check("kalah", pits, seeds)?;
        let (pits, all) = (usize::from(pits), 2 * usize::from(pits) * usize::from(seeds));
        Ok(Self { pits, seeds, empty, either, plies: Self::plies(pits, all).into() })
    }

    /// Returns the bounds of the plies left.
    ///
    /// A move that reaches a store sends other seeds further back, where they gain plies. The bounds
    /// rise fast enough that the seeds stored lose more: for every number of seeds sown from a last
    /// pit, at least the pits that the others lie back, and the ply itself.
    fn plies(pits: usize, all: usize) -> Vec<u32> {
        let (mut plies, mut weight, mut back, mut stored) = (vec![0], 0, 0, 0);
        for sown in 1..=all {
            match (sown - 1) % (2 * pits + 1) {
                0 => stored += 1,
                hole => back += pits - 1 - (hole - 1) % pits,
            }
            weight = weight.max((back + 1).div_ceil(stored));
            plies.push(plies[sown - 1] + weight as u32);
        }
        plies
    }

    fn is_over(&self, p: Holes) -> bool {
        let is_empty = |side: usize| p.sides[side][..self.pits].iter().all(|&seeds| seeds == 0);
        is_empty(p.turn) || self.either && is_empty(1 - p.turn)
    }

    /// Returns the seeds of the side to move minus the other side's, in stores and pits.
    fn lead(p: Holes) -> i32 {
        let seeds = |side: usize| i32::from(p.sides[side].iter().sum::<u8>());
        seeds(p.turn) - seeds(1 - p.turn)
    }
}

impl Game for Kalah {
    type Position = Holes;
    /// The number of a pit, from 0.
    type Move = u8;
    type Moves = MoveList<u8>;
    const COUNTS_POINTS: bool = true;

    fn initial(&self) -> Holes {
        Holes::start(self.pits, self.seeds)
    }

    fn result(&self, p: Holes) -> Option<Outcome> {
        Outcome::from_sign(Self::lead(p).signum().into()).filter(|_| self.is_over(p))
    }

    fn moves(&self, p: Holes) -> MoveList<u8> {
        (0..self.pits as u8).filter(|&pit| p.sides[p.turn][usize::from(pit)] > 0).collect()
    }

    fn play(&self, mut p: Holes, m: u8) -> Holes {
        let (own, store) = (p.turn, self.pits);
        let (mut side, mut hole) = (own, usize::from(m));
        let seeds = std::mem::take(&mut p.sides[side][hole]);
        for _ in 0..seeds {
            hole += 1;
            if hole > store || (hole == store && side != own) {
                (side, hole) = (1 - side, 0);
            }
            p.sides[side][hole] += 1;
        }
        if (side, hole) == (own, store) {
            return p;
        }
        if side == own && p.sides[own][hole] == 1 {
            let opposite = p.sides[1 - own][store - 1 - hole];
            if opposite > 0 || self.empty {
                p.sides[own][store] += 1 + opposite;
                (p.sides[own][hole], p.sides[1 - own][store - 1 - hole]) = (0, 0);
            }
        }
        p.turn = 1 - own;
        p
    }

    fn keeps_turn(&self, p: Holes, m: u8) -> bool {
        self.play(p, m).turn == p.turn
    }

    #[inline(always)]
    fn step(&self, p: Holes, m: u8) -> (Holes, bool) {
        let next = self.play(p, m);
        (next, next.turn == p.turn)
    }

    fn most_moves(&self) -> u32 {
        self.pits as u32
    }

    fn points(&self, p: Holes) -> Option<i32> {
        Some(Self::lead(p))
    }

    fn plies_between(&self, from: Holes, to: Holes) -> Option<u32> {
        from.plies_between(to, self.pits)
    }
}

impl Sowing for Kalah {
    const TITLE: &'static str = "Kalah";
    const RULES: &'static [&'static str] =
        &["last seeds capture themselves", "either side's empty pits end it"];

    fn pits(&self) -> usize {
        self.pits
    }

    fn seeds(&self) -> u8 {
        self.seeds
    }

    fn rules(&self) -> u8 {
        u8::from(self.empty) + 2 * u8::from(self.either)
    }
}

impl Tiered for Kalah {
    /// A ply for every pit between a seed and the last pit of its side, and the bound from there.
    fn plies_left(&self, p: Holes) -> u32 {
        let pits = p.sides.iter().flat_map(|side| side[..self.pits].iter().rev().zip(0u32..));
        let (seeds, way) = pits.fold((0, 0), |(seeds, way), (&count, steps)| {
            (seeds + usize::from(count), way + u32::from(count) * steps)
        });
        self.plies[seeds] + way
    }
}

impl Evaluate for Kalah {
    fn evaluate(&self, p: Holes) -> i32 {
        let store = |side: usize| i32::from(p.sides[side][self.pits]);
        100 * (store(p.turn) - store(1 - p.turn))
    }

    /// Prefers moves that keep the turn.
    fn promise(&self, p: Holes, m: u8) -> i32 {
        self.keeps_turn(p, m).into()
    }

    #[inline(always)]
    fn habit(&self, _: Holes, (_, m): (u32, u8)) -> u8 {
        m
    }
}

registered!(
    impl Kalah: Self = "kalah",
    "Kalah: seeds are sown, more of them win",
    &[
        holes::PITS,
        holes::seeds(3),
        Parameter::rule("empty", "A last seed opposite an empty pit captures itself"),
        Parameter::rule("either", "The game ends when either side has no seeds in its pits"),
    ],
    |[pits, seeds, rules]: [u8; 3]| {
        Self::new(pits, seeds, [1, 2].map(|bit| rules.wrapping_sub(1) & bit != 0))
    }
);
