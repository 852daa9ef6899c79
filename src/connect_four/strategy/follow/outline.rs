//! The positions of a strategy as a tree.

use std::ops::Range;

use super::{Follower, Following};
use crate::game::Move;

/// The positions of a strategy that are met from its start, each once: where it is met first, with
/// the fewest moves.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The positions, level by level; the root first.
    pub nodes: Vec<Node>,
}

/// A position in its place in the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which it is, in the orientation it is met in.
    pub following: Following,
    /// The attacker's move and the follower's that lead to it from the node above; `None` for the
    /// root.
    pub moves: Option<[Move; 2]>,
    /// Moves of the attacker between the root and it.
    pub level: usize,
    /// The columns its plan does not meet.
    pub exits: usize,
    /// The nodes below it.
    pub children: Range<usize>,
    /// Positions in the tree from it on, itself among them.
    pub positions: usize,
    /// Those of them that have nothing below.
    pub leaves: usize,
}

impl Outline {
    /// The tree of a follower's strategy.
    #[must_use]
    pub fn of(follower: &Follower) -> Self {
        let node = |following: Following, moves, level| Node {
            following,
            moves,
            level,
            exits: 0,
            children: 0..0,
            positions: 1,
            leaves: 0,
        };
        let mut is_met = vec![false; follower.strategy().entries.len()];
        let mut nodes = Vec::new();
        if let Some((root, _)) = follower.root() {
            is_met[root.entry] = true;
            nodes.push(node(root, None, 0));
        }
        let mut at = 0;
        while at < nodes.len() {
            let first = nodes.len();
            let exits = follower.exits(nodes[at].following);
            nodes[at].exits = exits.len();
            for exit in exits {
                let (Some(next), Some(reply)) = (exit.next, exit.reply) else { continue };
                if !std::mem::replace(&mut is_met[next.entry], true) {
                    let level = nodes[at].level + 1;
                    nodes.push(node(next, Some([exit.column, reply.column]), level));
                }
            }
            nodes[at].children = first..nodes.len();
            at += 1;
        }
        // What is below comes later.
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
