//! Arrays of lanes in memory, and pools of memory for them.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::lane::Lane;
use super::unit::{Result, StorageError};

/// An array of lanes in memory, on large pages if the system has them.
///
/// Small pages cost as much time as the computation: each is cleared and mapped separately.
#[derive(Debug, Default)]
pub struct Lanes {
    map: Option<MmapMut>,
    len: usize,
}

impl Lanes {
    /// Allocates an array of zeros that can grow to `capacity` lanes; untouched pages take no
    /// memory.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn zeroed(len: usize, capacity: usize) -> Result<Self, StorageError> {
        let bytes = len.max(capacity) * size_of::<Lane>();
        if bytes == 0 {
            return Ok(Self { map: None, len });
        }
        let map = MmapMut::map_anon(bytes).map_err(|source| StorageError::Memory(bytes, source))?;
        // This is advice: a system without large pages uses small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map: Some(map), len })
    }

    /// The number of lanes there is room for.
    pub fn capacity(&self) -> usize {
        self.map.as_ref().map_or(0, |map| map.len() / size_of::<Lane>())
    }

    /// The same memory as an array of another length within its capacity, with any contents.
    pub(super) fn resized(self, len: usize) -> Self {
        Self { len, ..self }
    }
}

impl Deref for Lanes {
    type Target = [Lane];

    fn deref(&self) -> &[Lane] {
        self.map.as_ref().map_or(&[], |map| &cast_slice(map)[..self.len])
    }
}

impl DerefMut for Lanes {
    fn deref_mut(&mut self) -> &mut [Lane] {
        let len = self.len;
        self.map.as_mut().map_or(&mut [], |map| &mut cast_slice_mut(map)[..len])
    }
}

/// The length, 64 MiB, from which arrays get no room to grow.
const LARGE: usize = (64 << 20) / size_of::<Lane>();

/// Reusable memory for arrays: fresh memory is several times slower.
#[derive(Debug, Default)]
pub struct Pool(Mutex<Vec<Lanes>>);

impl Pool {
    /// An array of this length with any contents.
    pub(super) fn take(&self, lanes: usize) -> Result<Lanes> {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = spare.iter().enumerate().filter(|(_, array)| array.capacity() >= lanes);
        let smallest = fitting.min_by_key(|(_, array)| array.capacity()).map(|(i, _)| i);
        if let Some(i) = smallest {
            let array = spare.swap_remove(i);
            drop(spare);
            return Ok(array.resized(lanes));
        }
        // Arrays are growing, so spare arrays are too small for the next ones as well; new arrays
        // get room to grow.
        spare.pop();
        drop(spare);
        Lanes::zeroed(lanes, if lanes < LARGE { 2 * lanes } else { lanes })
    }

    /// An array of this length with any contents, which returns to the pool when it is dropped.
    pub(super) fn lend(&self, lanes: usize) -> Result<Pooled<'_>> {
        Ok(Pooled { pool: self, lanes: self.take(lanes)? })
    }

    /// Takes memory back.
    pub(super) fn give(&self, lanes: impl IntoIterator<Item = Lanes>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(lanes);
    }

    /// Keeps the largest arrays while `fits` accepts the number of those before and the sum of bytes;
    /// frees the others.
    pub(super) fn keep_while(&self, fits: impl Fn(usize, usize) -> bool) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.sort_by_key(|array| std::cmp::Reverse(array.capacity()));
        let mut bytes = 0;
        let kept = spare.iter().enumerate().take_while(|(number, array)| {
            bytes += array.capacity() * size_of::<Lane>();
            fits(*number, bytes)
        });
        let kept = kept.count();
        spare.truncate(kept);
    }
}

/// An array on loan from a pool.
pub(super) struct Pooled<'p> {
    pool: &'p Pool,
    pub(super) lanes: Lanes,
}

impl Drop for Pooled<'_> {
    fn drop(&mut self) {
        self.pool.give([std::mem::take(&mut self.lanes)]);
    }
}
