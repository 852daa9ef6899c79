//! The core of everyply: the [contract](game) of a game, [`games`] and their rules, and engines
//! for any of them: [`exhaustive`] ones, which visit every position, and [`search`], which proves a
//! value without.
//!
//! The crate `everyply` shows all of this with what is built on it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "serde"), allow(dead_code, unused_imports))]

pub mod clock;
pub mod control;
pub mod exhaustive;
pub mod game;
pub mod games;
pub mod huge_pages;
pub mod parallel;
pub mod random;
pub mod search;
pub mod statistics;
#[cfg(test)]
mod tests;
