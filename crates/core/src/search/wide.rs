//! Atomic words of 128 bits.

#[cfg(not(all(target_arch = "wasm32", not(target_feature = "atomics"))))]
pub use portable_atomic::AtomicU128;

#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
pub use halves::AtomicU128;

/// Words in two halves, for a target without threads, on which portable-atomic would take a lock
/// and slow a search by a fifth.
#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
mod halves {
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A word of 128 bits, laid out as a `u128`.
    #[derive(Debug, Default)]
    #[repr(C, align(16))]
    pub struct AtomicU128([AtomicU64; 2]);

    impl AtomicU128 {
        #[inline(always)]
        pub fn load(&self, order: Ordering) -> u128 {
            u128::from(self.0[1].load(order)) << 64 | u128::from(self.0[0].load(order))
        }

        #[inline(always)]
        pub fn store(&self, word: u128, order: Ordering) {
            self.0[0].store(word as u64, order);
            self.0[1].store((word >> 64) as u64, order);
        }
    }
}
