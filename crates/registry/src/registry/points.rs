//! The final points of a position and of its moves.

use super::position::Position;
use everyply_core::game::MoveSet;

/// The final points of a position if both sides play for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// The points by which the side to move wins, negative if it loses.
    pub best: i32,
    /// The bits of the moves, ascending by move, with the points for the side that makes them.
    pub moves: Vec<(u32, i32)>,
}

impl Points {
    /// Combines the points of single positions, which `known` returns for games that are not over,
    /// into the points of a position and its moves; `None` if one is unknown.
    ///
    /// # Errors
    /// The errors of `known`.
    pub fn of<E>(
        position: &dyn Position,
        known: impl Fn(&dyn Position) -> Result<Option<i32>, E>,
    ) -> Result<Option<Self>, E> {
        let of =
            |at: &dyn Position| at.state().points.map_or_else(|| known(at), |over| Ok(Some(over)));
        let Some(best) = of(position)? else { return Ok(None) };
        let mut moves = Vec::new();
        for branch in position.branches() {
            let Some(points) = of(&*branch.to)? else { return Ok(None) };
            moves.push((branch.bit, if branch.keeps_turn { points } else { -points }));
        }
        Ok(Some(Self { best, moves }))
    }

    /// Returns the bits of the moves with the most points.
    pub fn best_moves(&self) -> MoveSet {
        let best = self.moves.iter().filter(|(_, points)| *points == self.best);
        MoveSet(best.fold(0, |set, (bit, _)| set | 1 << bit))
    }
}
