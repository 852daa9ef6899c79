//! Games that number their positions: tiers, ranks, and what follows from the values of ranks.

use std::ops::Range;

use super::Position;
use super::method::{Engines, Numbered};
use super::studied::{Studied, not_in_a_page};
use everyply_core::control::Control;
use everyply_core::exhaustive::{Code, RankedCost, SolveError, SolvedTiers, TierStore};
use everyply_core::game::{Key, Ranked, Registered, Symmetric, Tier, TierId, branches};

/// The code of a tier and rank, if it is known.
type CodeOf<'c> = &'c dyn Fn(TierId, u64) -> Option<Code>;

/// The receiver of the codes of ranks.
type SeeCode<'s> = &'s mut dyn FnMut(u64, Option<Code>);

/// A position with a rank.
pub trait Ranks {
    fn tiers(&self) -> Vec<Tier>;
    fn rank(&self) -> Option<(TierId, u64)>;
    fn of_rank(&self, tier: TierId, rank: u64) -> Option<Box<dyn Position>>;
    fn lead(&self) -> Option<i32>;
    fn cost(&self) -> Option<RankedCost>;
    fn solve(&self, control: &Control, store: &mut dyn TierStore) -> Result<(), SolveError>;
    fn follow(&self, tier: TierId, ranks: Range<u64>, code: CodeOf<'_>, see: SeeCode<'_>);
    fn positions_among(&self, tier: TierId, ranks: Range<u64>, see: &mut dyn FnMut(u64));
}

impl dyn Position + '_ {
    /// The tiers of a game that numbers its positions, in an order in which they can be solved; none
    /// of other games.
    pub fn ranked_tiers(&self) -> Vec<Tier> {
        self.ranks().map_or(Vec::new(), Ranks::tiers)
    }

    /// The tier and the rank of the position, in such a game.
    pub fn rank(&self) -> Option<(TierId, u64)> {
        self.ranks()?.rank()
    }

    /// A position of this rank, which is below those of the tier; `None` if the rank is a hole.
    pub fn of_rank(&self, tier: TierId, rank: u64) -> Option<Box<dyn Position>> {
        self.ranks()?.of_rank(tier, rank)
    }

    /// The points that the side to move has made more than the other side, in a game whose tiers are
    /// solved for points: the value of a rank is the number of those that are still to be made.
    pub fn lead(&self) -> Option<i32> {
        self.ranks()?.lead()
    }

    /// The memory and time that the tiers take which the position leads to; `None` for games without
    /// ranks.
    pub fn ranked_cost(&self) -> Option<RankedCost> {
        self.ranks()?.cost()
    }

    /// Solves the tiers that the position leads to and the store does not keep yet, and has the store
    /// keep each as soon as it is solved. Games without ranks have none.
    pub fn solve_tiers(
        &self,
        control: &Control,
        store: &mut dyn TierStore,
    ) -> Result<(), SolveError> {
        self.ranks().map_or(Ok(()), |ranks| ranks.solve(control, store))
    }

    /// Hands over, for some ranks of a tier in order, the code that follows from those of the
    /// children, which `code` gives by tier and rank; [`Code::HOLE`] for a hole, and `None` if `code`
    /// does not have a child. One indirect call, made for all ranks of a file.
    pub fn follow(&self, tier: TierId, ranks: Range<u64>, code: CodeOf<'_>, see: SeeCode<'_>) {
        if let Some(all) = self.ranks() {
            all.follow(tier, ranks, code, see);
        }
    }

    /// Hands over those of some ranks of a tier that are no holes, in order.
    pub fn positions_among(&self, tier: TierId, ranks: Range<u64>, see: &mut dyn FnMut(u64)) {
        if let Some(all) = self.ranks() {
            all.positions_among(tier, ranks, see);
        }
    }
}

impl<G, E: Engines<G, Numbered>> Ranks for Studied<G, Numbered, E>
where
    G: Registered<Position: 'static> + Symmetric<Key = Key> + Ranked,
{
    fn tiers(&self) -> Vec<Tier> {
        self.game.tiers()
    }

    fn rank(&self) -> Option<(TierId, u64)> {
        self.game.rank(self.position)
    }

    fn of_rank(&self, tier: TierId, rank: u64) -> Option<Box<dyn Position>> {
        Some(self.of(self.game.unrank(tier, rank)?))
    }

    fn lead(&self) -> Option<i32> {
        self.game.lead(self.position)
    }

    fn cost(&self) -> Option<RankedCost> {
        RankedCost::of(&self.game, self.position).ok()
    }

    fn solve(&self, control: &Control, store: &mut dyn TierStore) -> Result<(), SolveError> {
        not_in_a_page();
        SolvedTiers::solve_each(self.game.clone(), self.position, control, store)
    }

    fn follow(&self, tier: TierId, ranks: Range<u64>, code: CodeOf<'_>, see: SeeCode<'_>) {
        not_in_a_page();
        let game = &self.game;
        for rank in ranks {
            let Some(position) = game.unrank(tier, rank) else {
                see(rank, Some(Code::HOLE));
                continue;
            };
            if let Some(outcome) = game.result(position) {
                see(rank, Some(Code::new(outcome, 0)));
                continue;
            }
            let best = |best: Option<Code>, (_, _, keeps_turn, child): (_, _, bool, _)| {
                let (tier, rank) = game.rank(child)?;
                let there = code(tier, rank)?.one_ply_earlier(keeps_turn);
                let is_better = |best: &Code| best.preference() >= there.preference();
                Some(best.filter(is_better).or(Some(there)))
            };
            see(rank, branches(game, position).try_fold(None, best).flatten());
        }
    }

    fn positions_among(&self, tier: TierId, ranks: Range<u64>, see: &mut dyn FnMut(u64)) {
        not_in_a_page();
        ranks.filter(|rank| self.game.unrank(tier, *rank).is_some()).for_each(see);
    }
}
