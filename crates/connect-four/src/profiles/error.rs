//! Errors of storages and passes.

use std::io;

use super::unit::Unit;
use crate::control::Stopped;
use crate::games::line::Size;

/// The result of an operation of a storage.
pub(super) type Result<T, E = StorageError> = std::result::Result<T, E>;

/// The reason why a unit could not be kept or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// The memory does not suffice.
    #[error("no memory for {bytes} bytes ({source}): use a work folder, or a smaller board")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The place could not be read or written; the error names it and the remedy. Complete units
    /// stay, and the same command continues from them.
    #[error(transparent)]
    Place(#[from] io::Error),
    /// The place holds another board.
    #[error("{0} was made for {1}: choose another work folder, or empty it")]
    OtherBoard(String, Size),
    /// The stored bytes of a unit are not the bytes that were written.
    #[error(
        "{object} in {place} is damaged ({what}): remove it, and the same command makes it anew"
    )]
    Damaged {
        /// The folder or bucket.
        place: String,
        /// The object in the folder or bucket.
        object: String,
        /// The unit, if the object is part of one.
        unit: Option<Unit>,
        /// The fault that was found.
        what: &'static str,
    },
    /// The unit was never kept, or was discarded.
    #[error("{unit} is missing: it has to be made first")]
    Missing {
        /// The unit.
        unit: Unit,
    },
}

/// The reason why a pass ended early. Stored units stay, and the same call continues from them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    /// The control asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A unit could not be kept or read.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
