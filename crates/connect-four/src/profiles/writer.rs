//! Writing in parallel with the computation: a disk takes time to sync.

use std::collections::{HashMap, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::{fmt, io};

use super::unit::{StorageError, Unit};
use everyply_core::parallel::lock;

const TOGETHER: usize = 4;

/// The most changes in progress: more would only take memory.
const MOST: usize = 2 * TOGETHER;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// In parallel with others.
    Any,
    /// After all changes begun before.
    AfterAll,
}

/// A writer of changes to a store, on threads of its own.
///
/// If a change fails, changes begun after it are not made, and the next call that begins a change
/// or waits for all changes returns the error.
#[derive(Debug, Default)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Signalled when a change is begun or done, or the writer is dropped.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Change>,
    running: usize,
    /// True if the running change waited for all before it; all after it wait for it.
    is_alone: bool,
    /// The number of unfinished changes of each unit.
    units: HashMap<Unit, usize>,
    error: Option<StorageError>,
    is_over: bool,
}

type Job = Box<dyn FnOnce() -> Result<(), StorageError> + Send>;

struct Change {
    unit: Unit,
    turn: Turn,
    work: Job,
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change").field("unit", &self.unit).field("turn", &self.turn).finish()
    }
}

impl Writer {
    /// Begins a change of a unit; waits while too many are in progress.
    ///
    /// # Errors
    /// If an earlier change failed. This change is then not begun.
    pub(super) fn begin(
        &self,
        unit: Unit,
        turn: Turn,
        work: impl FnOnce() -> Result<(), StorageError> + Send + 'static,
    ) -> Result<(), StorageError> {
        let is_full = |state: &State| state.queue.len() + state.running >= MOST;
        let mut state = self.shared.wait_while(is_full);
        if let Err(error) = state.take_error() {
            drop(state);
            self.shared.changed.notify_all();
            return Err(error);
        }
        state.queue.push_back(Change { unit, turn, work: Box::new(work) });
        *state.units.entry(unit).or_default() += 1;
        drop(state);
        self.shared.changed.notify_all();
        let mut threads = lock(&self.threads);
        if threads.len() < TOGETHER {
            let shared = Arc::clone(&self.shared);
            let started = thread::Builder::new().spawn(move || while shared.make_next(true) {});
            threads.extend(started);
        }
        if threads.is_empty() {
            // The system refuses a thread.
            while self.shared.make_next(false) {}
        }
        Ok(())
    }

    /// Waits until no change of a unit is under way.
    pub(super) fn settle(&self, unit: Unit) {
        drop(self.shared.wait_while(|state| state.units.contains_key(&unit)));
    }

    /// Waits until no change is under way.
    ///
    /// # Errors
    /// If a change failed.
    pub(super) fn settle_all(&self) -> Result<(), StorageError> {
        self.shared.wait_while(|state| !state.units.is_empty()).take_error()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        lock(&self.shared.state).is_over = true;
        self.shared.changed.notify_all();
        let threads = self.threads.get_mut().unwrap_or_else(PoisonError::into_inner);
        for thread in threads.drain(..) {
            // A panic of the thread was printed on the standard error.
            let _ = thread.join();
        }
    }
}

impl State {
    /// Takes the error, if there is one, and drops the changes that wait.
    fn take_error(&mut self) -> Result<(), StorageError> {
        let Some(error) = self.error.take() else { return Ok(()) };
        while let Some(change) = self.queue.pop_front() {
            self.is_done(change.unit);
        }
        Err(error)
    }

    fn is_done(&mut self, unit: Unit) {
        if let Some(left) = self.units.get_mut(&unit) {
            *left -= 1;
            if *left == 0 {
                self.units.remove(&unit);
            }
        }
    }

    /// Returns true if the first change in the queue has to wait for others.
    fn must_wait(&self) -> bool {
        let next = self.queue.front();
        self.is_alone || self.running > 0 && next.is_some_and(|next| next.turn == Turn::AfterAll)
    }
}

