//! Files made from results: one schema per table, in one place; whole files or none.

mod dataset;
mod exact;
mod explanation;
mod known;
mod manifest;
mod rows;
mod scoring;
mod situation;
mod tables;
mod tree;

pub use dataset::{DatasetFormat, DatasetWriter, Schema};
pub(crate) use dataset::{LEGAL_MOVES, legal_moves};
pub(crate) use exact::{ExactDocument, ExactRun, Stats};
pub(crate) use explanation::ExplanationDocument;
pub use known::KnownPosition;
pub use manifest::{
    Manifest, ManifestFilter, ManifestPly, ManifestedFile, SCHEMA, manifest_path, rules,
};
pub use rows::{ComparisonRow, IterationRow, RootMoveRow, ValueRow};
pub use scoring::{Scoring, ScoringScore};
pub(crate) use situation::{SituationDocument, StudyMoveRow};
pub use tables::{
    write_comparison, write_iterations, write_plies, write_root_moves, write_solution,
};
pub(crate) use tree::TreeDocument;
