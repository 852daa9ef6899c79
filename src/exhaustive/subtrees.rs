//! How much tree hangs below every position of a solution.

use dashmap::DashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::positions::Tree;
use super::solution::Solution;
use crate::game::{Game, Key, Stones};

/// The tree below a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subtree {
    /// Histories from the position, itself included.
    pub nodes: u64,
    /// Those of them that end the game.
    pub games: u64,
}

/// The size of the tree below every position of a solution.
#[derive(Debug)]
pub struct Subtrees<'s, G> {
    tree: &'s Tree<G>,
    plies: Vec<DashMap<Key, Subtree, FxBuildHasher>>,
}

impl<G: Game> Subtrees<'_, G> {
    /// The tree below a position; `None` if the root does not lead to it.
    #[must_use]
    pub fn below(&self, position: Stones) -> Option<Subtree> {
        let below = position.ply().0.checked_sub(self.tree.root.ply().0)?;
        let sizes = self.plies.get(usize::from(below))?;
        sizes.get(&self.tree.folded(position).0).map(|size| *size)
    }
}

impl<G: Game> Solution<G> {
    /// How much tree hangs below each position.
    #[must_use]
    pub fn subtrees(&self) -> Subtrees<'_, G> {
        let tree = &self.tree;
        let mut plies: Vec<DashMap<Key, Subtree, FxBuildHasher>> = Vec::new();
        for tier in tree.tiers.iter().rev() {
            let sizes = DashMap::with_hasher(FxBuildHasher);
            tier.nodes.par_iter().for_each(|node| {
                let position = tree.position(*node.key());
                let mut size = Subtree { nodes: 1, games: 0 };
                if tree.game.terminal(position).is_some() {
                    size.games = 1;
                } else {
                    for m in tree.game.moves(position) {
                        let (key, _) = tree.folded(tree.game.play(position, m));
                        let child = plies.last().and_then(|below| below.get(&key).map(|s| *s));
                        let child = child.expect("the tier below holds every child");
                        size.nodes = size.nodes.saturating_add(child.nodes);
                        size.games = size.games.saturating_add(child.games);
                    }
                }
                sizes.insert(*node.key(), size);
            });
            plies.push(sizes);
        }
        plies.reverse();
        Subtrees { tree, plies }
    }
}
