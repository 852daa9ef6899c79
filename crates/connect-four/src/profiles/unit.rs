//! Units: the parts of a board that are made and kept one at a time, their names, their size, and
//! errors about them.

use std::{fmt, io};

use super::lane::Lane;
use everyply_core::control::Stopped;
use everyply_core::game::Ply;
use everyply_core::games::line::Size;

worded! {
    /// The data that a unit holds about the positions of its part of a tier.
    pub enum Content,
    name:
    /// The reachable positions without a line, one bit per colouring.
    NonTerminal "alive",
    /// The values as codes, a few bits per colouring.
    Values "values",
    /// Compressed chunks of a solution file.
    Packed "packed",
    /// A mark that the chunks of a solution file were correct.
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
    pub content: Content,
    /// The number of stones on the boards of its tier.
    pub ply: Ply,
    pub number: u32,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}-{:05}", self.content, self.ply.0, self.number)
    }
}

/// Returns a unit of values, for tests.
#[cfg(test)]
pub(super) const fn unit(number: u32) -> Unit {
    Unit { content: Content::Values, ply: Ply(3), number }
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
    /// Makes units of at most this many bytes per plane, for storages that read parts of arrays.
    pub fn of_bytes(bytes: u64) -> Self {
        let lanes = usize::try_from(bytes / size_of::<Lane>() as u64).unwrap_or(usize::MAX);
        Self { lanes: lanes.max(1), profiles: true }
    }
}

pub(super) type Result<T, E = StorageError> = std::result::Result<T, E>;

/// The reason why a unit could not be kept or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    #[error("no memory for {0} bytes ({1}): use a work folder, or a smaller board")]
    Memory(usize, #[source] io::Error),
    /// The place could not be read or written; the error names it and the remedy. Complete units
    /// stay, and the same command continues from them.
    #[error(transparent)]
    Place(#[from] io::Error),
    #[error("{0} was made for {1}: choose another work folder, or empty it")]
    OtherBoard(String, Size),
    #[error(
        "{0} was made for another game or other rules, or by another version of this program: \
         choose another work folder, or empty it"
    )]
    OtherGame(String),
    /// The stored bytes of a unit are not the bytes that were written.
    #[error(
        "{object} in {place} is damaged ({what}): remove it, and the same command makes it anew"
    )]
    Damaged {
        place: String,
        object: String,
        /// The unit, if the object is part of one.
        unit: Option<Unit>,
        what: &'static str,
    },
    /// The unit was never kept, or was discarded.
    #[error("{0} is missing: it has to be made first")]
    Missing(Unit),
}

/// The reason why a pass ended early. Stored units stay, and the same call continues from them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Storage(#[from] StorageError),
}
