//! The positions that threads are searching, so that other threads defer them.
//!
//! J.-C. Weill, The ABDADA distributed minimax search algorithm, ICCA Journal 19, 1996. There the
//! transposition table counts the threads; here a table of its own marks the positions.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::game::Key;

/// A power of two. A thread is at about twenty positions.
const ENTRIES: usize = 1 << 14;

/// Marks of positions. Two positions that share an entry overwrite each other's mark: that changes
/// which moves are deferred, and no result.
#[derive(Debug)]
pub(super) struct BusyTable(Box<[AtomicU64]>);

impl Default for BusyTable {
    fn default() -> Self {
        Self((0..ENTRIES).map(|_| AtomicU64::new(0)).collect())
    }
}

impl BusyTable {
    /// The entry of a position that is searched to a depth.
    #[inline(always)]
    pub fn entry(&self, key: Key, depth: u32) -> BusyEntry<'_> {
        // A product spreads keys over its upper bits.
        let mark = (key.0 ^ u64::from(depth) << 57).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        BusyEntry { mark, entry: &self.0[(mark >> 32) as usize % ENTRIES] }
    }
}

#[derive(Clone, Copy)]
pub(super) struct BusyEntry<'b> {
    mark: u64,
    entry: &'b AtomicU64,
}

impl<'b> BusyEntry<'b> {
    #[inline(always)]
    pub fn is_busy(self) -> bool {
        self.entry.load(Relaxed) == self.mark
    }

    /// Marks the position until the result is dropped.
    #[inline(always)]
    pub fn enter(self) -> Busy<'b> {
        self.entry.store(self.mark, Relaxed);
        Busy(self)
    }
}

/// The mark of a position that a thread is searching.
pub(super) struct Busy<'b>(BusyEntry<'b>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        if self.0.is_busy() {
            self.0.entry.store(0, Relaxed);
        }
    }
}
