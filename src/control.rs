//! The control of a long computation: progress, pause, deadline and stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The computation was asked to stop before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the work was done")]
pub struct Stopped;

/// The state shared between a computation and its caller: progress one way, the request to stop the
/// other way. Engines count their work in units of their own and call [`check`](Self::check)
/// between units, often enough that a stop takes well under a second.
#[derive(Debug)]
pub struct Control {
    done: AtomicU64,
    total: AtomicU64,
    stop: AtomicBool,
    paused: AtomicBool,
    /// The lock at which threads of a paused computation wait.
    gate: Mutex<()>,
    opened: Condvar,
    made: Instant,
    /// Milliseconds after `made`; `NEVER` for no deadline.
    deadline: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl Default for Control {
    fn default() -> Self {
        Self {
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            gate: Mutex::new(()),
            opened: Condvar::new(),
            made: Instant::now(),
            deadline: AtomicU64::new(NEVER),
        }
    }
}

impl Control {
    /// Asks the computation to stop, for good.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.open();
    }

    /// Makes the computation wait at its next [`check`](Self::check), until it is resumed, stopped
    /// or past its deadline. Results found so far are kept.
    pub fn pause(&self) {
        self.paused.store(true, Relaxed);
    }

    /// Lets a paused computation continue.
    pub fn resume(&self) {
        self.paused.store(false, Relaxed);
        self.open();
    }

    /// Wakes the waiting threads, so that they check again.
    fn open(&self) {
        // The lock is taken so that no thread is between its check and its wait.
        drop(self.gate.lock().unwrap_or_else(PoisonError::into_inner));
        self.opened.notify_all();
    }

    #[cold]
    fn wait_while_paused(&self) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while self.paused.load(Relaxed) && !self.is_stopped() {
            // A deadline may be set meanwhile, so each wait is short.
            let wait = self.time_left().unwrap_or(Duration::MAX).min(Duration::from_millis(500));
            let wait = wait.max(Duration::from_millis(1));
            let waited = self.opened.wait_timeout(gate, wait);
            gate = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The time to the deadline; `None` without a deadline.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self.deadline.load(Relaxed);
        let at = Duration::from_millis(deadline);
        (deadline != NEVER).then(|| at.saturating_sub(self.made.elapsed()))
    }

    /// Sets the deadline to this time from now; `None` removes it.
    pub fn limit(&self, time: Option<Duration>) {
        let deadline = time.map_or(NEVER, |time| (self.made.elapsed() + time).as_millis() as u64);
        self.deadline.store(deadline, Relaxed);
    }

    /// True once a stop was asked for, regardless of the deadline.
    #[must_use]
    pub fn is_asked_to_stop(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// True once a stop was asked for or the deadline has passed.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        let deadline = self.deadline.load(Relaxed);
        self.is_asked_to_stop()
            || deadline != NEVER && self.made.elapsed().as_millis() as u64 >= deadline
    }

    /// Continues, or ends the computation with `?`; waits while it is [paused](Self::pause).
    ///
    /// # Errors
    /// If a stop was asked for or the deadline has passed.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.paused.load(Relaxed) {
            self.wait_while_paused();
        }
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

    /// The units done, and the total (0 if unknown).
    #[must_use]
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Relaxed), self.total.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Starts a thread that counts until it is stopped.
    fn counting(control: &Arc<Control>) -> std::thread::JoinHandle<()> {
        let control = Arc::clone(control);
        std::thread::spawn(move || {
            while control.check().is_ok() {
                control.advance(1);
                std::thread::yield_now();
            }
        })
    }

    fn continues(control: &Control) -> bool {
        let before = control.progress().0;
        (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            control.progress().0 > before + 1
        })
    }

    #[test]
    fn a_paused_computation_waits_and_then_continues() {
        let control = Arc::new(Control::default());
        let counter = counting(&control);
        assert!(continues(&control));
        control.pause();
        // One unit may have been begun before the pause.
        std::thread::sleep(Duration::from_millis(200));
        let before = control.progress().0;
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(control.progress().0, before);
        control.resume();
        assert!(continues(&control));
        control.pause();
        control.stop();
        counter.join().unwrap();
    }

    #[test]
    fn a_paused_computation_ends_at_its_deadline() {
        let control = Arc::new(Control::default());
        control.pause();
        let counter = counting(&control);
        control.limit(Some(Duration::from_millis(50)));
        counter.join().unwrap();
        assert_eq!(control.progress().0, 0);
        assert_eq!(control.time_left(), Some(Duration::ZERO));
    }
}
