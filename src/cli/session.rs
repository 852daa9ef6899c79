//! A run: its threads, and its progress on stderr.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use rayon::ThreadPool;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::failure::{Failure, runtime, usage, warn};
use super::options::Running;
use super::progress::Progress;
use super::{caller, interrupt, limit, text};
use everyply_core::control::Control;
use everyply_core::games::line::Size;
use everyply_registry::registry::Position;

/// The threads, the control and the progress of a command.
pub(super) struct Session {
    pub control: Arc<Control>,
    pub threads: usize,
    pub started: Instant,
    pool: ThreadPool,
    progress: Progress,
}

impl Session {
    /// Starts the worker threads. A signal asks their work to stop from here on.
    pub fn start(running: &Running) -> Result<Self, Failure> {
        let started = Instant::now();
        let threads = running.threads();
        limit::check_threads(threads)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool =
            pool.map_err(|error| runtime!("cannot start {}: {error}", text::threads(threads)))?;
        let control = interrupt::control();
        // The caller of a command has the progress from its control.
        let form = running.progress().filter(|_| caller::control().is_none());
        let progress = Progress::new(form, started);
        Ok(Self { control, threads, started, pool, progress })
    }

    /// Runs work on the session's threads, with a progress bar if it takes long enough. The bar
    /// counts `unit`s.
    pub fn work<T: Send>(
        &self,
        label: &str,
        unit: &str,
        work: impl FnOnce(&Control) -> T + Send,
    ) -> T {
        self.work_with_message(&|| label.to_owned(), unit, work)
    }

    /// Like [`work`](Self::work); `message` returns the message of the bar, and is called repeatedly.
    pub fn work_with_message<T: Send>(
        &self,
        message: &(dyn Fn() -> String + Sync),
        unit: &str,
        work: impl FnOnce(&Control) -> T + Send,
    ) -> T {
        let mut result = None;
        // Boxed, so that threads are compiled once, not for each kind of work.
        let work: Box<dyn FnOnce() + Send + '_> = Box::new(|| result = Some(work(&self.control)));
        self.watched(message, unit, Box::new(|| self.pool.install(work)));
        result.expect("the work has ended")
    }

    fn watched(
        &self,
        message: &(dyn Fn() -> String + Sync),
        unit: &str,
        work: Box<dyn FnOnce() + '_>,
    ) {
        // The bar never shows counts of the work before.
        self.control.start(0);
        if !self.progress.is_shown() {
            return work();
        }
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watch = || self.progress.watch(message, unit, &self.control, &done);
            // If the system refuses a thread, the work is done without a bar.
            let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
            work();
            done.store(true, Relaxed);
            watcher.iter().for_each(|watcher| watcher.thread().unpark());
        });
    }

    pub fn interrupted(&self, kept: &str) -> Failure {
        interrupted(self.started, kept)
    }

    /// The failure of work that the user or a time limit stopped; `kept` says what became of it.
    pub fn stopped(&self, timeout: Option<f64>, kept: &str) -> Failure {
        match timeout {
            Some(limit) if !self.control.is_asked_to_stop() => {
                Failure::TimedOut(format!("stopped after --timeout {limit} s{kept}"))
            }
            _ => self.interrupted(kept),
        }
    }

    /// Refuses a board of stones whose position graph may not fit memory; returns the bytes available.
    pub fn check_graph(position: &dyn Position, remedy: &str) -> Result<f64, Failure> {
        let available = available_memory();
        let Some(estimate) = position.graph_estimate() else { return Ok(available) };
        if estimate.bytes <= available {
            return Ok(available);
        }
        Err(usage!(
            "the tree of {} has up to {} positions to keep, which needs up to {} of memory; \
             {} are available. {remedy}",
            Size::of_parameters(position.info().parameters),
            text::magnitude(estimate.positions),
            text::bytes(estimate.bytes),
            text::bytes(available),
        ))
    }
}

/// The failure of a run that the user stopped; `kept` says what became of its work.
pub(super) fn interrupted(started: Instant, kept: &str) -> Failure {
    let time = text::seconds(started.elapsed());
    Failure::Interrupted(format!("interrupted after {time}{kept}"))
}

/// Memory available without swapping, in bytes; infinite if the system does not report it.
pub fn available_memory() -> f64 {
    // Half of a limit is left to stacks, buffers, and tables that grow by moving.
    let limited = limit::address_space_left().map_or(f64::INFINITY, |bytes| bytes / 2.0);
    let Some(system) = memory() else { return limited };
    let available = limited.min(system.available_memory() as f64);
    // In a container the limit of its group may be lower than what the machine has.
    system.cgroup_limits().map_or(available, |limits| available.min(limits.free_memory as f64))
}

pub(super) fn memory() -> Option<System> {
    let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    Some(System::new_with_specifics(ram)).filter(|system| system.total_memory() > 0)
}

/// The size of a usual table, in MiB: smaller if memory is short.
pub(super) fn fitting_table(mib: u64) -> u64 {
    mib.min((available_memory() / f64::from(1 << 20)) as u64).max(1)
}

/// MiB for the engine or the solution of an oracle: half of the memory that is available.
pub(super) fn oracle_mib() -> u64 {
    (available_memory() / 2.0 / f64::from(1 << 20)) as u64
}

/// Refuses a table of more MiB than there is memory for, and warns of one that takes most of it: a
/// system that has to free memory first may take half a minute for that.
pub(super) fn check_table(mib: u64) -> Result<(), Failure> {
    let available = available_memory();
    let share = mib as f64 * 1024.0 * 1024.0 / available;
    let message = format!("--table-size {mib}: {} of memory are available", text::bytes(available));
    if share > 1.0 {
        return Err(Failure::Usage(message));
    }
    if share > 0.5 {
        warn(&format!("{message}; a table of more than half of that can take long to make"));
    }
    Ok(())
}
