//! Costs expected by what was found.

use super::{And, Or, Tree};

impl Tree<'_> {
    /// Expects of positions that are not looked into what those with as many stones have come to
    /// cost, times `hope`, and counts all costs anew. Less hope looks at fewer other moves.
    pub fn expect(&mut self, hope: f64) {
        let mut found = vec![(0.0, 0.0); self.below_exit.len()];
        for node in self.ands.iter().filter(|node| node.is_solved && !node.is_settled()) {
            let (costs, exits) = &mut found[node.position.occupied().count_ones() as usize];
            *costs += node.cost - 1.0;
            *exits += f64::from(node.plan.exits.count_ones());
        }
        for (below_exit, (costs, exits)) in self.below_exit.iter_mut().zip(found) {
            if exits > 0.0 {
                *below_exit = hope * costs / exits;
            }
        }
        self.count_anew(false);
    }

    /// Leaves out what is not looked into, so that every choice is the cheapest of what is solved.
    pub fn settle_for_what_is_solved(&mut self) {
        self.count_anew(true);
    }

    /// Counts all costs anew, from the positions with the most stones on.
    fn count_anew(&mut self, only_solved: bool) {
        let plies = self.below_exit.len();
        let mut ands: Vec<Vec<And>> = vec![Vec::new(); plies];
        let mut ors: Vec<Vec<Or>> = vec![Vec::new(); plies];
        for (and, node) in (0..).zip(&self.ands) {
            ands[node.position.occupied().count_ones() as usize].push(and);
        }
        for (or, node) in (0..).zip(&self.ors) {
            ors[node.position.occupied().count_ones() as usize].push(or);
        }
        for (stones, (ands, ors)) in ands.into_iter().zip(ors).enumerate().rev() {
            for and in ands {
                if self.ands[and as usize].is_grown {
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
