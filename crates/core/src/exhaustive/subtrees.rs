//! Sizes of the trees below the positions of a solution.

use super::position_graph::PositionGraph;
use super::solution::Solution;
use super::strong::Subtree;
use crate::game::{Key, Symmetric, Tiered};

/// The size of the tree below every position of a solution.
#[derive(Debug)]
pub struct Subtrees<'s, G: Symmetric> {
    graph: &'s PositionGraph<G>,
    /// By tier and slot, the root's tier first.
    tiers: Vec<Vec<Subtree>>,
}

impl<G: Symmetric<Key = Key> + Tiered> Subtrees<'_, G> {
    pub fn below(&self, position: G::Position) -> Option<Subtree> {
        let (tier, slot) = self.graph.place(position)?;
        Some(self.tiers[tier][slot])
    }
}

impl<G: Symmetric<Key = Key> + Tiered> Solution<G> {
    pub fn subtrees(&self) -> Subtrees<'_, G> {
        let graph = &self.graph;
        let mut later: Vec<Vec<Subtree>> = Vec::new();
        for (index, tier) in graph.tiers.iter().enumerate().rev() {
            let below = |position| {
                let (there, slot) = graph.place(position).expect("a child of a position");
                // Tiers are pushed from the last to the first.
                later[later.len() + index - there][slot]
            };
            let size = |slot| {
                let Some(key) = tier.key(slot) else { return Subtree::default() };
                let position = graph.position(key);
                if graph.game.result(position).is_some() {
                    return Subtree { nodes: 1, games: 1 };
                }
                let mut sum = Subtree { nodes: 1, games: 0 };
                for m in graph.game.moves(position) {
                    let child = below(graph.game.play(position, m));
                    sum.nodes = sum.nodes.saturating_add(child.nodes);
                    sum.games = sum.games.saturating_add(child.games);
                }
                sum
            };
            later.push(tier.map_slots(&|slots| slots.map(size).collect::<Vec<_>>()).concat());
        }
        later.reverse();
        Subtrees { graph, tiers: later }
    }
}
