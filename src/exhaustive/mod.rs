//! Visit everything: exact counts and strong solutions, by engines that leave nothing out.
//!
//! Two counting rules are never mixed. *Stop at a win*: the first line ends the game; nodes are
//! all move sequences from the root, the root included, and games are those that end. *Fill the
//! board*: wins do not stop play; this is what "9! games of tic-tac-toe" counts, and every figure
//! under this rule has `full_board` in its name.
//!
//! [`Tree`] and [`Solution`] work for every game; [`profiles`] is for whole Connect Four boards,
//! and some hundred times faster there.

mod graph;
mod plies;
mod positions;
pub mod profiles;
mod retrograde;
mod solution;
mod strong;
mod subtrees;
mod walk;

pub use graph::Graph;
pub use plies::{Plies, count_plies, walk_plies};
pub use positions::{Estimate, Tier, Tree};
pub use retrograde::Retrograde;
pub use solution::{Entry, Solution};
pub use strong::{SolveError, Solved, StrongSolution, Totals};
pub use subtrees::{Subtree, Subtrees};
pub use walk::{FullBoard, Games, Histories, walk};
