//! The size of units.

use super::lane::Lane;

/// The division of the tiers of a board into units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The most lanes of a unit, for one plane; a unit has at least the smallest part of a profile.
    pub lanes: usize,
    /// True to cut profiles with more lanes into parts; false to make each a unit of its own.
    pub profiles: bool,
}

impl Cut {
    /// Units of at most this many bytes a plane, for storages that read parts of arrays.
    pub const fn of_bytes(bytes: u64) -> Self {
        let lanes = bytes / size_of::<Lane>() as u64;
        let lanes = if lanes > usize::MAX as u64 { usize::MAX } else { lanes as usize };
        Self { lanes: if lanes == 0 { 1 } else { lanes }, profiles: true }
    }
}
