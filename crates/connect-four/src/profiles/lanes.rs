//! Arrays of lanes in memory, pools of memory for them, and a cache of arrays of a store.

use std::collections::{HashMap, VecDeque};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::lane::Lane;
use super::unit::{Result, StorageError, Unit};
use everyply_core::parallel::lock;

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

    pub fn capacity(&self) -> usize {
        self.map.as_ref().map_or(0, |map| map.len() / size_of::<Lane>())
    }

    /// Returns the memory as an array of another length within its capacity, contents arbitrary.
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
    /// Takes an array of this length with arbitrary contents.
    pub(super) fn take(&self, lanes: usize) -> Result<Lanes> {
        let mut spare = lock(&self.0);
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

    /// Lends an array of this length with arbitrary contents; dropping it returns it to the pool.
    pub(super) fn lend(&self, lanes: usize) -> Result<Pooled<'_>> {
        Ok(Pooled { pool: self, lanes: self.take(lanes)? })
    }

    pub(super) fn give(&self, lanes: impl IntoIterator<Item = Lanes>) {
        lock(&self.0).extend(lanes);
    }

    /// Keeps arrays, the largest first, while `fits` accepts the number already kept and the bytes
    /// in all; frees the others.
    pub(super) fn keep_while(&self, fits: &dyn Fn(usize, usize) -> bool) {
        let mut spare = lock(&self.0);
        spare.sort_by_key(|array| std::cmp::Reverse(array.capacity()));
        let mut bytes = 0;
        let largest = spare.iter().enumerate().take_while(|(number, array)| {
            bytes += array.capacity() * size_of::<Lane>();
            fits(*number, bytes)
        });
        let largest = largest.count();
        spare.truncate(largest);
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

/// A cache of the newest arrays that fit in memory. The array of a unit never changes, so an entry
/// is never out of date.
#[derive(Debug, Default)]
pub(super) struct ArrayCache {
    most: usize,
    cached: Mutex<CachedArrays>,
}

#[derive(Debug, Default)]
struct CachedArrays {
    arrays: HashMap<Unit, Arc<Lanes>>,
    order: VecDeque<Unit>,
    bytes: usize,
}

impl ArrayCache {
    pub(super) fn of(bytes: u64) -> Self {
        Self { most: usize::try_from(bytes).unwrap_or(usize::MAX), cached: Mutex::default() }
    }

    /// Keeps an array and returns the arrays removed for it; returns the array itself if it is too
    /// large.
    pub(super) fn keep(&self, unit: Unit, array: Lanes) -> Vec<Lanes> {
        let bytes = bytes_of(&array);
        if bytes > self.most {
            return vec![array];
        }
        let mut cached = lock(&self.cached);
        let mut removed = Vec::new();
        removed.extend(cached.remove(unit));
        while cached.bytes > self.most - bytes
            && let Some(&oldest) = cached.order.front()
        {
            removed.extend(cached.remove(oldest));
        }
        cached.arrays.insert(unit, Arc::new(array));
        cached.order.push_back(unit);
        cached.bytes += bytes;
        removed
    }

    pub(super) fn get(&self, unit: Unit) -> Option<Arc<Lanes>> {
        lock(&self.cached).arrays.get(&unit).cloned()
    }

    /// Removes an array and returns its memory, unless a reader still holds it.
    pub(super) fn remove(&self, unit: Unit) -> Option<Lanes> {
        lock(&self.cached).remove(unit)
    }

    pub(super) fn clear(&self) {
        *lock(&self.cached) = CachedArrays::default();
    }
}

impl CachedArrays {
    fn remove(&mut self, unit: Unit) -> Option<Lanes> {
        let array = self.arrays.remove(&unit)?;
        self.order.retain(|other| *other != unit);
        self.bytes -= bytes_of(&array);
        Arc::into_inner(array)
    }
}

/// Returns the memory of an array, its spare capacity included.
fn bytes_of(array: &Lanes) -> usize {
    array.capacity() * size_of::<Lane>()
}

#[cfg(test)]
mod tests {
    use super::super::unit::unit;
    use super::*;

    fn array(lanes: usize) -> Lanes {
        Lanes::zeroed(lanes, lanes).unwrap()
    }

    #[test]
    fn the_oldest_make_room() {
        let cache = ArrayCache::of(10 * size_of::<Lane>() as u64);
        let cached = || (0..6).filter(|&i| cache.get(unit(i)).is_some()).collect::<Vec<_>>();
        for i in 0..4 {
            cache.keep(unit(i), array(3));
        }
        assert_eq!(cached(), [1, 2, 3]);
        // An array kept again is the newest.
        assert_eq!(cache.keep(unit(1), array(3)).len(), 1);
        assert_eq!(cache.keep(unit(4), array(4)).len(), 1);
        assert_eq!(cached(), [1, 3, 4]);
        assert_eq!(cache.keep(unit(5), array(11)).len(), 1, "too large, so it is returned");
        assert_eq!(cached(), [1, 3, 4]);
        assert!(cache.remove(unit(3)).is_some());
        assert!(cache.remove(unit(3)).is_none());
        assert!(cache.keep(unit(0), array(3)).is_empty(), "there was room again");
        cache.clear();
        assert_eq!(cached(), [0; 0]);
        cache.keep(unit(0), array(2));
        let read = cache.get(unit(0)).unwrap();
        assert!(cache.remove(unit(0)).is_none(), "it is read");
        assert_eq!(read.len(), 2);
    }
}
