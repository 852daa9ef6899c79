//! Errors of storages and passes.

use std::io;

use super::unit::Unit;
use crate::control::Stopped;
use crate::games::line::Size;

/// Why a unit could not be kept or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// There is not so much memory.
    #[error("no memory for {bytes} bytes ({source}): use a work folder, or a smaller board")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
    /// The place could not be read or written; the error names it and the remedy. What is complete
    /// stays, and the same command continues from there.
    #[error(transparent)]
    Place(#[from] io::Error),
    /// The place holds another board.
    #[error("{place} was made for {found}: choose another work folder, or empty it")]
    OtherBoard {
        /// The folder or bucket.
        place: String,
        /// The board it was made for.
        found: Size,
    },
    /// What is kept of a unit is not what was written.
    #[error(
        "{object} in {place} is damaged ({what}): remove it, and the same command makes it anew"
    )]
    Damaged {
        /// The folder or bucket.
        place: String,
        /// What is in it.
        object: String,
        /// The unit, if it is part of one.
        unit: Option<Unit>,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A unit that was never kept, or was given up.
    #[error("{unit} is not there: it has to be made first")]
    Missing {
        /// The unit.
        unit: Unit,
    },
}

/// Why a pass ended early. What is stored stays: the same call continues from there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    /// The control asked for it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A unit could not be kept or read.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
