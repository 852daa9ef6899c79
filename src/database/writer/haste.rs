//! When a run that was asked to stop has no time left.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::control::Control;

/// How long a stopped run still takes positions. What is in the table then is committed, and the
/// file has to be closed, within a second of the stop.
const LONGEST: Duration = Duration::from_millis(300);

/// Tells the writer's thread that it is out of time.
#[derive(Debug, Default)]
pub(in super::super) struct Haste {
    control: Arc<OnceLock<Arc<Control>>>,
    /// When the stop was first seen.
    since: Cell<Option<Instant>>,
}

impl Haste {
    /// Out of time a moment after the control is stopped, once there is one.
    pub fn of(control: Arc<OnceLock<Arc<Control>>>) -> Self {
        Self { control, since: Cell::new(None) }
    }

    /// True if no more positions are to be written; stays true.
    pub fn is_out_of_time(&self) -> bool {
        if !self.control.get().is_some_and(|control| control.is_asked_to_stop()) {
            return false;
        }
        let since = self.since.get().unwrap_or_else(Instant::now);
        self.since.set(Some(since));
        since.elapsed() >= LONGEST
    }
}
