//! The threads of a principal variation search. Each of them searches the root's moves in turn; a move
//! that one thread has settled is settled for all, and a move that another is searching comes last.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::RootScores;
use super::busy::BusyTable;
use super::points::Points;
use super::positions::{Branch, Level};
use super::principal::{Worker, busy_entry};
use crate::clock::Instant;
use crate::control::Stopped;
use crate::game::Move;
use crate::parallel::{self, lock};
use crate::statistics::{SearchCounters, ThreadWork};

/// Root moves that are never deferred. The best move of the last iteration raises the score that others
/// are compared with, and if another takes its place, it is probably the next.
const NEVER_DEFERRED: usize = 2;

#[derive(Clone, Copy, Debug)]
pub(super) struct TriedMove {
    pub m: Move,
    pub points: Points,
    /// False if `points` is an upper bound, at or below alpha.
    pub exact: bool,
    pub counters: SearchCounters,
}

/// The moves of a root after a search.
pub(super) type Searched = Result<Vec<TriedMove>, Stopped>;

/// The tables that the threads of a search share besides the transposition table.
#[derive(Debug)]
pub(super) struct Common {
    busy: BusyTable,
    /// For each place of a root move, the last round in which a thread settled it.
    settled: Vec<AtomicU32>,
}

impl Common {
    pub fn new(moves: usize) -> Self {
        let settled = (0..moves.max(1)).map(|_| AtomicU32::new(0)).collect();
        Self { busy: BusyTable::default(), settled }
    }
}

pub(super) struct Team<'a> {
    common: &'a Common,
    workers: Vec<Mutex<Worker<'a>>>,
    work: Vec<ThreadWork>,
    rounds: u32,
}

/// A round: one search of the root's moves to a depth.
struct Round {
    depth: u32,
    number: u32,
    scores: RootScores,
    best: AtomicI32,
    tried: Mutex<Vec<Option<(Points, bool)>>>,
    counters: Mutex<Vec<SearchCounters>>,
}

impl<'a> Team<'a> {
    /// Creates a team of the rayon pool's threads; of one thread without a table to share.
    pub fn new(common: &'a Common, worker: &dyn Fn() -> Worker<'a>) -> Self {
        let first = worker();
        let threads = if first.state.table.is_some() { rayon::current_num_threads() } else { 1 };
        let others = (1..threads).map(|_| worker());
        let workers = std::iter::once(first).chain(others).map(Mutex::new).collect();
        let work = vec![ThreadWork::default(); threads];
        Self { common, workers, work, rounds: 0 }
    }

    /// Returns the first thread, for work after the last round.
    pub fn first(&mut self) -> &mut Worker<'a> {
        self.workers[0].get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn into_work(self) -> Vec<ThreadWork> {
        self.work
    }

