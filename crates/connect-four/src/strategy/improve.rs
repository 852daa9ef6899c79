//! Improvement of strategies: fewer positions for the same claim.
//!
//! The costs of the graph count a position twice if two branches share it. Here the positions of a
//! whole strategy are counted exactly: a choice is changed, the added and the removed positions
//! are counted, and the change is undone unless the total falls. Between such rounds the search
//! looks for better plans, and [replaces](super::replacement) parts of the strategy.

use std::mem::replace;

use rayon::prelude::*;

use super::choices::Choices;
use super::finder::{PlanBudget, PlanFinder};
use super::graph::{AndId, AndOrGraph, OrId, distinct};
use super::grid::each_cell;
use super::plan::Plan;
use super::replacement::Replacement;
use everyply_core::control::Control;
use everyply_core::games::line::Stones;

/// The contradictions allowed in the first searches for better plans.
const FIRST_CONFLICTS: u32 = 1000;

/// The contradictions allowed in a search for a plan, for each position that the search for a smaller
/// part may expand.
const CONFLICTS_AN_EXPANSION: u32 = 250;

/// The largest part, in positions, that is taken out at once.
const MOST_REPLACED: usize = 200;

impl Choices {
    /// Improves the choices with the answers that the graph allows, until searches for a plan with
    /// `last_conflicts` contradictions find no improvement, or until `is_over`. `report` receives
    /// the number of positions.
    ///
    /// The limits of the searches for plans, and for smaller parts, double whenever a round with
    /// them saves less than a hundredth of the positions.
    pub fn improve(
        &mut self,
        graph: &mut AndOrGraph<'_>,
        last_conflicts: u32,
        control: &Control,
        is_over: &(impl Fn(&AndOrGraph<'_>) -> bool + Sync),
        report: &mut impl FnMut(usize),
    ) {
        // The graph may have more nodes than before.
        self.rebuild(graph);
        let mut conflicts = FIRST_CONFLICTS;
        loop {
            let before = self.count;
            loop {
                let before = self.count;
                self.add_known_moves(graph);
                self.try_other_moves(graph);
                report(self.count);
                if self.count == before || is_over(graph) {
                    break;
                }
            }
            if is_over(graph) {
                return;
            }
            let budget = PlanBudget { conflicts, positions: 100 * conflicts };
            self.look_for_better_plans(graph, budget, is_over);
            report(self.count);
            self.settle_other_moves(graph, budget, is_over);
            self.try_other_moves(graph);
            self.replace_parts(graph, conflicts / CONFLICTS_AN_EXPANSION, control, is_over);
            report(self.count);
            if self.count >= before - before / 100 {
                if conflicts >= last_conflicts && self.count == before {
                    return;
                }
                conflicts = 2 * conflicts.min(last_conflicts / 2);
            }
        }
    }

    /// Adds to every choice of the strategy all moves to positions of the graph.
    fn add_known_moves(&self, graph: &mut AndOrGraph<'_>) {
        for or in self.used(graph) {
            let position = graph.ors[or as usize].position;
            for cell in each_cell(graph.grid.playable(position.occupied())) {
                let after = Stones { own: position.own, other: position.other | cell };
                let and = graph.by_position.get(&graph.grid.canonical(after).0);
                if let Some(&and) = and.filter(|and| graph.ands[**and as usize].is_solved) {
                    graph.add_move(or, and);
                }
            }
        }
    }

    /// Chooses, outside the strategy, the moves that add the fewest positions to it.
    fn choose_cheapest_outside(&mut self, graph: &AndOrGraph<'_>) {
        let mut order: Vec<OrId> = (0..graph.ors.len() as OrId).collect();
        order.sort_by_key(|or| {
            std::cmp::Reverse(graph.ors[*or as usize].position.occupied().count_ones())
        });
        let mut costs = vec![f64::INFINITY; graph.ors.len()];
        for or in order {
            let cost_of = |and: AndId| {
                let node = &graph.ands[and as usize];
                if self.uses_position(and) {
                    0.0
                } else if !node.is_solved {
                    f64::INFINITY
                } else {
                    1.0 + node.exits.iter().map(|or| costs[*or as usize]).sum::<f64>()
                }
            };
            if self.uses(or) {
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

    fn try_other_moves(&mut self, graph: &AndOrGraph<'_>) {
        self.choose_cheapest_outside(graph);
        for or in self.used(graph) {
            if !self.uses(or) {
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

    /// Looks for plans with fewer exits of the positions of the strategy.
    fn look_for_better_plans(
        &mut self,
        graph: &mut AndOrGraph<'_>,
        budget: PlanBudget,
        is_over: &(impl Fn(&AndOrGraph<'_>) -> bool + Sync),
    ) {
        let nodes = self.and_nodes().collect();
        find_plans(graph, nodes, budget, &|graph, finder, and| {
            if is_over(graph) { None } else { graph.better_plan(finder, and, budget) }
        });
        self.rebuild(graph);
    }

    /// Looks for plans without exits for the other moves of choices that lead to exits.
    fn settle_other_moves(
        &self,
        graph: &mut AndOrGraph<'_>,
        budget: PlanBudget,
        is_over: &(impl Fn(&AndOrGraph<'_>) -> bool + Sync),
    ) {
        let is_open = |or: &OrId| {
            let chosen = self.chosen[*or as usize];
            !graph.ands[chosen as usize].is_settled()
        };
        let open = self.used(graph).into_iter().filter(is_open);
        let moves = open.flat_map(|or| graph.ors[or as usize].moves.iter().copied());
        let others = distinct(moves.filter(|and| !self.uses_position(*and)));
        find_plans(graph, others, budget, &|graph, finder, and| {
            let position = graph.ands[and as usize].position;
            if is_over(graph) { None } else { finder.without_exits(position, budget) }
        });
    }

    /// Replaces parts of the strategy that only one choice leads to by smaller ones, from the
    /// choices with the most stones up.
    fn replace_parts(
        &mut self,
        graph: &mut AndOrGraph<'_>,
        expansions: u32,
        control: &Control,
        is_over: &impl Fn(&AndOrGraph<'_>) -> bool,
    ) {
        for or in self.used(graph).into_iter().rev() {
            if is_over(graph) {
                return;
            }
            if !self.uses(or) {
                continue;
            }
            let old = self.chosen[or as usize];
            let uses = replace(&mut self.or_uses[or as usize], 0);
            let before = self.count;
            self.leave(graph, old);
            let taken = before - self.count;
            let replacement = if (2..=MOST_REPLACED).contains(&taken) {
                Replacement::new(graph, self, expansions, control).find(or, taken).ok().flatten()
            } else {
                None
            };
            self.extend(graph);
            for (or, and) in replacement.unwrap_or_default() {
                self.chosen[or as usize] = and;
            }
            self.or_uses[or as usize] = uses;
            self.enter(graph, self.chosen[or as usize]);
            debug_assert!(self.count <= before, "a part is replaced by a smaller one");
        }
    }
}

/// Looks for better plans of the nodes that were not yet searched this thoroughly.
fn find_plans<'g>(
    graph: &mut AndOrGraph<'g>,
    mut nodes: Vec<AndId>,
    budget: PlanBudget,
    find: &(dyn Fn(&AndOrGraph<'g>, &mut PlanFinder, AndId) -> Option<Plan> + Sync),
) {
    nodes.retain(|and| {
        let node = &graph.ands[*and as usize];
        !node.is_settled() && node.tried < budget.conflicts
    });
    let this = &*graph;
    let plans: Vec<Option<Plan>> = nodes
        .par_iter()
        .map_init(|| this.finder(), |finder, and| find(this, finder, *and))
        .collect();
    for (and, plan) in nodes.into_iter().zip(plans) {
        graph.ands[and as usize].tried = budget.conflicts;
        if let Some(plan) = plan {
            graph.set_plan(and, plan);
        }
    }
}
