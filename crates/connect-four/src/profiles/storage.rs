//! Storages of units: the interface between the passes and memory or folders, and the storage in
//! memory.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use super::lane::Lane;
use super::lanes::{Lanes, Pool};
use super::unit::{Cut, Result, StorageError, Unit};
use everyply_core::parallel::lock;

/// A storage of units. A unit exists as a whole from [`keep`](Self::keep) on; keeping it again
/// changes nothing. It may be written later: [`settle`](Self::settle).
///
/// Methods fail if the place cannot be read or written; if the unit they read is missing or damaged,
/// the error names it.
pub trait Storage: fmt::Debug + Send + Sync {
    /// Returns the division of boards into units for this storage.
    fn cut(&self) -> Cut;

    /// Returns true if other processes may keep units in the same place.
    fn is_shared(&self) -> bool {
        false
    }

    fn pool(&self) -> &Pool;

    /// Keeps the array of a unit, and then its summary. Meaningless places of the array hold
    /// `fill`, repeated.
    fn keep(&self, unit: Unit, array: Lanes, fill: &[Lane], summary: &[u64]) -> Result<()>;

    /// Keeps bytes in place of an array.
    fn keep_bytes(&self, unit: Unit, bytes: Vec<u8>, summary: &[u64]) -> Result<()>;

    /// Returns the summary of a unit, even if its array was discarded; `None` for a missing unit.
    fn summary(&self, unit: Unit) -> Result<Option<Vec<u64>>>;

    /// Returns true if the storage holds the array or the bytes of a unit.
    fn holds(&self, unit: Unit) -> Result<bool>;

    /// Returns the array of a unit, if the storage has it in memory.
    fn shared(&self, unit: Unit) -> Result<Option<Arc<Lanes>>>;

    /// Reads lanes of a unit's array, from `first` on.
    fn read(&self, unit: Unit, first: usize, fill: &[Lane], out: &mut [Lane]) -> Result<()>;

    fn bytes(&self, unit: Unit) -> Result<Arc<[u8]>>;

    /// Discards the array or the bytes of a unit; its summary is kept.
    fn discard(&self, unit: Unit) -> Result<()>;

    /// Discards a unit and its summary.
    fn forget(&self, unit: Unit) -> Result<()>;

    /// Waits until all units kept and discarded so far are written and removed. A unit is removed
    /// only after all units kept before are written. If a unit kept earlier could not be written,
    /// this call or a later [`keep`](Self::keep) or [`discard`](Self::discard) returns the error.
    fn settle(&self) -> Result<()> {
        Ok(())
    }

    /// Frees the memory that is kept for reuse.
    fn free_spare(&self) {
        self.pool().keep_while(&|_, _| false);
    }
}

/// The storage of units in memory; it reuses the memory of discarded units.
#[derive(Debug)]
pub struct Memory {
    cut: Cut,
    units: Mutex<UnitContents>,
    spare: Pool,
}

#[derive(Debug, Default)]
struct UnitContents {
    arrays: HashMap<Unit, Arc<Lanes>>,
    bytes: HashMap<Unit, Arc<[u8]>>,
    summaries: HashMap<Unit, Vec<u64>>,
}

/// Lanes of a unit: 64 MiB per plane. Smaller units free memory earlier; larger ones are fewer.
const UNIT: usize = (64 << 20) / size_of::<Lane>();

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    pub fn new() -> Self {
        // Profiles stay whole, since arrays in memory are read in place.
        Self::with_cut(Cut { lanes: UNIT, profiles: false })
    }

    /// Creates an empty storage with another unit size.
    pub fn with_cut(cut: Cut) -> Self {
        Self { cut, units: Mutex::default(), spare: Pool::default() }
    }
}

impl Storage for Memory {
    fn cut(&self) -> Cut {
        self.cut
    }

    fn pool(&self) -> &Pool {
        &self.spare
    }

    fn keep(&self, unit: Unit, array: Lanes, _: &[Lane], summary: &[u64]) -> Result<()> {
        let mut units = lock(&self.units);
        units.arrays.insert(unit, Arc::new(array));
        units.summaries.insert(unit, summary.to_vec());
        Ok(())
    }

    fn keep_bytes(&self, unit: Unit, bytes: Vec<u8>, summary: &[u64]) -> Result<()> {
        let mut units = lock(&self.units);
        units.bytes.insert(unit, bytes.into());
        units.summaries.insert(unit, summary.to_vec());
        Ok(())
    }

    fn summary(&self, unit: Unit) -> Result<Option<Vec<u64>>> {
        Ok(lock(&self.units).summaries.get(&unit).cloned())
    }

    fn holds(&self, unit: Unit) -> Result<bool> {
        let units = lock(&self.units);
        Ok(units.arrays.contains_key(&unit) || units.bytes.contains_key(&unit))
    }

    fn shared(&self, unit: Unit) -> Result<Option<Arc<Lanes>>> {
        let array = lock(&self.units).arrays.get(&unit).cloned();
        array.map(Some).ok_or(StorageError::Missing(unit))
    }

    fn read(&self, unit: Unit, first: usize, _: &[Lane], out: &mut [Lane]) -> Result<()> {
        let array = self.shared(unit)?.ok_or(StorageError::Missing(unit))?;
        out.copy_from_slice(&array[first..first + out.len()]);
        Ok(())
    }

    fn bytes(&self, unit: Unit) -> Result<Arc<[u8]>> {
        lock(&self.units).bytes.get(&unit).cloned().ok_or(StorageError::Missing(unit))
    }

    fn discard(&self, unit: Unit) -> Result<()> {
        let mut units = lock(&self.units);
        units.bytes.remove(&unit);
        let array = units.arrays.remove(&unit);
        drop(units);
        self.spare.give(array.and_then(Arc::into_inner));
        // As many arrays as threads use; more would only withhold memory from other uses.
        let most = rayon::current_num_threads().max(2);
        self.spare.keep_while(&|before, _| before < most);
        Ok(())
    }

    fn forget(&self, unit: Unit) -> Result<()> {
        lock(&self.units).summaries.remove(&unit);
        self.discard(unit)
    }
}
