//! The clock for timing computations: the system's, or in a web page the page's.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use page::Instant;

/// The clock of a web page, for which the standard library has none.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod page {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "everyply")]
    unsafe extern "C" {
        /// Milliseconds since a fixed moment: `performance.now()`.
        safe fn now() -> f64;
    }

    /// A moment, as the time since a fixed moment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Self {
            Self(Duration::from_secs_f64(now() / 1000.0))
        }

        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }
}
