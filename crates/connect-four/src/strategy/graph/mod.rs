//! The AND/OR graph of choices from which a strategy is taken.
//!
//! Positions with the attacker to move are AND nodes: all exits of their plan have to be answered.
//! Positions with the follower to move are OR nodes: one move is enough. Transpositions share a
//! node. The cost of a node is the number of positions that a strategy for it would hold, counted
//! as if it shared none: 1 for a plan without exits, an estimate for a node that is not expanded
//! yet. The search expands the open nodes of the cheapest strategy (best-first search of AND/OR
//! graphs, AO*: N. J. Nilsson, "Principles of Artificial Intelligence", 1980).

mod expand;

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::finder::{AllowedAnswers, PlanBudget, PlanFinder};
use super::grid::Grid;
use super::plan::{Claim, Plan};
use crate::solver::Solver;
use everyply_core::control::{Control, Stopped};
use everyply_core::games::line::Stones;

pub(super) type AndId = u32;
pub(super) type OrId = u32;

/// A node with the attacker to move.
#[derive(Debug)]
pub(super) struct AndNode {
    /// The position, in its canonical orientation.
    pub position: Stones,
    pub plan: Plan,
    /// The nodes after the exits; empty before the node is expanded.
    pub exits: Vec<OrId>,
    pub is_expanded: bool,
    /// True if the claim does not hold in the position.
    is_refuted: bool,
    parents: Vec<OrId>,
    /// The contradictions allowed in the most thorough search for its plan.
    pub tried: u32,
    pub cost: f64,
    /// True if a strategy for the position is complete.
    pub is_solved: bool,
}

/// A node with the follower to move.
#[derive(Debug)]
pub(super) struct OrNode {
    pub position: Stones,
    pub moves: Vec<AndId>,
    parents: Vec<AndId>,
    /// The cheapest of the moves.
    pub best: AndId,
    pub cost: f64,
    pub is_solved: bool,
}

/// Parameters of the search for a strategy.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchParameters {
    /// Positions with at most this many empties are solved as soon as they are found, all others
    /// when they are expanded. Moves that do not keep the claim need no plans, but the solver takes
    /// long with many empties, and most moves are never chosen.
    pub eager_empties: u32,
    /// The factor by which the expected positions below a node shrink with every two stones, until
    /// half of the board is full. If the expectation is too high, the search continues with the
    /// move it has begun; if it is too low, the search alternates between moves, and ends with a
    /// smaller strategy.
    pub shrink_factor: f64,
    /// True if the first strategy is not the cheapest by the estimates, but a quick one: estimates
    /// are so high that the search finishes the moves it has begun. Afterwards the graph is searched
    /// again with lower estimates.
    pub is_quick: bool,
    pub budget: PlanBudget,
    /// The contradictions allowed in a search for a plan when the improvement ends.
    pub last_conflicts: u32,
}

impl SearchParameters {
    /// Returns the parameters for a board of this many cells (`docs/strategies.md`).
    pub const fn of(cells: u32) -> Self {
        let (eager_empties, shrink_factor, is_quick) =
            if cells <= 42 { (cells, 1.6, false) } else { (26, 2.4, true) };
        let budget = PlanBudget { conflicts: 300, positions: 30_000 };
        Self { eager_empties, shrink_factor, is_quick, budget, last_conflicts: 250_000 }
    }
}

#[derive(Debug)]
pub(super) struct AndOrGraph<'a> {
    pub grid: Grid,
    pub claim: Claim,
    pub ands: Vec<AndNode>,
    pub ors: Vec<OrNode>,
    /// The nodes of canonical positions with the attacker to move.
    pub by_position: FxHashMap<Stones, AndId>,
    or_by_position: FxHashMap<Stones, OrId>,
    solver: &'a Solver,
    parameters: SearchParameters,
    /// The positions expected below an exit, by the stones on the board.
    cost_per_exit: Vec<f64>,
    allowed: AllowedAnswers,
}

