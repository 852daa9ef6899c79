//! The document of a search to a depth.

use std::time::Duration;

use everyply_connect_four::solver::score_of;
use everyply_core::game::ValueRow;
use everyply_core::search::{Report, SharedTable};
use everyply_core::statistics::RootMove;
use everyply_registry::registry::Position;

use super::position::{MoveDocument, SearchFields, Stats};
use super::rows::IterationRow;
use super::{MoveName, PositionDocument, ScoringScore};

impl PositionDocument {
    /// The document of a search to a depth, or to the end of the game.
    pub fn of_search(
        study: &dyn Position,
        moves: Option<String>,
        report: &Report,
        is_to_the_end: bool,
        table: &SharedTable,
        (threads, elapsed): (usize, Duration),
    ) -> Self {
        let counters = report.counters();
        let pv_nodes = report.variation_counters.nodes;
        let of_move = |m: &RootMove| MoveDocument {
            score: m.score.and_then(|score| score.points()).map(ScoringScore::Fraction),
            nodes: Some(m.nodes),
            ..MoveDocument::new(MoveName::Number(m.m.number()), m.value)
        };
        let left = study.plies_left().unwrap_or_default() as i32;
        let value = report.value.filter(|_| is_to_the_end);
        let pons = value.map(|value| ScoringScore::Whole(score_of(value, left)));
        let separator = study.info().separator;
        let row = |iteration| IterationRow::of(iteration, separator);
        let document = Self {
            value: report.value.map(ValueRow::from),
            score: pons.or_else(|| report.score.points().map(ScoringScore::Fraction)),
            best: Some(report.best.into_iter().map(|m| MoveName::Number(m.number())).collect()),
            pv: Some(report.iterations.last().map_or_else(String::new, |last| last.pv(separator))),
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
            ..Self::new(study, moves)
        };
        document.of_run(report.stopped, threads, elapsed)
    }
}
