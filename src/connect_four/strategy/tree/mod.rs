//! The tree of choices a strategy is taken from, its transpositions joined.
//!
//! Positions with the attacker to move are AND nodes: all exits of their plan have to be answered.
//! Positions with the follower to move are OR nodes: one move is enough. The cost of a node is the
//! number of positions a strategy for it would hold, counted as if it shared none: 1 for a plan
//! without exits, an estimate for what is not looked into yet. The tree grows where the cheapest
//! strategy is still open (best-first search of AND/OR graphs, AO*: N. J. Nilsson, "Principles of
//! Artificial Intelligence", 1980).

mod grow;
mod refine;

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::claim::Claim;
use super::field::{Field, each};
use super::finder::{Answers, Finder, Patience};
use super::plan::Plan;
use crate::connect_four::solver::Solver;
use crate::control::{Control, Stopped};
use crate::games::line::Stones;

pub(super) type And = u32;
pub(super) type Or = u32;

/// The attacker to move.
#[derive(Debug)]
pub(super) struct AndNode {
    /// The position, in the orientation it is kept in.
    pub position: Stones,
    pub plan: Plan,
    /// What the exits lead to, once that is known.
    pub exits: Vec<Or>,
    pub is_grown: bool,
    /// The claim does not hold here.
    is_refuted: bool,
    parents: Vec<Or>,
    pub cost: f64,
    /// A strategy for it is known.
    pub is_solved: bool,
}

/// The follower to move.
#[derive(Debug)]
pub(super) struct OrNode {
    pub position: Stones,
    pub moves: Vec<And>,
    parents: Vec<And>,
    /// The cheapest of the moves.
    pub best: And,
    pub cost: f64,
    pub is_solved: bool,
}

/// How a board is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// The most empties of positions that the solver is asked about as soon as they are found; about
    /// all others when their turn comes to be looked into. Moves that do not keep the claim need no
    /// plans, but the solver takes long with many empties, and most moves are never chosen.
    pub asked_at_once: u32,
    /// How many times fewer positions are expected below one with two stones more, until half of
    /// the board is full. Somewhat more than there are, and the search goes on where it is; less,
    /// and it goes from one move to the other, to come out smaller.
    pub fewer: f64,
    /// How long a plan is looked for.
    pub patience: Patience,
    /// Positions with fewer stones, which seldom have one, ...
    pub few: u32,
    /// ... and how long it is looked for there.
    pub patience_with_few: Patience,
}

impl Manner {
    /// The one for a board of so many cells (`docs/strategies.md`).
    pub const fn of(cells: u32) -> Self {
        let long = Patience { conflicts: 300, positions: 30_000 };
        match cells {
            ..=42 => Self {
                asked_at_once: cells,
                fewer: 1.6,
                patience: long,
                few: 0,
                patience_with_few: long,
            },
            _ => Self {
                asked_at_once: 26,
                fewer: 4.0,
                patience: Patience { conflicts: 100, ..long },
                few: 14,
                patience_with_few: Patience { conflicts: 20, ..long },
            },
        }
    }

    const fn patience(&self, stones: u32) -> Patience {
        if stones < self.few { self.patience_with_few } else { self.patience }
    }
}

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub field: Field,
    pub claim: Claim,
    pub ands: Vec<AndNode>,
    pub ors: Vec<OrNode>,
    by_position: FxHashMap<Stones, And>,
    or_by_position: FxHashMap<Stones, Or>,
    solver: &'a Solver,
    manner: Manner,
    /// The positions that are expected below an exit, by the stones on the board.
    below_exit: Vec<f64>,
    allowed: Answers,
}

impl<'a> Tree<'a> {
    pub fn new(
        field: Field,
        claim: Claim,
        solver: &'a Solver,
        manner: Manner,
        allowed: Answers,
    ) -> Self {
        let below_exit = |stones| {
            let left = (f64::from(field.cells) / 2.0 - f64::from(stones)) / 2.0;
            manner.fewer.powf(left).max(2.0)
        };
        Self {
            field,
            claim,
            ands: Vec::new(),
            ors: Vec::new(),
            by_position: FxHashMap::default(),
            or_by_position: FxHashMap::default(),
            solver,
            manner,
            below_exit: (0..=field.cells).map(below_exit).collect(),
            allowed,
        }
    }

    /// About what it takes in memory: nodes, their lists, and the maps of positions.
    pub fn bytes(&self) -> u64 {
        let node = size_of::<AndNode>().max(size_of::<OrNode>()) + 200;
        ((self.ands.len() + self.ors.len()) * node) as u64
    }

    /// A search for the plans of this tree.
    pub fn finder(&self) -> Finder {
        Finder::new(self.field, self.claim, self.allowed)
    }

    /// The node of a position with the attacker to move.
    pub fn root(&mut self, position: Stones) -> And {
        let (kept, _) = self.field.kept(position);
        let mut finder = self.finder();
        let plan = finder
            .whole(kept, self.patience(kept))
            .unwrap_or_else(|| self.partial(&mut finder, kept));
        self.and_node(kept, plan)
    }

    /// The node of a position with the follower to move.
    pub fn choice(&mut self, position: Stones, control: &Control) -> Result<Or, Stopped> {
        let grown = self.grown_choice(&mut self.finder(), position, control)?;
        Ok(self.join_choice(grown))
    }