    /// Runs a round by one thread or all.
    fn run(&mut self, is_split: bool, round: &(dyn Fn(&mut Worker<'a>) + Sync)) {
        let threads = if is_split { self.workers.len() } else { 1 };
        let (workers, busy) = (&self.workers, &self.common.busy);
        let work = parallel::map(threads, &|i| {
            let mut worker = lock(&workers[i]);
            let state = &mut worker.state;
            state.busy = (threads > 1).then_some(busy);
            let (begun, deferrals, nodes) = (Instant::now(), state.deferrals, state.counters.nodes);
            round(&mut worker);
            worker.reset();
            let state = &worker.state;
            let (nodes, deferrals) = (state.counters.nodes - nodes, state.deferrals - deferrals);
            ThreadWork { nodes, last_nodes: nodes, deferrals, busy: begun.elapsed() }
        });
        self.work.iter_mut().for_each(|all| all.last_nodes = 0);
        for (all, work) in self.work.iter_mut().zip(work) {
            all.add(&work);
        }
    }

    /// Tests by all threads, with a null window, whether the score of a position for the side to move
    /// reaches `bound`. Returns a lower bound that does, else an upper bound; `None` if each thread visits
    /// `nodes` nodes first.
    pub fn test(
        &mut self,
        place: u32,
        level: Level,
        bound: Points,
        nodes: u64,
    ) -> Result<Option<Points>, Stopped> {
        self.rounds += 1;
        let number = self.rounds;
        let settled = &self.common.settled[0];
        let tested = Mutex::new(None);
        self.run(true, &|worker| {
            let state = &mut worker.state;
            state.watched = Some((settled, number));
            state.limit = state.counters.nodes.saturating_add(nodes);
            let below = Points(bound.0 - 1);
            let score = match worker.settled(place, level) {
                Some(points) => Ok(points),
                None => worker.search((place, true), level, (below, bound)),
            };
            if let Ok(score) = score {
                lock(&tested).get_or_insert(score);
                settled.store(number, Relaxed);
            }
        });
        let tested = tested.into_inner().unwrap_or_else(PoisonError::into_inner);
        if tested.is_none() {
            self.first().state.control.check()?;
        }
        Ok(tested)
    }

    /// Sums the counters of all threads.
    pub fn counters(&mut self) -> SearchCounters {
        let workers = self.workers.iter_mut();
        let workers = workers.map(|p| p.get_mut().unwrap_or_else(PoisonError::into_inner));
        workers.map(|worker| worker.state.counters).sum()
    }

    /// Searches the root's moves to a depth, in the order of their places, by one thread or all.
    pub fn search(
        &mut self,
        depth: u32,
        (branches, places): (&[Branch], &[usize]),
        scores: RootScores,
        is_split: bool,
    ) -> Searched {
        self.rounds += 1;
        let round = Round {
            depth,
            number: self.rounds,
            scores,
            best: AtomicI32::new((-Points::INFINITY).0),
            tried: Mutex::new(vec![None; places.len()]),
            counters: Mutex::new(vec![SearchCounters::default(); places.len()]),
        };
        let common = self.common;
        // A stop leaves moves without a result.
        self.run(is_split, &|worker| {
            let _ = search_moves(worker, common, branches, places, &round);
        });
        let (tried, counters) = (lock(&round.tried), lock(&round.counters));
        places
            .iter()
            .map(|&place| {
                let (points, exact) = tried[place].ok_or(Stopped)?;
                Ok(TriedMove { m: branches[place].m, points, exact, counters: counters[place] })
            })
            .collect()
    }
}

/// Searches the moves of a round until all are settled.
fn search_moves<'a>(
    worker: &mut Worker<'a>,
    common: &'a Common,
    branches: &[Branch],
    places: &[usize],
    round: &Round,
) -> Result<(), Stopped> {
    for turn in 0..2 * places.len() {
        let place = places[turn % places.len()];
        let settled = &common.settled[place];
        if settled.load(Relaxed) == round.number {
            continue;
        }
        let Branch { keeps_turn, next, .. } = branches[place];
        let root = Level { depth: round.depth, from_root: 0, turn: false };
        let level = root.below(keeps_turn);
        let entry = busy_entry(&common.busy, &worker.named(next, level), level.depth);
        let state = &mut worker.state;
        let is_shared = state.busy.is_some();
        if is_shared && turn >= NEVER_DEFERRED && turn < places.len() && entry.is_busy() {
            state.deferrals += 1;
            continue;
        }
        let mark = is_shared.then(|| entry.enter());
        state.watched = Some((settled, round.number));
        let before = state.counters;
        let best = Points(round.best.load(Relaxed));
        let tried = search_move(worker, (next, keeps_turn), level, round.scores, best);
        drop(mark);
        lock(&round.counters)[place].add_difference(&worker.state.counters, &before);
        worker.reset();
        match tried {
            Ok(tried) => {
                let mut all = lock(&round.tried);
                if all[place].is_none() {
                    all[place] = Some(tried);
                    round.best.fetch_max(tried.0.0, Relaxed);
                    settled.store(round.number, Relaxed);
                }
            }
            Err(_) => worker.state.control.check()?,
        }
    }
    Ok(())
}

/// Returns the score of a move of the root, and whether it is exact or an upper bound. `best` is the
/// best score of the other moves so far.
fn search_move(
    worker: &mut Worker<'_>,
    (position, keeps_turn): (u32, bool),
    level: Level,
    scores: RootScores,
    best: Points,
) -> Result<(Points, bool), Stopped> {
    if let Some(points) = worker.settled(position, level) {
        worker.state.counters.nodes += 1;
        return Ok((if keeps_turn { points } else { -points }, true));
    }
    let mut within = |alpha, beta| worker.search((position, keeps_turn), level, (alpha, beta));
    let alpha = scores.alpha(best);
    if alpha == -Points::INFINITY {
        return Ok((within(alpha, Points::INFINITY)?, true));
    }
    // Null windows around the best score: most moves are not as good, or not better.
    let points = within(alpha, Points(alpha.0 + 1))?;
    if points <= alpha {
        return Ok((points, false));
    }
    if best > alpha && within(best, Points(best.0 + 1))? <= best {
        return Ok((best, true));
    }
    Ok((within(best, Points::INFINITY)?, true))
}