impl<'a> AndOrGraph<'a> {
    pub fn new(grid: Grid, claim: Claim, solver: &'a Solver, parameters: SearchParameters) -> Self {
        let cost_per_exit = |stones| {
            let left = (f64::from(grid.cells) / 2.0 - f64::from(stones)) / 2.0;
            parameters.shrink_factor.powf(left).max(2.0)
        };
        Self {
            grid,
            claim,
            ands: Vec::new(),
            ors: Vec::new(),
            by_position: FxHashMap::default(),
            or_by_position: FxHashMap::default(),
            solver,
            parameters,
            cost_per_exit: (0..=grid.cells).map(cost_per_exit).collect(),
            allowed: AllowedAnswers::Bases,
        }
    }

    /// Estimates the memory of nodes, their lists, and the maps of positions.
    pub fn bytes(&self) -> u64 {
        let node = size_of::<AndNode>().max(size_of::<OrNode>()) + 200;
        ((self.ands.len() + self.ors.len()) * node) as u64
    }

    pub fn finder(&self) -> PlanFinder {
        PlanFinder::new(self.grid, self.claim, self.allowed)
    }

    pub fn and_root(&mut self, position: Stones) -> AndId {
        let (canonical, _) = self.grid.canonical(position);
        let mut finder = self.finder();
        let plan = finder
            .without_exits(canonical, self.parameters.budget)
            .unwrap_or_else(|| self.partial(&mut finder, canonical));
        self.and_node(canonical, plan)
    }

    pub fn or_root(&mut self, position: Stones, control: &Control) -> Result<OrId, Stopped> {
        let choice = self.find_choice(&mut self.finder(), position, control)?;
        Ok(self.add_choice(choice))
    }

    /// Adds an OR node whose only move is this node.
    pub fn single_choice(&mut self, and: AndId) -> OrId {
        self.or_node(self.ands[and as usize].position, vec![and])
    }

    fn or_node(&mut self, position: Stones, moves: Vec<AndId>) -> OrId {
        let or = self.ors.len() as OrId;
        for &and in &moves {
            self.ands[and as usize].parents.push(or);
        }
        self.ors.push(OrNode {
            position,
            moves,
            parents: Vec::new(),
            best: AndId::MAX,
            cost: f64::INFINITY,
            is_solved: false,
        });
        self.update_or(or);
        or
    }

    pub fn allow_any_answers(&mut self) {
        self.allowed = AllowedAnswers::Any;
        for node in &mut self.ands {
            node.tried = 0;
        }
    }

    fn estimate(&self, stones: u32, exits: u32) -> f64 {
        1.0 + f64::from(exits) * self.cost_per_exit[stones as usize]
    }

    /// Returns up to `most` open nodes of the cheapest strategy, to expand next.
    pub fn frontier(&self, root: OrId, most: usize) -> Vec<AndId> {
        let mut frontier = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![self.ors[root as usize].best];
        while let Some(and) = stack.pop() {
            let node = &self.ands[and as usize];
            if node.is_solved || !seen.insert(and) {
                continue;
            }
            if !node.is_expanded {
                frontier.push(and);
                if frontier.len() == most {
                    break;
                }
                continue;
            }
            let mut open: Vec<OrId> =
                node.exits.iter().copied().filter(|or| !self.ors[*or as usize].is_solved).collect();
            open.sort_by(|a, b| self.ors[*a as usize].cost.total_cmp(&self.ors[*b as usize].cost));
            stack.extend(open.into_iter().map(|or| self.ors[or as usize].best));
        }
        frontier
    }

    fn and_node(&mut self, position: Stones, plan: Plan) -> AndId {
        if let Some(&and) = self.by_position.get(&position) {
            return and;
        }
        let and = self.ands.len() as AndId;
        let exits = plan.exits.count_ones();
        let cost = self.estimate(position.occupied().count_ones(), exits);
        self.ands.push(AndNode {
            position,
            plan,
            exits: Vec::new(),
            is_expanded: exits == 0,
            is_refuted: false,
            parents: Vec::new(),
            tried: self.parameters.budget.conflicts,
            cost,
            is_solved: exits == 0,
        });
        self.by_position.insert(position, and);
        and
    }

