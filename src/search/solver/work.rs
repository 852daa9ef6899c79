//! What every thread did, for the statistics.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Threads that are told apart; of more, some are counted together.
const MOST_THREADS: usize = 64;

/// What a thread, or all of them, did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions searched.
    pub nodes: u64,
    /// Positions the table was asked about.
    pub probes: u64,
    /// Answers of the table that settled a position.
    pub hits: u64,
    /// Positions the table was told about.
    pub stores: u64,
}

impl Work {
    /// What both did.
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

/// What one of a solver's threads did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThreadWork {
    /// Its counts.
    pub work: Work,
    /// The part of the time, from 0 to 1, in which it had nothing to search.
    pub idle: f64,
}

#[repr(align(64))]
#[derive(Debug, Default)]
struct Entry {
    nodes: AtomicU64,
    probes: AtomicU64,
    hits: AtomicU64,
    stores: AtomicU64,
    /// Nanoseconds spent on searching.
    busy: AtomicU64,
}

/// What a searcher did on its thread, to be entered once it is done.
#[derive(Clone, Copy, Debug)]
pub struct Account<'s> {
    /// Where it is entered; `None` if nobody asks.
    ledger: Option<&'s Ledger>,
    /// See [`Work`].
    pub probes: u64,
    /// See [`Work`].
    pub hits: u64,
    /// See [`Work`].
    pub stores: u64,
    begun: Option<Instant>,
}

impl<'s> Account<'s> {
    /// An account from now on.
    pub fn new(ledger: Option<&'s Ledger>) -> Self {
        Self { ledger, probes: 0, hits: 0, stores: 0, begun: ledger.map(|_| Instant::now()) }
    }

    /// Enters what was done, so many nodes among it.
    pub fn close(self, nodes: u64) {
        if let (Some(ledger), Some(begun)) = (self.ledger, self.begun) {
            let Self { probes, hits, stores, .. } = self;
            ledger.enter(Work { nodes, probes, hits, stores }, begun.elapsed());
        }
    }
}

/// An account for every thread of a pool.
#[derive(Debug)]
pub struct Ledger {
    entries: [Entry; MOST_THREADS],
    threads: AtomicU64,
    /// Nanoseconds in which a position was being searched.
    elapsed: AtomicU64,
}

impl Default for Ledger {
    fn default() -> Self {
        Self {
            entries: std::array::from_fn(|_| Entry::default()),
            threads: AtomicU64::new(0),
            elapsed: AtomicU64::new(0),
        }
    }
}

impl Ledger {
    /// Notes what the current thread did in a time it was busy.
    fn enter(&self, work: Work, busy: Duration) {
        let thread = rayon::current_thread_index().unwrap_or(0) % MOST_THREADS;
        let entry = &self.entries[thread];
        entry.nodes.fetch_add(work.nodes, Relaxed);
        entry.probes.fetch_add(work.probes, Relaxed);
        entry.hits.fetch_add(work.hits, Relaxed);
        entry.stores.fetch_add(work.stores, Relaxed);
        entry.busy.fetch_add(nanoseconds(busy), Relaxed);
    }

    /// Notes that the current pool was given a position to search for so long.
    pub fn close(&self, elapsed: Duration) {
        self.threads.fetch_max(rayon::current_num_threads() as u64, Relaxed);
        self.elapsed.fetch_add(nanoseconds(elapsed), Relaxed);
    }

    /// What each thread did.
    pub fn threads(&self) -> Vec<ThreadWork> {
        let elapsed = self.elapsed.load(Relaxed).max(1) as f64;
        let threads = (self.threads.load(Relaxed) as usize).min(MOST_THREADS);
        let of = |entry: &Entry| ThreadWork {
            work: Work {
                nodes: entry.nodes.load(Relaxed),
                probes: entry.probes.load(Relaxed),
                hits: entry.hits.load(Relaxed),
                stores: entry.stores.load(Relaxed),
            },
            idle: (1.0 - entry.busy.load(Relaxed) as f64 / elapsed).clamp(0.0, 1.0),
        };
        self.entries[..threads].iter().map(of).collect()
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
