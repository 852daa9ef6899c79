//! The geometry of a profile: column heights, the index bits of its stones, and its neighbours with one
//! stone less or more.

use super::board::{Board, MAX_COLUMNS, Profile};

/// The tables of one profile.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub(super) heights: [u8; MAX_COLUMNS],
    /// The number of stones.
    pub(super) n: usize,
    /// The number of index bits inside blocks.
    pub(super) block: usize,
}

impl Geometry {
    pub(super) fn new(board: &Board, profile: Profile) -> Self {
        let heights = board.heights(profile);
        let n = heights.iter().map(|&h| usize::from(h)).sum();
        let mut geometry = Self { heights, n, block: 0 };
        geometry.block =
            geometry.below(board, board.low_cells % board.width, board.low_cells / board.width);
        geometry
    }

    /// The number of stones on cells numbered before the cell at this place of this row: the index
    /// bit of the cell, if it is occupied or the next to be filled in its column.
    #[inline]
    pub(super) fn below(&self, board: &Board, place: usize, row: usize) -> usize {
        let mut stones = 0;
        for (p, &column) in board.places.iter().enumerate() {
            let height = usize::from(self.heights[column]);
            stones += height.min(row + usize::from(p < place));
        }
        stones
    }

    /// True if the cell at this place of this row lies inside blocks.
    pub(super) const fn is_low(board: &Board, place: usize, row: usize) -> bool {
        row * board.width + place < board.low_cells
    }

    /// The number of ones in an index of this profile.
    pub(super) const fn ones(&self) -> usize {
        Board::first_players(self.n)
    }
    /// The lower index bits of the pairs of mirrored cells both of which are occupied.
    pub(super) fn pairs(&self, board: &Board) -> u64 {
        let mut pairs = 0;
        for row in 0..board.height {
            for place in (1..board.width).step_by(2) {
                let occupied = |place: usize| usize::from(self.heights[board.places[place]]) > row;
                if occupied(place - 1) && occupied(place) {
                    pairs |= 1 << self.below(board, place - 1, row);
                }
            }
        }
        pairs
    }
}

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
