//! `POST /api/v1/positions`: the values of many positions, a line each.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::MoveRow;
use super::lines::stream;
use super::{ApiError, KnownRow, error_document, timeout};
use crate::web::Shared;
use crate::web::record::{GameRecord, GameRequest};
use crate::web::request::{BadRequest, Query};
use everyply_connect_four::solver::MIN_POSITIONS_PER_THREAD;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Key, MoveSet};
use everyply_core::parallel::in_order::each_in_order;
use everyply_registry::registry::{Branch, Position};
use everyply_results::export::MoveName;
use everyply_results::oracle::{Finding, Oracle, OracleError, SourcedValue};

pub const MOST_POSITIONS: usize = 10_000;

pub const MOST_BYTES: usize = 1 << 20;

/// The positions of a request.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Positions {
    /// Moves from the start of the game.
    Moves(Vec<String>),
    /// Keys, as databases and data sets have them.
    Keys(Vec<u64>),
}

/// A position of a request, as it was given.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Given {
    Moves(String),
    Key(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Value,
    BestMoves,
    AllMoves,
}

/// The answer for a position.
#[derive(JsonSchema, Serialize)]
pub struct PositionLine {
    /// The value and the best moves, if both were found.
    #[serde(skip)]
    pub known: Option<(SourcedValue, MoveSet)>,
    #[serde(flatten)]
    given: Given,
    /// `null` if it was not found in time.
    value: Option<KnownRow>,
    /// The moves that attain the value, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Vec<MoveName>>,
    /// The moves with their values, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<MoveRow>>,
    /// The reason why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

pub async fn positions(
    explorer: Shared,
    RawQuery(query): RawQuery,
    body: Body,
) -> Result<Response, ApiError> {
    let mut query = Query::new(query.as_deref())?;
    let request = GameRequest::read(&explorer.registry, &mut query)?;
    let limit = timeout(&mut query)?;
    let detail = match (query.flag("all-moves")?, query.flag("best")?) {
        (true, _) => Detail::AllMoves,
        (false, true) => Detail::BestMoves,
        (false, false) => Detail::Value,
    };
    query.done()?;
    let record = request.without_moves()?;
    let Ok(body) = to_bytes(body, MOST_BYTES).await else {
        let error = format!("the body is longer than {MOST_BYTES} bytes: send several requests");
        return Ok((StatusCode::PAYLOAD_TOO_LARGE, error_document(error)).into_response());
    };
    let positions = Positions::read(&body)?;
    let searching = explorer.clone();
    Ok(stream(&explorer, limit, move |control, lines| {
        let batch = Batch { oracle: &searching.oracle, record: &record, positions, detail };
        batch.answer(control, |line| lines.send(&line));
    })
    .await)
}

impl Positions {
    pub fn read(body: &[u8]) -> Result<Self, BadRequest> {
        let positions: Self = serde_json::from_slice(body).map_err(|error| {
            BadRequest(format!(
                "the body is not a list of positions ({error}): \
                 {{\"moves\": [\"4453\", ...]}} or {{\"keys\": [...]}}"
            ))
        })?;
        match positions.number() {
            0..=MOST_POSITIONS => Ok(positions),
            number => Err(BadRequest(format!(
                "{number} positions are too many: at most {MOST_POSITIONS} a request"
            ))),
        }
    }

    fn number(&self) -> usize {
        match self {
            Self::Moves(moves) => moves.len(),
            Self::Keys(keys) => keys.len(),
        }
    }
}

/// The positions of a request, and the answers that are asked for.
pub struct Batch<'a> {
    pub oracle: &'a Oracle,
    pub record: &'a Arc<GameRecord>,
    pub positions: Positions,
    pub detail: Detail,
}

impl Batch<'_> {
    /// Answers every position in its order. After a stop, values that need no search are found.
    pub fn answer(&self, control: &Control, mut take: impl FnMut(PositionLine)) {
        let (number, threads) = (self.positions.number(), rayon::current_num_threads());
        let mut done = 0;
        if number >= MIN_POSITIONS_PER_THREAD * threads {
            // A solution of the whole game is made once, not by every thread.
            if !self.study(0).is_ok_and(|study| matches!(self.oracle.known(&*study), Ok(Some(_)))) {
                let _ = self.oracle.prepare(self.record.start(), control);
            }
            let mut waiting = 0..number;
            let each = |at, inner: &Control| {
                let line = self.line(at, inner);
                inner.check().map(|()| line)
            };
            let _: Result<u64, Stopped> = each_in_order(
                threads,
                control,
                || waiting.next(),
                each,
                |lines| {
                    done += lines.len();
                    lines.into_iter().for_each(&mut take);
                    ControlFlow::Continue(())
                },
            );
        }
        (done..number).for_each(|at| take(self.line(at, control)));
    }

    #[cfg(feature = "mcp")]
    pub fn one(&self, control: &Control) -> PositionLine {
        self.line(0, control)
    }

    fn study(&self, at: usize) -> Result<Box<dyn Position>, BadRequest> {
        match &self.positions {
            Positions::Moves(moves) => self.record.study_after(&moves[at]),
            Positions::Keys(keys) => self.record.study_of_key(Key(keys[at])),
        }
    }

    fn line(&self, at: usize, control: &Control) -> PositionLine {
        let given = match &self.positions {
            Positions::Moves(moves) => Given::Moves(moves[at].clone()),
            Positions::Keys(keys) => Given::Key(keys[at]),
        };
        let mut line = PositionLine {
            known: None,
            given,
            value: None,
            best: (self.detail != Detail::Value).then(Vec::new),
            values: (self.detail == Detail::AllMoves).then(Vec::new),
            error: None,
        };
        let found = self.study(at).map_err(|BadRequest(error)| error).and_then(|study| match self
            .find(study.as_ref(), control, &mut line)
        {
            Ok(()) | Err(OracleError::Stopped(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
        });
        line.error = found.err();
        line
    }

    /// Fills the answer of a position, as far as time allows.
    fn find(
        &self,
        study: &dyn Position,
        control: &Control,
        line: &mut PositionLine,
    ) -> Result<(), OracleError> {
        let known = self.oracle.prove(study, control)?;
        line.value = Some(known.into());
        let name = |text: &str| MoveName::new(study, text);
        if let Some(values) = &mut line.values {
            let mut found = Vec::new();
            let proved = self.oracle.prove_moves(study, control, &mut |finding| {
                if let Finding::Move(bit, value) = finding {
                    found.push((bit, value));
                }
            });
            let row = |branch: &Branch| {
                let value = found.iter().find(|(bit, _)| *bit == branch.bit)?.1.into();
                Some(MoveRow { m: name(&branch.text), value })
            };
            values.extend(study.branches().iter().filter_map(row));
            proved?;
        }
        if let Some(best) = &mut line.best {
            let moves = self.oracle.best_moves(study, control)?;
            line.known = Some((known, moves));
            best.extend(study.texts(moves).iter().map(|text| name(text)));
        }
        Ok(())
    }
}
