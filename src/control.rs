//! How a long computation is watched and stopped from outside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// The computation was asked to stop before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the work was done")]
pub struct Stopped;

/// Shared between a computation and whoever waits for it: progress one way, the wish to stop the
/// other way. Engines count their work in units of their own and look at
/// [`check`](Self::check) between units, often enough that a stop takes well under a second.
#[derive(Debug, Default)]
pub struct Control {
    done: AtomicU64,
    total: AtomicU64,
    stop: AtomicBool,
    deadline: Option<Instant>,
}

impl Control {
    /// A control that also stops when this moment has passed.
    #[must_use]
    pub fn with_deadline(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..Self::default() }
    }

    /// Asks the computation to stop.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// True once a stop was asked for or the deadline has passed.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        if self.stop.load(Relaxed) {
            return true;
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late {
            self.stop();
        }
        late
    }

    /// Goes on, or ends the computation with `?`.
    ///
    /// # Errors
    /// If a stop was asked for or the deadline has passed.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Starts counting anew, towards `total` units (0 if unknown).
    pub fn start(&self, total: u64) {
        self.done.store(0, Relaxed);
        self.total.store(total, Relaxed);
    }

    /// Counts units of work as done.
    pub fn advance(&self, units: u64) {
        self.done.fetch_add(units, Relaxed);
    }

    /// Units done, and units in all (0 if unknown).
    #[must_use]
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Relaxed), self.total.load(Relaxed))
    }
}
