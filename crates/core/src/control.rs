//! The control of a long computation: progress, deadline and stop.

#![deny(missing_docs)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::clock::Instant;

/// The error of a computation that a request or its deadline stopped before it was done.
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
    made: Instant,
    /// Milliseconds after `made`; `NEVER` for no deadline.
    deadline: AtomicU64,
    /// The control of the whole computation, if this one controls a part.
    whole: Option<Arc<Self>>,
}

const NEVER: u64 = u64::MAX;

impl Default for Control {
    fn default() -> Self {
        Self {
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            made: Instant::now(),
            deadline: AtomicU64::new(NEVER),
            whole: None,
        }
    }
}

impl Control {
    /// A control of a part of a computation: it stops when the whole does, and has progress and a
    /// deadline of its own.
    pub fn part_of(whole: &Arc<Self>) -> Self {
        Self { whole: Some(Arc::clone(whole)), ..Self::default() }
    }

    /// Asks the computation to stop, for good.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The time to the deadline; `None` without a deadline.
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

    /// Does `work` with a deadline `time` from now, or the current deadline if that is earlier.
    pub fn within<T>(&self, time: Duration, work: impl FnOnce() -> T) -> T {
        let deadline = self.deadline.load(Relaxed);
        self.limit(Some(self.time_left().map_or(time, |left| left.min(time))));
        let done = work();
        self.deadline.store(deadline, Relaxed);
        done
    }

    /// True once a stop was requested or the whole has stopped, regardless of the own deadline.
    pub fn is_asked_to_stop(&self) -> bool {
        self.stop.load(Relaxed) || self.whole.as_ref().is_some_and(|whole| whole.is_stopped())
    }

    /// True once a stop was requested or the deadline has passed.
    pub fn is_stopped(&self) -> bool {
        let deadline = self.deadline.load(Relaxed);
        self.is_asked_to_stop()
            || deadline != NEVER && self.made.elapsed().as_millis() as u64 >= deadline
    }

    /// Continues, or ends the computation with `?`.
    ///
    /// # Errors
    /// If a stop was requested or the deadline has passed.
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

    /// The units done, and the total (0 if unknown).
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Relaxed), self.total.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_with_the_whole_and_counts_for_itself() {
        let whole = Arc::new(Control::default());
        let (part, other) = (Control::part_of(&whole), Control::part_of(&whole));
        part.advance(7);
        other.stop();
        assert_eq!((whole.progress().0, part.progress().0), (0, 7));
        assert_eq!((other.check(), part.check(), whole.check()), (Err(Stopped), Ok(()), Ok(())));
        whole.stop();
        assert_eq!(part.check(), Err(Stopped));
    }

    #[test]
    fn a_part_of_the_work_has_an_earlier_deadline() {
        let control = Control::default();
        control.limit(Some(Duration::from_secs(60)));
        assert_eq!(control.within(Duration::ZERO, || control.check()), Err(Stopped));
        assert_eq!(control.check(), Ok(()));
        control.limit(Some(Duration::ZERO));
        assert_eq!(control.within(Duration::from_secs(60), || control.check()), Err(Stopped));
    }

    #[test]
    fn a_computation_ends_at_its_deadline() {
        let control = Control::default();
        control.limit(Some(Duration::from_millis(50)));
        std::thread::scope(|scope| {
            scope.spawn(|| while control.check().is_ok() {});
        });
        assert_eq!(control.time_left(), Some(Duration::ZERO));
        assert!(control.is_stopped() && !control.is_asked_to_stop());
    }
}
