//! The JSON document of a position, for all commands, the API, MCP and Python; `docs/json.md`
//! describes it.

use std::fmt;
use std::time::Duration;

use everyply_connect_four::solver::{Checkpoint, score_of};
use everyply_connect_four::strategy::PlanDocument;
use everyply_core::game::{MoveSet, MoveStyle, PartialValue, ValueBounds, ValueRow};
use everyply_core::games::line::{Rules, Size};
use everyply_core::search::EndScore;
use everyply_core::statistics::{PlyCounts, SearchCounters, ThreadWork};
use everyply_registry::registry::{Position, Reasons};
use schemars::JsonSchema;
use serde::Serialize;

use super::rows::IterationRow;
use super::{Scoring, ScoringScore};
use crate::oracle::SourcedValue;

/// A position with its results. Parts that were not requested are absent.
#[derive(Default, JsonSchema, Serialize)]
pub struct PositionDocument {
    #[serde(flatten)]
    pub game: Option<GameFields>,
    /// The key, if the position was given by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<u64>,
    /// The moves as they were given; `null` if the position was given otherwise.
    pub moves: Option<String>,
    /// The position, as the game writes it.
    pub position: String,
    /// The side to move, in games that name sides.
    pub to_move: Option<char>,
    /// The value for the side to move; `null` if it is not proved.
    pub value: Option<ValueRow>,
    /// The source of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
    /// The convention of the score, in games that have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub scoring: Option<Scoring>,
    /// Pons' score of the value, its score by the convention, or the evaluation of a search to a depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub score: Option<ScoringScore>,
    /// The final points if both sides play for points, in games that count them: negative if the
    /// other side gets more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// The bounds of a value that is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// True if the work ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<bool>,
    /// The moves that attain the points or, in games without points, the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Vec<MoveName>>,
    /// The moves that attain the value, in games that count points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soonest: Option<Vec<MoveName>>,
    /// Best play by both sides, as moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pv: Option<String>,
    /// True if `best` has all best moves; files may lack some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_complete: Option<bool>,
    /// True if best play reaches the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pv_complete: Option<bool>,
    /// The number of positions in the solution file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The positions of the solution file in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<&'static str>,
    /// The moves with their values, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<MoveDocument>>,
    #[serde(flatten)]
    pub tree: Option<TreeFields>,
    #[serde(flatten)]
    pub search: Option<SearchFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
    /// The iterations of a search to a depth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<IterationRow>,
    #[serde(flatten)]
    pub reasons: Option<Reasons>,
    /// The plans that prove the value; none if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plans: Option<Vec<PlanDocument>>,
    /// The value, or its reasons, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_s: Option<f64>,
    /// The reason why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The fields that name a game: `board` and `line` on boards of lines.
#[derive(JsonSchema, Serialize)]
pub struct GameFields {
    game: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u8>,
    title: String,
    parameters: [u8; 3],
}

impl GameFields {
    /// Returns the fields of the game of a position.
    pub fn of(position: &dyn Position) -> Self {
        let info = position.info();
        let size = Rules::of(info.name).map(|_| Size::of_parameters(info.parameters));
        Self {
            game: info.name,
            board: size.map(Size::board),
            line: size.map(|size| size.line),
            title: info.title.clone(),
            parameters: info.parameters,
        }
    }
}

/// A move in documents: a number if columns or cells have numbers, else a text.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum MoveName {
    Number(u32),
    Text(String),
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl MoveName {
    /// Returns the name of a move that the game writes as this text.
    pub fn new(position: &dyn Position, text: &str) -> Self {
        match text.parse() {
            Ok(number) if position.info().move_style != MoveStyle::Text => Self::Number(number),
            _ => Self::Text(text.to_owned()),
        }
    }
}

/// A move with its value, if known, for the side that makes it.
#[derive(JsonSchema, Serialize)]
pub struct MoveDocument {
    #[serde(rename = "move")]
    pub m: MoveName,
    pub outcome: Option<&'static str>,
    pub remoteness: Option<u8>,
    /// The score, in the convention of the position's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub score: Option<ScoringScore>,
    /// The final points that the move leads to, in games that count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// The nodes searched for the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
    /// The value or the bounds in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl MoveDocument {
    pub fn new(m: MoveName, value: Option<PartialValue>) -> Self {
        Self {
            m,
            outcome: value.map(|value| value.outcome.word()),
            remoteness: value.and_then(|value| value.remoteness).map(|r| r.0),
            score: None,
            points: None,
            bounds: None,
            nodes: None,
            source: None,
            text: None,
        }
    }

