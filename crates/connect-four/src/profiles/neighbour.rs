//! The neighbours of a profile: one stone less or more in a column.

use super::board::Board;
use super::geometry::Geometry;

/// The direction from a profile to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The profiles one move earlier.
    Before,
    /// The profiles one move later.
    After,
}

/// A neighbour of a profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    pub(super) column: usize,
    /// The index bit of the stone that is removed (in the profile) or added (in the neighbour).
    pub(super) bit: usize,
    /// True if that bit is inside the blocks.
    pub(super) low: bool,
}

impl Neighbour {
    /// The neighbours of a profile in one direction.
    pub(super) fn all(board: &Board, geometry: &Geometry, direction: Direction) -> Vec<Self> {
        let mut neighbours = Vec::with_capacity(board.width);
        for (place, &column) in board.places.iter().enumerate() {
            let height = usize::from(geometry.heights[column]);
            let row = match direction {
                Direction::Before if height > 0 => height - 1,
                Direction::After if height < board.height => height,
                _ => continue,
            };
            let bit = geometry.below(board, place, row);
            neighbours.push(Self { column, bit, low: Geometry::is_low(board, place, row) });
        }
        neighbours
    }
}
