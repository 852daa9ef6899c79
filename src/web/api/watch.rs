//! `GET /api/v1/watch`: the values of all moves, each sent when it is found.

use std::sync::Arc;

use axum::extract::RawQuery;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;

use super::lines::{Lines, stream};
use super::{ApiError, KnownRow, MoveValues, read_record, timeout};
use crate::control::Control;
use crate::export::MoveName;
use crate::game::ValueRow;
use crate::oracle::{Finding, OracleError};
use crate::web::Shared;
use crate::web::record::{GameRecord, GameRequest};
use crate::web::request::Query;
use crate::web::text::{self, NO_TIME, THINKING};

/// A line of the answer, a JSON document.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Message {
    Move {
        #[serde(rename = "move")]
        m: MoveName,
        #[serde(flatten)]
        value: KnownRow,
        /// The value in words.
        words: String,
    },
    Bounds {
        #[serde(rename = "move")]
        m: MoveName,
        worst: ValueRow,
        best: ValueRow,
    },
    Depth {
        depth: u32,
    },
    End {
        done: bool,
        /// Time was up before every move was proved.
        partial: bool,
        value: Option<KnownRow>,
        best: Vec<MoveName>,
        /// The side to move, the value and the best moves in words.
        words: String,
    },
}

/// The values of all moves of a position, one JSON document a line.
pub async fn watch(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let mut query = Query::new(query.as_deref())?;
    let request = GameRequest::read(&explorer.registry, &mut query)?;
    let limit = timeout(&mut query)?;
    query.done()?;
    let record = read_record(&explorer, request).await?;
    let searching = explorer.clone();
    // Bounded by the moves of a board and the windows of a search.
    Ok(stream(&explorer, limit, move |control, lines| {
        report(&searching, &record, control, lines);
    })
    .await)
}

fn report(explorer: &Shared, record: &Arc<GameRecord>, control: &Control, lines: &Lines) {
    let (study, at) = (record.course.study(), record.length());
    let branches = study.branches();
    let side = record.side_names()[record.side_at(at) as usize];
    let name = |bit: u32| {
        let branch = branches.iter().find(|branch| branch.bit == bit);
        MoveName::new(record.course.study(), branch.map_or("", |branch| &branch.text))
    };
    let mut found = MoveValues::default();
    let proved = explorer.oracle.prove_moves(study, control, &mut |finding| {
        let message = match finding {
            Finding::Move(bit, known) => {
                found.values.push((bit, known));
                let words = text::value(known.value, side, record.has_endless_draws());
                Message::Move { m: name(bit), value: known.into(), words }
            }
            Finding::Bounds(bit, bounds) => Message::Bounds {
                m: name(bit),
                worst: bounds.worst.into(),
                best: bounds.best.into(),
            },
            Finding::Depth(depth) => Message::Depth { depth },
        };
        lines.send(&message);
    });
    let partial = match proved {
        Ok(_) => false,
        Err(OracleError::Stopped(_)) => true,
        Err(error) => return lines.fail(&error.into()),
    };
    let (value, best) = found.best().filter(|_| !partial).unzip();
    let best = best.unwrap_or_default();
    let reason = if partial { NO_TIME } else { THINKING };
    let known = value.map(|known| (known.value, best)).ok_or(reason);
    lines.send(&Message::End {
        done: true,
        partial,
        value: value.map(KnownRow::from),
        best: best.into_iter().map(|m| name(m.0.into())).collect(),
        words: text::situation(record, at, &branches, known),
    });
}
