//! An ordered parallel pipeline: pieces of work arrive one after the other, each is done by one
//! thread, and the results leave in the order of arrival.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::control::{Control, Stopped};

/// The interval between two checks for results to deliver and for a stop.
const INTERVAL: Duration = Duration::from_millis(20);

/// The most pieces between the first unfinished one and the last one taken: it bounds the memory
/// while one piece takes long, and keeps the other threads busy meanwhile.
const WINDOW: usize = 1 << 13;

struct Flow<J, T> {
    /// Pieces to be done, with their numbers.
    waiting: VecDeque<(usize, J)>,
    /// Results not delivered yet; the first is that of piece `delivered`.
    done: VecDeque<Option<T>>,
    delivered: usize,
    taken: usize,
    ended: bool,
    idle: usize,
}

struct Shared<J, T> {
    flow: Mutex<Flow<J, T>>,
    /// Signalled when there is a piece for an idle thread, or when the input has ended.
    work: Condvar,
    /// Signalled when the window has room.
    room: Condvar,
}

impl<J, T> Shared<J, T> {
    fn lock(&self) -> MutexGuard<'_, Flow<J, T>> {
        self.flow.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a change, at most for the interval.
fn wait<'m, T>(condition: &Condvar, guard: MutexGuard<'m, T>) -> MutexGuard<'m, T> {
    condition.wait_timeout(guard, INTERVAL).unwrap_or_else(PoisonError::into_inner).0
}

/// Does `work` on all pieces that `next` gives, with `threads` threads, and gives the results to
/// `done`, several at a time, in the order of the pieces and as soon as that order allows.
///
/// `next` runs on a thread of its own. It may wait if it checks the control meanwhile. A piece is
/// done by one thread and gets its own control, on which it may count in any unit; `control` counts
/// the pieces. If `done` breaks, the control is asked to stop. Returns the sum of the pieces' own counts.
///
/// # Errors
/// If the control asks it to stop. Results up to the first unfinished piece are delivered.
pub fn each_in_order<J: Send, T: Send>(
    threads: usize,
    control: &Control,
    next: impl FnMut() -> Option<J> + Send,
    work: impl Fn(J, &Control) -> Result<T, Stopped> + Sync,
    mut done: impl FnMut(Vec<T>) -> ControlFlow<()>,
) -> Result<u64, Stopped> {
    // The first check below may come after the work is already done.
    control.check()?;
    let flow = Flow {
        waiting: VecDeque::new(),
        done: VecDeque::new(),
        delivered: 0,
        taken: 0,
        ended: false,
        idle: 0,
    };
    let shared = Shared { flow: Mutex::new(flow), work: Condvar::new(), room: Condvar::new() };
    let inner = Control::default();
    let working = AtomicUsize::new(threads.max(1));
    let here = std::thread::current();
    let full = || here.unpark();
    std::thread::scope(|scope| {
        let feeder = scope.spawn(|| feed(&shared, &inner, next));
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    // In a pool of one thread, a search finds no other thread to share work with.
                    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
                    let each = || each(&shared, &inner, control, &work, &full);
                    let result = alone.expect("a thread").install(each);
                    working.fetch_sub(1, Relaxed);
                    here.unpark();
                    result
                })
            })
            .collect();
        loop {
            let over = working.load(Relaxed) == 0
                || workers.iter().all(std::thread::ScopedJoinHandle::is_finished);
            if control.is_stopped() || feeder.is_finished() && !shared.lock().ended {
                // In the second case the feeder has panicked; `join` below reports it.
                inner.stop();
            }
            let results = take_done(&shared);
            if !results.is_empty() && done(results).is_break() {
                control.stop();
                inner.stop();
            }
            if over {
                break;
            }
            std::thread::park_timeout(INTERVAL);
        }
        feeder.join().expect("the source of the pieces does not panic");
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    Ok(inner.progress().0)
}

/// Takes pieces while the window has room.
fn feed<J, T>(shared: &Shared<J, T>, inner: &Control, mut next: impl FnMut() -> Option<J>) {
    while !inner.is_stopped() {
        let Some(piece) = next() else { break };
        let mut flow = shared.lock();
        while flow.taken - flow.delivered >= WINDOW && !inner.is_stopped() {
            flow = wait(&shared.room, flow);
        }
        let number = flow.taken;
        flow.taken += 1;
        flow.waiting.push_back((number, piece));
        if flow.idle > 0 {
            shared.work.notify_one();
        }
    }
    shared.lock().ended = true;
    shared.work.notify_all();
}