    /// A choice of this one node.
    pub fn only(&mut self, and: And) -> Or {
        let or = self.ors.len() as Or;
        self.ands[and as usize].parents.push(or);
        let position = self.ands[and as usize].position;
        self.ors.push(OrNode::new(position, vec![and]));
        self.update_or(or);
        or
    }

    /// True if the first strategy comes from the first moves that were looked into.
    pub fn is_hasty(&self) -> bool {
        self.manner.fewer > 2.0
    }

    fn patience(&self, position: Stones) -> Patience {
        self.manner.patience(position.occupied().count_ones())
    }

    fn estimate(&self, stones: u32, exits: u32) -> f64 {
        1.0 + f64::from(exits) * self.below_exit[stones as usize]
    }

    /// Nodes to grow next: those of the cheapest strategy that are open.
    pub fn frontier(&self, root: Or, most: usize) -> Vec<And> {
        let mut frontier = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![self.ors[root as usize].best];
        while let Some(and) = stack.pop() {
            let node = &self.ands[and as usize];
            if node.is_solved || !seen.insert(and) {
                continue;
            }
            if !node.is_grown {
                frontier.push(and);
                if frontier.len() == most {
                    break;
                }
                continue;
            }
            let mut open: Vec<Or> =
                node.exits.iter().copied().filter(|or| !self.ors[*or as usize].is_solved).collect();
            open.sort_by(|a, b| self.ors[*a as usize].cost.total_cmp(&self.ors[*b as usize].cost));
            stack.extend(open.into_iter().map(|or| self.ors[or as usize].best));
        }
        frontier
    }

    fn and_node(&mut self, position: Stones, plan: Plan) -> And {
        if let Some(&and) = self.by_position.get(&position) {
            return and;
        }
        let and = self.ands.len() as And;
        let exits = plan.exits.count_ones();
        let cost = self.estimate(position.occupied().count_ones(), exits);
        self.ands.push(AndNode {
            position,
            plan,
            exits: Vec::new(),
            is_grown: exits == 0,
            is_refuted: false,
            parents: Vec::new(),
            cost,
            is_solved: exits == 0,
        });
        self.by_position.insert(position, and);
        and
    }

    /// The node of a kept position with the attacker to move, if it is in the tree.
    pub fn node_of(&self, position: Stones) -> Option<And> {
        self.by_position.get(&position).copied()
    }

    /// Gives a node another plan with fewer exits.
    pub fn replan(&mut self, and: And, plan: Plan) {
        // Exits and their nodes are sorted apart, so that what is left is found by its position.
        let kept: Vec<Or> = {
            let position = self.ands[and as usize].position;
            each(self.field.playable(position.occupied()))
                .filter(|cell| plan.exits >> self.field.column_of(cell.trailing_zeros()) & 1 == 1)
                .filter_map(|cell| {
                    let after = Stones { own: position.own | cell, other: position.other };
                    self.or_by_position.get(&self.field.kept(after).0).copied()
                })
                .collect()
        };
        let node = &mut self.ands[and as usize];
        node.plan = plan;
        node.exits = kept;
        node.exits.sort_unstable();
        node.exits.dedup();
        self.update_from(and);
    }

    /// Adds a move that is in the tree already to the choice.
    pub fn add_move(&mut self, or: Or, and: And) {
        if !self.ors[or as usize].moves.contains(&and) {
            self.ors[or as usize].moves.push(and);
            self.ands[and as usize].parents.push(or);
        }
    }

    fn update_or(&mut self, or: Or) -> bool {
        let (mut cost, mut best) = (f64::INFINITY, And::MAX);
        for &and in &self.ors[or as usize].moves {
            let node = &self.ands[and as usize];
            if node.cost < cost {
                (cost, best) = (node.cost, and);
            }
        }
        let is_solved = best != And::MAX && self.ands[best as usize].is_solved;
        let node = &mut self.ors[or as usize];
        let is_new = (node.cost, node.best, node.is_solved) != (cost, best, is_solved);
        (node.cost, node.best, node.is_solved) = (cost, best, is_solved);
        is_new
    }

    fn update_and(&mut self, and: And) -> bool {
        let is_refuted = self.ands[and as usize].is_refuted;
        let (mut cost, mut is_solved) =
            if is_refuted { (f64::INFINITY, false) } else { (1.0, true) };
        for &or in &self.ands[and as usize].exits {
            let node = &self.ors[or as usize];
            cost += node.cost;
            is_solved &= node.is_solved;
        }
        let node = &mut self.ands[and as usize];
        let is_new = (node.cost, node.is_solved) != (cost, is_solved);
        (node.cost, node.is_solved) = (cost, is_solved);
        is_new
    }

    /// Tells everything above a node what has changed in it.
    fn update_from(&mut self, and: And) {
        self.update_and(and);
        let mut queue: VecDeque<Or> = self.ands[and as usize].parents.iter().copied().collect();
        while let Some(or) = queue.pop_front() {
            if !self.update_or(or) {
                continue;
            }
            for parent in self.ors[or as usize].parents.clone() {
                if self.update_and(parent) {
                    queue.extend(&self.ands[parent as usize].parents);
                }
            }
        }
    }
}

impl OrNode {
    fn new(position: Stones, moves: Vec<And>) -> Self {
        Self {
            position,
            moves,
            parents: Vec::new(),
            best: And::MAX,
            cost: f64::INFINITY,
            is_solved: false,
        }
    }
}

impl AndNode {
    /// True if the plan has no exits.
    pub fn is_settled(&self) -> bool {
        self.plan.exits == 0
    }
}
