//! Pieces of work in parallel, each done by one thread.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use crate::control::{Control, Stopped};

/// The interval between two checks for a stop while the threads work.
const INTERVAL: Duration = Duration::from_millis(20);

/// Does `work` on the numbers below `count` by `threads` threads that take the numbers in ascending
/// order; returns the sum of the pieces' own counts.
///
/// A piece is done by one thread: while other pieces are left, help would only add work. It gets
/// its own control, on which it may count in any unit; `control` counts the pieces.
///
/// # Panics
/// If a thread cannot be started.
pub fn each_in_parallel(
    count: usize,
    threads: usize,
    control: &Control,
    work: impl Fn(usize, &Control) -> Result<(), Stopped> + Sync,
) -> Result<u64, Stopped> {
    let inner = Control::default();
    let next = AtomicUsize::new(0);
    let worker = || {
        loop {
            let i = next.fetch_add(1, Relaxed);
            if i >= count {
                return Ok(());
            }
            work(i, &inner)?;
            control.advance(1);
        }
    };
    let working = AtomicUsize::new(threads.max(1));
    let waiting = std::thread::current();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    // In a pool of one thread, a search finds no other thread to share work with.
                    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
                    let result = alone.expect("a thread").install(worker);
                    working.fetch_sub(1, Relaxed);
                    waiting.unpark();
                    result
                })
            })
            .collect();
        while working.load(Relaxed) > 0
            && !workers.iter().all(std::thread::ScopedJoinHandle::is_finished)
        {
            if control.is_stopped() {
                inner.stop();
            }
            std::thread::park_timeout(INTERVAL);
        }
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    Ok(inner.progress().0)
}
