//! Profiles and their pieces: column heights, the index bits of the stones, the neighbours with one
//! stone less or more, and the parts of a profile that are computed one at a time.
//!
//! The colourings of a profile with the same highest index bits are one range of its array, a
//! subtree in the order of `combinadic`. A profile that is too large to be computed at once is cut
//! into such subtrees, and each depends on one subtree of each neighbouring profile. With `left`
//! bits of the piece open, and p the bit of the stone removed from the profile or added to it
//! ([`Neighbour`]):
//!
//! ```text
//! one stone less    p decided: the same bits, without p; it must have the last mover's colour
//!                   p open:    the same bits, one place lower
//! one stone more    p >= left: the same bits, with the mover's colour at p
//!                   else:      the same bits, one place higher; half of that subtree is used
//! ```

use super::board::{Board, MAX_COLUMNS, Profile};
use super::combinadic::choose;

/// A subtree of the array of a profile: the colourings with the same bits from `left` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) profile: Profile,
    /// The number of open index bits.
    pub(super) left: usize,
    /// The decided bits in their places; zeros below.
    pub(super) prefix: u64,
}

impl Piece {
    pub(super) const fn whole(profile: Profile, geometry: &Geometry) -> Self {
        Self { profile, left: geometry.n, prefix: 0 }
    }

    /// Returns the number of ones among the open bits; `None` if the decided bits have too many.
    pub(super) fn ones(&self, geometry: &Geometry) -> Option<usize> {
        geometry.ones().checked_sub(self.prefix.count_ones() as usize)
    }

    /// Returns the lanes of the piece, for one plane; 0 if no colouring has such bits.
    pub(super) fn lanes(&self, board: &Board, geometry: &Geometry) -> usize {
        let ones = self.ones(geometry).filter(|&ones| ones <= self.left);
        ones.map_or(0, |ones| board.sizes.lanes(geometry.block, self.left, ones))
    }

    /// Returns the first lane of the piece in its profile.
    pub(super) fn lane(&self, board: &Board, geometry: &Geometry) -> usize {
        self.sum(geometry, |bit, ones| board.sizes.lanes(geometry.block, bit, ones))
    }

    /// Returns the ranks of the piece among the colourings of the profile.
    pub(super) fn ranks(&self, geometry: &Geometry) -> std::ops::Range<u64> {
        let first = self.sum(geometry, choose);
        first..first + self.ones(geometry).map_or(0, |ones| choose(self.left, ones))
    }

    /// Sums `skipped`, a function of open bits and the ones among them, over the subtrees before
    /// the piece: each has a 0 at a decided 1 of the piece, and the same bits above.
    fn sum<T: std::iter::Sum>(
        &self,
        geometry: &Geometry,
        skipped: impl Fn(usize, usize) -> T,
    ) -> T {
        let bits = (self.left..geometry.n).rev().filter(|bit| self.prefix >> bit & 1 == 1);
        bits.enumerate()
            .map_while(|(before, bit)| Some(skipped(bit, geometry.ones().checked_sub(before)?)))
            .sum()
    }

    /// Cuts a profile into pieces of at most `most` lanes, or of one block if that is larger, in
    /// the order of its array.
    pub(super) fn cut(board: &Board, profile: Profile, most: usize) -> Vec<Self> {
        let geometry = Geometry::new(board, profile);
        let mut pieces = Vec::new();
        Self::whole(profile, &geometry).cut_into(board, &geometry, most, &mut pieces);
        pieces
    }

    fn cut_into(self, board: &Board, geometry: &Geometry, most: usize, pieces: &mut Vec<Self>) {
        let lanes = self.lanes(board, geometry);
        if lanes <= most || self.left == geometry.block {
            if lanes > 0 {
                pieces.push(self);
            }
            return;
        }
        let left = self.left - 1;
        for prefix in [self.prefix, self.prefix | 1 << left] {
            Self { left, prefix, ..self }.cut_into(board, geometry, most, pieces);
        }
    }
}

