//! The positions of a tier or a ply: a hash map that threads fill in parallel.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::keys::{Keys, Slot, zeroed};
use crate::control::{Control, Stopped};
use crate::game::{Game, Key, Value};
use crate::huge_pages::{HugePageBuffer, prefetch};
use crate::parallel;

/// The numbers of histories that end in a position: first those after which the root's side to move
/// is to move, then the others. 2^64 - 1 means that number or more.
pub(super) type PathCounts = [u64; 2];

/// The histories of a root: one, with the root's side to move.
pub(super) const ROOT: PathCounts = [1, 0];

/// The value byte of a game that is over; 0 if it is not over.
#[inline(always)]
pub(super) fn ended<G: Game>(game: &G, position: G::Position) -> u8 {
    game.result(position).map_or(0, |outcome| Value::over(outcome).to_byte())
}

/// Slots that one worker visits at a time.
const BLOCK: usize = 256;

/// Slots visited between two checks whether layers have to grow.
const ROUND: usize = 1 << 15;

#[derive(Clone, Copy, Debug)]
struct Arrival {
    key: Key,
    histories: PathCounts,
    value: u8,
}

/// Positions by key, each with the histories that end in it and a value byte, 0 while unknown.
///
/// In separate arrays, since a look-up reads keys alone. A thread that adds a key writes histories and
/// value at its slot; they are read only after the threads have joined. A full layer takes no new
/// position: new positions wait in a list until [`grow`](Self::grow), which needs exclusive access,
/// makes room.
pub(super) struct Layer {
    keys: Keys,
    histories: HugePageBuffer<[AtomicU64; 2]>,
    values: HugePageBuffer<AtomicU8>,
    waiting: Mutex<Vec<Arrival>>,
}

impl Layer {
    /// The most bytes a position takes, just after a layer has grown: key, histories, value and the
    /// best moves of a solution, at 5/16 of the slots.
    pub const BYTES_PER_POSITION: u64 = 33 * 16 / 5;

    pub fn with_room_for(positions: usize) -> Self {
        let keys = Keys::with_room_for(positions);
        let (histories, values) = (zeroed(keys.slots()), zeroed(keys.slots()));
        Self { keys, histories, values, waiting: Mutex::default() }
    }

