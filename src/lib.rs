#![doc = include_str!("../README.md")]
// Shared code may be used by one feature alone; with all features, none may be unused.
#![cfg_attr(
    not(all(feature = "cli", feature = "web", feature = "report", feature = "parquet")),
    allow(dead_code, unused_imports)
)]

pub use everyply_connect_four as connect_four;
use everyply_core::{clock, parallel, reading};
pub use everyply_core::{control, disk, exhaustive, game, games, random, search, statistics};
#[cfg(feature = "registry")]
pub use everyply_registry::{registry, solutions};
#[cfg(feature = "database")]
pub use everyply_results::{database, verify};
#[cfg(feature = "registry")]
pub use everyply_results::{export, opponent, oracle};

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(any(feature = "page", feature = "report"))]
mod html;
#[cfg(feature = "report")]
pub mod report;
#[cfg(any(feature = "page", feature = "report"))]
pub mod svg;
#[cfg(feature = "page")]
pub mod web;