/// The input of a piece from a neighbouring profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputPiece {
    /// The piece of the neighbouring profile itself.
    pub(super) seen: Piece,
    /// The piece of the stored profile: `seen`, or its mirror image.
    pub(super) stored: Piece,
}

impl InputPiece {
    /// Finds the input of a piece of a profile with `n` stones from a neighbour; `None` if no
    /// colouring of the piece comes from that neighbour.
    pub(super) fn new(
        board: &Board,
        n: usize,
        piece: &Piece,
        direction: Direction,
        neighbour: &Neighbour,
    ) -> Option<Self> {
        let Neighbour { column, bit, low } = *neighbour;
        let Piece { left, prefix, profile } = *piece;
        let power = board.powers[column];
        let (profile, all) = match direction {
            Direction::Before => (Profile(profile.0 - power), n - 1),
            Direction::After => (Profile(profile.0 + power), n + 1),
        };
        if left == n {
            // A whole profile needs whole neighbours.
            let seen = Piece { profile, left: all, prefix };
            let stored = Piece { profile: board.canonical(profile), ..seen };
            return Some(Self { seen, stored });
        }
        let below = prefix & ((1 << bit) - 1);
        let mut seen = match direction {
            Direction::Before if bit < left => {
                Piece { profile, left: left - 1, prefix: prefix >> 1 }
            }
            Direction::Before => {
                let last = Board::to_move(n).other();
                if prefix >> bit & 1 != u64::from(last.0) {
                    return None;
                }
                Piece { profile, left, prefix: prefix >> bit >> 1 << bit | below }
            }
            Direction::After if low || bit < left => {
                Piece { profile, left: left + 1, prefix: prefix << 1 }
            }
            Direction::After => {
                let stone = u64::from(Board::to_move(n).0) << bit;
                Piece { profile, left, prefix: prefix >> bit << bit << 1 | stone | below }
            }
        };
        let geometry = Geometry::new(board, seen.profile);
        if seen.lanes(board, &geometry) == 0 {
            return None;
        }
        let canonical = board.canonical(seen.profile);
        if canonical == seen.profile {
            return Some(Self { seen, stored: seen });
        }
        // The bits of every pair of mirrored cells change places: they are open or decided
        // together.
        let pairs = geometry.pairs(board);
        if seen.left > 0 && pairs >> (seen.left - 1) & 1 == 1 {
            seen.left += 1;
            seen.prefix = seen.prefix >> seen.left << seen.left;
        }
        let (front, back) = (seen.prefix & pairs, seen.prefix & pairs << 1);
        let prefix = seen.prefix & !(front | back) | front << 1 | back >> 1;
        Some(Self { seen, stored: Piece { profile: canonical, prefix, ..seen } })
    }
}

/// The tables of one profile.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub(super) heights: [u8; MAX_COLUMNS],
    pub(super) n: usize,
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

    /// Returns the number of stones on cells numbered before the cell at this place of this row:
    /// the index bit of the cell, if it is occupied or the next to be filled in its column.
    #[inline]
    pub(super) fn below(&self, board: &Board, place: usize, row: usize) -> usize {
        let mut stones = 0;
        for (p, &column) in board.places.iter().enumerate() {
            let height = usize::from(self.heights[column]);
            stones += height.min(row + usize::from(p < place));
        }
        stones
    }

    /// Returns true if the cell at this place of this row lies inside blocks.
    pub(super) const fn is_low(board: &Board, place: usize, row: usize) -> bool {
        row * board.width + place < board.low_cells
    }

    pub(super) const fn ones(&self) -> usize {
        Board::first_players(self.n)
    }
    /// Returns the lower index bits of the pairs of mirrored cells that are both occupied.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The profiles one move earlier.
    Before,
    /// The profiles one move later.
    After,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    pub(super) column: usize,
    /// The index bit of the stone that is removed (in the profile) or added (in the neighbour).
    pub(super) bit: usize,
    pub(super) low: bool,
}

impl Neighbour {
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
