//! The rows of CSV files and of the tables in JSON: every name once.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use everyply_core::statistics::{Iteration, Score, SearchCounters};
use everyply_registry::registry::Position;

#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct IterationRow {
    pub depth: u32,
    /// The evaluation, for the side to move; none for a proven win or loss.
    #[schemars(with = "Option<f64>")]
    pub score: Score,
    /// The proven win or loss of the side to move.
    pub outcome: Option<&'static str>,
    pub remoteness: Option<u8>,
    #[serde(flatten)]
    pub counters: SearchCounters,
    pub elapsed_s: f64,
    /// The threads that searched it.
    pub threads: usize,
    /// Best play, up to the first position that the transposition table lacks.
    pub pv: String,
}

impl IterationRow {
    /// Creates the row of an iteration of a search from a position.
    pub fn of(root: &dyn Position, i: &Iteration) -> Self {
        let proven = i.score.value();
        Self {
            depth: i.depth,
            score: i.score,
            outcome: proven.map(|value| value.outcome.word()),
            remoteness: proven.map(|value| value.remoteness.0),
            counters: i.counters,
            elapsed_s: i.elapsed.as_secs_f64(),
            threads: i.threads,
            pv: root.line_text(&i.line),
        }
    }
}

/// A search of `compare.csv`: one algorithm at one depth. A skipped one has no results.
#[derive(Clone, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ComparisonRow {
    pub algorithm: Cow<'static, str>,
    pub depth: u32,
    pub threads: usize,
    /// The evaluation, for the side to move; none for a proven win or loss.
    #[schemars(with = "Option<f64>")]
    pub score: Option<Score>,
    /// The proven win or loss of the side to move.
    pub outcome: Option<Cow<'static, str>>,
    pub remoteness: Option<u8>,
    pub nodes: Option<u64>,
    /// Positions evaluated at the horizon.
    pub leaf_evaluations: Option<u64>,
    /// The b with nodes = 1 + b + b^2 + ... + b^depth.
    pub effective_branching_factor: Option<f64>,
    /// Nodes of plain minimax at this depth over nodes of this row.
    pub saved_factor: Option<f64>,
    pub elapsed_s: Option<f64>,
    pub skipped: Option<String>,
    /// Time of one thread over time of this row, for several threads.
    #[serde(default)]
    pub speed_up: Option<f64>,
    /// Nodes of this row over nodes of one thread.
    #[serde(default)]
    pub node_overhead: Option<f64>,
    /// The largest share of the nodes that one thread visited.
    #[serde(default)]
    pub largest_share: Option<f64>,
    /// The score for the first player; for the side to move if positions do not say whose turn it
    /// is.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub first_player_score: Option<Score>,
    /// The game, in a file of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The position searched, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

impl ComparisonRow {
    /// Creates a row without results.
    pub(super) fn of(algorithm: &'static str, depth: u32) -> Self {
        Self { algorithm: algorithm.into(), depth, threads: 1, ..Self::default() }
    }
}
