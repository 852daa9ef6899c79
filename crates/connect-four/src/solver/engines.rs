//! The engine for each board: common boards have their masks folded to constants. The search threads
//! of a root: one thread, or all threads of the pool.

use std::cell::Cell;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::engine::{Engine, ResolvedRoot, Root};
use super::layout::{Layout, LayoutSource};
use super::ordering::Histories;
use super::score::{Interval, Prior, Score};
use super::search::{MIN_EMPTIES_IN_TABLE, Searcher};
use super::shared::{AbortReason, MIN_EMPTIES_TO_SHARE, SharedSearch};
use super::table::Table;
use everyply_core::control::{Control, Stopped};
use everyply_core::games::line::{
    AnySize, ConnectFour, ConnectFourIn, Fixed, Size, SizeError, Wide, Word,
};
use everyply_core::parallel;
use everyply_core::statistics::SearchCounters;

/// The work of a learnt value in the table, in nodes: it is replaced only if all other entries of
/// its bucket took at least as much.
const WORK_OF_LEARNT_VALUE: u64 = 1 << 20;

/// An [`Engine`] behind a trait object: only the engine is compiled for each layout.
pub trait AnyEngine<W>: Debug + Send + Sync {
    fn layout(&self) -> &Layout<W>;

    fn table(&self) -> &Table;

    /// Narrows the interval of a score until it decides `wanted`: forced replies first, then one
    /// window after the other. Calls `report` with every improvement. Returns the interval and the
    /// nodes searched.
    fn prove(
        &self,
        root: Root<W>,
        wanted: Interval,
        control: &Control,
        report: &mut dyn FnMut(Interval),
    ) -> Result<(Interval, u64), Stopped>;

    /// Returns the work of all searches.
    fn work(&self) -> SearchCounters;

    /// Returns the bounds of a score that are known without a search.
    fn known(&self, root: Root<W>) -> Option<Interval>;

    fn learn(&self, root: Root<W>, known: Interval);
}

impl<L: LayoutSource + Debug + Send + Sync> AnyEngine<L::Word> for Engine<L> {
    fn layout(&self) -> &Layout<L::Word> {
        self.layout.geometry()
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn prove(
        &self,
        root: Root<L::Word>,
        wanted: Interval,
        control: &Control,
        report: &mut dyn FnMut(Interval),
    ) -> Result<(Interval, u64), Stopped> {
        control.check()?;
        let (board, empties, turned) = match self.resolve_root(root) {
            ResolvedRoot::Decided(score) => return Ok((Interval::exactly(score), 0)),
            ResolvedRoot::Quiet { board, empties, turned } => (board, empties, turned),
        };
        let mut known = Interval::of_quiet(empties);
        let wanted = wanted.turned_if(turned);
        let quiet = Root { board, empties };
        let prior = Prior::new(self.layout.geometry().size, empties);
        report(known.turned_if(turned));
        let mut threads = SearchThreads::new(self, &quiet, control);
        let mut result = Ok(());
        let mut windows = 0;
        while let Some(alpha) = known.next_window(wanted, windows, prior) {
            match threads.search(alpha) {
                Ok(score) => known = known.narrowed(alpha, score),
                Err(Stopped) => {
                    result = Err(Stopped);
                    break;
                }
            }
            report(known.turned_if(turned));
            windows += 1;
        }
        let nodes = threads.end();
        result?;
        Ok((known.turned_if(turned), nodes))
    }

    fn work(&self) -> SearchCounters {
        *self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, root: Root<L::Word>) -> Option<Interval> {
        match self.resolve_root(root) {
            ResolvedRoot::Decided(score) => Some(Interval::exactly(score)),
            ResolvedRoot::Quiet { empties, .. } if empties < MIN_EMPTIES_IN_TABLE => None,
            ResolvedRoot::Quiet { board, empties, turned } => {
                let proved = self.table.probe(self.slot(&board))?;
                // An entry may hold trivial bounds.
                Some(proved.and(Interval::of_quiet(empties)).turned_if(turned))
            }
        }
    }

    fn learn(&self, root: Root<L::Word>, known: Interval) {
        if let ResolvedRoot::Quiet { board, empties, turned } = self.resolve_root(root)
            && empties >= MIN_EMPTIES_IN_TABLE
        {
            self.table.store(self.slot(&board), known.turned_if(turned), WORK_OF_LEARNT_VALUE);
        }
    }
}

/// A word for boards in the solver: `u64`, or `u128` for boards that do not fit 64 bits.
pub trait SolverWord: Word {
    /// Creates the game on a board of this size.
    ///
    /// # Errors
    /// If the board does not fit the word.
    fn game(size: Size) -> Result<ConnectFourIn<Self>, SizeError>;

    /// Creates the engine for a board that fits the word, with a table for the board's layout.
    fn engine(size: Size, table: Table) -> Box<dyn AnyEngine<Self>>;
}

impl SolverWord for u64 {
    fn game(size: Size) -> Result<ConnectFourIn<Self>, SizeError> {
        ConnectFour::new(size)
    }

    fn engine(size: Size, table: Table) -> Box<dyn AnyEngine<Self>> {
        match (size.width, size.height, size.line) {
            (7, 6, 4) => Box::new(Engine::new(Fixed::<7, 6, 4>, table)),
            (7, 7, 4) => Box::new(Engine::new(Fixed::<7, 7, 4>, table)),
            (6, 7, 4) => Box::new(Engine::new(Fixed::<6, 7, 4>, table)),
            (8, 6, 4) => Box::new(Engine::new(Fixed::<8, 6, 4>, table)),
            _ => Box::new(Engine::new(AnySize(Layout::<Self>::new(size)), table)),
        }
    }
}

impl SolverWord for u128 {
    fn game(size: Size) -> Result<ConnectFourIn<Self>, SizeError> {
        Wide::wide(size)
    }

    fn engine(size: Size, table: Table) -> Box<dyn AnyEngine<Self>> {
        Box::new(Engine::new(AnySize(Layout::<Self>::new(size)), table))
    }
}

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
    /// Positions searched, except by `alone`.
    nodes: u64,
}

impl<'s, L: LayoutSource> SearchThreads<'s, L> {
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
