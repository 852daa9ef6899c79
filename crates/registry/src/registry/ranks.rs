//! Games that number their positions: tiers, ranks, and codes from the codes of children.

use std::ops::Range;

use super::native_only;
use everyply_core::control::Control;
use everyply_core::exhaustive::{Code, RankedCost, SolveError, SolvedTiers, TierStore};
use everyply_core::game::{Game, Key, Outcome, Ranked, Symmetric, Tier, TierId, branches};

/// The code of a tier and rank, if it is known.
type CodeOf<'c> = &'c dyn Fn(TierId, u64) -> Option<Code>;

/// The receiver of the codes of ranks.
type SeeCode<'s> = &'s mut dyn FnMut(u64, Option<Code>);

/// A move, and the number of the position that it leads to.
#[derive(Clone, Copy, Debug)]
pub struct RankedMove {
    /// The bit of the move in a set of moves of the position.
    pub bit: u32,
    /// True if the side that makes it moves again.
    pub keeps_turn: bool,
    /// The result for the side to move after it, if the move ends the game.
    pub result: Option<Outcome>,
    /// The tier and the rank after the move.
    pub rank: Option<(TierId, u64)>,
    /// The [lead](Ranks::lead) after the move.
    pub lead: Option<i32>,
}

/// A position of a game that numbers its positions.
pub trait Ranks {
    /// Returns the tiers of the game, in an order in which they can be solved.
    fn tiers(&self) -> Vec<Tier>;

    /// Returns the tier and the rank of the position.
    fn rank(&self) -> Option<(TierId, u64)>;

    /// Returns the moves, ascending; none if the game is over.
    fn moves(&self) -> Vec<RankedMove>;

    /// Returns the key of a rank of the tier; `None` if the rank is a hole.
    fn key_of_rank(&self, tier: TierId, rank: u64) -> Option<Key>;

    /// Returns the lead in points of the side to move, in a game whose tiers are solved for points:
    /// the value of a rank counts the points that are still to be made.
    fn lead(&self) -> Option<i32>;

    /// Estimates the memory and time that the tiers below the position take.
    fn cost(&self) -> Option<RankedCost>;

    /// Solves the tiers that the position leads to and the store lacks; the store keeps each at
    /// once.
    fn solve(&self, control: &Control, store: &mut dyn TierStore) -> Result<(), SolveError>;

    /// Derives the codes of some ranks of a tier from the codes of the children, which `code`
    /// returns by tier and rank, and hands them over in order: [`Code::HOLE`] for a hole, and
    /// `None` if `code` lacks a child. One indirect call serves all ranks of a file.
    fn follow(&self, tier: TierId, ranks: Range<u64>, code: CodeOf<'_>, see: SeeCode<'_>);

    /// Hands over the ranks among these that are no holes, in order.
    fn positions_among(&self, tier: TierId, ranks: Range<u64>, see: &mut dyn FnMut(u64));
}

/// A game and one of its positions.
#[derive(Clone)]
pub(super) struct At<G: Game> {
    pub game: G,
    pub position: G::Position,
}

impl<G: Symmetric<Key = Key> + Ranked> Ranks for At<G> {
    fn tiers(&self) -> Vec<Tier> {
        self.game.tiers()
    }

    fn rank(&self) -> Option<(TierId, u64)> {
        self.game.rank(self.position)
    }

    fn moves(&self) -> Vec<RankedMove> {
        let At { game, position } = self;
        if game.result(*position).is_some() {
            return Vec::new();
        }
        let ranked = |(bit, _, keeps_turn, to): (u32, _, bool, _)| RankedMove {
            bit,
            keeps_turn,
            result: game.result(to),
            rank: game.rank(to),
            lead: game.lead(to),
        };
        branches(game, *position).map(ranked).collect()
    }

    fn key_of_rank(&self, tier: TierId, rank: u64) -> Option<Key> {
        Some(self.game.key(self.game.unrank(tier, rank)?))
    }

    fn lead(&self) -> Option<i32> {
        self.game.lead(self.position)
    }

    fn cost(&self) -> Option<RankedCost> {
        RankedCost::of(&self.game, self.position).ok()
    }

    fn solve(&self, control: &Control, store: &mut dyn TierStore) -> Result<(), SolveError> {
        native_only();
        SolvedTiers::solve_each(self.game.clone(), self.position, control, store)
    }

    fn follow(&self, tier: TierId, ranks: Range<u64>, code: CodeOf<'_>, see: SeeCode<'_>) {
        native_only();
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
                let value = code(tier, rank)?.one_ply_earlier(keeps_turn);
                let is_better = |best: &Code| best.preference() >= value.preference();
                Some(best.filter(is_better).or(Some(value)))
            };
            see(rank, branches(game, position).try_fold(None, best).flatten());
        }
    }

    fn positions_among(&self, tier: TierId, ranks: Range<u64>, see: &mut dyn FnMut(u64)) {
        native_only();
        ranks.filter(|rank| self.game.unrank(tier, *rank).is_some()).for_each(see);
    }
}
