//! The search threads of a root: one thread, or all threads of the pool.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::engine::{Engine, Root};
use super::layout::LayoutSource;
use super::ordering::Histories;
use super::score::Score;
use super::search::Searcher;
use super::shared::{AbortReason, MIN_EMPTIES_TO_SHARE, SharedSearch};
use crate::control::{Control, Stopped};
use crate::parallel;

/// The most unfinished shared searches of a thread. A thread that waits for the others may run
/// another task of the pool on the same stack, and the task may be another shared search. At the
/// limit the thread searches alone, which needs no waiting, so that its stack stays bounded.
const MAX_SHARED_SEARCHES: usize = 4;

thread_local! {
    /// The number of unfinished shared searches of this thread.
    static SHARED_SEARCHES: Cell<usize> = const { Cell::new(0) };
}

/// Counts a shared search of this thread until it is dropped.
struct SharedSearchGuard;

impl SharedSearchGuard {
    fn begin() -> Self {
        SHARED_SEARCHES.set(SHARED_SEARCHES.get() + 1);
        Self
    }
}

impl Drop for SharedSearchGuard {
    fn drop(&mut self) {
        SHARED_SEARCHES.set(SHARED_SEARCHES.get() - 1);
    }
}

/// Returns true if the threads of the pool may help this one with a root of this number of empties.
fn may_be_helped(empties: i32) -> bool {
    empties >= MIN_EMPTIES_TO_SHARE
        && rayon::current_num_threads() > 1
        && SHARED_SEARCHES.get() < MAX_SHARED_SEARCHES
}

/// The search threads of a quiet root: one thread, and for a long search all threads of the pool.
#[derive(Debug)]
pub struct SearchThreads<'s, L: LayoutSource> {
    engine: &'s Engine<L>,
    root: &'s Root<L::Word>,
    control: &'s Control,
    /// The only searcher, until the search is shared.
    alone: Option<Searcher<'s, L>>,
    /// The histories of each thread, once the search is shared.
    histories_by_thread: Vec<Histories>,
    /// Positions searched, without those of `alone`.
    nodes: u64,
}

impl<'s, L: LayoutSource> SearchThreads<'s, L> {
    /// Creates search threads that have not begun.
    pub fn new(engine: &'s Engine<L>, root: &'s Root<L::Word>, control: &'s Control) -> Self {
        let alone = Some(Searcher::new(engine, control, may_be_helped(root.empties)));
        Self { engine, root, control, alone, histories_by_thread: Vec::new(), nodes: 0 }
    }

    /// Creates a number of search threads that share the search from the first node on.
    #[cfg(test)]
    pub fn of_all(
        engine: &'s Engine<L>,
        root: &'s Root<L::Word>,
        control: &'s Control,
        threads: usize,
    ) -> Self {
        let histories_by_thread = vec![Histories::EMPTY; threads];
        Self { engine, root, control, alone: None, histories_by_thread, nodes: 0 }
    }

    /// Searches a window of the root, as [`Searcher::search`] does.
    pub fn search(&mut self, alpha: Score) -> Result<Score, Stopped> {
        let Some(alone) = &mut self.alone else { return self.search_together(alpha) };
        match alone.search_root(self.root, alpha) {
            Ok(score) => Ok(score),
            Err(AbortReason::Stopped | AbortReason::Settled { .. }) => Err(Stopped),
            Err(AbortReason::NeedsHelp) => {
                let histories = alone.histories;
                self.dismiss();
                self.histories_by_thread.resize(rayon::current_num_threads(), histories);
                self.search_together(alpha)
            }
        }
    }

    /// Ends the search, and returns the positions searched.
    pub fn end(mut self) -> u64 {
        self.dismiss();
        self.nodes
    }

    fn dismiss(&mut self) {
        self.nodes += self.alone.take().map_or(0, Searcher::end);
    }

    fn search_together(&mut self, alpha: Score) -> Result<Score, Stopped> {
        let &mut Self { engine, root, control, .. } = self;
        let shared = SharedSearch::new(&engine.busy);
        let nodes = AtomicU64::new(0);
        let search = |histories: &mut Histories| {
            let mut searcher = Searcher::new(engine, control, false);
            searcher.shared = Some(&shared);
            searcher.histories = *histories;
            if let Ok(score) = searcher.search_root(root, alpha) {
                shared.publish(score);
            }
            *histories = searcher.histories;
            nodes.fetch_add(searcher.end(), Relaxed);
        };
        let _guard = SharedSearchGuard::begin();
        let histories: Vec<_> = self.histories_by_thread.iter_mut().map(Mutex::new).collect();
        parallel::for_each(histories.len(), &|i| {
            // A thread that starts late may find the result known.
            if shared.result().is_none() && !control.is_stopped() {
                search(&mut histories[i].lock().unwrap_or_else(PoisonError::into_inner));
            }
        });
        self.nodes += nodes.into_inner();
        shared.result().ok_or(Stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_begun_while_others_wait_are_shared_to_a_limit() {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool(2).install(|| {
            let mut guards = Vec::new();
            for _ in 0..MAX_SHARED_SEARCHES {
                assert!(may_be_helped(MIN_EMPTIES_TO_SHARE));
                guards.push(SharedSearchGuard::begin());
            }
            assert!(!may_be_helped(MIN_EMPTIES_TO_SHARE));
            guards.pop();
            assert!(may_be_helped(MIN_EMPTIES_TO_SHARE));
            assert!(!may_be_helped(MIN_EMPTIES_TO_SHARE - 1));
        });
        assert!(!pool(1).install(|| may_be_helped(MIN_EMPTIES_TO_SHARE)));
    }
}
