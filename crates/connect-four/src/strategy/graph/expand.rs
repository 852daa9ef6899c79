//! Expansion of nodes: the positions after exits, and their plans.

use rayon::prelude::*;

use super::super::finder::{PlanBudget, PlanFinder};
use super::super::grid::each_cell;
use super::super::plan::Plan;
use super::{AndId, AndNode, AndOrGraph, OrId, distinct};
use everyply_core::control::{Control, Stopped};
use everyply_core::games::line::Stones;

/// The choice after an exit, found by a worker before it joins the graph.
pub(super) enum FoundChoice {
    Known(OrId),
    /// A position that is not in the graph, with the follower's moves.
    New {
        position: Stones,
        moves: Vec<FoundMove>,
    },
}

/// A move of the follower, found by a worker.
pub(super) enum FoundMove {
    Known(AndId),
    /// A move to a position that is not in the graph, with its plan.
    New(Stones, Plan),
}

impl AndOrGraph<'_> {
    /// Looks for a plan whose exits cost less than the exits of the node's plan. The replies that
    /// the node's plan meets are tried first, then its exits, the most expensive first.
    pub fn better_plan(
        &self,
        finder: &mut PlanFinder,
        and: AndId,
        budget: PlanBudget,
    ) -> Option<Plan> {
        let AndNode { position, plan, .. } = &self.ands[and as usize];
        let is_exit = |cell: u64| plan.is_exit(&self.grid, cell);
        let cost = |cell: u64| {
            let after = Stones { own: position.own | cell, other: position.other };
            match self.or_by_position.get(&self.grid.canonical(after).0) {
                Some(or) if is_exit(cell) => self.ors[*or as usize].cost,
                _ => 0.0,
            }
        };
        let replies = self.grid.playable(position.occupied());
        let mut order: Vec<u64> = each_cell(replies).collect();
        order.sort_by(|a, b| {
            is_exit(*a).cmp(&is_exit(*b)).then_with(|| cost(*b).total_cmp(&cost(*a)))
        });
        let better = finder.with_exits(*position, &order, Some(plan), budget);
        let total = |plan: &Plan| {
            let exits = each_cell(replies).filter(|cell| plan.is_exit(&self.grid, *cell));
            exits.map(cost).sum::<f64>()
        };
        // Only the node's present exits have known costs.
        let is_subset = better.exits & !plan.exits == 0;
        (is_subset && total(&better) < total(plan)).then_some(better)
    }

    /// Finds a plan that meets as many replies as possible, replies near the middle first.
    pub(super) fn partial(&self, finder: &mut PlanFinder, position: Stones) -> Plan {
        let mut order: Vec<u64> = each_cell(self.grid.playable(position.occupied())).collect();
        let off_centre = |cell: &u64| {
            let column = self.grid.column_of(cell.trailing_zeros());
            (2 * column + 1).abs_diff(self.grid.width)
        };
        order.sort_by_key(off_centre);
        finder.with_exits(position, &order, None, self.parameters.budget)
    }

    pub fn expand(&mut self, nodes: &[AndId], control: &Control) -> Result<(), Stopped> {
        let this = &*self;
        let choices: Vec<Option<Vec<FoundChoice>>> = nodes
            .par_iter()
            .map(|and| this.find_choices(*and, control))
            .collect::<Result<_, Stopped>>()?;
        for (&and, choices) in nodes.iter().zip(choices) {
            self.ands[and as usize].is_refuted = choices.is_none();
            let choices = choices.unwrap_or_default().into_iter();
            let exits = distinct(choices.map(|choice| self.add_choice(choice)));
            for &or in &exits {
                self.ors[or as usize].parents.push(and);
            }
            let node = &mut self.ands[and as usize];
            node.exits = exits;
            node.is_expanded = true;
            self.update_from(and);
        }
        Ok(())
    }

    /// Finds the choices after the exits of a node; `None` if the claim does not hold there.
    fn find_choices(
        &self,
        and: AndId,
        control: &Control,
    ) -> Result<Option<Vec<FoundChoice>>, Stopped> {
        let AndNode { position, plan, .. } = &self.ands[and as usize];
        if !self.holds(*position, control)? {
            return Ok(None);
        }
        let exits: Vec<Stones> = plan.after_exits(&self.grid, *position).collect();
        exits
            .into_par_iter()
            .map_init(|| self.finder(), |finder, exit| self.find_choice(finder, exit, control))
            .collect::<Result<_, Stopped>>()
            .map(Some)
    }

    /// Finds the follower's moves in a position whose `own` are the attacker's stones.
    pub(super) fn find_choice(
        &self,
        finder: &mut PlanFinder,
        position: Stones,
        control: &Control,
    ) -> Result<FoundChoice, Stopped> {
        let grid = &self.grid;
        let (position, _) = grid.canonical(position);
        if let Some(&or) = self.or_by_position.get(&position) {
            return Ok(FoundChoice::Known(or));
        }
        control.check()?;
        let occupied = position.occupied();
        let playable = grid.playable(occupied);
        let threats = grid.completing(position.own) & playable;
        let mut next: Vec<Stones> = each_cell(if threats == 0 { playable } else { threats })
            .filter(|cell| {
                let after = grid.playable(occupied | cell);
                grid.completing(position.own) & after == 0
                    || self.claim.met_by_loss(grid.cells, occupied.count_ones() + 2)
            })
            .map(|cell| {
                grid.canonical(Stones { own: position.own, other: position.other | cell }).0
            })
            .collect();
        next.sort_unstable_by_key(|p| (p.other, p.own));
        next.dedup();
        let known = |p: &Stones| self.by_position.get(p).copied();
        // A position that a plan settles costs 1: no move is cheaper.
        let settled =
            next.iter().filter_map(known).find(|and| self.ands[*and as usize].is_settled());
        if let Some(and) = settled {
            return Ok(FoundChoice::New { position, moves: vec![FoundMove::Known(and)] });
        }
        for &p in &next {
            if known(&p).is_none()
                && let Some(plan) = finder.without_exits(p, self.parameters.budget)
            {
                return Ok(FoundChoice::New { position, moves: vec![FoundMove::New(p, plan)] });
            }
        }
        let mut moves = Vec::new();
        for p in next {
            if let Some(and) = known(&p) {
                moves.push(FoundMove::Known(and));
            } else if self.empties(p) > self.parameters.eager_empties || self.holds(p, control)? {
                moves.push(FoundMove::New(p, self.partial(finder, p)));
            }
        }
        Ok(FoundChoice::New { position, moves })
    }

    fn empties(&self, position: Stones) -> u32 {
        self.grid.cells - position.occupied().count_ones()
    }

    /// Returns true if the claim holds in a position with the attacker to move.
    fn holds(&self, position: Stones, control: &Control) -> Result<bool, Stopped> {
        self.solver.is_at_most(position, -self.claim.at_least, control)
    }

    /// Adds a choice to the graph, unless the graph has it.
    pub(super) fn add_choice(&mut self, choice: FoundChoice) -> OrId {
        let (position, moves) = match choice {
            FoundChoice::Known(or) => return or,
            FoundChoice::New { position, moves } => (position, moves),
        };
        if let Some(&or) = self.or_by_position.get(&position) {
            return or;
        }
        let moves = distinct(moves.into_iter().map(|found| match found {
            FoundMove::Known(and) => and,
            FoundMove::New(position, plan) => self.and_node(position, plan),
        }));
        let or = self.or_node(position, moves);
        self.or_by_position.insert(position, or);
        or
    }
}
