//! The document of a search to a depth.

use std::time::Duration;

use everyply_core::game::ValueRow;
use everyply_core::search::{Report, SharedTable};
use everyply_core::statistics::{RootMove, Score};
use everyply_registry::registry::Position;

use super::position::{MoveDocument, SearchFields, Stats};
use super::rows::IterationRow;
use super::{MoveName, PositionDocument, ScoringScore};

impl PositionDocument {
    /// Creates the document of a search to a depth.
    pub fn of_search(
        position: &dyn Position,
        moves: Option<String>,
        report: &Report,
        table: &SharedTable,
        (threads, elapsed): (usize, Duration),
    ) -> Self {
        let counters = report.counters();
        let pv_nodes = report.variation_counters.nodes;
        let of_move = |m: &RootMove| MoveDocument {
            score: m.score.and_then(Score::points).map(ScoringScore::Fraction),
            nodes: Some(m.nodes),
            ..MoveDocument::new(MoveName::new(position, &position.line_text(&[m.m])), m.value)
        };
        let name = |text: &String| MoveName::new(position, text);
        let row = |iteration| IterationRow::of(position, iteration);
        let document = Self {
            value: report.value.map(ValueRow::from),
            score: report.score.points().map(ScoringScore::Fraction),
            best: Some(position.texts(report.best).iter().map(name).collect()),
            pv: Some(position.line_text(report.principal_variation())),
            values: Some(report.root_moves.iter().map(of_move).collect()),
            search: Some(SearchFields {
                depth: Some(report.depth),
                exact: report.value.is_some(),
                table_mib: table.bytes() as f64 / f64::from(1 << 20),
                nodes_per_s: (counters.nodes + pv_nodes) as f64 / elapsed.as_secs_f64().max(1e-9),
                value_elapsed_s: None,
                earlier: None,
            }),
            stats: Some(Stats {
                pv_nodes: Some(pv_nodes),
                ..Stats::of(&counters, table.fill(), &report.threads)
            }),
            iterations: report.iterations.iter().map(row).collect(),
            ..Self::new(position, moves)
        };
        document.of_run(report.stopped, threads, elapsed)
    }
}
