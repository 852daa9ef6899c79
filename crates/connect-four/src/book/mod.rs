//! Books: the values of all canonical positions up to a ply.
//!
//! [`solve_all`] solves the positions of the last ply, each on one thread, with one transposition
//! table for all threads. In [depth-first order](depth_first_order) neighbours share most of their
//! trees. [`Book::back_up`] computes the values of earlier plies from the last.

mod solving;
#[cfg(test)]
mod tests;
mod values;

pub use solving::{solve, solve_all};
pub use values::{Book, BookDetail, BookPlan, Tier, TierError, depth_first_order, tiers};
