//! Games by name, with the engines that serve each, and solution files of any game.
//!
//! The crate `everyply` shows this as its modules `registry` and `solutions`.

pub mod registry;
pub mod solutions;

use everyply_connect_four as connect_four;
use everyply_core::{control, disk, exhaustive, game, games, parallel, random, search, statistics};
