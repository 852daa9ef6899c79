//! Units: the parts of a board that are made and kept one at a time, their names and their size.

use std::fmt;

use super::lane::Lane;
use crate::game::Ply;

worded! {
    /// The content of a unit, about the positions of its part of a tier.
    pub enum Content,
    /// The content in names of units.
    name:
    /// The reachable positions without a line, one bit a colouring.
    NonTerminal "alive",
    /// The values as codes, a few bits a colouring.
    Values "values",
    /// Compressed blocks of a solution file.
    Packed "packed",
    /// Compressed blocks of a solution file of outcomes alone.
    PackedOutcomes "outcomes",
    /// A mark that the blocks of a solution file were right.
    Verified "checked",
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A part of a tier that is made, kept and discarded as a whole. Its name has content, ply and
/// number: `alive-07-00012`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit {
    /// The content.
    pub content: Content,
    /// The number of stones on the boards of its tier.
    pub ply: Ply,
    /// The number of the unit in the tier.
    pub number: u32,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}-{:05}", self.content, self.ply.0, self.number)
    }
}

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
