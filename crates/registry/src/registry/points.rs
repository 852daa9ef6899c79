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
    /// Those of a position and of its moves, by those of single positions, which `known` gives for games
    /// that are not over; `None` if one is not known.
    ///
    /// # Errors
    /// Those of `known`.
    pub fn of<E>(
        position: &dyn Position,
        known: impl Fn(&dyn Position) -> Result<Option<i32>, E>,
    ) -> Result<Option<Self>, E> {
        let of =
            |at: &dyn Position| at.state().points.map_or_else(|| known(at), |over| Ok(Some(over)));
        let Some(best) = of(position)? else { return Ok(None) };
        let mut moves = Vec::new();
        for branch in position.branches() {
            let Some(there) = of(&*branch.to)? else { return Ok(None) };
            moves.push((branch.bit, if branch.keeps_turn { there } else { -there }));
        }
        Ok(Some(Self { best, moves }))
    }

    /// The bits of the moves with the most points.
    pub fn best_moves(&self) -> MoveSet {
        let best = self.moves.iter().filter(|(_, there)| *there == self.best);
        MoveSet(best.fold(0, |set, (bit, _)| set | 1 << bit))
    }
}
