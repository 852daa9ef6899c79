//! Values of all positions of a position graph, backwards from the ends of the games.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::error::SolveError;
use super::keys::zeroed;
use super::layer::Layer;
use super::plies::{Plies, count_outcomes, count_plies};
use super::points::BestPoints;
use super::position_graph::{PositionGraph, first_ply};
use super::strong::{SolvedKey, SolvedPosition, StrongSolution, Totals, sorted};
use crate::control::{Control, Stopped};
use crate::game::{
    Key, MoveSet, PartialValue, Ply, Remoteness, Symmetric, Tiered, Unsuited, Value, branches,
};
use crate::huge_pages::HugePageBuffer;
use crate::statistics::PlyCounts;

/// A strong solution: outcome, remoteness and best moves of every position a root leads to.
#[derive(Debug)]
pub struct Solution<G: Symmetric> {
    pub(super) graph: PositionGraph<G>,
    /// The moves that attain the value, by tier and slot.
    best: Vec<HugePageBuffer<AtomicU64>>,
    /// Empty if tiers are not plies.
    plies: Plies,
    /// Final points as far as they were asked for; `None` if the game counts none.
    points: Mutex<Option<BestPoints<G>>>,
}

impl<G: Symmetric<Key = Key> + Tiered> Solution<G> {
    /// Finds every position from a root on, `most` of them at most, and solves them all. Fails if best
    /// play from a position takes more than 63 plies.
    pub fn within(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        let graph = PositionGraph::build(game, root, most, control)?;
        let mut best: Vec<HugePageBuffer<AtomicU64>> = Vec::new();
        for tier in &graph.tiers {
            best.push(zeroed(tier.slots()));
        }
        let too_far = AtomicBool::new(false);
        control.start(graph.kept());
        for (tier, best) in graph.tiers.iter().zip(&best).rev() {
            for round in tier.rounds() {
                tier.try_for_each_in(round, control, |children: &mut Vec<_>, slot, key| {
                    if tier.value(slot) != 0 {
                        return;
                    }
                    let position = graph.position(key);
                    children.clear();
                    for (bit, _, keeps_turn, child) in branches(&graph.game, position) {
                        let below = graph.tier(child).expect("a move leaves fewer plies");
                        let key = graph.fold.apply(&graph.game, child).0;
                        graph.tiers[below].prefetch(key);
                        children.push((bit, keeps_turn, below, key));
                    }
                    let mut attained = None;
                    for &(bit, keeps_turn, below, key) in children.iter() {
                        let tier = &graph.tiers[below];
                        let slot = tier.slot(key).expect("later tiers are solved");
                        let value = solved_value(tier, slot).one_ply_earlier(keeps_turn);
                        add_move(&mut attained, bit, value);
                    }
                    let (mut value, moves) =
                        attained.expect("a position without a result has a move");
                    if value.remoteness > Remoteness::MOST {
                        too_far.store(true, Relaxed);
                        value.remoteness = Remoteness::MOST;
                    }
                    tier.set_value(slot, value.to_byte());
                    best[slot].store(moves, Relaxed);
                })?;
            }
            if too_far.load(Relaxed) {
                return Err(Unsuited::Distance(Remoteness::MOST.0.into()).into());
            }
        }
        Ok(Self::counted(graph, best, control)?)
    }

    fn counted(
        graph: PositionGraph<G>,
        best: Vec<HugePageBuffer<AtomicU64>>,
        control: &Control,
    ) -> Result<Self, Stopped> {
        let mut plies = graph.plies.clone().unwrap_or_default();
        for (tier, counts) in graph.tiers.iter().zip(&mut plies.counts) {
            control.check()?;
            let outcome = |_, slot| Value::from_byte(tier.value(slot)).map(|v| v.outcome);
            count_outcomes(counts, &graph.game, &graph.fold, tier, &outcome);
        }
        let points = Mutex::new(BestPoints::of(graph.game.clone(), u64::MAX));
        Ok(Self { graph, best, plies, points })
    }

    /// The counts of every ply from the root on; none if tiers are not plies.
    pub fn counts(&self) -> &[PlyCounts] {
        &self.plies.counts
    }

    /// Value and best moves of a position; `None` if the root does not lead to it.
    pub fn entry(&self, position: G::Position) -> Option<SolvedPosition<G::Position>> {
        let game = &self.graph.game;
        let (key, symmetry) = self.graph.fold.apply(game, position);
        let tier = self.graph.tier(position)?;
        let slot = self.graph.tiers.get(tier)?.slot(key)?;
        Some(SolvedPosition {
            position,
            key: game.key(position),
            value: Value::from_byte(self.graph.tiers[tier].value(slot))?,
            best: game.moves_of_image(position, self.moves_in(tier, slot), symmetry),
        })
    }

    fn moves_in(&self, tier: usize, slot: usize) -> MoveSet {
        MoveSet(self.best[tier][slot].load(Relaxed))
    }

    fn value(&self, position: G::Position) -> Option<Value> {
        let (tier, slot) = self.graph.place(position)?;
        Value::from_byte(self.graph.tiers[tier].value(slot))
    }

