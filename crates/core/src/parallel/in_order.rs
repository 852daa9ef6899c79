//! An ordered parallel pipeline: pieces of work arrive one after the other, each is done by one
//! thread, and the results leave in the order of arrival.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::control::{Control, Stopped};

/// The interval between two checks for a stop.
const INTERVAL: Duration = Duration::from_millis(20);

/// The pause after a delivery, in which further results gather: waking a thread for each result takes
/// longer than a short piece of work.
const PAUSE: Duration = Duration::from_millis(1);

/// The most pieces between the first unfinished one and the last one taken: it bounds the memory
/// while one piece takes long, and keeps the other threads busy meanwhile.
const WINDOW: usize = 1 << 13;

/// Does `work` on all pieces from `next`, with `threads` threads, and passes the results to `done`,
/// several at a time, in the order of the pieces and as soon as that order allows.
///
/// `next` runs on a thread of its own. It may wait if it checks the control meanwhile. One thread
/// does a piece. `work` gets a second control, shared by all pieces, to count in any unit; `control`
/// counts the pieces. If `done` breaks, `control` is stopped. Returns the count of the second control.
///
/// # Errors
/// If `control` is stopped. Results up to the first unfinished piece are delivered.
pub fn each_in_order<J: Send, T: Send>(
    threads: usize,
    control: &Control,
    next: impl FnMut() -> Option<J> + Send,
    work: impl Fn(J, &Control) -> Result<T, Stopped> + Sync,
    mut done: impl FnMut(Vec<T>) -> ControlFlow<()>,
) -> Result<u64, Stopped> {
    // The first check below may come after the work is already done.
    control.check()?;
    let inner = Control::default();
    let (put, pieces) = channel();
    let (finish, results) = channel();
    let (deliver, deliveries) = channel();
    let (pieces, inner, work) = (&Mutex::new(pieces), &inner, &work);
    std::thread::scope(|scope| {
        let feeder = scope.spawn(move || feed(&put, &deliveries, inner, next));
        let workers = (0..threads.max(1)).map(|_| {
            let finish = finish.clone();
            scope.spawn(move || {
                // In a pool of one thread, a search finds no other thread to share work with.
                let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
                alone.expect("a thread").install(|| each(pieces, &finish, inner, control, work))
            })
        });
        let workers: Vec<_> = workers.collect();
        drop(finish);
        // Undelivered results, from piece `delivered` on.
        let (mut waiting, mut delivered) = (VecDeque::new(), 0);
        loop {
            let first = results.recv_timeout(INTERVAL);
            if control.is_stopped() {
                inner.stop();
            }
            if matches!(first, Err(RecvTimeoutError::Disconnected)) {
                break;
            }
            for (number, result) in first.into_iter().chain(results.try_iter()) {
                let place = number - delivered;
                waiting.resize_with(waiting.len().max(place + 1), || None);
                waiting[place] = Some(result);
            }
            let count = waiting.iter().take_while(|result| result.is_some()).count();
            if count > 0 {
                delivered += count;
                // The feeder may have ended.
                _ = deliver.send(count);
                if done(waiting.drain(..count).flatten().collect()).is_break() {
                    control.stop();
                    inner.stop();
                }
                std::thread::sleep(PAUSE);
            }
        }
        // If all workers have panicked, the feeder must not wait for deliveries.
        inner.stop();
        feeder.join().expect("the source of the pieces does not panic");
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    Ok(inner.progress().0)
}

/// Takes pieces while the window has room.
fn feed<J>(
    put: &Sender<(usize, J)>,
    deliveries: &Receiver<usize>,
    inner: &Control,
    mut next: impl FnMut() -> Option<J>,
) {
    let (mut number, mut room) = (0, WINDOW);
    while !inner.is_stopped() {
        if room == 0 {
            room = deliveries.recv_timeout(INTERVAL).unwrap_or(0);
            continue;
        }
        let Some(piece) = next() else { return };
        // After a stop there may be no worker left to receive it.
        _ = put.send((number, piece));
        (number, room) = (number + 1, room - 1);
    }
}

/// Does pieces until there are no more.
fn each<J, T>(
    pieces: &Mutex<Receiver<(usize, J)>>,
    finish: &Sender<(usize, T)>,
    inner: &Control,
    control: &Control,
    work: &impl Fn(J, &Control) -> Result<T, Stopped>,
) -> Result<(), Stopped> {
    loop {
        let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).recv();
        inner.check()?;
        let Ok((number, piece)) = piece else { return Ok(()) };
        let result = work(piece, inner)?;
        control.advance(1);
        _ = finish.send((number, result));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
            // Delivered numbers are counted only after their places are free.
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
