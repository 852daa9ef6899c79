//! Long work: without the interpreter's lock, on threads of its own, and stopped by Ctrl-C.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use everyply::control::Control;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::errors::value_error;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The time between two checks for signals.
const SIGNAL_CHECK: Duration = Duration::from_millis(20);

/// The time between two reports of progress.
const REPORT: Duration = Duration::from_millis(100);

/// Threads for long work, started with the first work.
pub struct Pool {
    pub threads: usize,
    /// The threads, and the process they are in: a forked child does not have them.
    made: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Pool {
    /// Creates a pool of this number of threads; all of the machine for `None`.
    pub fn new(threads: Option<i64>) -> PyResult<Self> {
        const MOST: i64 = 1024;
        let threads = match threads {
            None => std::thread::available_parallelism().map_or(1, usize::from),
            Some(number @ 1..=MOST) => number as usize,
            Some(number) => {
                return Err(value_error(format!(
                    "threads {number}: from 1 to {MOST} are possible"
                )));
            }
        };
        Ok(Self { threads, made: Mutex::new(None) })
    }

    fn get(&self) -> PyResult<Arc<ThreadPool>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let own_process = std::process::id();
        if let Some((process, pool)) = &*made
            && *process == own_process
        {
            return Ok(Arc::clone(pool));
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = Arc::new(pool.map_err(|error| {
            PyMemoryError::new_err(format!("{} threads cannot be started: {error}", self.threads))
        })?);
        if let Some((_, parents)) = made.replace((own_process, Arc::clone(&pool))) {
            // Ending threads that are not in this process could wait for a lock that one of them held.
            std::mem::forget(parents);
        }
        Ok(pool)
    }

    /// Runs work on these threads, and waits for it without the interpreter's lock. A signal whose
    /// handler raises stops the work, and so does an exception of `progress`.
    pub fn run<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Progress<'_>>,
        work: impl FnOnce(&Arc<Control>) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        self.run_counting(py, progress, None, work)
    }

    /// Runs work like [`run`](Self::run), with progress that it counts itself.
    pub fn run_counting<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Progress<'_>>,
        count: Option<&AtomicU64>,
        work: impl FnOnce(&Arc<Control>) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let pool = self.get()?;
        let control = Arc::new(Control::default());
        let done_so_far =
            || count.map_or_else(|| control.progress().0, |count| count.load(Relaxed));
        let callback =
            progress.map(|progress| (progress.callback.clone().unbind(), progress.total));
        let (result, interrupted) = py.detach(|| {
            let (done, waiting) = channel::<()>();
            let mut result = None;
            let interrupted = pool.in_place_scope(|scope| {
                let (result, control) = (&mut result, &control);
                scope.spawn(move |_| {
                    // Dropping it, at the end of the work or when the work panics, is the signal.
                    let _done = done;
                    *result = Some(work(control));
                });
                let wait = || {
                    let mut last = Instant::now();
                    while waiting.recv_timeout(SIGNAL_CHECK) == Err(RecvTimeoutError::Timeout) {
                        Python::attach(|py| {
                            py.check_signals()?;
                            match &callback {
                                Some((callback, total)) if last.elapsed() >= REPORT => {
                                    last = Instant::now();
                                    callback.call1(py, (done_so_far(), *total)).map(drop)
                                }
                                _ => Ok(()),
                            }
                        })?;
                    }
                    Ok::<(), PyErr>(())
                };
                wait().inspect_err(|_| control.stop())
            });
            (result, interrupted)
        });
        interrupted?;
        let result = result.expect("the work was done, or its panic came through")?;
        if let Some(progress) = progress {
            let total = if progress.total > 0 { progress.total } else { done_so_far() };
            progress.callback.call1((total, total))?;
        }
        Ok(result)
    }
}

/// A function for progress: `callback(done, total)`, total 0 if it is unknown.
pub struct Progress<'py> {
    pub callback: Bound<'py, PyAny>,
    pub total: u64,
}

impl<'py> Progress<'py> {
    /// Reads a `progress` argument: nothing for None and False, a bar for True, or a function.
    pub fn of(given: Option<&Bound<'py, PyAny>>, total: u64, unit: &str) -> PyResult<Option<Self>> {
        let Some(given) = given else { return Ok(None) };
        let callback = match given.extract::<bool>() {
            Ok(false) => return Ok(None),
            Ok(true) => given.py().import("everyply._progress")?.getattr("bar")?.call1((unit,))?,
            Err(_) if given.is_callable() => given.clone(),
            Err(_) => {
                return Err(pyo3::exceptions::PyTypeError::new_err(
                    "progress is True, False, None or a function of (done, total)",
                ));
            }
        };
        Ok(Some(Self { callback, total }))
    }
}
