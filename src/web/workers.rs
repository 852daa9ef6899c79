//! Searches of clients: a few at a time, each within its time, none for a client that is gone.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rayon::ThreadPool;
use tokio::sync::Semaphore;

use crate::control::Control;

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

/// Threads for searches.
#[derive(Debug)]
pub struct Workers {
    permits: Semaphore,
    /// As many as there are permits: searches that share a pool would wait for each other.
    pools: Mutex<Vec<ThreadPool>>,
    threads: usize,
    longest: Duration,
}

impl Workers {
    /// Room for so many searches at a time, each with so many threads and at most so much time.
    pub fn new(
        searches: usize,
        threads: usize,
        longest: Duration,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = |_| {
            let name = |i| format!("search-{i}");
            rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build()
        };
        let pools = (0..searches).map(pool).collect::<Result<_, _>>()?;
        let permits = Semaphore::new(searches);
        Ok(Self { permits, pools: Mutex::new(pools), threads, longest })
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

    /// Does work as soon as it is its turn. Where that is not before its time is up, the work
    /// begins with a control that says so, and gives what it knows without searching.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        control: Arc<Control>,
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Result<T, Failed> {
        let turn = tokio::select! {
            turn = self.permits.acquire() => turn.ok(),
            () = expired(&control) => None,
        };
        let this = Arc::clone(self);
        let searching = turn.is_some();
        let done = tokio::task::spawn_blocking(move || {
            let pool = if searching { this.lock().pop() } else { None };
            let work = std::panic::AssertUnwindSafe(|| match &pool {
                Some(pool) => pool.install(|| work(&control)),
                None => work(&control),
            });
            let done = std::panic::catch_unwind(work);
            this.lock().extend(pool);
            done.map_err(|_| Failed)
        })
        .await;
        drop(turn);
        done.map_err(|_| Failed)?
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<ThreadPool>> {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
