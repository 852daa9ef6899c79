//! Loops over pieces of work, on the rayon pool they are called in.
//!
//! A loop calls its body through a pointer, once a piece: rayon is then compiled once, not for every
//! game and engine, and a piece has enough work to make the call negligible.

pub mod in_order;

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// Pieces per thread of evenly divided work: enough for all threads to end at about the same time.
const PIECES_PER_THREAD: usize = 16;

/// Locks data that stays valid if a thread panics while it holds the lock.
pub fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn join(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

/// Does `work` on the numbers below `count`. Each call may be long: while numbers are left, no
/// thread waits for a call of another thread.
pub fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(work);
}

pub fn map<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    // Through slots, so that no loop of rayon is compiled for each type.
    let mut slots: Vec<Mutex<Option<T>>> = Vec::new();
    slots.resize_with(count, Mutex::default);
    for_each(count, &|i| {
        let result = work(i);
        *lock(&slots[i]) = Some(result);
    });
    let mut results = Vec::with_capacity(count);
    for slot in slots {
        let result = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.push(result.expect("each number is worked on"));
    }
    results
}

/// The results of `work` on the parts of a range, in ascending order. Parts begin at multiples of
/// `least`, counted from the range's start, and only the last may be shorter than that.
pub fn map_parts<T: Send>(
    range: Range<usize>,
    least: usize,
    work: &(dyn Fn(Range<usize>) -> T + Sync),
) -> Vec<T> {
    let pieces = PIECES_PER_THREAD * rayon::current_num_threads();
    let size = range.len().div_ceil(pieces).max(1).next_multiple_of(least);
    map(range.len().div_ceil(size), &|i| {
        let start = range.start + i * size;
        work(start..range.end.min(start + size))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;
    use crate::tests::with_threads;

    #[test]
    fn every_number_is_worked_on_once_and_results_are_in_order() {
        with_threads(|| {
            for count in [0, 1, 2, 7, 1000] {
                let calls = AtomicUsize::new(0);
                let squares = map(count, &|i| {
                    calls.fetch_add(1, Relaxed);
                    i * i
                });
                assert_eq!(squares, (0..count).map(|i| i * i).collect::<Vec<_>>());
                assert_eq!(calls.into_inner(), count);
            }
        });
    }

    #[test]
    fn parts_cover_a_range_without_gaps() {
        with_threads(|| {
            for (range, least) in [(0..0, 1), (5..6, 256), (7..1000, 1), (256..4096, 256)] {
                let parts = map_parts(range.clone(), least, &|part| part);
                assert!(parts.len() <= PIECES_PER_THREAD * rayon::current_num_threads());
                let mut at = range.start;
                for part in parts {
                    assert_eq!(part.start, at);
                    assert_eq!((part.start - range.start) % least, 0);
                    assert!(part.len() >= least || part.end == range.end);
                    at = part.end;
                }
                assert_eq!(at, range.end);
            }
        });
    }
}