    /// Gives a node another plan with fewer exits.
    pub fn set_plan(&mut self, and: AndId, plan: Plan) {
        // Exits and their nodes are sorted differently: nodes are found by their positions.
        let position = self.ands[and as usize].position;
        let node_of = |after| self.or_by_position.get(&self.grid.canonical(after).0).copied();
        let exits = distinct(plan.after_exits(&self.grid, position).filter_map(node_of));
        let node = &mut self.ands[and as usize];
        node.plan = plan;
        node.is_expanded |= plan.exits == 0;
        node.exits = exits;
        self.update_from(and);
    }

    /// Adds a node of the graph to the moves of an OR node.
    pub fn add_move(&mut self, or: OrId, and: AndId) {
        if !self.ors[or as usize].moves.contains(&and) {
            self.ors[or as usize].moves.push(and);
            self.ands[and as usize].parents.push(or);
        }
    }

    fn update_or(&mut self, or: OrId) -> bool {
        let (mut cost, mut best) = (f64::INFINITY, AndId::MAX);
        for &and in &self.ors[or as usize].moves {
            let node = &self.ands[and as usize];
            if node.cost < cost {
                (cost, best) = (node.cost, and);
            }
        }
        let is_solved = best != AndId::MAX && self.ands[best as usize].is_solved;
        let node = &mut self.ors[or as usize];
        let is_new = (node.cost, node.best, node.is_solved) != (cost, best, is_solved);
        (node.cost, node.best, node.is_solved) = (cost, best, is_solved);
        is_new
    }

    fn update_and(&mut self, and: AndId) -> bool {
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

    /// Updates a node and everything above it.
    fn update_from(&mut self, and: AndId) {
        self.update_and(and);
        let mut queue: VecDeque<OrId> = self.ands[and as usize].parents.iter().copied().collect();
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

    /// Estimates the cost of unexpanded nodes: `factor` times the cost of solved nodes with as many
    /// stones. A lower factor leads to the expansion of more moves.
    pub fn reestimate(&mut self, factor: f64) {
        let mut sums = vec![(0.0, 0.0); self.cost_per_exit.len()];
        for node in self.ands.iter().filter(|node| node.is_solved && !node.is_settled()) {
            let (costs, exits) = &mut sums[node.position.occupied().count_ones() as usize];
            *costs += node.cost - 1.0;
            *exits += f64::from(node.plan.exits.count_ones());
        }
        for (cost_per_exit, (costs, exits)) in self.cost_per_exit.iter_mut().zip(sums) {
            if exits > 0.0 {
                *cost_per_exit = factor * costs / exits;
            }
        }
        self.recompute_costs(false);
    }

    /// Computes all costs anew, from the positions with the most stones down. If `only_solved`,
    /// unexpanded nodes get an infinite cost, so that every choice is the cheapest solved one.
    pub fn recompute_costs(&mut self, only_solved: bool) {
        let plies = self.cost_per_exit.len();
        let mut ands: Vec<Vec<AndId>> = vec![Vec::new(); plies];
        let mut ors: Vec<Vec<OrId>> = vec![Vec::new(); plies];
        for (and, node) in (0..).zip(&self.ands) {
            ands[node.position.occupied().count_ones() as usize].push(and);
        }
        for (or, node) in (0..).zip(&self.ors) {
            ors[node.position.occupied().count_ones() as usize].push(or);
        }
        for (stones, (ands, ors)) in ands.into_iter().zip(ors).enumerate().rev() {
            for and in ands {
                if self.ands[and as usize].is_expanded {
                    self.update_and(and);
                    continue;
                }
                let exits = self.ands[and as usize].plan.exits.count_ones();
                let cost =
                    if only_solved { f64::INFINITY } else { self.estimate(stones as u32, exits) };
                self.ands[and as usize].cost = cost;
            }
            for or in ors {
                self.update_or(or);
            }
        }
    }
}

/// Returns the items in ascending order, each once.
pub(super) fn distinct<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

impl AndNode {
    pub fn is_settled(&self) -> bool {
        self.plan.exits == 0
    }
}
