//! Searches for requests: a few at a time, each with a time limit, ended when the client leaves.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::control::Control;

/// A search that panicked or got no threads.
#[derive(Debug)]
pub struct SearchFailed;

/// Stops a search when the future that waits for it is dropped.
struct StopOnDrop(Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The limits of searches, and a permit for each that may run.
#[derive(Debug)]
pub struct Searches {
    permits: Arc<Semaphore>,
    threads: usize,
    longest: Duration,
}

impl Searches {
    /// Allows a number of searches at a time, each with its threads and its time limit.
    pub fn new(searches: usize, threads: usize, longest: Duration) -> Self {
        Self { permits: Arc::new(Semaphore::new(searches)), threads, longest }
    }

    /// Threads of a search.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Runs work that may search, within a time limit that includes the wait for a permit. Work
    /// whose time is up before it gets a permit starts with an expired control, and so answers
    /// with what is known without a search. The work is stopped if this future is dropped.
    pub async fn run<T: Send + 'static>(
        &self,
        limit: Option<Duration>,
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Result<T, SearchFailed> {
        let limit = limit.unwrap_or(self.longest).min(self.longest);
        let control = Arc::new(Control::default());
        control.limit(Some(limit));
        let _guard = StopOnDrop(Arc::clone(&control));
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(limit, permit).await;
        // A pool for each search: searches in a shared one would wait for each other.
        let threads = self.threads;
        let done = spawn_blocking(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
            let done = pool.install(|| work(&control));
            // Held until the search has ended, also if its client left before.
            drop(permit);
            Some(done)
        });
        done.await.ok().flatten().ok_or(SearchFailed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::JoinHandle;

    /// Runs a test with one search at a time, of one thread, for a minute at most.
    fn with_searches<F: Future<Output = ()>>(test: impl FnOnce(Arc<Searches>) -> F) {
        let searches = Arc::new(Searches::new(1, 1, Duration::from_secs(60)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            test(Arc::clone(&searches)).await;
            while searches.permits.available_permits() < 1 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
    }

    /// Starts work that only a stop ends.
    fn endless(searches: &Arc<Searches>) -> JoinHandle<Result<(), SearchFailed>> {
        let searches = Arc::clone(searches);
        let work = |control: &Control| {
            while control.check().is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        tokio::spawn(async move { searches.run(None, work).await })
    }

    async fn is_in_time(searches: &Searches, limit: Option<Duration>) -> bool {
        searches.run(limit, |control| control.check().is_ok()).await.unwrap()
    }

    #[test]
    fn work_that_gets_no_permit_in_time_starts_with_an_expired_control() {
        with_searches(async |searches| {
            let long = endless(&searches);
            while searches.permits.available_permits() > 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert!(!is_in_time(&searches, Some(Duration::from_millis(50))).await);
            assert!(!long.is_finished());
            long.abort();
            assert!(is_in_time(&searches, None).await);
        });
    }

    #[test]
    fn clients_that_leave_end_their_searches() {
        with_searches(async |searches| {
            let left: Vec<_> = (0..20).map(|_| endless(&searches)).collect();
            tokio::time::sleep(Duration::from_millis(100)).await;
            left.iter().for_each(JoinHandle::abort);
            assert!(is_in_time(&searches, None).await);
        });
    }

    #[test]
    fn a_panic_fails_one_search_only() {
        with_searches(async |searches| {
            for _ in 0..3 {
                let failed = searches.run(None, |_| panic!("for the test")).await;
                assert!(failed.map(|(): ()| ()).is_err());
                assert!(is_in_time(&searches, None).await);
            }
        });
    }
}