    /// The tiers from the root's on: the number of moves played, if each leaves one ply less.
    pub fn tiers(&self) -> impl Iterator<Item = Ply> + '_ {
        let first = first_ply(&self.graph.game, self.graph.root).0;
        (first..).zip(&self.graph.tiers).map(|(ply, _)| Ply(ply))
    }

    /// Every distinct position of a tier, by ascending key.
    pub fn entries(&self, tier: Ply) -> Vec<SolvedPosition<G::Position>> {
        let mut entries = Vec::new();
        for SolvedKey { key, value, best } in sorted(self.solved(tier, Images::All)) {
            let value = value.exact().expect("every remoteness is known");
            entries.push(SolvedPosition { position: self.graph.position(key), key, value, best });
        }
        entries
    }

    /// By ascending key over all tiers: the order in which a database stores them fastest.
    fn canonical_keys(&self) -> Vec<SolvedKey> {
        let mut solved = Vec::with_capacity(self.graph.kept() as usize);
        // One tier after another, because each is in memory twice for a moment.
        for tier in self.tiers() {
            solved.append(&mut self.solved(tier, Images::Canonical));
        }
        sorted(solved)
    }

    /// Images of the kept positions of a tier, in no order; none if there is no such tier.
    fn solved(&self, tier: Ply, images: Images) -> Vec<SolvedKey> {
        let Some(tier) = self.tiers().position(|ply| ply == tier) else { return Vec::new() };
        let (game, layer) = (self.game(), &self.graph.tiers[tier]);
        let parts = layer.map_slots(&|slots| {
            let mut solved = Vec::new();
            for (slot, key) in layer.keys_in(slots) {
                let position = self.graph.position(key);
                let (value, best) = (solved_value(layer, slot).into(), self.moves_in(tier, slot));
                let mut add = |key, symmetry| {
                    let best = game.image_moves(position, best, symmetry);
                    solved.push(SolvedKey { key, value, best });
                };
                match images {
                    Images::All => {
                        for &symmetry in self.graph.fold.symmetries() {
                            add(game.image_key(position, symmetry), symmetry);
                        }
                    }
                    Images::Canonical => {
                        let (key, symmetry) = game.canonical(position);
                        add(key, symmetry);
                    }
                }
            }
            solved
        });
        parts.concat()
    }
}

/// The images to list of a kept position.
#[derive(Clone, Copy)]
enum Images {
    /// Every position that was folded into it.
    All,
    Canonical,
}

fn rounds(layers: &[Layer]) -> Vec<(&Layer, Range<usize>)> {
    layers.iter().flat_map(|layer| layer.rounds().map(move |slots| (layer, slots))).collect()
}

fn solved_value(layer: &Layer, slot: usize) -> Value {
    Value::from_byte(layer.value(slot)).expect("every position is solved")
}

/// Adds a move to the best value among moves and the bits of those that attain it.
#[inline]
fn add_move(best: &mut Option<(Value, u64)>, bit: u32, value: Value) {
    match best {
        Some((attained, set)) if *attained == value => *set |= 1 << bit,
        Some((attained, _)) if *attained > value => {}
        best => *best = Some((value, 1 << bit)),
    }
}

impl<G: Symmetric<Key = Key> + Tiered> StrongSolution<G> for Solution<G> {
    fn game(&self) -> &G {
        &self.graph.game
    }

    fn root(&self) -> G::Position {
        self.graph.root
    }

    fn worth(&self, position: G::Position) -> Option<PartialValue> {
        self.value(position).map(PartialValue::from)
    }

    fn points(&self, position: G::Position, control: &Control) -> Result<Option<i32>, SolveError> {
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        let points = points.as_mut().filter(|_| self.worth(position).is_some());
        points.map(|points| points.best(position, control)).transpose()
    }

    fn canonical(&self, see: &mut dyn FnMut(&[SolvedKey])) {
        self.canonical_keys().chunks(1 << 16).for_each(see);
    }

    fn totals(&self) -> Totals {
        if !self.plies.counts.is_empty() {
            return Totals::of_plies(&self.plies.counts);
        }
        let parts = rounds(&self.graph.tiers);
        Totals::of(&self.graph.game, &self.graph.fold, &parts, |(tier, slots)| {
            tier.keys_in(slots.clone()).map(|(slot, key)| {
                (self.graph.position(key), PartialValue::from(solved_value(tier, slot)))
            })
        })
    }

    /// The counts kept with the solution, if tiers are plies.
    fn plies(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        let known = self.plies.counts.len();
        if known > 0 && known as u64 <= u64::from(plies) + 1 {
            return Ok(self.plies.clone());
        }
        let outcome = |position| self.value(position).map(|value| value.outcome);
        let first = self.plies.counts.first().map_or(Ply(0), |counts| counts.ply);
        count_plies(self.game(), self.root(), first, plies, &outcome, control)
    }

    fn best(&self, position: G::Position) -> MoveSet {
        self.entry(position).map_or(MoveSet::EMPTY, |entry| entry.best)
    }
}
