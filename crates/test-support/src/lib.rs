//! What the tests of several crates share: a simulated disk.

mod simulated;

pub use simulated::{Simulated, Trouble};
