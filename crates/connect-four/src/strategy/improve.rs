//! Improvement of strategies: fewer positions for the same claim.
//!
//! The costs of the graph count a position twice if two branches share it. Here the positions of a
//! whole strategy are counted exactly: a choice is changed, the added and the removed positions
//! are counted, and the change is undone unless there are fewer.

use rayon::prelude::*;

use super::finder::PlanBudget;
use super::graph::{AndId, AndOrGraph, OrId};
use super::grid::each_cell;
use super::plan::Plan;
use crate::clock::Instant;
use crate::control::Control;
use crate::games::line::Stones;

/// A strategy as choices in a graph.
#[derive(Debug)]
pub(super) struct Choices {
    root: OrId,
    /// The move of every solved OR node.
    chosen: Vec<AndId>,
    /// The number of choices of the strategy that lead to each AND node.
    and_uses: Vec<u32>,
    /// The number of AND nodes of the strategy with an exit to each OR node.
    or_uses: Vec<u32>,
    /// The number of positions of the strategy.
    pub count: usize,
}

impl Choices {
    /// Takes the cheapest choices, without regard to the positions they share.
    pub fn new(graph: &AndOrGraph<'_>, root: OrId) -> Self {
        let mut this =
            Self { root, chosen: Vec::new(), and_uses: Vec::new(), or_uses: Vec::new(), count: 0 };
        this.rebuild(graph);
        this
    }

    /// Iterates over the AND nodes of the strategy.
    pub fn and_nodes(&self) -> impl Iterator<Item = AndId> {
        let uses = self.and_uses.iter().enumerate();
        uses.filter(|(_, uses)| **uses > 0).map(|(and, _)| and as AndId)
    }

    /// Counts the uses anew; new nodes get their cheapest move.
    fn rebuild(&mut self, graph: &AndOrGraph<'_>) {
        let new = graph.ors[self.chosen.len()..].iter().map(|or| or.best);
        self.chosen.extend(new);
        self.and_uses = vec![0; graph.ands.len()];
        self.or_uses = vec![0; graph.ors.len()];
        self.count = 0;
        self.enter_or(graph, self.root);
    }

    fn enter_or(&mut self, graph: &AndOrGraph<'_>, or: OrId) {
        self.or_uses[or as usize] += 1;
        if self.or_uses[or as usize] == 1 {
            self.enter(graph, self.chosen[or as usize]);
        }
    }

    fn enter(&mut self, graph: &AndOrGraph<'_>, and: AndId) {
        self.and_uses[and as usize] += 1;
        if self.and_uses[and as usize] == 1 {
            self.count += 1;
            for &or in &graph.ands[and as usize].exits {
                self.enter_or(graph, or);
            }
        }
    }

    fn leave_or(&mut self, graph: &AndOrGraph<'_>, or: OrId) {
        self.or_uses[or as usize] -= 1;
        if self.or_uses[or as usize] == 0 {
            self.leave(graph, self.chosen[or as usize]);
        }
    }

    fn leave(&mut self, graph: &AndOrGraph<'_>, and: AndId) {
        self.and_uses[and as usize] -= 1;
        if self.and_uses[and as usize] == 0 {
            self.count -= 1;
            for &or in &graph.ands[and as usize].exits {
                self.leave_or(graph, or);
            }
        }
    }

    /// Improves the choices until no improvement is found, the time is over, or the control asks to
    /// stop. `report` receives the number of positions left.
    pub fn improve(
        &mut self,
        graph: &mut AndOrGraph<'_>,
        deadline: Option<Instant>,
        control: &Control,
        mut report: impl FnMut(usize),
    ) {
        // The graph may have more nodes than before.
        self.rebuild(graph);
        let is_over =
            || control.check().is_err() || deadline.is_some_and(|at| Instant::now() >= at);
        let mut conflicts = 1000;
        loop {
            let before = self.count;
            loop {
                let before = self.count;
                self.add_known_moves(graph);
                self.try_other_moves(graph);
                report(self.count);
                if self.count == before || is_over() {
                    break;
                }
            }
            if is_over() {
                return;
            }
            let budget = PlanBudget { conflicts, positions: 100 * conflicts };
            self.look_for_better_plans(graph, budget, &is_over);
            report(self.count);
            if self.count == before {
                if conflicts >= 100_000 {
                    return;
                }
                conflicts *= 4;
            }
        }
    }