impl Shared {
    fn wait_while(&self, condition: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let waited = self.changed.wait_while(lock(&self.state), |state| condition(state));
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the next change; false if there is none. A `patient` call waits for a change until the
    /// writer is dropped.
    fn make_next(&self, patient: bool) -> bool {
        let mut state = self.wait_while(|state| {
            state.must_wait() || patient && state.queue.is_empty() && !state.is_over
        });
        let Some(Change { unit, turn, work }) = state.queue.pop_front() else { return false };
        state.running += 1;
        state.is_alone = turn == Turn::AfterAll;
        let failed = state.error.is_some();
        drop(state);
        let made = if failed { Ok(()) } else { made(work) };
        let mut state = lock(&self.state);
        state.running -= 1;
        state.is_alone = false;
        state.is_done(unit);
        state.error = state.error.take().or(made.err());
        drop(state);
        self.changed.notify_all();
        true
    }
}

fn made(work: Job) -> Result<(), StorageError> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(io::Error::other("the thread that writes has failed: try again").into())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::super::unit::unit;
    use super::*;

    fn refused() -> StorageError {
        io::Error::other("refused").into()
    }

    #[test]
    fn a_change_after_all_waits_for_all_before_and_delays_all_later_ones() {
        let writer = Writer::default();
        let done = Arc::new(Mutex::new(Vec::new()));
        for number in 0..100 {
            let turn = if number % 5 == 4 { Turn::AfterAll } else { Turn::Any };
            let done = Arc::clone(&done);
            let work = move || {
                thread::sleep(Duration::from_micros(u64::from(number * 37 % 300)));
                done.lock().unwrap().push(number);
                Ok(())
            };
            writer.begin(unit(number), turn, work).unwrap();
        }
        writer.settle_all().unwrap();
        let mut done = done.lock().unwrap().clone();
        for (group, numbers) in (0..).zip(done.chunks_mut(5)) {
            assert_eq!(numbers[4], 5 * group + 4);
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(5 * group..5 * group + 5));
        }
    }

    #[test]
    fn an_error_is_returned_once_and_changes_that_wait_are_dropped_with_it() {
        let writer = Writer::default();
        let [(fail, wait_to_fail), (end, wait_to_end), (ran, has_run), (removed, is_removed)] =
            std::array::from_fn(|_| channel::<()>());
        let has_begun = ran.clone();
        let failing = move || {
            has_begun.send(()).unwrap();
            wait_to_fail.recv().unwrap();
            Err(refused())
        };
        let long = move || {
            ran.send(()).unwrap();
            wait_to_end.recv().unwrap();
            Ok(())
        };
        let remove = move || {
            removed.send(()).unwrap();
            Ok(())
        };
        writer.begin(unit(0), Turn::Any, failing).unwrap();
        writer.begin(unit(1), Turn::Any, long).unwrap();
        writer.begin(unit(2), Turn::AfterAll, remove).unwrap();
        (0..2).for_each(|_| has_run.recv().unwrap());
        fail.send(()).unwrap();
        writer.settle(unit(0));
        // The removal still waits for the long one.
        let refused = writer.begin(unit(3), Turn::Any, || Ok(())).unwrap_err();
        assert!(refused.to_string().contains("refused"));
        end.send(()).unwrap();
        writer.settle_all().unwrap();
        assert!(is_removed.recv().is_err(), "it was dropped");
        writer.begin(unit(0), Turn::Any, || Ok(())).unwrap();
        writer.settle_all().unwrap();
    }

    #[test]
    fn a_panic_is_an_error() {
        let writer = Writer::default();
        writer.begin(unit(0), Turn::Any, || panic!("on purpose")).unwrap();
        writer.settle(unit(0));
        assert!(writer.begin(unit(1), Turn::Any, || Ok(())).is_err());
        writer.settle_all().unwrap();
    }
}
