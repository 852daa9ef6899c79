//! Exhaustive engines: exact counts and strong solutions by visiting every position.
//!
//! Two counting rules are never mixed. *Stop at a win*: the first line ends the game; nodes are
//! all move sequences from the root, the root included, and games are the sequences that end the
//! game. *Fill the board*: wins do not stop play; "9! games of tic-tac-toe" are counted by this
//! rule, and every figure under it has `full_board` in its name.
//!
//! [`Solution`] lists the positions of any game by key, and [`SolvedTiers`] has values by rank, for
//! games that number their positions. Whole Connect Four boards have an engine of their own,
//! about a hundred times faster: `connect_four::profiles`.

mod backwards;
mod code;
mod error;
mod fold;
mod histories;
mod keys;
mod layer;
mod listed;
mod plies;
mod ranked;
mod rooted;
mod scores;
mod solution;
mod solved;
mod walk;
mod ways;

pub use code::Code;
pub use error::SolveError;
pub use histories::{Games, Histories, PlyHistories};
pub use listed::{listed_bytes, solve_listed};
pub use plies::{Plies, count_plies, walk_plies};
pub use ranked::{RankedCost, SolvedTiers, TierCost, TierStore};
pub use solution::Solution;
pub use solved::{SolvedKey, Totals, ValuedKey};
pub use walk::walk;
pub use ways::Ways;
