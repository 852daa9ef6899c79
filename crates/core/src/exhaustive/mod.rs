//! Exhaustive engines: exact counts and strong solutions by visiting every position.
//!
//! Two counting rules are never mixed. *Stop at a win*: the first line ends the game; nodes are
//! all move sequences from the root, the root included, and games are the sequences that end the
//! game. *Fill the board*: wins do not stop play; "9! games of tic-tac-toe" are counted by this
//! rule, and every figure under it has `full_board` in its name.
//!
//! [`Solution`] lists the positions of any game by key, and [`RankedSolution`] has values by rank,
//! for games that number their positions. Whole Connect Four boards have an engine of their own,
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
mod points;
mod ranked;
mod rooted;
mod scores;
mod solution;
mod solved;
mod strong;
mod walk;
mod ways;

pub use code::Code;
pub use error::SolveError;
pub use histories::{Games, Histories, PlyHistories};
pub use listed::{listed_bytes, solve_listed};
pub use plies::{Plies, count_plies, count_plies_within, walk_plies};
pub use points::BestPoints;
pub use ranked::{RankedCost, RankedSolution, SolvedTiers, TierCost, TierStore};
pub use solution::Solution;
pub use solved::{SolvedKey, SolvedPosition, Totals, ValuedKey};
pub use strong::StrongSolution;
pub use walk::walk;
pub use ways::Ways;
