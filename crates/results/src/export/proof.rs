//! The document of a position whose value is proved by search, without its tree.

use std::time::Duration;

use everyply_core::game::{MoveSet, PartialValue};
use everyply_core::search::{Aim, EndBounds, EndScore, Proof};
use everyply_registry::registry::Position;

use super::position::{Bounds, SearchFields, Stats, value_of_score, value_row};
use super::{MoveDocument, MoveName, PositionDocument};

impl PositionDocument {
    /// Creates the document of a proof; `line` is best play.
    pub fn of_proof(
        position: &dyn Position,
        moves: Option<String>,
        proof: &Proof,
        line: &[String],
        (table_bytes, table_fill): (usize, f64),
        (threads, elapsed): (usize, Duration),
    ) -> Self {
        let proved = proof.bounds.proved();
        let of_move = |(bit, bounds): &(u32, EndBounds)| {
            let proved = bounds.proved();
            let value = proved.map(|score| proved_score(position, bounds.aim, score));
            let name = MoveName::new(position, &position.texts(MoveSet(1 << bit)).concat());
            MoveDocument {
                points: proved.and_then(|score| score.points),
                ..MoveDocument::new(name, value)
            }
        };
        let mut document = Self {
            values: (!proof.moves.is_empty()).then(|| proof.moves.iter().map(of_move).collect()),
            value: proved_value(position, proof).map(|value| value_row(position, value)),
            points: proved.and_then(|score| score.points),
            bounds: proved.is_none().then(|| Bounds {
                worst: proof.bounds.worst().map(value_of_score),
                best: proof.bounds.best().map(value_of_score),
            }),
            pv: Some(line.join(position.info().separator)),
            search: Some(SearchFields {
                depth: position.plies_left(),
                exact: proved.is_some(),
                table_mib: table_bytes as f64 / f64::from(1 << 20),
                nodes_per_s: proof.counters.nodes as f64 / elapsed.as_secs_f64().max(1e-9),
                value_elapsed_s: None,
                earlier: None,
            }),
            stats: Some(Stats::of(&proof.counters, table_fill, &proof.threads)),
            ..Self::new(position, moves)
        };
        document.set_best(position, proof.best);
        document.of_run(proof.stopped, threads, elapsed)
    }
}

/// Returns the proved value; with a distance only if the aim was the value.
pub fn proved_value(position: &dyn Position, proof: &Proof) -> Option<PartialValue> {
    Some(proved_score(position, proof.bounds.aim, proof.bounds.proved()?))
}

fn proved_score(position: &dyn Position, aim: Aim, score: EndScore) -> PartialValue {
    match aim {
        Aim::Value => position.whole(score.value()),
        Aim::Outcome | Aim::Points => PartialValue::of_outcome(score.outcome),
    }
}
