//! Where units are kept: the one interface between the passes and memory, folders, or anything
//! else that can hold arrays of lanes.

use std::fmt;
use std::sync::Arc;

use super::cut::Cut;
use super::error::StorageError;
use super::lane::Lane;
use super::lanes::Lanes;
use super::unit::Unit;

/// Keeps units. A unit exists from [`keep`](Self::keep) on, or not at all; to make one again and keep
/// it again changes nothing. It may be written later: [`settle`](Self::settle).
pub trait Storage: fmt::Debug + Send + Sync {
    /// How a board is to be cut into units for this storage.
    fn cut(&self) -> Cut;

    /// True if other processes may keep units in the same place.
    fn is_shared(&self) -> bool {
        false
    }

    /// Room for an array, with any contents.
    ///
    /// # Errors
    /// If there is no memory for it.
    fn room(&self, lanes: usize) -> Result<Lanes, StorageError>;

    /// Takes back room that is no longer used.
    fn give_back(&self, lanes: Lanes);

    /// Keeps the array of a unit, and then its summary. Where nothing is meant, the array is `fill`,
    /// over and over.
    ///
    /// # Errors
    /// If it cannot be written: a full disk.
    fn keep(
        &self,
        unit: Unit,
        array: Lanes,
        fill: &[Lane],
        summary: &[u64],
    ) -> Result<(), StorageError>;

    /// Keeps bytes in place of an array.
    ///
    /// # Errors
    /// If they cannot be written.
    fn keep_bytes(&self, unit: Unit, bytes: Vec<u8>, summary: &[u64]) -> Result<(), StorageError>;

    /// The summary of a unit that was made, even if the rest was given up; `None` if it was not.
    ///
    /// # Errors
    /// If it is damaged or unreadable.
    fn summary(&self, unit: Unit) -> Result<Option<Vec<u64>>, StorageError>;

    /// True if the array or the bytes of a unit are there.
    ///
    /// # Errors
    /// If that cannot be found out.
    fn holds(&self, unit: Unit) -> Result<bool, StorageError>;

    /// The array of a unit, if the storage has it in memory anyway.
    ///
    /// # Errors
    /// If it is not there.
    fn shared(&self, unit: Unit) -> Result<Option<Arc<Lanes>>, StorageError>;

    /// Reads lanes of a unit's array, from `first` on.
    ///
    /// # Errors
    /// If they are not there, damaged or unreadable.
    fn read(
        &self,
        unit: Unit,
        first: usize,
        fill: &[Lane],
        out: &mut [Lane],
    ) -> Result<(), StorageError>;

    /// The bytes of a unit.
    ///
    /// # Errors
    /// If they are not there, damaged or unreadable.
    fn bytes(&self, unit: Unit) -> Result<Arc<[u8]>, StorageError>;

    /// Gives up the array or the bytes of a unit; its summary is kept.
    ///
    /// # Errors
    /// If they cannot be removed.
    fn discard(&self, unit: Unit) -> Result<(), StorageError>;

    /// Gives up a unit and its summary.
    ///
    /// # Errors
    /// If they cannot be removed.
    fn forget(&self, unit: Unit) -> Result<(), StorageError>;

    /// Waits until all that was kept and given up is safe. Nothing is given up before what was kept
    /// earlier is.
    ///
    /// # Errors
    /// If something kept earlier could not be written; [`keep`](Self::keep) and
    /// [`discard`](Self::discard) may give the same error in place of their own.
    fn settle(&self) -> Result<(), StorageError>;

    /// Gives memory back to the system that is only there to be used again.
    fn rest(&self);
}
