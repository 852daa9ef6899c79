//! Connect Four: the exact solver, whole boards on bit arrays, books, batches, a built-in opening
//! book, the file formats of other programs, and published counts. The rules are in
//! [`games::line::ConnectFour`].
//!
//! The crate `everyply` shows this as its module `connect_four`.

#![cfg_attr(not(feature = "solutions"), allow(dead_code, unused_imports))]

pub mod batch;
pub mod book;
pub mod formats;
mod opening;
mod processor;
pub mod profiles;
pub mod published;
pub mod solver;
#[cfg(feature = "solutions")]
pub mod strategy;

#[cfg(test)]
use everyply_core::exhaustive;
use everyply_core::{
    control, disk, game, games, huge_pages, parallel, reading, search, statistics,
};

pub use opening::{OpeningBook, OpeningError};

use crate::games::line::{AnyGame, Standard};

/// Returns the standard board: 7x6, 4 in a row.
#[must_use]
pub const fn usual_board() -> AnyGame {
    AnyGame::Standard(Standard::fixed())
}
