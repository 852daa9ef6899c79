//! A cache of arrays of a store.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::lane::Lane;
use super::lanes::Lanes;
use super::unit::Unit;

/// The newest arrays that fit in memory. The array of a unit is always the same, so an entry is
/// never out of date.
#[derive(Debug, Default)]
pub(super) struct ArrayCache {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    arrays: HashMap<Unit, Arc<Lanes>>,
    /// The units, the oldest first.
    order: VecDeque<Unit>,
    bytes: usize,
}

impl ArrayCache {
    /// A cache of at most this many bytes.
    pub(super) fn of(bytes: u64) -> Self {
        Self { most: usize::try_from(bytes).unwrap_or(usize::MAX), kept: Mutex::default() }
    }

    /// Keeps an array and returns the arrays removed for it; returns the array itself if it is too
    /// large.
    pub(super) fn keep(&self, unit: Unit, array: Lanes) -> Vec<Lanes> {
        let bytes = bytes_of(&array);
        if bytes > self.most {
            return vec![array];
        }
        let mut kept = self.kept();
        let mut removed = Vec::new();
        removed.extend(kept.remove(unit));
        while kept.bytes > self.most - bytes
            && let Some(&oldest) = kept.order.front()
        {
            removed.extend(kept.remove(oldest));
        }
        kept.arrays.insert(unit, Arc::new(array));
        kept.order.push_back(unit);
        kept.bytes += bytes;
        removed
    }

    pub(super) fn get(&self, unit: Unit) -> Option<Arc<Lanes>> {
        self.kept().arrays.get(&unit).cloned()
    }

    /// Removes an array and returns its memory, unless a reader still holds it.
    pub(super) fn remove(&self, unit: Unit) -> Option<Lanes> {
        self.kept().remove(unit)
    }

    pub(super) fn clear(&self) {
        *self.kept() = Kept::default();
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn remove(&mut self, unit: Unit) -> Option<Lanes> {
        let array = self.arrays.remove(&unit)?;
        self.order.retain(|other| *other != unit);
        self.bytes -= bytes_of(&array);
        Arc::into_inner(array)
    }
}

/// The memory of an array, its spare capacity included.
fn bytes_of(array: &Lanes) -> usize {
    array.capacity() * size_of::<Lane>()
}

#[cfg(test)]
mod tests {
    use super::super::unit::Content;
    use super::*;
    use crate::game::Ply;

    fn unit(number: u32) -> Unit {
        Unit { content: Content::Values, ply: Ply(3), number }
    }

    fn array(lanes: usize) -> Lanes {
        Lanes::zeroed(lanes, lanes).unwrap()
    }

    #[test]
    fn the_oldest_make_room() {
        let cache = ArrayCache::of(10 * size_of::<Lane>() as u64);
        let there = || (0..6).filter(|&i| cache.get(unit(i)).is_some()).collect::<Vec<_>>();
        for i in 0..4 {
            cache.keep(unit(i), array(3));
        }
        assert_eq!(there(), [1, 2, 3]);
        // An array kept again is the newest.
        assert_eq!(cache.keep(unit(1), array(3)).len(), 1);
        assert_eq!(cache.keep(unit(4), array(4)).len(), 1);
        assert_eq!(there(), [1, 3, 4]);
        assert_eq!(
            cache.keep(unit(5), array(11)).len(),
            1,
            "an array that is too large is returned"
        );
        assert_eq!(there(), [1, 3, 4]);
        assert!(cache.remove(unit(3)).is_some());
        assert!(cache.remove(unit(3)).is_none());
        assert!(cache.keep(unit(0), array(3)).is_empty(), "there was room again");
        cache.clear();
        assert_eq!(there(), [0; 0]);
    }

    #[test]
    fn an_array_stays_while_it_is_read() {
        let cache = ArrayCache::of(1 << 20);
        cache.keep(unit(0), array(2));
        let read = cache.get(unit(0)).unwrap();
        assert!(cache.remove(unit(0)).is_none(), "its memory is not free yet");
        assert_eq!(read.len(), 2);
    }
}
