//! Games whose positions are numbered without a list of them.

use super::Game;

/// A tier of a [`Ranked`] game, by its place in [`Ranked::tiers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TierId(pub u32);

impl TierId {
    /// The tier as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of positions that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// A name in lower case without spaces, which no other tier of the game has.
    pub name: String,
    /// The ranks are the numbers below this one, holes included.
    pub ranks: u64,
    /// True if a move may lead from one position of the tier to another.
    pub loops: bool,
    /// The other tiers that a move may lead to. All of them come before this one.
    pub leads_to: Vec<TierId>,
}

/// The tiers that a tier leads to, directly or not, in the order of the game; the tier itself last.
pub fn tiers_below(tiers: &[Tier], last: TierId) -> Vec<TierId> {
    let mut is_below = vec![false; last.index() + 1];
    is_below[last.index()] = true;
    for (i, tier) in tiers[..=last.index()].iter().enumerate().rev() {
        if is_below[i] {
            tier.leads_to.iter().for_each(|to| is_below[to.index()] = true);
        }
    }
    (0..=last.0).map(TierId).filter(|id| is_below[id.index()]).collect()
}

/// A game that numbers its positions: a position has a *rank* within its *tier*, and both follow
/// from the position by arithmetic.
///
/// Engines then keep two bytes a position and no key. The module `games::ranks` has the usual parts
/// of a rank.
///
/// # Laws
/// 1. A move leads to the tier of its position, if that [loops](Tier::loops), or to a tier in
///    [`leads_to`](Tier::leads_to), which comes earlier in [`tiers`](Self::tiers): the tiers can be
///    solved in their order.
/// 2. Positions of one rank have the same value: they are the images of one position, which
///    [`unrank`](Self::unrank) returns, and perhaps of that position with the sides
///    [exchanged](Self::exchanged). In a game that counts points, the positions of a rank have the
///    same points still to be made, and may differ in the points already [made](Self::lead).
/// 3. `rank(unrank(tier, r)) = (tier, r)` unless `r` is a hole.
/// 4. Every position that play reaches has a rank. Other positions may have one: their values are
///    not used, but a position that `unrank` returns has a move, or a result.
#[expect(unused_variables, reason = "a default may need no parameter")]
pub trait Ranked: Game {
    /// The tiers, in an order in which they can be solved.
    fn tiers(&self) -> Vec<Tier>;

    /// The tier and the rank of a position; `None` if it has none, because play never reaches it.
    fn rank(&self, position: Self::Position) -> Option<(TierId, u64)>;

    /// A position of this rank; `None` if the rank is a hole.
    fn unrank(&self, tier: TierId, rank: u64) -> Option<Self::Position>;

    /// The position with the sides exchanged, if it has the same rank.
    fn exchanged(&self, position: Self::Position) -> Option<Self::Position> {
        None
    }

    /// True if a position is no image of the position that [`unrank`](Self::unrank) returns for its
    /// rank, but of that position with the sides [exchanged](Self::exchanged).
    #[inline(always)]
    fn is_exchanged(&self, position: Self::Position) -> bool {
        false
    }

    /// The points made by the side to move, less the points made by the other side; `None` in games that
    /// count none. If a game counts points, both sides play for the most [`points`](Game::points), and a
    /// rank leaves out the points already made. A move within a tier makes no points, nor does endless
    /// play.
    #[inline(always)]
    fn lead(&self, position: Self::Position) -> Option<i32> {
        None
    }

    /// Calls `see` with positions of the same tier from which one move leads to this one, at least
    /// one of every such rank, and whether the move keeps the turn. Returns true, or false for all
    /// positions of the game: engines then invert the moves themselves, which takes four to six
    /// bytes of memory for each move within a tier, and about as long.
    fn predecessors(
        &self,
        position: Self::Position,
        see: &mut impl FnMut(Self::Position, bool),
    ) -> bool {
        false
    }
}
