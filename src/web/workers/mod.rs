//! Searches of clients: a few at a time, by fair turns, each within its time, none for a client
//! that is gone.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use tokio::sync::oneshot;

use super::queue::{Asked, Shares};
use crate::control::Control;

/// Who asks: questions of one address share its turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(pub IpAddr);

/// How often turns change while questions wait.
const TICK: Duration = Duration::from_millis(50);

/// Threads of all searches that are begun, paused ones included, where that leaves two searches
/// for each turn.
const THREADS: usize = 512;

/// What a search has had at least when it is ended early for others.
const FAIR: Duration = Duration::from_secs(1);

/// Stops a search when whoever waits for it goes away.
#[derive(Debug)]
pub struct StopOnDrop(Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A search did not end as it should: a bug, told to the client as such.
#[derive(Debug)]
pub struct Failed;

/// Ends when the control asks for a stop.
async fn expired(control: &Control) {
    while !control.is_stopped() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// How far a question is.
#[derive(Debug)]
enum Stage {
    /// Waits for the threads of its search.
    Waiting(oneshot::Sender<Arc<ThreadPool>>),
    Searching {
        since: Instant,
    },
    Paused,
    /// Ended for want of threads: answers with what it has.
    Shed,
}

#[derive(Debug)]
struct Question {
    asked: Asked<Client>,
    control: Arc<Control>,
    stage: Stage,
}

#[derive(Debug, Default)]
struct State {
    open: Vec<Question>,
    shares: Shares<Client>,
    next: u64,
    /// Threads nobody uses; searches that shared a pool would wait for each other.
    spare: Vec<Arc<ThreadPool>>,
    /// Pools in use.
    begun: usize,
}

/// Threads for searches.
#[derive(Debug)]
pub struct Workers {
    state: Mutex<State>,
    /// Searches at a time.
    turns: usize,
    /// Searches begun at a time, paused ones included.
    most_begun: usize,
    threads: usize,
    longest: Duration,
}

fn pool(threads: usize) -> Result<Arc<ThreadPool>, rayon::ThreadPoolBuildError> {
    let name = |i| format!("search-{i}");
    rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().map(Arc::new)
}

impl Workers {
    /// Room for a number of searches at a time, each with its threads and its limit of time.
    pub fn new(
        searches: usize,
        threads: usize,
        longest: Duration,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let spare = (0..searches).map(|_| pool(threads)).collect::<Result<_, _>>()?;
        let state = Mutex::new(State { spare, ..State::default() });
        let most_begun = (THREADS / threads.max(1)).clamp(2 * searches, 8 * searches);
        Ok(Self { state, turns: searches, most_begun, threads, longest })
    }

    /// Threads of a search.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// A control for a search that begins now, waiting for its turn included; and what stops it
    /// when it is dropped.
    pub fn control(&self, limit: Option<Duration>) -> (Arc<Control>, StopOnDrop) {
        let control = Arc::new(Control::default());
        control.limit(Some(limit.unwrap_or(self.longest).min(self.longest)));
        (Arc::clone(&control), StopOnDrop(control))
    }

    /// Does work by turns. Where its first turn is not before its time is up, the work begins
    /// with a control that says so, and gives what it knows without searching.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        client: Client,
        control: Arc<Control>,
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Result<T, Failed> {
        let mut ticket = Ticket::new(self, client, &control);
        let work = move || catch_unwind(AssertUnwindSafe(|| work(&control))).map_err(|_| Failed);
        if !ticket.await_turn().await {
            drop(ticket);
            return tokio::task::spawn_blocking(work).await.map_err(|_| Failed)?;
        }
        let Some(pool) = ticket.pool.clone() else { return Err(Failed) };
        let (tell, results) = oneshot::channel();
        pool.spawn(move || {
            let done = work();
            drop(ticket);
            // The client may be gone.
            let _ = tell.send(done);
        });
        drop(pool);
        results.await.map_err(|_| Failed)?
    }

    /// Gives the turns out anew. As long as somebody waits this has to happen again and again:
    /// [`keep_turning`](Self::keep_turning).
    fn turn(&self) {
        self.lock().turn(self);
    }

    /// Gives the turns out anew while questions wait for them.
    pub async fn keep_turning(&self) {
        loop {
            tokio::time::sleep(TICK).await;
            let waits = {
                let state = self.lock();
                state.open.len() > self.turns
                    || state.open.iter().any(|q| matches!(q.stage, Stage::Waiting(_)))
            };
            if waits {
                self.turn();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn turn(&mut self, workers: &Workers) {
        let now = Instant::now();
        for question in &mut self.open {
            if let Stage::Searching { since } = &mut question.stage {
                let used = now - std::mem::replace(since, now);
                question.asked.used += used;
                self.shares.count(question.asked.client, used);
            }
        }
        let mut able: Vec<usize> = (0..self.open.len())
            .filter(|&at| !matches!(self.open[at].stage, Stage::Shed))
            .collect();
        let room = self.spare.len().max(workers.most_begun.saturating_sub(self.begun));
        let chosen = loop {
            let asked: Vec<Asked<Client>> = able.iter().map(|&at| self.open[at].asked).collect();
            let chosen = self.shares.chosen(&asked, workers.turns);
            let chosen: Vec<usize> = chosen.into_iter().map(|at| able[at]).collect();
            let waiting = chosen.iter().filter(|&&at| self.waits(at));
            let unable: Vec<usize> = waiting.copied().skip(room).collect();
            if unable.is_empty() {
                break chosen;
            }
            // Their turns are for those that can use them meanwhile.
            able.retain(|at| !unable.contains(at));
            self.shed();
        };
        // Pauses come first: they make room.
        for at in (0..self.open.len()).filter(|at| !chosen.contains(at)) {
            let question = &mut self.open[at];
            if matches!(question.stage, Stage::Searching { .. }) {
                question.control.pause();
                question.stage = Stage::Paused;
            }
        }
        for at in chosen {
            match self.open[at].stage {
                Stage::Paused => {
                    self.open[at].control.resume();
                    self.open[at].stage = Stage::Searching { since: now };
                }
                Stage::Waiting(_) => self.begin(at, now, workers),
                Stage::Searching { .. } | Stage::Shed => {}
            }
        }
    }

    fn waits(&self, at: usize) -> bool {
        matches!(self.open[at].stage, Stage::Waiting(_))
    }

    /// Lets a question begin, or makes room for it to begin soon.
    fn begin(&mut self, at: usize, now: Instant, workers: &Workers) {
        let pool = match self.spare.pop() {
            Some(pool) => Some(pool),
            None if self.begun < workers.most_begun => pool(workers.threads).ok(),
            None => None,
        };
        let Some(pool) = pool else { return self.shed() };
        let searching = Stage::Searching { since: now };
        if let Stage::Waiting(turn) = std::mem::replace(&mut self.open[at].stage, searching) {
            self.begun += 1;
            if let Err(pool) = turn.send(pool) {
                // Its client went away just now, and it is about to leave.
                self.give_back(pool);
            }
        }
    }

    /// Ends a search that is begun, unless one is ending already: of the client that has begun
    /// most, the one that has searched longest, if it has had its time. It answers with what it
    /// has proved.
    fn shed(&mut self) {
        let begun = |q: &Question| matches!(q.stage, Stage::Searching { .. } | Stage::Paused);
        let fair = |q: &Question| begun(q) && q.asked.used >= FAIR;
        if self.open.iter().any(|question| matches!(question.stage, Stage::Shed)) {
            return;
        }
        let of = |client| {
            let same = |q: &&Question| q.asked.client == client && begun(q);
            self.open.iter().filter(same).count()
        };
        let most = self.open.iter().map(|question| of(question.asked.client)).max();
        let longest = (0..self.open.len())
            .filter(|&at| fair(&self.open[at]) && Some(of(self.open[at].asked.client)) == most)
            .max_by_key(|&at| self.open[at].asked.used);
        if let Some(at) = longest {
            self.open[at].control.stop();
            self.open[at].stage = Stage::Shed;
        }
    }

    fn give_back(&mut self, pool: Arc<ThreadPool>) {
        self.begun = self.begun.saturating_sub(1);
        self.spare.push(pool);
    }
}

/// A question's place among the open ones; it leaves when this is dropped.
struct Ticket {
    workers: Arc<Workers>,
    number: u64,
    control: Arc<Control>,
    turn: oneshot::Receiver<Arc<ThreadPool>>,
    pool: Option<Arc<ThreadPool>>,
}

impl Ticket {
    fn new(workers: &Arc<Workers>, client: Client, control: &Arc<Control>) -> Self {
        let (sender, turn) = oneshot::channel();
        let mut state = workers.lock();
        let number = state.next;
        state.next += 1;
        state.shares.enter(client);
        state.open.push(Question {
            asked: Asked { client, used: Duration::ZERO, number },
            control: Arc::clone(control),
            stage: Stage::Waiting(sender),
        });
        state.turn(workers);
        drop(state);
        let (workers, control) = (Arc::clone(workers), Arc::clone(control));
        Self { workers, number, control, turn, pool: None }
    }

    /// Waits for the first turn; false if time was up before.
    async fn await_turn(&mut self) -> bool {
        tokio::select! {
            biased;
            pool = &mut self.turn => self.pool = pool.ok(),
            () = expired(&self.control) => self.take(),
        }
        self.pool.is_some()
    }

    /// Takes a pool that came, and lets none come any more.
    fn take(&mut self) {
        self.turn.close();
        if self.pool.is_none() {
            self.pool = self.turn.try_recv().ok();
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.take();
        let mut state = self.workers.lock();
        if let Some(pool) = self.pool.take() {
            state.give_back(pool);
        }
        if let Some(at) = state.open.iter().position(|q| q.asked.number == self.number) {
            let client = state.open.swap_remove(at).asked.client;
            if state.open.iter().all(|question| question.asked.client != client) {
                state.shares.leave(client);
            }
        }
        state.turn(&self.workers);
        // More would only hold memory.
        state.spare.truncate(self.workers.turns);
    }
}

#[cfg(test)]
mod tests;
