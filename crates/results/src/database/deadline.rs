//! The time limit of a run that was asked to stop.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use everyply_core::control::Control;

/// The time for which a stopped run still writes positions. After that the transaction is committed and the
/// file closed, within a second of the stop.
const LONGEST: Duration = Duration::from_millis(300);

/// The deadline of the writer's thread: a moment after the run's control is stopped.
#[derive(Debug, Default)]
pub(super) struct Deadline {
    control: Arc<OnceLock<Arc<Control>>>,
    /// The time when the stop was first seen.
    since: Cell<Option<Instant>>,
}

impl Deadline {
    /// A deadline that a control sets, once there is one.
    pub fn new(control: Arc<OnceLock<Arc<Control>>>) -> Self {
        Self { control, since: Cell::new(None) }
    }

    /// True if no more positions are to be written; stays true.
    pub fn has_passed(&self) -> bool {
        if !self.control.get().is_some_and(|control| control.is_asked_to_stop()) {
            return false;
        }
        let since = self.since.get().unwrap_or_else(Instant::now);
        self.since.set(Some(since));
        since.elapsed() >= LONGEST
    }
}
