//! Files made from results: one schema per table, in one place; whole files or none. Writers fail
//! if their file cannot be written.

mod answers;
mod comparison;
mod dataset;
mod exact;
mod games;
mod known;
mod manifest;
mod positions;
mod reasons;
mod rows;
mod sample;
mod scoring;
mod search_tree;
mod tables;
mod tree;

pub use answers::write_answers;
pub use comparison::{Comparison, ComparisonError};
pub use dataset::{ColumnData, DataColumn};
pub(crate) use exact::{ExactDocument, ExactRun};
pub(crate) use games::GamesDocument;
pub use manifest::{
    Manifest, ManifestFilter, ManifestPly, ManifestSample, ManifestedFile, SCHEMA, manifest_path,
};
pub use positions::{
    ExportError, Exported, Misfit, PositionFormat, PositionSource, Ranges, Selection, holds,
    write_positions,
};
pub use reasons::reasons_in_words;
pub(crate) use reasons::{ReasonsDocument, StudyMoveRow, Words};
pub(crate) use rows::Object;
pub use rows::{ComparisonRow, IterationRow, RootMoveRow};
pub use sample::{Draw, DrawFrom, Sample, SampleFile, card};
pub use scoring::{Scoring, ScoringScore};
pub use search_tree::{Knowledge, SearchTree, SearchTreeError, TreeNode, TreeScore, TreeSettings};
pub use tables::{
    write_comparison, write_iterations, write_plies, write_root_moves, write_solution,
};
pub(crate) use tree::{GameFields, MoveName, SolvedTree, TreeDocument, TreeError};