/// Does pieces until there are no more.
fn each<J, T>(
    shared: &Shared<J, T>,
    inner: &Control,
    control: &Control,
    work: &impl Fn(J, &Control) -> Result<T, Stopped>,
    full: &impl Fn(),
) -> Result<(), Stopped> {
    loop {
        let mut flow = shared.lock();
        let (number, piece) = loop {
            inner.check()?;
            if let Some(piece) = flow.waiting.pop_front() {
                break piece;
            }
            if flow.ended {
                return Ok(());
            }
            flow.idle += 1;
            flow = wait(&shared.work, flow);
            flow.idle -= 1;
        };
        drop(flow);
        let result = work(piece, inner)?;
        control.advance(1);
        let mut flow = shared.lock();
        let place = number - flow.delivered;
        if place >= flow.done.len() {
            flow.done.resize_with(place + 1, || None);
        }
        flow.done[place] = Some(result);
        let many = flow.done.len() >= WINDOW / 2;
        drop(flow);
        if many {
            full();
        }
    }
}

/// Returns the finished results that are next in the order.
fn take_done<J, T>(shared: &Shared<J, T>) -> Vec<T> {
    let mut flow = shared.lock();
    let count = flow.done.iter().take_while(|result| result.is_some()).count();
    let results: Vec<T> = flow.done.drain(..count).flatten().collect();
    flow.delivered += results.len();
    if !results.is_empty() {
        shared.room.notify_one();
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    /// Returns the numbers below `count`, doubled by `threads` threads, multiples of 100 slowly.
    fn doubled(count: usize, threads: usize) -> Vec<usize> {
        let (control, mut numbers) = (Control::default(), 0..count);
        let mut results = Vec::new();
        let work = |number: usize, _: &Control| {
            if number.is_multiple_of(100) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(2 * number)
        };
        each_in_order(
            threads,
            &control,
            || numbers.next(),
            work,
            |mut done| {
                results.append(&mut done);
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        assert_eq!(control.progress().0, count as u64);
        results
    }

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        for threads in [1, 2, 8] {
            for count in [0, 1, 7, 2 * WINDOW + 1] {
                let expected: Vec<usize> = (0..count).map(|number| 2 * number).collect();
                assert_eq!(doubled(count, threads), expected, "{threads} threads");
            }
        }
    }

    #[test]
    fn no_more_is_taken_than_the_window_holds() {
        let (taken, delivered) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut numbers = 0..3 * WINDOW;
        let next = || {
            let number = numbers.next()?;
            let ahead = taken.fetch_add(1, Relaxed) - delivered.load(Relaxed);
            // Some were taken from the window and are not counted as delivered yet.
            assert!(ahead <= 2 * WINDOW as u64 + 1, "{ahead}");
            Some(number)
        };
        let work = |number: usize, _: &Control| {
            if number == 0 {
                std::thread::sleep(Duration::from_millis(200));
            }
            Ok(())
        };
        each_in_order(2, &Control::default(), next, work, |done| {
            delivered.fetch_add(done.len() as u64, Relaxed);
            ControlFlow::Continue(())
        })
        .unwrap();
    }

    #[test]
    fn a_stop_ends_an_endless_input_and_keeps_what_was_done() {
        let control = Control::default();
        let mut delivered = Vec::new();
        let result = each_in_order(
            2,
            &control,
            || Some(()),
            |(), _| Ok(()),
            |done| {
                delivered.extend(done);
                if delivered.len() > 10_000 {
                    control.stop();
                }
                ControlFlow::Continue(())
            },
        );
        assert_eq!(result, Err(Stopped));
        assert!(delivered.len() > 10_000);
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        let control = Control::default();
        control.stop();
        let next = || unreachable!("no piece is asked for");
        let work = |(), _: &Control| Ok(());
        let result = each_in_order(2, &control, next, work, |_| ControlFlow::Continue(()));
        assert_eq!(result, Err(Stopped));
    }

    #[test]
    fn a_consumer_that_breaks_stops_the_work() {
        let control = Control::default();
        let mut numbers = 0..;
        let result = each_in_order(
            2,
            &control,
            || numbers.next(),
            |n: u64, _| Ok(n),
            |_| ControlFlow::Break(()),
        );
        assert_eq!(result, Err(Stopped));
        assert!(control.is_asked_to_stop());
    }
}
