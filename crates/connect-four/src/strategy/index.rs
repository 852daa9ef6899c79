//! Index of the positions of a strategy.

use rustc_hash::FxHashMap;

use super::PlannedPosition;
use super::claim::Side;
use super::grid::{Grid, each_cell};
use crate::games::line::Stones;

/// The places of positions in a strategy, found by their stones.
#[derive(Clone, Debug)]
pub(super) struct PositionIndex(FxHashMap<Stones, usize>);

impl PositionIndex {
    pub fn of(positions: &[PlannedPosition]) -> Self {
        Self(positions.iter().enumerate().map(|(i, planned)| (planned.position, i)).collect())
    }

    /// Finds a position in either orientation, and whether the strategy holds its mirror image.
    pub fn find(&self, grid: &Grid, position: Stones) -> Option<(usize, bool)> {
        let (canonical, is_mirrored) = grid.canonical(position);
        self.0.get(&canonical).map(|index| (*index, is_mirrored))
    }

    /// Finds the first position of a game from `start` whose follower is `side`.
    pub fn first(&self, grid: &Grid, start: Stones, side: Side) -> Option<usize> {
        if Side::to_move(start) == side {
            let stones = Stones { own: start.other, other: start.own };
            self.leading_move(grid, stones).map(|(_, index)| index)
        } else {
            self.find(grid, start).map(|(index, _)| index)
        }
    }

    /// Finds the leftmost cell whose stone leads the follower to a position of the strategy, and
    /// that position. `own` are the attacker's stones.
    pub fn leading_move(&self, grid: &Grid, stones: Stones) -> Option<(u64, usize)> {
        each_cell(grid.playable(stones.occupied())).find_map(|cell| {
            let after = Stones { own: stones.own, other: stones.other | cell };
            self.find(grid, after).map(|(index, _)| (cell, index))
        })
    }
}
