//! The data shared by the threads that search one position: the busy table and the result.

use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::score::Score;
use super::table::Slot;
use everyply_core::control::Stopped;
use everyply_core::search::{BusyEntry, BusyTable};

/// The least number of empties of shared nodes. Later nodes take little time, and the nodes above
/// them give all threads enough work.
pub const MIN_EMPTIES_TO_SHARE: i32 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbortReason {
    /// A stop by the control.
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
        self.busy.entry(slot.digest())
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
