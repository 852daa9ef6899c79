//! Files made from results: one schema per table, in one place; whole files or none.

mod exact;
mod files;
mod rows;
mod scoring;
mod tables;
mod tree;

pub(crate) use exact::{ExactDocument, ExactRun, pons_score};
pub use files::{FileError, NewFile, in_directory};
pub use rows::{IterationRow, PlyRow, RootMoveRow, ValueRow};
pub use scoring::{Scoring, ScoringScore};
pub use tables::{write_iterations, write_plies, write_root_moves, write_solution};
pub(crate) use tree::TreeDocument;
