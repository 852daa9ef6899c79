//! The profiles with the same number of stones, and where each keeps its bits.

use rustc_hash::FxHashMap;

use super::board::{Board, Geometry, Profile};
use super::lane::Lane;
use super::mirror::{View, mirrored};
use super::storage::StorageError;

/// The canonical profiles of a tier in ascending order, and the lane at which each begins.
#[derive(Clone, Debug)]
pub(super) struct Tier {
    pub(super) ply: usize,
    pub(super) profiles: Vec<Profile>,
    /// One more than there are profiles: the last is the number of lanes.
    pub(super) starts: Vec<usize>,
    index: FxHashMap<Profile, u32>,
}

impl Tier {
    /// The empty board.
    pub(super) fn first(board: &Board) -> Self {
        Self::of(board, 0, vec![Profile::default()])
    }

    /// The tier with one stone more.
    pub(super) fn next(&self, board: &Board) -> Self {
        let profiles = board.canonical_children(&self.profiles);
        Self::of(board, self.ply + 1, profiles)
    }

    fn of(board: &Board, ply: usize, profiles: Vec<Profile>) -> Self {
        let mut starts = Vec::with_capacity(profiles.len() + 1);
        let mut lanes = 0;
        for &profile in &profiles {
            starts.push(lanes);
            lanes += Geometry::new(board, profile).lanes(board);
        }
        starts.push(lanes);
        let index = profiles.iter().enumerate().map(|(i, &p)| (p, i as u32)).collect();
        Self { ply, profiles, starts, index }
    }

    /// Lanes of the whole tier, for one plane.
    pub(super) fn lanes(&self) -> usize {
        self.starts[self.profiles.len()]
    }

    /// The place of a profile in the tier.
    pub(super) fn find(&self, profile: Profile) -> Option<usize> {
        self.index.get(&profile).map(|&i| i as usize)
    }

    /// The lanes of a profile of the tier in an array with `planes` lanes per lane.
    ///
    /// # Panics
    /// If the profile is not of this tier.
    pub(super) fn slice<'l, T>(&self, lanes: &'l [T], planes: usize, profile: Profile) -> &'l [T] {
        let i = self.find(profile).expect("a profile of the tier");
        &lanes[self.starts[i] * planes..self.starts[i + 1] * planes]
    }

    /// The lanes of a profile or, if its mirror image is of the tier, made from those.
    ///
    /// # Errors
    /// If there is no memory to make them.
    pub(super) fn view<'l>(
        &self,
        board: &Board,
        lanes: &'l [Lane],
        planes: usize,
        profile: Profile,
    ) -> Result<View<'l>, StorageError> {
        let canonical = board.canonical(profile);
        let stored = self.slice(lanes, planes, canonical);
        if canonical == profile {
            return Ok(View::Stored(stored));
        }
        mirrored(board, profile, planes, stored).map(View::Mirrored)
    }
}
