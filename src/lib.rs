#![doc = include_str!("../README.md")]
// Shared code may be used by one feature alone; with all features, none may be unused.
#![cfg_attr(
    not(all(feature = "cli", feature = "web", feature = "report", feature = "parquet")),
    allow(dead_code, unused_imports)
)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod connect_four;
pub mod control;
#[cfg(feature = "database")]
pub mod database;
pub mod disk;
pub mod exhaustive;
#[cfg(feature = "database")]
pub mod export;
pub mod game;
pub mod games;
#[cfg(any(feature = "report", feature = "web"))]
mod html;
mod huge_pages;
#[cfg(feature = "database")]
pub mod opponent;
#[cfg(feature = "database")]
pub mod oracle;
mod parallel;
mod processor;
mod reading;
#[cfg(feature = "database")]
pub mod registry;
#[cfg(feature = "report")]
pub mod report;
pub mod search;
pub mod statistics;
#[cfg(any(feature = "report", feature = "web"))]
pub mod svg;
#[cfg(feature = "database")]
pub mod verify;
#[cfg(feature = "web")]
pub mod web;
