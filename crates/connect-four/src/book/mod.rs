//! Books: the values of all canonical positions up to a ply.
//!
//! The positions of the last ply are solved one by one ([`solve_all`]), each by one thread, all
//! threads on one transposition table, in an order in which neighbours share most of their trees
//! ([`depth_first_order`]). The values of earlier plies are backed up from them ([`Book::back_up`]).

mod solving;
#[cfg(test)]
mod tests;
mod values;

pub use solving::{solve, solve_all};
pub use values::{Book, BookDetail, BookPlan, Tier, TierError, depth_first_order, tiers};
