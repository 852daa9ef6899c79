//! Statistics of a solver's threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The number of counters. Pools with more threads share some of them.
const MOST_THREADS: usize = 64;

/// The work of a thread, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Positions searched.
    pub nodes: u64,
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
            nodes: self.nodes + other.nodes,
            probes: self.probes + other.probes,
            hits: self.hits + other.hits,
            stores: self.stores + other.stores,
        }
    }
}

/// The work of one of a solver's threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThreadWork {
    /// The counts of the thread.
    pub work: WorkCounts,
    /// The share of the time, from 0 to 1, in which the thread had nothing to search.
    pub idle: f64,
}

/// The statistics of one searcher, added to those of its thread at the end.
#[derive(Clone, Copy, Debug)]
pub struct SearcherStatistics<'s> {
    /// The totals; `None` if work is not counted.
    of_threads: Option<&'s ThreadStatistics>,
    /// The counts so far, without nodes.
    pub counts: WorkCounts,
    begun: Option<Instant>,
}

impl<'s> SearcherStatistics<'s> {
    /// Creates the statistics of a searcher that begins now.
    pub fn new(of_threads: Option<&'s ThreadStatistics>) -> Self {
        let begun = of_threads.map(|_| Instant::now());
        Self { of_threads, counts: WorkCounts::default(), begun }
    }

    /// Adds the counts, with the nodes searched, to those of the thread.
    pub fn close(self, nodes: u64) {
        if let (Some(of_threads), Some(begun)) = (self.of_threads, self.begun) {
            of_threads.add(WorkCounts { nodes, ..self.counts }, begun.elapsed());
        }
    }
}

/// The statistics of every thread of a pool.
#[derive(Debug)]
pub struct ThreadStatistics {
    /// The work of each thread, and the time of its searches.
    entries: [Mutex<(WorkCounts, Duration)>; MOST_THREADS],
    threads: AtomicU64,
    /// Nanoseconds in which the pool had a position to search.
    elapsed: AtomicU64,
}

impl Default for ThreadStatistics {
    fn default() -> Self {
        let entries = std::array::from_fn(|_| Mutex::default());
        Self { entries, threads: AtomicU64::new(0), elapsed: AtomicU64::new(0) }
    }
}

impl ThreadStatistics {
    fn entry(&self, thread: usize) -> MutexGuard<'_, (WorkCounts, Duration)> {
        self.entries[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the work of the current thread in a time it was busy.
    fn add(&self, work: WorkCounts, busy: Duration) {
        let thread = rayon::current_thread_index().unwrap_or(0) % MOST_THREADS;
        let mut entry = self.entry(thread);
        *entry = (entry.0.plus(work), entry.1 + busy);
    }

    /// Adds the time in which the current pool had a position to search.
    pub fn close(&self, elapsed: Duration) {
        self.threads.fetch_max(rayon::current_num_threads() as u64, Relaxed);
        self.elapsed.fetch_add(elapsed.as_nanos() as u64, Relaxed);
    }

    /// Returns the work of each thread.
    pub fn threads(&self) -> Vec<ThreadWork> {
        let elapsed = self.elapsed.load(Relaxed).max(1) as f64;
        let threads = (self.threads.load(Relaxed) as usize).min(MOST_THREADS);
        let of = |thread| {
            let (work, busy) = *self.entry(thread);
            let idle = (1.0 - busy.as_nanos() as f64 / elapsed).clamp(0.0, 1.0);
            ThreadWork { work, idle }
        };
        (0..threads).map(of).collect()
    }
}
