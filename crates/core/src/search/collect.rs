//! Proofs that a search finds on the way, collected by all workers in one map.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use rustc_hash::FxBuildHasher;

use crate::game::{Key, MoveSet, PartialValue};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueWithBest {
    pub value: PartialValue,
    /// All best moves of the canonical position, if known.
    pub best: Option<MoveSet>,
}

/// A proof sink: takes a batch of proven positions, by canonical key.
type ProofSink<'a> = dyn Fn(Vec<(Key, ValueWithBest)>) + Send + Sync + 'a;

/// Positions with a proven outcome, by canonical key: each once, with all that was proven.
///
/// The map holds a limited number of positions. When it is full, its positions go to the proof sink
/// in one batch, sorted by key; so does the rest at the end.
pub struct Collector<'a> {
    found: DashMap<Key, ValueWithBest, FxBuildHasher>,
    len: AtomicUsize,
    most: usize,
    flushing: Mutex<()>,
    sink: Box<ProofSink<'a>>,
}

impl<'a> Collector<'a> {
    /// Positions held before they go to the sink: some hundred megabytes.
    pub const MOST: usize = 1 << 21;

    /// A collector that gives its positions to `sink` when it holds `most`.
    pub fn new(most: usize, sink: impl Fn(Vec<(Key, ValueWithBest)>) + Send + Sync + 'a) -> Self {
        Self {
            found: DashMap::with_hasher(FxBuildHasher),
            len: AtomicUsize::new(0),
            most,
            flushing: Mutex::new(()),
            sink: Box::new(sink),
        }
    }

    pub(super) fn add(&self, key: Key, proven: ValueWithBest) {
        match self.found.entry(key) {
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                debug_assert!(known.value.agrees(proven.value), "two proofs of one position");
                known.value.remoteness = known.value.remoteness.or(proven.value.remoteness);
                known.best = known.best.or(proven.best);
                return;
            }
            Entry::Vacant(place) => {
                place.insert(proven);
            }
        }
        let len = self.len.fetch_add(1, Relaxed) + 1;
        if len < self.most {
            return;
        }
        // One worker empties the map while the others continue. If they have filled it again
        // meanwhile, the sink is too slow for all workers, and they wait.
        let alone = if len < 2 * self.most {
            self.flushing.try_lock().ok()
        } else {
            Some(self.flushing.lock().unwrap_or_else(PoisonError::into_inner))
        };
        if alone.is_some() && self.len.load(Relaxed) >= self.most {
            self.flush();
        }
    }

    fn flush(&self) {
        let mut batch = Vec::new();
        self.found.retain(|key, proven| {
            batch.push((*key, *proven));
            false
        });
        self.len.fetch_sub(batch.len(), Relaxed);
        batch.sort_unstable_by_key(|(key, _)| *key);
        (self.sink)(batch);
    }

    pub fn finish(self) {
        self.flush();
    }
}
