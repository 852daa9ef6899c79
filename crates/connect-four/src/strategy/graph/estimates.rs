//! Estimates of costs, from the costs that were found.

use super::{AndId, AndOrGraph, OrId};

impl AndOrGraph<'_> {
    /// Estimates the cost of unexpanded nodes: `factor` times the cost of solved ones with as many
    /// stones. A lower factor leads to the expansion of more moves.
    pub fn reestimate(&mut self, factor: f64) {
        let mut found = vec![(0.0, 0.0); self.cost_per_exit.len()];
        for node in self.ands.iter().filter(|node| node.is_solved && !node.is_settled()) {
            let (costs, exits) = &mut found[node.position.occupied().count_ones() as usize];
            *costs += node.cost - 1.0;
            *exits += f64::from(node.plan.exits.count_ones());
        }
        for (cost_per_exit, (costs, exits)) in self.cost_per_exit.iter_mut().zip(found) {
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
