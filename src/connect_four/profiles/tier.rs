//! The profiles with the same number of stones, where each keeps its bits, and the units they are
//! worked on in.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::board::{Board, Profile};
use super::cut::Cut;
use super::geometry::Geometry;
use super::piece::Piece;

/// The canonical profiles of a tier in ascending order, the pieces they are cut into, and the lane
/// at which each begins.
#[derive(Clone, Debug)]
pub(super) struct Tier {
    pub(super) ply: usize,
    pub(super) profiles: Vec<Profile>,
    pub(super) pieces: Vec<Piece>,
    /// The first lane of every piece, and the number of lanes.
    starts: Vec<usize>,
    /// The first piece of every unit, and the number of pieces.
    units: Vec<usize>,
    /// The lanes of every profile.
    index: FxHashMap<Profile, Range<usize>>,
}

impl Tier {
    /// The empty board.
    pub(super) fn first(board: &Board, cut: Cut) -> Self {
        Self::of(board, cut, 0, vec![Profile::default()])
    }

    /// The tier with one stone more.
    pub(super) fn next(&self, board: &Board, cut: Cut) -> Self {
        let profiles = board.canonical_children(&self.profiles);
        Self::of(board, cut, self.ply + 1, profiles)
    }

    fn of(board: &Board, cut: Cut, ply: usize, profiles: Vec<Profile>) -> Self {
        let mut tier = Self {
            ply,
            profiles: Vec::new(),
            pieces: Vec::with_capacity(profiles.len()),
            starts: vec![0],
            units: vec![0],
            index: FxHashMap::default(),
        };
        let most = if cut.profiles { cut.lanes } else { usize::MAX };
        // Lanes of the last unit.
        let mut last = 0;
        for &profile in &profiles {
            let geometry = Geometry::new(board, profile);
            let start = tier.lanes();
            for piece in Piece::cut(board, profile, most) {
                let lanes = piece.lanes(board, &geometry);
                if last > 0 && last + lanes > cut.lanes {
                    tier.units.push(tier.pieces.len());
                    last = 0;
                }
                last += lanes;
                tier.pieces.push(piece);
                tier.starts.push(tier.lanes() + lanes);
            }
            tier.index.insert(profile, start..tier.lanes());
        }
        tier.units.push(tier.pieces.len());
        Self { profiles, ..tier }
    }

    /// Lanes of the whole tier, for one plane.
    pub(super) fn lanes(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The number of units.
    pub(super) fn units(&self) -> usize {
        self.units.len() - 1
    }

    /// The pieces of a unit, by their numbers.
    pub(super) fn pieces_of(&self, unit: usize) -> Range<usize> {
        self.units[unit]..self.units[unit + 1]
    }

    /// The lanes of a unit.
    pub(super) fn unit(&self, unit: usize) -> Range<usize> {
        self.starts[self.units[unit]]..self.starts[self.units[unit + 1]]
    }

    /// The lanes of a piece, by its number.
    pub(super) fn piece(&self, number: usize) -> Range<usize> {
        self.starts[number]..self.starts[number + 1]
    }

    /// The units that hold a range of lanes that is not empty.
    pub(super) fn units_of(&self, lanes: &Range<usize>) -> Range<usize> {
        let first = |unit: &usize| self.starts[*unit];
        let begin = self.units.partition_point(|unit| first(unit) <= lanes.start) - 1;
        let end = self.units.partition_point(|unit| first(unit) < lanes.end);
        begin..end
    }

    /// The lanes of a profile.
    ///
    /// # Panics
    /// If the profile is not of this tier.
    pub(super) fn profile(&self, profile: Profile) -> Range<usize> {
        self.index.get(&profile).expect("a profile of the tier").clone()
    }

    /// The lanes of a piece of a profile of the tier, which need not be one of its own pieces.
    pub(super) fn range(&self, board: &Board, piece: &Piece) -> Range<usize> {
        let whole = self.profile(piece.profile);
        if piece.left == self.ply {
            return whole;
        }
        let geometry = Geometry::new(board, piece.profile);
        let start = whole.start + piece.lane(board, &geometry);
        start..start + piece.lanes(board, &geometry)
    }
}
