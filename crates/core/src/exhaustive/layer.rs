//! The positions of a tier or a ply: a set of keys that threads fill in parallel, with histories.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::keys::{BLOCK, Keys, Slot, zeroed};
use crate::game::Key;
use crate::huge_pages::{HugePageBuffer, prefetch};
use crate::parallel;

/// The histories that end in a position: with the root's side to move, and with the other side.
/// 2^64 - 1 means that number or more.
pub(super) type PathCounts = [u64; 2];

/// The histories of a root: one, with the root's side to move.
pub(super) const ROOT: PathCounts = [1, 0];

/// Positions by key, each with the histories that end in it if they are counted.
///
/// Keys and histories are separate arrays, since a look-up reads keys alone. Histories are read
/// only after the threads that add them have joined. A full layer takes no new position: new
/// positions wait in a list until [`grow`](Self::grow), which needs exclusive access, makes room.
pub(super) struct Layer {
    /// The set of keys, which only [`add`](Self::add) extends.
    pub keys: Keys,
    /// Histories by slot; empty if they are not counted.
    histories: HugePageBuffer<[AtomicU64; 2]>,
    waiting: Mutex<Vec<(Key, PathCounts)>>,
}

impl Layer {
    /// The most bytes of a position with histories, just after a layer has grown: at 5/16 of the slots.
    pub const BYTES_PER_POSITION: u64 = 24 * 16 / 5;

    pub fn with_room_for(positions: usize, counts_histories: bool) -> Self {
        Self::of(Keys::with_room_for(positions), counts_histories)
    }

    fn of(keys: Keys, counts_histories: bool) -> Self {
        let histories = zeroed(if counts_histories { keys.slots() } else { 0 });
        Self { keys, histories, waiting: Mutex::default() }
    }

    /// Creates a layer of these positions, which takes no others.
    pub fn of_keys(keys: &[Key]) -> Self {
        let all = Keys::with_room_for(keys.len());
        keys.iter().for_each(|key| _ = all.add(*key));
        Self::of(all.dense(), false)
    }

    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        let slot = self.keys.prefetch(key);
        if let Some(histories) = self.histories.get(slot) {
            prefetch(histories);
        }
    }

    pub fn keys(&self) -> Vec<Key> {
        self.keys.iter().collect()
    }

    /// Calls `work` on parts of the slots; returns the results in ascending order.
    pub fn map_slots<T: Send>(&self, work: &(dyn Fn(Range<usize>) -> T + Sync)) -> Vec<T> {
        parallel::map_parts(0..self.keys.slots(), BLOCK, work)
    }

    /// Returns the histories of a slot; zeros if they are not counted.
    #[inline(always)]
    pub fn histories(&self, slot: usize) -> PathCounts {
        self.histories
            .get(slot)
            .map_or([0, 0], |[one, other]| [one.load(Relaxed), other.load(Relaxed)])
    }

    /// Adds histories to a position; returns true if the position is new.
    #[inline]
    pub fn add(&self, key: Key, histories: PathCounts) -> bool {
        let (slot, is_new) = match self.keys.add(key) {
            Slot::Known(slot) => (slot, false),
            Slot::New(slot) => (slot, true),
            Slot::Full => {
                let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                waiting.push((key, histories));
                return false;
            }
        };
        for (sum, more) in self.histories.get(slot).into_iter().flatten().zip(histories) {
            if more > 0 && sum.fetch_add(more, Relaxed).checked_add(more).is_none() {
                // A thread that adds to the overflowed sum in between overflows as well.
                sum.store(u64::MAX, Relaxed);
            }
        }
        is_new
    }

    /// Makes room for the waiting positions and adds them; returns the new ones.
    pub fn grow(&mut self) -> Vec<Key> {
        let mut new = Vec::new();
        loop {
            let waiting = self.waiting.get_mut().unwrap_or_else(PoisonError::into_inner);
            let waiting = std::mem::take(waiting);
            if waiting.is_empty() {
                return new;
            }
            // Several waiting entries may be the same position, so the layer only doubles.
            let larger = Self::with_room_for(self.keys.slots(), !self.histories.is_empty());
            self.keys.for_each(&|slot, key| _ = larger.add(key, self.histories(slot)));
            *self = larger;
            let added = parallel::map_parts(0..waiting.len(), 1, &|part| {
                let new =
                    waiting[part].iter().filter(|(key, histories)| self.add(*key, *histories));
                new.map(|(key, _)| *key).collect::<Vec<_>>()
            });
            new.extend(added.concat());
        }
    }

    /// Drops the histories, and all slots that look-ups do not need: no other position is added.
    pub fn close(&mut self) {
        *self = Self::of(self.keys.dense(), false);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rayon::prelude::*;

    use super::*;
    use crate::random::Random;

    fn all(layer: &Layer) -> HashMap<u64, PathCounts> {
        let slot = |key: Key| layer.keys.slot(key).unwrap();
        layer.keys().into_iter().map(|key| (key.0, layer.histories(slot(key)))).collect()
    }

    #[test]
    fn threads_that_add_at_once_lose_nothing() {
        // Miri is a thousand times slower than compiled code.
        let many = if cfg!(miri) { 400 } else { 70_000 };
        for (keys, room) in [(10, 0), (many / 14, 0), (many / 14, 5000), (many, 3)] {
            let mut random = Random::new(keys);
            let added: Vec<u64> = (0..4 * keys).map(|_| random.next() % keys).collect();
            let mut layer = Layer::with_room_for(room, true);
            let mut expected: HashMap<u64, PathCounts> = HashMap::new();
            for &key in &added {
                let entry = expected.entry(key).or_insert([0, 0]);
                entry[0] += 1;
                entry[1] += key;
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
            pool.install(|| {
                let new = added.par_iter().filter(|&&key| layer.add(Key(key), [1, key])).count();
                assert_eq!(new + layer.grow().len(), expected.len());
            });
            assert_eq!(layer.keys.len(), expected.len());
            assert!(layer.keys.len() <= layer.keys.slots() / 8 * 5 + 8, "searches stay short");
            assert_eq!(all(&layer), expected);
            assert_eq!(layer.keys.slot(Key(keys)), None);
        }
    }

    #[test]
    fn histories_stop_at_the_largest_number() {
        let mut layer = Layer::with_room_for(0, true);
        for more in [u64::MAX - 1, 1, 1, 7, u64::MAX] {
            layer.add(Key(3), [more, 1]);
        }
        layer.add(Key(0), [2, 0]);
        assert_eq!(all(&layer), HashMap::from([(3, [u64::MAX, 5]), (0, [2, 0])]));
        let many = if cfg!(miri) { 400 } else { 5000 };
        (10..many).for_each(|key| _ = layer.add(Key(key), [0, 1]));
        layer.grow();
        assert_eq!(layer.histories(layer.keys.slot(Key(3)).unwrap()), [u64::MAX, 5]);
    }
}
