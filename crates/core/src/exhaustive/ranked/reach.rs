//! The positions that a root leads to, found by rank: two bits a rank instead of a set of keys.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::super::listed::parts;
use super::SolvedTiers;
use super::rules::{Place, RankedRules, place_of, position};
use crate::control::{Control, Stopped};
use crate::game::{Key, Ranked, Symmetric, TierId};

struct ReachedRanks {
    /// True if a position and the one with the sides exchanged count as two.
    separates_sides: bool,
    bits: Vec<Vec<AtomicU8>>,
}

impl ReachedRanks {
    /// Marks a position; returns its place if it is new.
    fn mark(&self, (tier, Place(place)): (TierId, Place)) -> Option<(TierId, Place)> {
        let place = if self.separates_sides { place } else { place & !1 };
        let bit = 1 << (place & 1);
        let before = self.bits[tier.index()][(place >> 1) as usize].fetch_or(bit, Relaxed);
        (before & bit == 0).then_some((tier, Place(place)))
    }

    /// Returns the marked places of a tier.
    fn marked(&self, tier: TierId) -> Vec<Place> {
        let places = (0u64..).zip(&self.bits[tier.index()]).flat_map(|(rank, bits)| {
            let bits = bits.load(Relaxed);
            (0..2).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| Place(rank << 1 | bit))
        });
        places.collect()
    }

    fn follow(
        mut self,
        rules: &dyn RankedRules,
        root: (TierId, Place),
        control: &Control,
        see: &mut dyn FnMut(&Self, TierId) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        self.mark(root);
        control.start(0);
        for tier in (0..self.bits.len() as u32).rev().map(TierId) {
            // Tiers after this one are done, and no tier before it leads to this one.
            let mut newest = self.marked(tier);
            while !newest.is_empty() {
                newest = parts(&newest, |places| {
                    control.check()?;
                    control.advance(places.len() as u64);
                    let (mut next, mut children) = (Vec::new(), Vec::new());
                    for &place in places {
                        rules.children(tier, place, &mut children);
                        let new = children.iter().filter_map(|&child| self.mark(child));
                        next.extend(new.filter(|(to, _)| *to == tier).map(|(_, place)| place));
                    }
                    Ok(next)
                })?;
            }
            see(&self, tier)?;
            self.bits[tier.index()] = Vec::new();
        }
        Ok(())
    }
}

impl<G: Ranked> SolvedTiers<G> {
    fn none_reached(&self, separates_sides: bool) -> ReachedRanks {
        let none = |codes: &Vec<_>| codes.iter().map(|_| AtomicU8::new(0)).collect();
        ReachedRanks { separates_sides, bits: self.values.codes.iter().map(none).collect() }
    }

    /// Counts the ranks that play from a root in these tiers leads to: positions up to symmetry,
    /// and up to the exchange of the sides if that keeps the rank.
    pub fn reached(&self, root: G::Position, control: &Control) -> Result<u64, Stopped> {
        let (mut count, root) = (0, place_of(&self.game, root));
        self.none_reached(false).follow(&self.game, root, control, &mut |reached, tier| {
            let marked = reached.bits[tier.index()].iter().filter(|bits| bits.load(Relaxed) != 0);
            count += marked.count() as u64;
            Ok(())
        })?;
        Ok(count)
    }
}

/// Returns the canonical keys of the positions after a root that all symmetries leave unchanged.
pub(super) fn canonical_keys<G: Ranked + Symmetric<Key = Key>>(
    solved: &SolvedTiers<G>,
    root: G::Position,
    control: &Control,
) -> Result<Vec<Key>, Stopped> {
    let (game, mut all) = (&solved.game, Vec::new());
    let root = place_of(game, root);
    solved.none_reached(true).follow(game, root, control, &mut |reached, tier| {
        all.extend(parts(&reached.marked(tier), |places| {
            control.check()?;
            let position = |&place: &Place| position(game, tier, place).expect("no hole");
            Ok(places.iter().map(|place| game.canonical(position(place)).0).collect())
        })?);
        Ok(())
    })?;
    Ok(all)
}
