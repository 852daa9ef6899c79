//! How the tree grows: what an exit leads to, and the plans of what is found.

use rayon::prelude::*;

use super::super::field::each;
use super::super::finder::{Finder, Patience};
use super::super::plan::Plan;
use super::{And, AndNode, Or, OrNode, Tree};
use crate::control::{Control, Stopped};
use crate::games::line::Stones;

/// What an AND node's exit leads to, as it was found by a thread of its own.
pub(super) enum Grown {
    Known(Or),
    New { position: Stones, moves: Vec<Found> },
}

pub(super) enum Found {
    Known(And),
    New(Stones, Plan),
}

impl Tree<'_> {
    /// A plan whose exits cost less than those of the node's own, if one is found. After the
    /// replies it meets already the dearest exits come first.
    pub fn better_plan(&self, finder: &mut Finder, and: And, patience: Patience) -> Option<Plan> {
        let AndNode { position, plan, .. } = &self.ands[and as usize];
        let cost = |cell: u64| {
            let column = self.field.column_of(cell.trailing_zeros());
            let after = Stones { own: position.own | cell, other: position.other };
            match self.or_by_position.get(&self.field.kept(after).0) {
                Some(or) if plan.exits >> column & 1 == 1 => self.ors[*or as usize].cost,
                _ => 0.0,
            }
        };
        let replies = self.field.playable(position.occupied());
        let is_met = |cell: u64| plan.exits >> self.field.column_of(cell.trailing_zeros()) & 1 == 0;
        let mut order: Vec<u64> = each(replies).collect();
        order.sort_by(|a, b| {
            is_met(*b).cmp(&is_met(*a)).then_with(|| cost(*b).total_cmp(&cost(*a)))
        });
        let better = finder.with_exits(*position, &order, Some(plan), patience);
        let dear = |exits: u32| {
            let of = |cell: &u64| exits >> self.field.column_of(cell.trailing_zeros()) & 1 == 1;
            each(replies).filter(of).map(cost).sum::<f64>()
        };
        // Exits the node has now are the only ones whose followers are known.
        (better.exits & !plan.exits == 0 && dear(better.exits) < dear(plan.exits)).then_some(better)
    }

    /// The plan that meets most replies. Those in the middle come first.
    pub(super) fn partial(&self, finder: &mut Finder, position: Stones) -> Plan {
        let mut order: Vec<u64> = each(self.field.playable(position.occupied())).collect();
        let off_centre = |cell: &u64| {
            let column = self.field.column_of(cell.trailing_zeros());
            (2 * column + 1).abs_diff(self.field.width)
        };
        order.sort_by_key(off_centre);
        finder.with_exits(position, &order, None, self.patience(position))
    }

    /// Finds what the exits of these nodes lead to.
    pub fn grow(&mut self, nodes: &[And], control: &Control) -> Result<(), Stopped> {
        let this = &*self;
        let grown: Vec<Option<Vec<Grown>>> = nodes
            .par_iter()
            .map_init(|| this.finder(), |finder, and| this.grown(finder, *and, control))
            .collect::<Result<_, Stopped>>()?;
        for (&and, grown) in nodes.iter().zip(grown) {
            self.ands[and as usize].is_refuted = grown.is_none();
            let grown = grown.unwrap_or_default().into_iter();
            let mut exits: Vec<Or> = grown.map(|exit| self.join_choice(exit)).collect();
            exits.sort_unstable();
            exits.dedup();
            for &or in &exits {
                self.ors[or as usize].parents.push(and);
            }
            let node = &mut self.ands[and as usize];
            node.exits = exits;
            node.is_grown = true;
            self.update_from(and);
        }
        Ok(())
    }

    /// What the exits lead to; `None` if the claim does not hold.
    fn grown(
        &self,
        finder: &mut Finder,
        and: And,
        control: &Control,
    ) -> Result<Option<Vec<Grown>>, Stopped> {
        let AndNode { position, plan, .. } = &self.ands[and as usize];
        if !self.holds(*position, control)? {
            return Ok(None);
        }
        let replies = each(self.field.playable(position.occupied()))
            .filter(|cell| plan.exits >> self.field.column_of(cell.trailing_zeros()) & 1 == 1);
        replies
            .map(|reply| {
                let after = Stones { own: position.own | reply, other: position.other };
                self.grown_choice(finder, after, control)
            })
            .collect::<Result<_, Stopped>>()
            .map(Some)
    }

    /// The follower's moves in a position whose `own` are the attacker's stones.
    pub(super) fn grown_choice(
        &self,
        finder: &mut Finder,
        position: Stones,
        control: &Control,
    ) -> Result<Grown, Stopped> {
        let field = &self.field;
        let (position, _) = field.kept(position);
        if let Some(&or) = self.or_by_position.get(&position) {
            return Ok(Grown::Known(or));
        }
        control.check()?;
        let occupied = position.occupied();
        let playable = field.playable(occupied);
        let threats = field.completing(position.own) & playable;
        let mut next: Vec<Stones> = each(if threats == 0 { playable } else { threats })
            .filter(|cell| {
                let after = field.playable(occupied | cell);
                field.completing(position.own) & after == 0
                    || self.claim.bears_loss(field.cells, occupied.count_ones() + 2)
            })
            .map(|cell| field.kept(Stones { own: position.own, other: position.other | cell }).0)
            .collect();
        next.sort_unstable_by_key(|p| (p.other, p.own));
        next.dedup();
        let known = |p: &Stones| self.by_position.get(p).copied();
        // One that a plan settles is as cheap as any.
        let settled =
            next.iter().filter_map(known).find(|and| self.ands[*and as usize].is_settled());
        if let Some(and) = settled {
            return Ok(Grown::New { position, moves: vec![Found::Known(and)] });
        }
        for &p in &next {
            if known(&p).is_none()
                && let Some(plan) = finder.whole(p, self.patience(p))
            {
                return Ok(Grown::New { position, moves: vec![Found::New(p, plan)] });
            }
        }
        let mut moves = Vec::new();
        for p in next {
            if let Some(and) = known(&p) {
                moves.push(Found::Known(and));
            } else if self.empties(p) > self.manner.asked_at_once || self.holds(p, control)? {
                moves.push(Found::New(p, self.partial(finder, p)));
            }
        }
        Ok(Grown::New { position, moves })
    }

    fn empties(&self, position: Stones) -> u32 {
        self.field.cells - position.occupied().count_ones()
    }

    /// Whether the claim holds in a position with the attacker to move.
    fn holds(&self, position: Stones, control: &Control) -> Result<bool, Stopped> {
        self.solver.is_at_most(position, -self.claim.at_least, control)
    }

    pub(super) fn join_choice(&mut self, grown: Grown) -> Or {
        let (position, found) = match grown {
            Grown::Known(or) => return or,
            Grown::New { position, moves } => (position, moves),
        };
        if let Some(&or) = self.or_by_position.get(&position) {
            return or;
        }
        let mut moves: Vec<And> = found
            .into_iter()
            .map(|found| match found {
                Found::Known(and) => and,
                Found::New(position, plan) => self.and_node(position, plan),
            })
            .collect();
        moves.sort_unstable();
        moves.dedup();
        let or = self.ors.len() as Or;
        for &and in &moves {
            self.ands[and as usize].parents.push(or);
        }
        self.ors.push(OrNode::new(position, moves));
        self.or_by_position.insert(position, or);
        self.update_or(or);
        or
    }
}
