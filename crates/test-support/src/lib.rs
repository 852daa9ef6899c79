//! A simulated disk, for the tests of several crates.

mod simulated;

pub use simulated::{Simulated, Trouble};
