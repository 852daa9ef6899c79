//! Ranked games: values of all positions by tier and rank, without keys.
//!
//! Tiers are solved in their order, each with the moves to the tiers before it as bounds, and
//! [backwards](super::backwards) if its positions lead to each other. Two bytes a position stay in
//! memory; while a tier is solved, its positions take three, and four to six more for each move
//! within the tier unless the game states its [predecessors](Ranked::predecessors).

mod cost;
mod reach;
mod rules;
mod store;

pub use cost::{RankedCost, TierCost};
pub use store::TierStore;

use std::slice;

use reach::canonical_keys;
use rules::RankedRules;

use super::backwards::{self, PositionMoves, Predecessors, PredecessorsOf, backwards, forwards};
use super::code::Code;
use super::error::SolveError;
use super::layer::Layer;
use super::listed::Listed;
use super::rooted::{Order, Rooted};
use super::scores::scores;
use super::solution::{Numbered, Solution};
use crate::control::Control;
use crate::game::{Key, Ranked, Symmetric, Tier, TierId, Unsuited, check_moves, tiers_below};

/// The size in ranks from which a tier uses the predecessors of its game. Inverting the moves of
/// smaller tiers takes less time (six men's morris 1.83 s of processor time, not 2.11), and less
/// than 2 GiB of memory even with twenty moves in a position.
const LARGE: u64 = 1 << 23;

#[derive(Debug)]
pub struct SolvedTiers<G> {
    game: G,
    values: TierValues,
}

/// The tiers of any game, and their values.
#[derive(Debug)]
struct TierValues {
    tiers: Vec<Tier>,
    /// The values of each tier by rank; empty for a tier that is not needed.
    codes: Vec<Vec<Code>>,
}

impl<G: Ranked> SolvedTiers<G> {
    /// Solves the tier of a position and all tiers that it leads to.
    pub fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        let (last, _) = game.rank(root).ok_or(Unsuited::Unranked)?;
        let tiers = game.tiers();
        let ranks = tiers_below(&tiers, last).iter().map(|id| tiers[id.index()].ranks).sum::<u64>();
        if ranks > most {
            return Err(SolveError::Positions(most));
        }
        Self::tier_by_tier(game, root, LARGE, control, None)
    }

    /// Solves the tiers that the root leads to and the store does not keep yet, and has the store
    /// keep each as soon as it is solved. [`RankedCost`] estimates the memory.
    pub fn solve_each(
        game: G,
        root: G::Position,
        control: &Control,
        store: &mut dyn TierStore,
    ) -> Result<(), SolveError> {
        Self::tier_by_tier(game, root, LARGE, control, Some(store)).map(drop)
    }

    /// Solves tiers, with the game's predecessors in tiers of at least `large` ranks.
    pub(crate) fn tier_by_tier(
        game: G,
        root: G::Position,
        large: u64,
        control: &Control,
        store: Option<&mut dyn TierStore>,
    ) -> Result<Self, SolveError> {
        if game.most_moves() > backwards::MOST_MOVES {
            return Err(Unsuited::Moves(game.most_moves()).into());
        }
        let (last, _) = game.rank(root).ok_or(Unsuited::Unranked)?;
        let values = TierValues::solve(&game, game.tiers(), last, large, control, store)?;
        Ok(Self { game, values })
    }

    pub fn tiers(&self) -> &[Tier] {
        &self.values.tiers
    }

    /// Returns the values of a tier by rank; empty if the root does not lead to the tier.
    pub fn codes(&self, tier: TierId) -> &[Code] {
        &self.values.codes[tier.index()]
    }

    /// Returns the final points of a position under best play; `None` if the game counts none.
    pub fn points(&self, position: G::Position) -> Option<i32> {
        Some(self.game.lead(position)? + self.code(position)?.points())
    }

    pub fn code(&self, position: G::Position) -> Option<Code> {
        let (tier, rank) = self.game.rank(position)?;
        self.codes(tier).get(rank as usize).copied()
    }
}

impl TierValues {
    /// Solves the last tier and all tiers below it, with predecessors in tiers of at least `large` ranks.
    fn solve(
        rules: &dyn RankedRules,
        tiers: Vec<Tier>,
        last: TierId,
        large: u64,
        control: &Control,
        store: Option<&mut dyn TierStore>,
    ) -> Result<Self, SolveError> {
        let needed = tiers_below(&tiers, last);
        let ranks = |id: &TierId| tiers[id.index()].ranks;
        if needed.iter().any(|id| ranks(id) > backwards::MOST) {
            return Err(SolveError::Positions(backwards::MOST));
        }
        control.start(needed.iter().map(ranks).sum());
        let mut open = needed;
        let mut solved = Self { codes: vec![Vec::new(); tiers.len()], tiers };
        let Some(store) = store else {
            for id in open {
                solved.solve_tier(rules, id, large, control)?;
            }
            return Ok(solved);
        };
        loop {
            // Another process may have solved tiers meanwhile.
            let mut left = Vec::new();
            for id in open {
                match store.is_kept(id)? {
                    true => control.advance(solved.tiers[id.index()].ranks),
                    false => left.push(id),
                }
            }
            open = left;
            let leads_to = |id: &TierId| &solved.tiers[id.index()].leads_to;
            let is_ready = |id: &&TierId| !leads_to(id).iter().any(|to| open.contains(to));
            let ready: Vec<TierId> = open.iter().filter(is_ready).copied().collect();
            if ready.is_empty() {
                return Ok(solved);
            }
            let id = ready[store.choose(ready.len())];
            solved.forget_all_but(if store.is_durable() { slice::from_ref(&id) } else { &open });
            if let Some(lost) = solved.read_below(id, store)? {
                open.push(lost);
                continue;
            }
            solved.solve_tier(rules, id, large, control)?;
            store.keep(id, &solved.tiers[id.index()], &solved.codes[id.index()])?;
            open.retain(|other| *other != id);
        }
    }

