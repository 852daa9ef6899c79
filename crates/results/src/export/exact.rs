//! The document of a position that the exact solver analyzed.

use std::time::Duration;

use super::position::{SearchFields, Stats};
use super::{MoveDocument, MoveName, PositionDocument, ScoringScore};
use everyply_connect_four::solver::{Analysis, Checkpoint, Solver, SolverWord, score_of};
use everyply_core::game::{Move, Value, ValueRow};
use everyply_core::games::line::notation::write_moves;
use everyply_registry::registry::Position;

#[derive(Clone, Copy, Debug)]
pub struct ExactRun {
    /// True if it ended early.
    pub stopped: bool,
    pub threads: usize,
    pub elapsed: Duration,
    /// The checkpoint of earlier runs that this one continues.
    pub earlier: Option<Checkpoint>,
}

impl PositionDocument {
    /// Creates the document of an analysis of a position.
    pub fn of_analysis<W: SolverWord>(
        position: &dyn Position,
        solver: &Solver<W>,
        moves: Option<String>,
        found: &Analysis,
        run: &ExactRun,
    ) -> Self {
        let left = position.plies_left().unwrap_or_default();
        let score = |value: Value| ScoringScore::Whole(score_of(value, left as i32));
        let values = position.moves().into_iter().map(|possible| {
            let m = Move(possible.bit as u8);
            let exact = found.moves.iter().find(|(other, _)| *other == m);
            let value = exact.map(|(_, solved)| solved.value);
            let value = value.or(found.exact().filter(|_| found.best.contains(m)));
            MoveDocument {
                score: value.map(score),
                nodes: exact.map(|(_, solved)| solved.nodes),
                ..MoveDocument::new(MoveName::Number(m.number()), value.map(Into::into))
            }
        });
        let (nodes, work) = (found.all_nodes(), solver.work());
        let is_known = found.value.is_some();
        let document = Self {
            value: found.value.map(ValueRow::from),
            bounds: found.bounds.filter(|_| !is_known).map(Into::into),
            score: found.exact().map(score),
            best: Some(found.best.into_iter().map(|m| MoveName::Number(m.number())).collect()),
            pv: Some(write_moves(solver.game(), &found.variation)),
            values: Some(values.collect()),
            search: Some(SearchFields {
                depth: Some(left),
                exact: is_known,
                table_mib: solver.table_bytes() as f64 / f64::from(1 << 20),
                nodes_per_s: nodes as f64 / run.elapsed.as_secs_f64().max(1e-9),
                value_elapsed_s: is_known.then_some(found.elapsed.as_secs_f64()),
                earlier: run.earlier.map(Into::into),
            }),
            stats: Some(Stats {
                nodes,
                nodes_of_value: is_known.then_some(found.nodes),
                table_probes: Some(work.table_probes),
                table_hits: Some(work.table_hits),
                table_stores: Some(work.table_stores),
                table_fill: Some(solver.table_fill()),
                ..Stats::default()
            }),
            ..Self::new(position, moves)
        };
        document.of_run(run.stopped, run.threads, run.elapsed)
    }
}
