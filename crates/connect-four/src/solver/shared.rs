//! The data shared by the threads that search one position: the busy table, the result, and counts.

use std::sync::atomic::{AtomicI32, AtomicU8, Ordering::Relaxed};

use super::score::Score;
use super::table::Slot;
use crate::control::Stopped;

/// The least number of empties of shared nodes. Later nodes take little time, and the nodes above
/// them give all threads enough work.
pub const MIN_EMPTIES_TO_SHARE: i32 = 20;

/// The number of entries of a busy table, a power of two. A thread is at about twenty positions.
const BUSY_ENTRIES: usize = 1 << 14;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbortReason {
    /// A stop that was asked for.
    Stopped,
    /// A long search, which other threads should help with.
    NeedsHelp,
    /// An ancestor that another thread has settled.
    Settled {
        /// The number of shared nodes above the ancestor.
        depth: u8,
        score: i8,
    },
}

impl From<Stopped> for AbortReason {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The busy table: the number of threads at each position that is being searched. Positions with
/// equal digests share an entry; that changes the order of a search, and no result.
#[derive(Debug)]
pub struct BusyTable(Box<[AtomicU8]>);

impl Default for BusyTable {
    fn default() -> Self {
        Self((0..BUSY_ENTRIES).map(|_| AtomicU8::new(0)).collect())
    }
}

impl BusyTable {
    /// Sets the entries of every second position, as if this number of threads were there.
    #[cfg(test)]
    pub fn set_half(&self, threads: u8) {
        self.0.iter().step_by(2).for_each(|entry| entry.store(threads, Relaxed));
    }

    /// Returns true if this number of threads are at every second position and none at the others.
    #[cfg(test)]
    pub fn are_half(&self, threads: u8) -> bool {
        let are =
            |from: usize, n| self.0.iter().skip(from).step_by(2).all(|e| e.load(Relaxed) == n);
        are(0, threads) && are(1, 0)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct BusyEntry<'b>(&'b AtomicU8);

impl<'b> BusyEntry<'b> {
    pub fn is_busy(self) -> bool {
        self.0.load(Relaxed) > 0
    }

    /// Marks the position as busy until the result is dropped.
    pub fn enter(self) -> Busy<'b> {
        self.0.fetch_add(1, Relaxed);
        Busy(self.0)
    }
}

/// The presence of a thread at a position.
pub struct Busy<'b>(&'b AtomicU8);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// A search of one window of one root, shared by threads.
#[derive(Debug)]
pub struct SharedSearch<'j> {
    busy: &'j BusyTable,
    /// The root's score, once any thread has it.
    result: AtomicI32,
}

/// A value that is no score.
const UNKNOWN: Score = Score::MAX;

impl<'j> SharedSearch<'j> {
    pub const fn new(busy: &'j BusyTable) -> Self {
        Self { busy, result: AtomicI32::new(UNKNOWN) }
    }

    /// Returns the busy table's entry for the position in a slot.
    pub fn busy(&self, slot: Slot) -> BusyEntry<'j> {
        BusyEntry(&self.busy.0[slot.digest() as usize % BUSY_ENTRIES])
    }

    /// Returns the root's result, once any thread has it.
    pub fn result(&self) -> Option<Score> {
        let score = self.result.load(Relaxed);
        (score != UNKNOWN).then_some(score)
    }

    /// Publishes the root's result. Results of different threads lie on the same side of the
    /// window.
    pub fn publish(&self, score: Score) {
        self.result.store(score, Relaxed);
    }
}

/// Accesses of searches to the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Look-ups in the table.
    pub probes: u64,
    /// Look-ups that settled a position.
    pub hits: u64,
    /// Results stored in the table.
    pub stores: u64,
}

impl WorkCounts {
    /// Adds the counts of another.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            probes: self.probes + other.probes,
            hits: self.hits + other.hits,
            stores: self.stores + other.stores,
        }
    }
}
