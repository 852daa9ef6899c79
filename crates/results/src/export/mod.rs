//! Files made from results: one schema per table, in one place; whole files or none. Writers fail
//! if their file cannot be written.

#[cfg(feature = "database")]
mod answers;
mod comparison;
#[cfg(feature = "database")]
mod dataset;
mod exact;
#[cfg(feature = "database")]
mod format;
mod found;
mod games;
#[cfg(feature = "database")]
mod known;
#[cfg(feature = "database")]
mod manifest;
mod position;
#[cfg(feature = "database")]
mod positions;
mod proof;
mod reasons;
mod rows;
#[cfg(feature = "database")]
mod sample;
mod scoring;
#[cfg(feature = "database")]
mod search_tree;
mod searched;
mod stored;
#[cfg(feature = "database")]
mod tables;
mod tree;

#[cfg(feature = "database")]
pub use answers::write_answers;
pub use comparison::{Comparison, ComparisonError};
#[cfg(feature = "database")]
pub use dataset::{ColumnData, DataColumn};
pub use exact::ExactRun;
#[cfg(feature = "database")]
pub use format::PositionFormat;
pub use games::GamesDocument;
#[cfg(feature = "database")]
pub use manifest::{
    Manifest, ManifestFilter, ManifestPly, ManifestSample, ManifestedFile, SCHEMA, manifest_path,
};
pub use position::{GameFields, MoveDocument, MoveName, PositionDocument, TreeFields, value_row};
#[cfg(feature = "database")]
pub use positions::{
    ExportError, Exported, Misfit, PositionSource, Ranges, Selection, write_positions,
};
pub use proof::proved_value;
pub use reasons::ReasonsInWords;
pub use rows::ComparisonRow;
#[cfg(feature = "database")]
pub use sample::{Draw, Sample, SampleFile};
pub use scoring::{Scoring, ScoringScore};
#[cfg(feature = "database")]
pub use search_tree::{Knowledge, SearchTree, SearchTreeError, TreeNode, TreeScore, TreeSettings};
#[cfg(feature = "database")]
pub use tables::{
    OfRun, write_comparison, write_exact, write_iterations, write_plies, write_root_moves,
    write_value_counts, write_won_plies,
};
pub use tree::{SolvedMove, SolvedTree};
