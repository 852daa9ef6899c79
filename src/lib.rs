#![doc = include_str!("../README.md")]
// Shared code may be used by one feature alone; with all features, none may be unused.
#![cfg_attr(
    not(all(feature = "cli", feature = "web", feature = "report", feature = "parquet")),
    allow(dead_code, unused_imports)
)]

pub use everyply_connect_four as connect_four;
pub use everyply_core::{control, disk, exhaustive, game, games, random, search, statistics};
use everyply_core::{parallel, reading};

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "database")]
pub mod database;
#[cfg(feature = "database")]
pub mod export;
#[cfg(any(feature = "report", feature = "web"))]
mod html;
#[cfg(feature = "database")]
pub mod opponent;
#[cfg(feature = "database")]
pub mod oracle;
#[cfg(feature = "database")]
pub mod registry;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "database")]
pub mod solutions;
#[cfg(any(feature = "report", feature = "web"))]
pub mod svg;
#[cfg(feature = "database")]
pub mod verify;
#[cfg(feature = "web")]
pub mod web;
