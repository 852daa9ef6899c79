//! Search to a depth and to the end of the game, and plain minimax as its oracle.
//!
//! A depth-N search gives the plain minimax value at depth N of the game's own
//! [evaluation](crate::game::Evaluate); move order, iterative deepening, the transposition table
//! and threads change how many nodes that takes, never the value.

mod alpha_beta;
mod busy;
mod deepening;
mod evaluation;
mod history;
mod ladder;
mod minimax;
pub mod mixer;
mod points;
mod positions;
mod principal;
mod prove;
mod settings;
mod table;
mod team;
mod wide;

pub use alpha_beta::{Tree, Visit, alpha_beta};
pub use busy::{Busy, BusyEntry, BusyTable};
pub use deepening::{Report, search};
pub use evaluation::Evaluation;
pub use ladder::{Algorithm, effective_branching_factor, may_share};
pub use minimax::minimax;
pub use points::Points;
pub use positions::{Searchable, add_moves};
pub use prove::{Aim, EndBounds, EndScore, Proof, prove};
pub use settings::{MoveOrder, Pruning, RootScores, Settings, TableUse};
pub use table::{Bound, SharedTable, TableEntry, TableError};
pub use wide::AtomicU128;
