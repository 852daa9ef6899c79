//! The JSON document of an exact Connect Four position, on the command line and over HTTP.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use everyply_connect_four::solver::{Analysis, Checkpoint, Solver, SolverWord, score_of};
use everyply_core::game::{Game, Move, Tiered, ValueRow};
use everyply_core::games::line::notation::{picture, side_to_move, write_moves};
use everyply_core::games::line::{LineGame, Stones};

#[derive(Clone, Copy, Debug)]
pub struct ExactRun {
    /// True if it ended before all was found.
    pub stopped: bool,
    pub threads: usize,
    pub elapsed: Duration,
    /// The checkpoint of earlier runs that this one continues.
    pub earlier: Option<Checkpoint>,
}

/// The work of earlier runs that a run continues.
#[derive(JsonSchema, Serialize)]
pub struct Earlier {
    pub nodes: u64,
    pub elapsed_s: f64,
}

#[derive(JsonSchema, Serialize)]
pub struct ExactDocument {
    pub game: &'static str,
    pub board: String,
    /// The stones of a line that wins.
    pub line: u8,
    /// The moves as they were given; absent for a picture.
    pub moves: Option<String>,
    /// A picture, rows separated by slashes, the top row first.
    pub position: String,
    pub to_move: char,
    /// Plies left to the end of the longest game: the solver proves all of them.
    pub depth: u32,
    /// True if the value is exact, and no bound.
    pub exact: bool,
    /// True if the run ended before all was found.
    pub interrupted: bool,
    pub threads: usize,
    pub table_mib: f64,
    pub elapsed_s: f64,
    /// Absent if it did not continue earlier runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Earlier>,
    /// The time until the value was known.
    pub value_elapsed_s: Option<f64>,
    pub nodes_per_s: f64,
    /// The value for the side to move, if it is proved.
    pub value: Option<ValueRow>,
    /// The bounds that are proved, if the run was stopped.
    pub bounds: Option<Bounds>,
    /// The value on Pons' scale, if it is proved: the winner's stones that are left when the line is
    /// complete, plus one; negative for a loss.
    pub score: Option<i32>,
    /// The columns that attain the value, from 1.
    pub best: Vec<u32>,
    /// Best play by both sides, as moves.
    pub pv: String,
    pub values: Vec<MoveRow>,
    pub stats: Stats,
}

#[derive(JsonSchema, Serialize)]
pub struct Bounds {
    pub worst: ValueRow,
    pub best: ValueRow,
}

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SearchedMove")]
pub struct MoveRow {
    #[serde(rename = "move")]
    pub m: u32,
    pub outcome: Option<&'static str>,
    pub remoteness: Option<u8>,
    pub score: Option<i32>,
    pub nodes: Option<u64>,
}

/// The counters of a search; those that the solver does not keep are absent.
#[derive(JsonSchema, Serialize)]
pub struct Stats {
    pub nodes: u64,
    /// Nodes searched until the value was known; the others are for moves and best play.
    pub nodes_of_value: Option<u64>,
    pub leaf_evaluations: Option<u64>,
    pub table_probes: Option<u64>,
    pub table_hits: Option<u64>,
    pub table_stores: Option<u64>,
    /// The share of the table that holds something, from 0 to 1.
    pub table_fill: f64,
    pub cutoffs: Option<u64>,
    pub first_move_cutoffs: Option<u64>,
}

impl ExactDocument {
    /// The document of an analysis. `moves` is the move string that was given; `None` if a picture
    /// was.
    pub fn new<W: SolverWord>(
        solver: &Solver<W>,
        root: Stones<W>,
        moves: Option<String>,
        found: &Analysis,
        run: &ExactRun,
    ) -> Self {
        let game = solver.game();
        let size = game.size();
        let empties = game.plies_left(root) as i32;
        let playable = game.moves(root).into_iter().filter(|_| game.result(root).is_none());
        let values = playable.map(|m| {
            let exact = found.moves.iter().find(|(other, _)| *other == m);
            let value = exact.map(|(_, solved)| solved.value);
            let value = value.or(found.exact().filter(|_| found.best.contains(m)));
            MoveRow {
                m: m.number(),
                outcome: value.map(|v| v.outcome.word()),
                remoteness: value.map(|v| v.remoteness.0),
                score: value.map(|v| score_of(v, empties)),
                nodes: exact.map(|(_, solved)| solved.nodes),
            }
        });
        let nodes = found.all_nodes();
        let is_known = found.value.is_some();
        let work = solver.work();
        Self {
            game: game.name(),
            board: size.board(),
            line: size.line,
            moves,
            position: picture(game, root),
            to_move: side_to_move(root),
            depth: game.plies_left(root),
            exact: is_known,
            interrupted: run.stopped,
            threads: run.threads,
            table_mib: solver.table_bytes() as f64 / f64::from(1 << 20),
            elapsed_s: run.elapsed.as_secs_f64(),
            earlier: run.earlier.map(|Checkpoint { nodes, elapsed, .. }| Earlier {
                nodes,
                elapsed_s: elapsed.as_secs_f64(),
            }),
            value_elapsed_s: is_known.then_some(found.elapsed.as_secs_f64()),
            nodes_per_s: nodes as f64 / run.elapsed.as_secs_f64().max(1e-9),
            value: found.value.map(ValueRow::from),
            bounds: found
                .bounds
                .filter(|_| found.value.is_none())
                .map(|bounds| Bounds { worst: bounds.worst.into(), best: bounds.best.into() }),
            score: found.exact().map(|value| score_of(value, empties)),
            best: found.best.into_iter().map(Move::number).collect(),
            pv: write_moves(game, &found.variation),
            values: values.collect(),
            stats: Stats {
                nodes,
                nodes_of_value: is_known.then_some(found.nodes),
                leaf_evaluations: None,
                table_probes: work.map(|work| work.probes),
                table_hits: work.map(|work| work.hits),
                table_stores: work.map(|work| work.stores),
                table_fill: solver.table_fill(),
                cutoffs: None,
                first_move_cutoffs: None,
            },
        }
    }
}