    /// Adds to every choice of the strategy all moves to positions of the graph.
    fn add_known_moves(&self, graph: &mut AndOrGraph<'_>) {
        for or in 0..graph.ors.len() {
            if self.or_uses[or] == 0 {
                continue;
            }
            let position = graph.ors[or].position;
            for cell in each_cell(graph.grid.playable(position.occupied())) {
                let after = Stones { own: position.own, other: position.other | cell };
                let and = graph.by_position.get(&graph.grid.canonical(after).0);
                if let Some(&and) = and.filter(|and| graph.ands[**and as usize].is_solved) {
                    graph.add_move(or as OrId, and);
                }
            }
        }
    }

    /// Outside the strategy, chooses the moves that add the fewest positions to it.
    fn choose_cheapest_outside(&mut self, graph: &AndOrGraph<'_>) {
        let mut order: Vec<OrId> = (0..graph.ors.len() as OrId).collect();
        order.sort_by_key(|or| {
            std::cmp::Reverse(graph.ors[*or as usize].position.occupied().count_ones())
        });
        let mut costs = vec![f64::INFINITY; graph.ors.len()];
        for or in order {
            let cost_of = |and: AndId| {
                let node = &graph.ands[and as usize];
                if self.and_uses[and as usize] > 0 {
                    0.0
                } else if !node.is_solved {
                    f64::INFINITY
                } else {
                    1.0 + node.exits.iter().map(|or| costs[*or as usize]).sum::<f64>()
                }
            };
            if self.or_uses[or as usize] > 0 {
                costs[or as usize] = 0.0;
                continue;
            }
            let moves = graph.ors[or as usize].moves.iter();
            let best = moves.map(|and| (cost_of(*and), *and)).min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((cost, and)) = best.filter(|(cost, _)| cost.is_finite()) {
                costs[or as usize] = cost;
                self.chosen[or as usize] = and;
            }
        }
    }

    /// Tries every other move of every choice.
    fn try_other_moves(&mut self, graph: &AndOrGraph<'_>) {
        self.choose_cheapest_outside(graph);
        let mut used: Vec<OrId> =
            (0..graph.ors.len() as OrId).filter(|or| self.or_uses[*or as usize] > 0).collect();
        used.sort_by_key(|or| graph.ors[*or as usize].position.occupied().count_ones());
        for or in used {
            if self.or_uses[or as usize] == 0 {
                continue;
            }
            for &and in &graph.ors[or as usize].moves {
                let old = self.chosen[or as usize];
                if and == old || !graph.ands[and as usize].is_solved {
                    continue;
                }
                let before = self.count;
                self.enter(graph, and);
                self.leave(graph, old);
                self.chosen[or as usize] = and;
                if self.count >= before {
                    self.enter(graph, old);
                    self.leave(graph, and);
                    self.chosen[or as usize] = old;
                }
            }
        }
    }

    /// Spends a larger budget on plans of the positions that have exits.
    fn look_for_better_plans(
        &mut self,
        graph: &mut AndOrGraph<'_>,
        budget: PlanBudget,
        is_over: &(impl Fn() -> bool + Sync),
    ) {
        let open: Vec<AndId> =
            self.and_nodes().filter(|and| !graph.ands[*and as usize].is_settled()).collect();
        let this = &*graph;
        let plans: Vec<Option<Plan>> = open
            .par_iter()
            .map_init(
                || this.finder(),
                |finder, and| {
                    if is_over() { None } else { this.better_plan(finder, *and, budget) }
                },
            )
            .collect();
        for (and, plan) in open.into_iter().zip(plans) {
            if let Some(plan) = plan {
                graph.set_plan(and, plan);
            }
        }
        self.rebuild(graph);
    }
}
