//! The positions that threads are searching, so that other threads defer them.
//!
//! J.-C. Weill, The ABDADA distributed minimax search algorithm, ICCA Journal 19, 1996. Weill
//! counts the threads in the transposition table; here a separate table does.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The busy table: the number of threads at each position that is being searched. Positions with
/// equal digests share an entry, which changes the order of a search but no result.
#[derive(Debug)]
pub struct BusyTable(Box<[AtomicU8]>);

impl Default for BusyTable {
    fn default() -> Self {
        Self((0..Self::ENTRIES).map(|_| AtomicU8::new(0)).collect())
    }
}

impl BusyTable {
    /// A power of two. A thread occupies about twenty entries.
    pub const ENTRIES: u64 = 1 << 14;

    /// Returns the entry that the lowest bits of a position's digest choose.
    #[inline(always)]
    pub fn entry(&self, digest: u64) -> BusyEntry<'_> {
        BusyEntry(&self.0[(digest % Self::ENTRIES) as usize])
    }
}

/// The entry of a position in a busy table.
#[derive(Clone, Copy, Debug)]
pub struct BusyEntry<'b>(&'b AtomicU8);

impl<'b> BusyEntry<'b> {
    /// Returns true if a thread is at the position.
    #[inline(always)]
    pub fn is_busy(self) -> bool {
        self.0.load(Relaxed) > 0
    }

    /// Marks the position as busy until the result is dropped.
    #[inline(always)]
    pub fn enter(self) -> Busy<'b> {
        self.0.fetch_add(1, Relaxed);
        Busy(self.0)
    }
}

/// The presence of a thread at a position.
#[derive(Debug)]
pub struct Busy<'b>(&'b AtomicU8);

impl Drop for Busy<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
