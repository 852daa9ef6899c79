//! Games by name, with the engines that serve each, and solution files of any game.
//!
//! The crate `everyply` shows this as its modules `registry` and `solutions`.

pub mod registry;
pub mod solutions;
