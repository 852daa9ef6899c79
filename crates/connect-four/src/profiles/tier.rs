//! Tiers: the profiles with the same number of stones, the places of their bits, and their units.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::board::{Board, Profile};
use super::geometry::Geometry;
use super::piece::Piece;
use super::unit::Cut;

/// The canonical profiles of a tier in ascending order, their pieces, and the first lane of each
/// piece.
#[derive(Clone, Debug)]
pub(super) struct Tier {
    pub(super) ply: usize,
    pub(super) profiles: Vec<Profile>,
    pub(super) pieces: Vec<Piece>,
    /// The first lane of every piece, and the number of lanes.
    starts: Vec<usize>,
    /// The number of the first piece of every unit, and the number of pieces.
    units: Vec<usize>,
    /// The lanes of every profile.
    index: FxHashMap<Profile, Range<usize>>,
}

impl Tier {
    /// The tier of the empty board.
    pub(super) fn first(board: &Board, cut: Cut) -> Self {
        Self::of(board, cut, 0, vec![Profile::default()])
    }

    /// The tier with one more stone.
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
        // The lanes of the last unit so far.
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

    /// The lanes of the whole tier, for one plane.
    pub(super) fn lanes(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The number of units.
    pub(super) fn units(&self) -> usize {
        self.units.len() - 1
    }

    /// The numbers of the pieces of a unit.
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

    /// The units that hold a range of lanes, which must not be empty.
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

    /// The lanes of any piece of a profile of the tier, even one that the tier is not cut into.
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
