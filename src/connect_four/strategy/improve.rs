//! Fewer positions for the same claim.
//!
//! The tree's costs count what two branches share twice. Here positions of a whole strategy are
//! counted as they are: every change of a choice is made, the positions counted that come and go,
//! and taken back if they do not become fewer.

use std::time::Instant;

use rayon::prelude::*;

use super::field::each;
use super::finder::Patience;
use super::plan::Plan;
use super::tree::{And, Or, Tree};
use crate::control::Control;
use crate::games::line::Stones;

/// A strategy as choices in a tree.
#[derive(Debug)]
pub(super) struct Choices {
    root: Or,
    /// The move of every OR node that is solved.
    chosen: Vec<And>,
    /// How many choices of the strategy lead to an AND node.
    and_uses: Vec<u32>,
    /// How many AND nodes of the strategy have an exit to an OR node.
    or_uses: Vec<u32>,
    stored: usize,
}

impl Choices {
    /// The choices that are cheapest without regard to what they share.
    pub fn new(tree: &Tree<'_>, root: Or) -> Self {
        let mut this =
            Self { root, chosen: Vec::new(), and_uses: Vec::new(), or_uses: Vec::new(), stored: 0 };
        this.rebuild(tree);
        this
    }

    /// How many positions the strategy holds.
    pub fn positions(&self) -> usize {
        self.stored
    }

    /// The AND nodes of the strategy.
    pub fn stored(&self) -> impl Iterator<Item = And> {
        let uses = self.and_uses.iter().enumerate();
        uses.filter(|(_, uses)| **uses > 0).map(|(and, _)| and as And)
    }

    /// Counts the uses anew; new nodes get their cheapest move.
    fn rebuild(&mut self, tree: &Tree<'_>) {
        let new = tree.ors[self.chosen.len()..].iter().map(|or| or.best);
        self.chosen.extend(new);
        self.and_uses = vec![0; tree.ands.len()];
        self.or_uses = vec![0; tree.ors.len()];
        self.stored = 0;
        self.enter_or(tree, self.root);
    }

    fn enter_or(&mut self, tree: &Tree<'_>, or: Or) {
        self.or_uses[or as usize] += 1;
        if self.or_uses[or as usize] == 1 {
            self.enter(tree, self.chosen[or as usize]);
        }
    }

    fn enter(&mut self, tree: &Tree<'_>, and: And) {
        self.and_uses[and as usize] += 1;
        if self.and_uses[and as usize] == 1 {
            self.stored += 1;
            for &or in &tree.ands[and as usize].exits {
                self.enter_or(tree, or);
            }
        }
    }

    fn leave_or(&mut self, tree: &Tree<'_>, or: Or) {
        self.or_uses[or as usize] -= 1;
        if self.or_uses[or as usize] == 0 {
            self.leave(tree, self.chosen[or as usize]);
        }
    }

    fn leave(&mut self, tree: &Tree<'_>, and: And) {
        self.and_uses[and as usize] -= 1;
        if self.and_uses[and as usize] == 0 {
            self.stored -= 1;
            for &or in &tree.ands[and as usize].exits {
                self.leave_or(tree, or);
            }
        }
    }

    /// Improves the choices until nothing more is found, the time is over, or the control asks to
    /// stop. `see` is told how many positions are left.
    pub fn improve(
        &mut self,
        tree: &mut Tree<'_>,
        deadline: Option<Instant>,
        control: &Control,
        mut see: impl FnMut(usize),
    ) {
        // The tree may have grown since.
        self.rebuild(tree);
        let is_over =
            || control.check().is_err() || deadline.is_some_and(|at| Instant::now() >= at);
        let mut conflicts = 1000;
        loop {
            let before = self.stored;
            loop {
                let before = self.stored;
                self.share(tree);
                self.switch(tree);
                see(self.stored);
                if self.stored == before || is_over() {
                    break;
                }
            }
            if is_over() {
                return;
            }
            let patience = Patience { conflicts, positions: 100 * conflicts };
            self.replan(tree, patience, &is_over);
            see(self.stored);
            if self.stored == before {
                if conflicts >= 100_000 {
                    return;
                }
                conflicts *= 4;
            }
        }
    }

    /// Lets every choice of the strategy know all positions of the tree that it could lead to.
    fn share(&self, tree: &mut Tree<'_>) {
        for or in 0..tree.ors.len() {
            if self.or_uses[or] == 0 {
                continue;
            }
            let position = tree.ors[or].position;
            for cell in each(tree.field.playable(position.occupied())) {
                let after = Stones { own: position.own, other: position.other | cell };
                let and = tree.node_of(tree.field.kept(after).0);
                if let Some(and) = and.filter(|and| tree.ands[*and as usize].is_solved) {
                    tree.add_move(or as Or, and);
                }
            }
        }
    }

    /// Outside the strategy, chooses what adds least to it.
    fn cheapen(&mut self, tree: &Tree<'_>) {
        let mut order: Vec<Or> = (0..tree.ors.len() as Or).collect();
        order.sort_by_key(|or| {
            std::cmp::Reverse(tree.ors[*or as usize].position.occupied().count_ones())
        });
        let mut costs = vec![f64::INFINITY; tree.ors.len()];
        for or in order {
            let cost_of = |and: And| {
                let node = &tree.ands[and as usize];
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
            let moves = tree.ors[or as usize].moves.iter();
            let best = moves.map(|and| (cost_of(*and), *and)).min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((cost, and)) = best.filter(|(cost, _)| cost.is_finite()) {
                costs[or as usize] = cost;
                self.chosen[or as usize] = and;
            }
        }
    }

    /// Tries every other move of every choice.
    fn switch(&mut self, tree: &Tree<'_>) {
        self.cheapen(tree);
        let mut used: Vec<Or> =
            (0..tree.ors.len() as Or).filter(|or| self.or_uses[*or as usize] > 0).collect();
        used.sort_by_key(|or| tree.ors[*or as usize].position.occupied().count_ones());
        for or in used {
            if self.or_uses[or as usize] == 0 {
                continue;
            }
            for &and in &tree.ors[or as usize].moves {
                let old = self.chosen[or as usize];
                if and == old || !tree.ands[and as usize].is_solved {
                    continue;
                }
                let before = self.stored;
                self.enter(tree, and);
                self.leave(tree, old);
                self.chosen[or as usize] = and;
                if self.stored >= before {
                    self.enter(tree, old);
                    self.leave(tree, and);
                    self.chosen[or as usize] = old;
                }
            }
        }
    }

    /// Looks longer for plans of the positions that have exits.
    fn replan(
        &mut self,
        tree: &mut Tree<'_>,
        patience: Patience,
        is_over: &(impl Fn() -> bool + Sync),
    ) {
        let open: Vec<And> =
            self.stored().filter(|and| !tree.ands[*and as usize].is_settled()).collect();
        let this = &*tree;
        let plans: Vec<Option<Plan>> = open
            .par_iter()
            .map_init(
                || this.finder(),
                |finder, and| {
                    if is_over() { None } else { this.better_plan(finder, *and, patience) }
                },
            )
            .collect();
        for (and, plan) in open.into_iter().zip(plans) {
            if let Some(plan) = plan {
                tree.replan(and, plan);
            }
        }
        self.rebuild(tree);
    }
}
