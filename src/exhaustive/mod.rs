//! Visit everything: exact counts and strong solutions, by engines that leave nothing out.
//!
//! Two counting rules are never mixed. *Stop at a win*: the first line ends the game; nodes are
//! all move sequences from the root, the root included, and games are those that end. *Fill the
//! board*: wins do not stop play; this is what "9! games of tic-tac-toe" counts, and every figure
//! under this rule has `full_board` in its name.
//!
//! [`PositionGraph`] and [`Solution`] are for every game that ends, [`Retrograde`] for those whose
//! positions may come back. Whole Connect Four boards have an engine of their own, some hundred
//! times faster: [`profiles`](crate::connect_four::profiles).

mod fold;
mod histories;
mod layer;
mod plies;
mod position_graph;
mod retrograde;
mod solution;
mod strong;
mod subtrees;
mod walk;

pub use histories::{Games, Histories, PlyHistories};
pub use plies::{Plies, count_plies, walk_plies};
pub use position_graph::PositionGraph;
pub use retrograde::Retrograde;
pub use solution::Solution;
pub use strong::{SolveError, SolvedPosition, StrongSolution, Totals};
pub use subtrees::{Subtree, Subtrees};
pub use walk::walk;