    /// Creates a move of a position, with its value and the source, if known.
    pub fn known(position: &dyn Position, text: &str, known: Option<SourcedValue>) -> Self {
        Self {
            score: known.and_then(|known| pons_score(position, known.value)),
            points: known.and_then(|known| known.points),
            source: known.map(|known| known.origin.word()),
            ..Self::new(MoveName::new(position, text), known.map(|known| known.value))
        }
    }
}

/// Proved bounds of a value, for the side to move; `null` is no bound.
#[derive(Clone, Copy, JsonSchema, Serialize)]
pub struct Bounds {
    pub worst: Option<ValueRow>,
    pub best: Option<ValueRow>,
}

impl From<ValueBounds> for Bounds {
    fn from(bounds: ValueBounds) -> Self {
        Self { worst: Some(bounds.worst.into()), best: Some(bounds.best.into()) }
    }
}

pub(super) fn value_of_score(score: EndScore) -> ValueRow {
    let EndScore { outcome, plies, points } = score;
    ValueRow { outcome: outcome.word(), remoteness: plies, points, endless: false }
}

/// The counts of a whole tree.
#[derive(JsonSchema, Serialize)]
pub struct TreeFields {
    pub counts: Counts,
    /// The counts of each ply, from the root on.
    pub plies: Vec<PlyCounts>,
}

/// Counts of a tree; `null` is a count that was not made.
#[derive(JsonSchema, Serialize)]
pub struct Counts {
    pub nodes: Option<u64>,
    pub games: Option<u64>,
    pub first_player_wins: Option<u64>,
    pub second_player_wins: Option<u64>,
    pub draws: Option<u64>,
    #[serde(flatten)]
    pub full_board: Option<FullBoardCounts>,
    pub positions: u64,
    pub canonical_positions: u64,
    pub terminal_positions: u64,
    pub won_positions: u64,
    pub drawn_positions: u64,
    pub endless_positions: u64,
    pub lost_positions: u64,
}

/// Counts of the orderings that fill the board.
#[derive(JsonSchema, Serialize)]
pub struct FullBoardCounts {
    pub full_board_leaves: Option<u64>,
    pub full_board_nodes: Option<u64>,
}

/// The means of a search, and its result.
#[derive(JsonSchema, Serialize)]
pub struct SearchFields {
    /// The plies of the last iteration, or those left to the end of the longest game.
    pub depth: Option<u32>,
    /// True if the value is proved.
    pub exact: bool,
    pub table_mib: f64,
    pub nodes_per_s: f64,
    /// The time until the value was known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_elapsed_s: Option<f64>,
    /// The work of earlier runs that this one continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<EarlierWork>,
}

#[derive(JsonSchema, Serialize)]
pub struct EarlierWork {
    pub nodes: u64,
    pub elapsed_s: f64,
}

impl From<Checkpoint> for EarlierWork {
    fn from(earlier: Checkpoint) -> Self {
        Self { nodes: earlier.nodes, elapsed_s: earlier.elapsed.as_secs_f64() }
    }
}

/// The work of a search; `null` is a counter that it does not keep.
#[derive(Default, JsonSchema, Serialize)]
pub struct Stats {
    pub nodes: u64,
    /// Nodes searched until the value was known; the others are for moves and best play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_of_value: Option<u64>,
    /// Nodes spent on proving the principal variation, beside the iterations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pv_nodes: Option<u64>,
    pub leaf_evaluations: Option<u64>,
    pub table_probes: Option<u64>,
    pub table_hits: Option<u64>,
    pub table_stores: Option<u64>,
    pub table_replacements: Option<u64>,
    /// The share of the table in use, from 0 to 1.
    pub table_fill: Option<f64>,
    pub cutoffs: Option<u64>,
    pub first_move_cutoffs: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_thread: Vec<ThreadRow>,
}

/// The work of one thread.
#[derive(JsonSchema, Serialize)]
pub struct ThreadRow {
    pub nodes: u64,
    /// Moves put off because another thread was searching them.
    pub deferrals: u64,
    pub busy_s: f64,
}

impl Stats {
    pub fn of(counters: &SearchCounters, table_fill: f64, threads: &[ThreadWork]) -> Self {
        let thread = |work: &ThreadWork| ThreadRow {
            nodes: work.nodes,
            deferrals: work.deferrals,
            busy_s: work.busy.as_secs_f64(),
        };
        Self {
            nodes: counters.nodes,
            leaf_evaluations: Some(counters.leaf_evaluations),
            table_probes: Some(counters.table_probes),
            table_hits: Some(counters.table_hits),
            table_stores: Some(counters.table_stores),
            table_replacements: Some(counters.table_replacements),
            table_fill: Some(table_fill),
            cutoffs: Some(counters.cutoffs),
            first_move_cutoffs: Some(counters.first_move_cutoffs),
            per_thread: threads.iter().map(thread).collect(),
            ..Self::default()
        }
    }
}

/// Returns the value of a position as documents have it.
pub fn value_row(position: &dyn Position, value: PartialValue) -> ValueRow {
    let endless = value == PartialValue::ENDLESS && position.has_endless_draws();
    ValueRow { endless, ..value.into() }
}

/// Returns Pons' score of the value of a position where stones fall, or of a move there.
pub(super) fn pons_score(position: &dyn Position, value: PartialValue) -> Option<ScoringScore> {
    let is_scored = Rules::of(position.info().name).is_some_and(Rules::stones_fall);
    let value = value.exact().filter(|_| is_scored)?;
    Some(ScoringScore::Whole(score_of(value, position.plies_left()? as i32)))
}

impl PositionDocument {
    /// Creates the document of a position without results. `moves` is the text of the position.
    pub fn new(position: &dyn Position, moves: Option<String>) -> Self {
        Self {
            game: Some(GameFields::of(position)),
            moves,
            position: position.picture(),
            to_move: position.to_move(),
            ..Self::default()
        }
    }

    pub fn set_known(&mut self, position: &dyn Position, known: SourcedValue) {
        self.value = Some(value_row(position, known.value));
        self.score = pons_score(position, known.value);
        self.points = known.points;
        self.source = Some(known.origin.word());
    }

    /// Adds the best moves.
    pub fn set_best(&mut self, position: &dyn Position, best: MoveSet) {
        self.best = Some(names(position, &position.texts(best)));
    }

    /// Adds the number of positions searched.
    pub fn set_nodes(&mut self, nodes: u64) {
        self.stats = Some(Stats { nodes, ..Stats::default() });
    }

    /// Adds the figures of a run.
    #[must_use]
    pub fn of_run(self, interrupted: bool, threads: usize, elapsed: Duration) -> Self {
        Self {
            interrupted: Some(interrupted),
            threads: Some(threads),
            elapsed_s: Some(elapsed.as_secs_f64()),
            ..self
        }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a document of numbers and texts")
    }
}

/// Returns the names of moves that the game writes as these texts.
pub(super) fn names(position: &dyn Position, texts: &[String]) -> Vec<MoveName> {
    texts.iter().map(|text| MoveName::new(position, text)).collect()
}
