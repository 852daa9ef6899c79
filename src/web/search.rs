//! Searches for requests, each with a time limit: a few at a time on threads of their own, ended
//! when the client leaves; or, in a page, in the thread that asks.

use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "web")]
use tokio::sync::Semaphore;

use everyply_core::control::Control;

/// A search that panicked or got no threads.
#[derive(Debug)]
pub struct SearchFailed;

/// A function that takes each line of an answer when it is found.
pub type LineSink = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// Stops a search when the future that waits for it is dropped.
#[cfg(feature = "web")]
struct StopOnDrop(Arc<Control>);

#[cfg(feature = "web")]
impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The executor of searches, with their time limit.
pub struct Searches {
    pub runner: Runner,
    longest: Duration,
}

pub enum Runner {
    Here(LineSink),
    /// On threads of their own, as many searches at a time as there are permits.
    #[cfg(feature = "web")]
    Aside {
        permits: Arc<Semaphore>,
        threads: usize,
    },
}

impl Searches {
    /// Allows a number of searches at a time, each with its threads and its time limit.
    #[cfg(feature = "web")]
    pub fn aside(searches: usize, threads: usize, longest: Duration) -> Self {
        Self {
            runner: Runner::Aside { permits: Arc::new(Semaphore::new(searches)), threads },
            longest,
        }
    }

    /// Searches in the thread that asks, each for `longest` unless its request has a limit. Answers that
    /// come line by line go to `lines`.
    pub fn here(longest: Duration, lines: LineSink) -> Self {
        Self { runner: Runner::Here(lines), longest }
    }

    pub const fn threads(&self) -> usize {
        match &self.runner {
            Runner::Here(_) => 1,
            #[cfg(feature = "web")]
            Runner::Aside { threads, .. } => *threads,
        }
    }

    /// Runs work that may search, within a time limit that includes the wait for a permit. Work
    /// whose time is up before it gets a permit starts with an expired control, and so answers
    /// with what is known without a search. The work is stopped if this future is dropped.
    pub async fn run<T: Send + 'static>(
        &self,
        limit: Option<Duration>,
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Result<T, SearchFailed> {
        let limit = match &self.runner {
            // The machine is the visitor's own.
            Runner::Here(_) => limit.unwrap_or(self.longest),
            #[cfg(feature = "web")]
            Runner::Aside { .. } => limit.unwrap_or(self.longest).min(self.longest),
        };
        let control = Arc::new(Control::default());
        control.limit(Some(limit));
        match &self.runner {
            Runner::Here(_) => Ok(work(&control)),
            #[cfg(feature = "web")]
            Runner::Aside { permits, threads } => {
                // Threads and their wait are compiled once, not for each kind of work.
                let (sender, result) = tokio::sync::oneshot::channel();
                let work = move |control: &Control| drop(sender.send(work(control)));
                aside(Arc::clone(permits), *threads, limit, control, Box::new(work)).await;
                result.await.map_err(|_| SearchFailed)
            }
        }
    }
}

/// Runs work on threads of its own when there is a permit, at the latest when its time is up.
#[cfg(feature = "web")]
async fn aside(
    permits: Arc<Semaphore>,
    threads: usize,
    limit: Duration,
    control: Arc<Control>,
    work: Box<dyn FnOnce(&Control) + Send>,
) {
    let _guard = StopOnDrop(Arc::clone(&control));
    let permit = tokio::time::timeout(limit, permits.acquire_owned()).await;
    // A pool for each search: searches in a shared one would wait for each other.
    let done = tokio::task::spawn_blocking(move || {
        if let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            pool.install(|| work(&control));
        }
        // Held until the search has ended, also if its client left before.
        drop(permit);
    });
    // Work that panicked sent no result.
    let _ = done.await;
}

#[cfg(feature = "web")]
#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::JoinHandle;

    fn available(searches: &Searches) -> usize {
        let Runner::Aside { permits, .. } = &searches.runner else { unreachable!() };
        permits.available_permits()
    }

    /// Runs a test with one search at a time, of one thread, for a minute at most.
    fn with_searches<F: Future<Output = ()>>(test: impl FnOnce(Arc<Searches>) -> F) {
        let searches = Arc::new(Searches::aside(1, 1, Duration::from_secs(60)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            test(Arc::clone(&searches)).await;
            while available(&searches) < 1 {
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
            while available(&searches) > 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert!(!is_in_time(&searches, Some(Duration::from_millis(50))).await);
            assert!(!long.is_finished());
            long.abort();
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
