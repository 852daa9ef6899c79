//! The bit-array engine for whole Connect Four boards: exact counts and the value of every
//! position.
//!
//! A *profile* is a vector of column heights. All positions of a profile are the colourings of
//! its stones, and each has one bit in an array, in an order in which moves are copies of whole
//! ranges ([`Board`], `combinadic`). Profiles of a tier depend only on the tiers next to it:
//!
//! ```text
//! forward    tier n    reached = OR over columns of the tier n - 1, less finished lines
//! backward   tier n    code = complement of the least code among columns of the tier n + 1
//! ```
//!
//! so the parts of a tier, which are profiles and ranges of large profiles ([`Plan`]), are computed
//! in parallel without communication. The engine neither searches nor hashes: a position costs a
//! few bit operations.

mod backward;
mod board;
mod chunks;
mod code;
mod combinadic;
mod counts;
mod estimate;
mod forward;
mod lane;
mod lanes;
mod making;
mod mirror;
mod objects;
#[cfg(feature = "solutions")]
mod packing;
mod piece;
mod plan;
mod scheduler;
mod storage;
mod traversal;
mod unit;
#[cfg(test)]
pub mod visit;
mod writer;

pub use crate::processor::Processor;
pub use board::{Board, Profile};
pub use counts::{Branching, Counts, Extent, Longest, Values, count};
pub use estimate::Estimate;
pub use lane::Lane;
pub use lanes::{Lanes, Pool};
pub use objects::{Objects, UNIT_BYTES, read_sealed};
#[cfg(feature = "solutions")]
pub use packing::{ChunkCheck, counts, packed, solve, value_near_end, verify};
pub use plan::{CHUNK, Plan};
pub use storage::Memory;
pub use storage::Storage;
pub use unit::{Content, Cut, PassError, StorageError, Unit};
