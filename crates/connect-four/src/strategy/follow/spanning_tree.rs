//! Spanning tree of a strategy, for its poster.

use std::ops::Range;

use super::{ActivePlan, Follower};
use crate::game::Move;

/// The positions of a strategy that are reached from its start, each once, by the fewest moves.
#[derive(Clone, Debug)]
pub struct SpanningTree {
    /// The positions, level by level; the root first.
    pub nodes: Vec<TreeNode>,
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The plan of the position, in the orientation of the game.
    pub active: ActivePlan,
    /// The moves of the attacker and the follower from the parent; `None` for the root.
    pub moves: Option<[Move; 2]>,
    /// The depth: moves of the attacker since the root.
    pub level: usize,
    /// The number of columns that the plan does not meet.
    pub exits: usize,
    /// The children.
    pub children: Range<usize>,
    /// The size of the subtree, the node included.
    pub positions: usize,
    /// The leaves of the subtree.
    pub leaves: usize,
}

impl SpanningTree {
    /// Builds the tree of a follower's strategy, breadth first.
    pub fn of(follower: &Follower) -> Self {
        let node = |active: ActivePlan, moves, level| TreeNode {
            active,
            moves,
            level,
            exits: 0,
            children: 0..0,
            positions: 1,
            leaves: 0,
        };
        let mut is_met = vec![false; follower.strategy().positions.len()];
        let mut nodes = Vec::new();
        if let Some((root, _)) = follower.root() {
            is_met[root.index] = true;
            nodes.push(node(root, None, 0));
        }
        let mut at = 0;
        while at < nodes.len() {
            let first = nodes.len();
            let exits = follower.exits(nodes[at].active);
            nodes[at].exits = exits.len();
            for exit in exits {
                let (Some(next), Some(reply)) = (exit.next, exit.reply) else { continue };
                if !std::mem::replace(&mut is_met[next.index], true) {
                    let level = nodes[at].level + 1;
                    nodes.push(node(next, Some([exit.column, reply.column]), level));
                }
            }
            nodes[at].children = first..nodes.len();
            at += 1;
        }
        // Children stand after their parents.
        for at in (0..nodes.len()).rev() {
            let children = &nodes[nodes[at].children.clone()];
            let positions: usize = children.iter().map(|node| node.positions).sum();
            let leaves: usize = children.iter().map(|node| node.leaves).sum();
            nodes[at].positions = 1 + positions;
            nodes[at].leaves = leaves.max(1);
        }
        Self { nodes }
    }
}
