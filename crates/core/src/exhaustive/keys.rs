//! A hash set of keys that threads fill in parallel; the slot of a key is its number.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::game::Key;
use crate::huge_pages::{HugePageBuffer, prefetch};
use crate::parallel;

/// Slots that one worker visits at a time.
pub(super) const BLOCK: usize = 256;

/// A set of keys with open addressing and linear probing.
///
/// Keys are stored plus one, so that 0 is an empty slot. A thread claims a slot with one
/// compare-and-swap. A full set takes no new key: enough slots stay empty for short look-ups, and for
/// threads that add at once.
pub(super) struct Keys {
    slots: HugePageBuffer<AtomicU64>,
    len: AtomicUsize,
    /// The most keys that the set takes.
    most: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Known(usize),
    New(usize),
    /// The key is not in the set, and the set is full.
    Full,
}

/// Allocates zeroed elements; a failure ends the program, as it does for any collection.
pub(super) fn zeroed<T: bytemuck::Zeroable + 'static>(len: usize) -> HugePageBuffer<T> {
    HugePageBuffer::new(len).unwrap_or_else(|| {
        let layout = std::alloc::Layout::array::<T>(len).expect("a table fits the address space");
        std::alloc::handle_alloc_error(layout)
    })
}

impl Keys {
    pub fn with_room_for(keys: usize) -> Self {
        let slots = (keys * 8 / 5 + 1).next_power_of_two().max(BLOCK);
        Self { slots: zeroed(slots), len: AtomicUsize::new(0), most: slots / 8 * 5 }
    }

    pub fn len(&self) -> usize {
        self.len.load(Relaxed)
    }

    /// Returns the number of slots, taken and empty.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Returns the slot at which a look-up begins: the upper bits of a product that depends on all
    /// bits of the key, as a part of all slots.
    #[inline(always)]
    fn start(&self, key: Key) -> usize {
        /// 2^64 divided by the golden ratio.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (key.0 ^ key.0 >> 32).wrapping_mul(SPREAD);
        ((u128::from(mixed) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    /// Prefetches and returns the first slot of a key, for a look-up or an addition soon after.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) -> usize {
        let slot = self.start(key);
        prefetch(&self.slots[slot]);
        slot
    }

    #[inline]
    pub fn slot(&self, key: Key) -> Option<usize> {
        let mut slot = self.start(key);
        loop {
            match self.slots[slot].load(Relaxed) {
                0 => return None,
                stored if stored == key.0.wrapping_add(1) => return Some(slot),
                _ => slot = self.after(slot),
            }
        }
    }

    #[inline(always)]
    pub fn key(&self, slot: usize) -> Option<Key> {
        self.slots[slot].load(Relaxed).checked_sub(1).map(Key)
    }

    pub fn iter(&self) -> impl Iterator<Item = Key> + '_ {
        (0..self.slots()).filter_map(|slot| self.key(slot))
    }

    #[inline(always)]
    pub fn iter_in(&self, slots: Range<usize>) -> impl Iterator<Item = (usize, Key)> + '_ {
        slots.filter_map(|slot| Some((slot, self.key(slot)?)))
    }

    /// Adds a key. Not inlined: it waits for memory anyway.
    #[inline(never)]
    pub fn add(&self, key: Key) -> Slot {
        let stored = key.0.wrapping_add(1);
        assert!(stored != 0, "2^64 - 1 is no key");
        let mut slot = self.start(key);
        loop {
            let current = self.slots[slot].load(Relaxed);
            if current == stored {
                return Slot::Known(slot);
            }
            if current == 0 {
                if self.len() >= self.most {
                    return Slot::Full;
                }
                match self.slots[slot].compare_exchange(0, stored, Relaxed, Relaxed) {
                    Ok(_) => {
                        self.len.fetch_add(1, Relaxed);
                        return Slot::New(slot);
                    }
                    Err(other) if other == stored => return Slot::Known(slot),
                    Err(_) => {}
                }
            }
            slot = self.after(slot);
        }
    }

    /// Copies the keys into a set with four slots for every three: look-ups of its keys stay short.
    pub fn dense(&self) -> Self {
        let slots = (self.len() / 3 + 1) * 4;
        let dense = Self { slots: zeroed(slots), len: AtomicUsize::new(0), most: slots };
        self.for_each(&|_, key| _ = dense.add(key));
        dense
    }

    /// Calls `see` with every taken slot and its key, in parallel.
    pub fn for_each(&self, see: &(dyn Fn(usize, Key) + Sync)) {
        parallel::map_parts(0..self.slots(), BLOCK, &|slots| {
            self.iter_in(slots).for_each(|(slot, key)| see(slot, key));
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::random::Random;

    #[test]
    fn a_set_keeps_every_key_at_one_slot() {
        let mut random = Random::new(3);
        let keys = Keys::with_room_for(2_000);
        let mut expected = HashSet::new();
        while expected.len() < keys.most {
            let key = Key(random.next() % 3_000);
            match keys.add(key) {
                Slot::Known(slot) => assert_eq!(keys.slot(key), Some(slot)),
                Slot::New(slot) => assert_eq!(keys.key(slot), Some(key)),
                Slot::Full => panic!("there is room for {key:?}"),
            }
            assert_eq!(keys.len(), expected.len() + usize::from(expected.insert(key)));
        }
        assert_eq!(keys.add(Key(3_001)), Slot::Full);
        for keys in [keys.dense(), keys] {
            assert_eq!((keys.len(), keys.iter().count()), (expected.len(), expected.len()));
            assert!(expected.iter().all(|&key| keys.key(keys.slot(key).unwrap()) == Some(key)));
            assert_eq!(keys.slot(Key(3_000)), None);
            assert!(keys.len() * 4 <= keys.slots() * 3, "look-ups end");
        }
    }
}
