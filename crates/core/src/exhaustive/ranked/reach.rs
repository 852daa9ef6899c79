//! The positions that a root leads to, found by rank: two bits a rank instead of a set of keys.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::super::listed::parts;
use super::SolvedTiers;
use crate::control::{Control, Stopped};
use crate::game::{Key, Ranked, Symmetric, TierId, branches};

struct ReachedRanks<'a, G> {
    game: &'a G,
    /// True if a position and the one with the sides exchanged count as two.
    separates_sides: bool,
    bits: Vec<Vec<AtomicU8>>,
}

/// A rank, and in the lowest bit whether the sides are exchanged.
#[derive(Clone, Copy)]
struct Place(u64);

impl<G: Ranked> ReachedRanks<'_, G> {
    /// Marks a position; returns its place, if it was not marked before.
    fn mark(&self, position: G::Position) -> Option<(TierId, Place)> {
        let (tier, rank) = self.game.rank(position).expect("play reaches positions with a rank");
        let is_exchanged = self.separates_sides && self.game.is_exchanged(position);
        let bit = 1 << u8::from(is_exchanged);
        let before = self.bits[tier.index()][rank as usize].fetch_or(bit, Relaxed);
        (before & bit == 0).then_some((tier, Place(rank << 1 | u64::from(is_exchanged))))
    }

    /// Returns the marked places of a tier.
    fn marked(&self, tier: TierId) -> Vec<Place> {
        let places = (0u64..).zip(&self.bits[tier.index()]).flat_map(|(rank, bits)| {
            let bits = bits.load(Relaxed);
            (0..2).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| Place(rank << 1 | bit))
        });
        places.collect()
    }

    fn position(&self, tier: TierId, Place(place): Place) -> G::Position {
        let position = self.game.unrank(tier, place >> 1).expect("a marked rank is no hole");
        match place & 1 {
            0 => position,
            _ => self.game.exchanged(position).expect("the sides of this rank can be exchanged"),
        }
    }

    fn follow(
        mut self,
        root: G::Position,
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
                    let mut next = Vec::new();
                    for &place in places {
                        let position = self.position(tier, place);
                        if self.game.result(position).is_none() {
                            let children = branches(self.game, position);
                            let new = children.filter_map(|(.., child)| self.mark(child));
                            next.extend(new.filter(|(to, _)| *to == tier).map(|(_, place)| place));
                        }
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
    fn none_reached(&self, separates_sides: bool) -> ReachedRanks<'_, G> {
        let bits = self.codes.iter().map(|codes| codes.iter().map(|_| AtomicU8::new(0)).collect());
        ReachedRanks { game: &self.game, separates_sides, bits: bits.collect() }
    }

    /// Counts the ranks that play from a root in these tiers leads to: positions up to symmetry,
    /// and up to the exchange of the sides if that keeps the rank.
    pub fn reached(&self, root: G::Position, control: &Control) -> Result<u64, Stopped> {
        let mut count = 0;
        self.none_reached(false).follow(root, control, &mut |reached, tier| {
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
    let mut all = Vec::new();
    solved.none_reached(true).follow(root, control, &mut |reached, tier| {
        all.extend(parts(&reached.marked(tier), |places| {
            control.check()?;
            let key = |&place: &Place| reached.game.canonical(reached.position(tier, place)).0;
            Ok(places.iter().map(key).collect())
        })?);
        Ok(())
    })?;
    Ok(all)
}
