//! Whole Connect Four boards, bit by bit: exact counts and the value of every position.
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
//! so the profiles of a tier, and the ranges of a large profile, are worked on in parallel
//! without communication. Nothing is searched or hashed: a position costs a few bit operations.
//!
//! ```
//! use everyply::control::Control;
//! use everyply::connect_four::profiles::{Board, Extent, Memory, count};
//! use everyply::games::line::Size;
//!
//! let board = Board::new(Size::new(4, 4, 4)?)?;
//! let counts = count(&board, Extent::Whole, &mut Memory::new(), &Control::default())?;
//! assert_eq!(counts.plies.iter().filter_map(|ply| ply.positions).sum::<u64>(), 161_029);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backward;
mod board;
mod code;
mod combinadic;
mod counts;
mod estimate;
mod exchanges;
mod file_body;
mod files;
mod forward;
mod lane;
mod mapped;
mod memory;
mod mirror;
mod passes;
mod patterns;
mod pool;
#[cfg(feature = "solutions")]
mod solution;
mod storage;
#[cfg_attr(not(test), expect(dead_code, reason = "the passes will use it"))]
mod store;
mod symmetric;
mod table;
mod tier;
mod traversal;

pub use crate::processor::Processor;
pub use board::{Board, Profile};
pub use code::Codes;
pub use counts::{Branching, Counts, Extent, Longest, Values, count};
pub use estimate::Estimate;
pub use files::Files;
pub use lane::Lane;
pub use memory::Memory;
pub use passes::PassError;
#[cfg(feature = "solutions")]
pub use solution::{SolutionDetail, SolutionError, SolutionFile, Verified, WrittenSolution, solve};
pub use storage::{Content, Lanes, Storage, StorageError, Stored, TierKey};
#[cfg(feature = "bucket")]
pub use store::Bucket;
pub use store::{Folder, Store, open as open_store};
pub use table::Table;
