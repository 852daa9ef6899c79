//! The core of everyply: the [traits](game) of a game, [`games`] and their rules, and engines for
//! any game. [`exhaustive`] engines visit every position; [`search`] proves values without that.
//!
//! The crate `everyply` re-exports all of this.

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