    /// The number of positions, without the waiting ones.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn total(layers: &[Self]) -> u64 {
        layers.iter().map(|layer| layer.len() as u64).sum()
    }

    pub fn slots(&self) -> usize {
        self.keys.slots()
    }

    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        prefetch(&self.values[self.keys.prefetch(key)]);
    }

    #[inline]
    pub fn slot(&self, key: Key) -> Option<usize> {
        self.keys.slot(key)
    }

    #[inline(always)]
    pub fn key(&self, slot: usize) -> Option<Key> {
        self.keys.key(slot)
    }

    pub fn histories(&self, slot: usize) -> PathCounts {
        let [first, second] = &self.histories[slot];
        [first.load(Relaxed), second.load(Relaxed)]
    }

    /// Frees the memory of the histories, which must not be read afterwards.
    pub fn forget_histories(&mut self) {
        self.histories = zeroed(0);
    }

    #[inline(always)]
    pub fn value(&self, slot: usize) -> u8 {
        self.values[slot].load(Relaxed)
    }

    #[inline(always)]
    pub fn set_value(&self, slot: usize, value: u8) {
        self.values[slot].store(value, Relaxed);
    }

    /// Adds histories to a position; `value` gives the value byte of a new position. Not inlined, so
    /// that it is compiled once for all games: it waits for memory anyway.
    pub fn add(&self, key: Key, histories: PathCounts, value: &dyn Fn() -> u8) {
        let slot = match self.keys.add(key) {
            Slot::Known(slot) => slot,
            Slot::New(slot) => {
                self.set_value(slot, value());
                slot
            }
            Slot::Full => {
                let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                return waiting.push(Arrival { key, histories, value: value() });
            }
        };
        for (sum, more) in self.histories[slot].iter().zip(histories) {
            if more > 0 && sum.fetch_add(more, Relaxed).checked_add(more).is_none() {
                // A thread that adds to the overflowed sum in between overflows as well.
                sum.store(u64::MAX, Relaxed);
            }
        }
    }

    /// Adds the waiting positions, with room for them.
    pub fn grow(&mut self) {
        loop {
            let waiting = self.waiting.get_mut().unwrap_or_else(PoisonError::into_inner);
            if waiting.is_empty() {
                return;
            }
            let waiting = std::mem::take(waiting);
            // Several waiting entries may be the same position, so the layer only doubles.
            let larger = Self::with_room_for(self.slots());
            self.map_slots(&|slots| {
                for (slot, key) in self.keys_in(slots) {
                    larger.add(key, self.histories(slot), &|| self.value(slot));
                }
            });
            *self = larger;
            parallel::map_parts(0..waiting.len(), 1, &|part| {
                waiting[part].iter().for_each(|a| self.add(a.key, a.histories, &|| a.value));
            });
        }
    }

    /// The slots in rounds; between two rounds the layers of child positions may grow.
    pub fn rounds(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let slots = self.slots();
        (0..slots).step_by(ROUND).map(move |round| round..slots.min(round + ROUND))
    }

    /// Calls `see` with every position of a round, in parallel, until the control asks to stop;
    /// each parallel part has its own `scratch`.
    pub fn try_for_each_in<S: Default>(
        &self,
        round: Range<usize>,
        control: &Control,
        see: impl Fn(&mut S, usize, Key) + Sync,
    ) -> Result<(), Stopped> {
        let parts = parallel::map_parts(round, BLOCK, &|slots| {
            let mut scratch = S::default();
            for block in slots.step_by(BLOCK) {
                control.check()?;
                let mut seen = 0;
                for (slot, key) in self.keys_in(block..block + BLOCK) {
                    see(&mut scratch, slot, key);
                    seen += 1;
                }
                control.advance(seen);
            }
            Ok(())
        });
        parts.into_iter().collect()
    }

    #[inline(always)]
    pub fn keys_in(&self, slots: Range<usize>) -> impl Iterator<Item = (usize, Key)> + '_ {
        slots.filter_map(|slot| Some((slot, self.key(slot)?)))
    }

    /// The results of `work` on parts of the slots, in ascending order.
    pub fn map_slots<T: Send>(&self, work: &(dyn Fn(Range<usize>) -> T + Sync)) -> Vec<T> {
        parallel::map_parts(0..self.slots(), BLOCK, work)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rayon::prelude::*;

    use super::*;
    use crate::random::Random;

    fn all(layer: &Layer) -> HashMap<u64, (PathCounts, u8)> {
        let seen = Mutex::new(HashMap::new());
        for round in layer.rounds() {
            let see = |(): &mut (), slot, key: Key| {
                let there = (layer.histories(slot), layer.value(slot));
                assert_eq!(seen.lock().unwrap().insert(key.0, there), None, "{key:?} occurs twice");
                assert_eq!(layer.slot(key), Some(slot));
            };
            layer.try_for_each_in(round, &Control::default(), see).unwrap();
        }
        seen.into_inner().unwrap()
    }

    #[test]
    fn threads_that_add_at_once_lose_nothing() {
        // Miri is a thousand times slower than compiled code.
        let many = if cfg!(miri) { 400 } else { 70_000 };
        for (keys, room) in [(10, 0), (many / 14, 0), (many / 14, 5000), (many, 3)] {
            let mut random = Random::new(keys);
            let added: Vec<u64> = (0..4 * keys).map(|_| random.next() % keys).collect();
            let mut layer = Layer::with_room_for(room);
            let mut expected: HashMap<u64, (PathCounts, u8)> = HashMap::new();
            for &key in &added {
                let entry = expected.entry(key).or_insert(([0, 0], (key % 5) as u8));
                entry.0[0] += 1;
                entry.0[1] += key;
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
            pool.install(|| {
                added
                    .par_iter()
                    .for_each(|&key| layer.add(Key(key), [1, key], &|| (key % 5) as u8));
                layer.grow();
            });
            assert_eq!(layer.len(), expected.len());
            assert!(layer.len() <= layer.slots() / 8 * 5 + 8, "searches stay short");
            assert_eq!(all(&layer), expected);
            assert_eq!(layer.slot(Key(keys)), None);
        }
    }

    #[test]
    fn histories_stop_at_the_largest_number() {
        let mut layer = Layer::with_room_for(0);
        for more in [u64::MAX - 1, 1, 1, 7, u64::MAX] {
            layer.add(Key(3), [more, 1], &|| 0);
        }
        layer.add(Key(0), [2, 0], &|| 9);
        assert_eq!(all(&layer), HashMap::from([(3, ([u64::MAX, 5], 0)), (0, ([2, 0], 9))]));
        let many = if cfg!(miri) { 400 } else { 5000 };
        (10..many).for_each(|key| layer.add(Key(key), [0, 1], &|| 0));
        layer.grow();
        assert_eq!(layer.histories(layer.slot(Key(3)).unwrap()), [u64::MAX, 5]);
    }

    #[test]
    fn a_stopped_pass_is_an_error() {
        let layer = Layer::with_room_for(0);
        let control = Control::default();
        control.stop();
        let round = layer.rounds().next().unwrap();
        assert!(layer.try_for_each_in(round, &control, |(): &mut (), _, _| ()).is_err());
    }
}
