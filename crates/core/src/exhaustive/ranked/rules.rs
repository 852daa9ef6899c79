//! The rules of a ranked game, for engines that are compiled once for all games.

use super::super::backwards::{PositionMoves, Predecessors};
use super::super::code::Code;
use crate::game::{Ranked, TierId};

/// A rank, and in the lowest bit whether the sides are exchanged.
#[derive(Clone, Copy)]
pub(super) struct Place(pub u64);

/// The rules of a game by the ranks of positions: one indirect call a position, none a move.
pub(super) trait RankedRules: Sync {
    /// Returns true if sides play for the most points.
    fn counts_points(&self) -> bool;

    /// Returns true if the game states its moves backwards, judged by the first position of a tier.
    fn states_predecessors(&self, tier: TierId, ranks: u64) -> bool;

    /// Lists the moves of a position, with the values of tiers before its own.
    fn moves_of(&self, tier: TierId, rank: usize, codes: &[Vec<Code>], moves: &mut PositionMoves);

    /// Lists the predecessors that the game states.
    fn predecessors_of(&self, tier: TierId, rank: usize, predecessors: &mut Predecessors);

    /// Replaces the list by the children of a position, none if the game is over or the rank is a hole.
    fn children(&self, tier: TierId, place: Place, children: &mut Vec<(TierId, Place)>);
}

impl<G: Ranked> RankedRules for G {
    fn counts_points(&self) -> bool {
        self.lead(self.initial()).is_some()
    }

    fn states_predecessors(&self, tier: TierId, ranks: u64) -> bool {
        let mut positions = (0..ranks).filter_map(|rank| self.unrank(tier, rank));
        positions.next().is_some_and(|first| self.predecessors(first, &mut |_, _| ()))
    }

    fn moves_of(&self, tier: TierId, rank: usize, codes: &[Vec<Code>], moves: &mut PositionMoves) {
        let Some(position) = self.unrank(tier, rank as u64) else { return moves.hole() };
        // In a game for points, the points that are still to be made count.
        let made = self.lead(position);
        if let Some(result) = self.result(position) {
            return match made {
                Some(made) => {
                    let points = self.points(position).expect("the game counts points");
                    moves.scores(points - made);
                }
                None => moves.over(result),
            };
        }
        for m in self.moves(position) {
            let keeps_turn = self.keeps_turn(position, m);
            let child = self.play(position, m);
            let (to, rank) = self.rank(child).expect("a move leads to a rank");
            let signed = |points: i32| if keeps_turn { points } else { -points };
            if to == tier {
                debug_assert_eq!(self.lead(child).map(signed), made, "no points within a tier");
                moves.to(rank as u32, keeps_turn);
                continue;
            }
            let code = codes[to.index()][rank as usize];
            match (made, self.lead(child)) {
                (Some(made), Some(lead)) => moves.scores(signed(lead + code.points()) - made),
                _ => moves.known(code, keeps_turn),
            }
        }
    }

    fn predecessors_of(&self, tier: TierId, rank: usize, predecessors: &mut Predecessors) {
        let position = self.unrank(tier, rank as u64).expect("a settled rank is no hole");
        self.predecessors(position, &mut |before, keeps_turn| {
            let (from, rank) = self.rank(before).expect("a predecessor has a rank");
            debug_assert_eq!(from, tier, "a predecessor is of the same tier");
            predecessors.add(rank as u32, keeps_turn);
        });
    }

    fn children(&self, tier: TierId, place: Place, children: &mut Vec<(TierId, Place)>) {
        children.clear();
        let Some(position) = position(self, tier, place) else { return };
        if self.result(position).is_some() {
            return;
        }
        for m in self.moves(position) {
            children.push(place_of(self, self.play(position, m)));
        }
    }
}

/// Returns the position of a place; `None` if its rank is a hole.
pub(super) fn position<G: Ranked>(
    game: &G,
    tier: TierId,
    Place(place): Place,
) -> Option<G::Position> {
    let position = game.unrank(tier, place >> 1)?;
    Some(match place & 1 {
        0 => position,
        _ => game.exchanged(position).expect("the sides of this rank can be exchanged"),
    })
}

/// Returns the place of a position that play reaches.
pub(super) fn place_of<G: Ranked>(game: &G, position: G::Position) -> (TierId, Place) {
    let (tier, rank) = game.rank(position).expect("play reaches positions with a rank");
    (tier, Place(rank << 1 | u64::from(game.is_exchanged(position))))
}