    /// Solves a tier. The tiers that it leads to must be in memory.
    fn solve_tier(
        &mut self,
        rules: &dyn RankedRules,
        id: TierId,
        large: u64,
        control: &Control,
    ) -> Result<(), SolveError> {
        let tier = &self.tiers[id.index()];
        let count = tier.ranks as usize;
        let moves_of =
            |rank: usize, moves: &mut PositionMoves| rules.moves_of(id, rank, &self.codes, moves);
        let predecessors_of =
            |rank: usize, out: &mut Predecessors| rules.predecessors_of(id, rank, out);
        let is_used = tier.ranks >= large && rules.states_predecessors(id, tier.ranks);
        let predecessors_of: PredecessorsOf<'_> =
            if is_used { Some(&predecessors_of) } else { None };
        self.codes[id.index()] = match rules.counts_points() {
            true => scores(count, &moves_of, predecessors_of, control)?,
            false if tier.loops => backwards(count, &moves_of, predecessors_of, control)?,
            false => forwards(count, &moves_of, control)?,
        };
        Ok(())
    }

    /// Frees the memory of tiers that none of these leads to.
    fn forget_all_but(&mut self, users: &[TierId]) {
        for (n, codes) in self.codes.iter_mut().enumerate() {
            let leads_here =
                |id: &TierId| self.tiers[id.index()].leads_to.contains(&TierId(n as u32));
            if !users.iter().any(leads_here) {
                *codes = Vec::new();
            }
        }
    }

    /// Reads the tiers that a tier leads to, unless they are in memory; returns the first one that
    /// the store has lost.
    fn read_below(
        &mut self,
        id: TierId,
        store: &mut dyn TierStore,
    ) -> Result<Option<TierId>, SolveError> {
        for below in self.tiers[id.index()].leads_to.clone() {
            let tier = &self.tiers[below.index()];
            if self.codes[below.index()].is_empty() && tier.ranks > 0 {
                match store.read(below, tier)? {
                    Some(codes) => self.codes[below.index()] = codes,
                    None => return Ok(Some(below)),
                }
            }
        }
        Ok(None)
    }
}

impl Solution {
    /// Estimates the bytes of memory for each rank while all of them are solved and the reachable
    /// positions are found: enough for the games that were measured, for which 28 (six men's
    /// morris), 118 (awari of twelve seeds), 170 (Dao) and 278 (Neutreeko) sufficed.
    ///
    /// A rank may have several reachable positions, each in a list and in a table. Lists of moves
    /// within a tier are freed some time after their last use.
    pub fn bytes_per_rank<G: Ranked>(game: &G, root: G::Position) -> u64 {
        const LISTED: u64 = 80;
        const KEPT: f64 = 2.4;
        let own = RankedCost::of(game, root).map_or(0.0, |cost| cost.bytes_per_rank());
        LISTED + (KEPT * own) as u64
    }

    /// Solves the tiers of a game that numbers its positions, of at most `most` ranks, and finds
    /// the positions that the root leads to; play may be endless.
    pub fn ranked<G: Ranked + Symmetric<Key = Key>>(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        check_moves(&game)?;
        let solved = SolvedTiers::solve(game.clone(), root, most, control)?;
        Code::check_near(solved.values.codes.iter().flatten())?;
        let rooted = Rooted::new(game, root, Order::Loops);
        // Positions of a rank differ in the points that were made.
        let are_ranks = rooted.game.lead(root).is_none() && rooted.fold.is_whole();
        let reached = match are_ranks {
            true => Listed::new(vec![Layer::of_keys(&canonical_keys(&solved, root, control)?)]),
            false => Listed::find(&rooted, false, most, control)?,
        };
        let code = |key| {
            let position = rooted.position(key);
            let points = solved.points(position).map(Code::of_points);
            points.or_else(|| solved.code(position)).expect("the position is of a solved tier")
        };
        let layer = &reached.tiers[0];
        let codes = layer.map_slots(&|slots| {
            slots.map(|slot| layer.keys.key(slot).map_or(Code::HOLE, code)).collect::<Vec<_>>()
        });
        let codes = vec![codes.concat()];
        let values = match rooted.game.lead(root) {
            Some(_) => Numbered { values: Vec::new(), points: codes },
            None => Numbered { values: codes, points: Vec::new() },
        };
        Ok(Self::new(Box::new(rooted), reached, values))
    }
}

#[cfg(test)]
mod tests;
