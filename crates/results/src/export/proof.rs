//! The JSON document of a position whose value is proved by search, without its tree.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::tree::{GameFields, MoveName};
use everyply_core::game::{PartialValue, ValueRow};
use everyply_core::search::{Aim, EndScore, Proof};
use everyply_registry::registry::Position;

/// The value of a position as far as a search to the end of the game has proved it.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "ProvedPosition")]
pub struct ProofDocument {
    #[serde(flatten)]
    game: GameFields,
    /// A picture, rows separated by slashes.
    position: String,
    to_move: Option<char>,
    /// The value for the side to move, once it is proved; in games that count points without a distance.
    pub value: Option<ValueRow>,
    /// The final points if both sides play for them, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// The bounds of a value that is not proved, for the side to move.
    pub bounds: Option<Bounds>,
    /// The best moves; none before the value is proved.
    pub best: Vec<MoveName>,
    /// Best play by both sides, as far as it was followed.
    pub pv: String,
    /// True if the run ended before the value was proved.
    pub interrupted: bool,
    pub nodes: u64,
    pub table_mib: f64,
    pub threads: usize,
    pub elapsed_s: f64,
}

#[derive(JsonSchema, Serialize)]
pub struct Bounds {
    worst: Option<Bound>,
    best: Option<Bound>,
}

#[derive(JsonSchema, Serialize)]
pub struct Bound {
    outcome: &'static str,
    /// The plies to a win or a loss.
    remoteness: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<i32>,
}

impl From<EndScore> for Bound {
    fn from(score: EndScore) -> Self {
        let EndScore { outcome, plies, points } = score;
        Self { outcome: outcome.word(), remoteness: plies, points }
    }
}

impl ProofDocument {
    /// The document of a proof with a table of so many bytes; `line` are the moves of best play.
    pub fn new(
        study: &dyn Position,
        proof: &Proof,
        line: &[String],
        (table, threads, elapsed): (usize, usize, Duration),
    ) -> Self {
        let proved = proof.bounds.proved();
        let bounds = match proved {
            Some(_) => None,
            None => Some(Bounds {
                worst: proof.bounds.worst().map(Bound::from),
                best: proof.bounds.best().map(Bound::from),
            }),
        };
        Self {
            game: GameFields::of(study),
            position: study.picture(),
            to_move: study.to_move(),
            value: Self::value_of(study, proof).map(ValueRow::from),
            points: proved.and_then(|score| score.points),
            bounds,
            best: study.texts(proof.best).iter().map(|text| MoveName::new(study, text)).collect(),
            pv: line.join(study.info().separator),
            interrupted: proof.stopped,
            nodes: proof.counters.nodes,
            table_mib: table as f64 / f64::from(1 << 20),
            threads,
            elapsed_s: elapsed.as_secs_f64(),
        }
    }

    /// The proved value; without a distance where points were the aim.
    pub fn value_of(study: &dyn Position, proof: &Proof) -> Option<PartialValue> {
        let score = proof.bounds.proved()?;
        Some(match proof.bounds.aim {
            Aim::Value => study.whole(score.value()),
            Aim::Outcome | Aim::Points => PartialValue::of_outcome(score.outcome),
        })
    }
}
