//! Storages of units: the interface between the passes and memory, folders or buckets.

use std::fmt;
use std::sync::Arc;

use super::cut::Cut;
use super::error::StorageError;
use super::lane::Lane;
use super::lanes::Lanes;
use super::unit::Unit;

/// A storage of units. A unit exists as a whole from [`keep`](Self::keep) on; keeping it again
/// changes nothing. It may be written later: [`settle`](Self::settle).
pub trait Storage: fmt::Debug + Send + Sync {
    /// The division of boards into units for this storage.
    fn cut(&self) -> Cut;

    /// True if other processes may keep units in the same place.
    fn is_shared(&self) -> bool {
        false
    }

    /// Memory for an array, with any contents.
    ///
    /// # Errors
    /// If the memory does not suffice.
    fn room(&self, lanes: usize) -> Result<Lanes, StorageError>;

    /// Takes back memory that is no longer used.
    fn give_back(&self, lanes: Lanes);

    /// Keeps the array of a unit, and then its summary. Meaningless places of the array hold
    /// `fill`, repeated.
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

    /// The summary of a unit, even if its array was discarded; `None` if the unit was not made.
    ///
    /// # Errors
    /// If it is damaged or unreadable.
    fn summary(&self, unit: Unit) -> Result<Option<Vec<u64>>, StorageError>;

    /// True if the storage holds the array or the bytes of a unit.
    ///
    /// # Errors
    /// If the storage cannot be read.
    fn holds(&self, unit: Unit) -> Result<bool, StorageError>;

    /// The array of a unit, if the storage has it in memory.
    ///
    /// # Errors
    /// If the unit is missing.
    fn shared(&self, unit: Unit) -> Result<Option<Arc<Lanes>>, StorageError>;

    /// Reads lanes of a unit's array, from `first` on.
    ///
    /// # Errors
    /// If they are missing, damaged or unreadable.
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
    /// If they are missing, damaged or unreadable.
    fn bytes(&self, unit: Unit) -> Result<Arc<[u8]>, StorageError>;

    /// Discards the array or the bytes of a unit; its summary is kept.
    ///
    /// # Errors
    /// If they cannot be removed.
    fn discard(&self, unit: Unit) -> Result<(), StorageError>;

    /// Discards a unit and its summary.
    ///
    /// # Errors
    /// If they cannot be removed.
    fn forget(&self, unit: Unit) -> Result<(), StorageError>;

    /// Waits until all units kept and discarded so far are written and removed. A unit is removed
    /// only after all units kept before are written.
    ///
    /// # Errors
    /// If a unit kept earlier could not be written; [`keep`](Self::keep) and
    /// [`discard`](Self::discard) may return the same error instead of their own.
    fn settle(&self) -> Result<(), StorageError>;

    /// Frees the memory that is kept for reuse.
    fn free_spare(&self);
}
