//! `POST /api/v1/positions`: the values of many positions, a line each.

use std::ops::ControlFlow;

use axum::body::{Body, to_bytes};
use serde::Deserialize;

use super::lines::stream;
use super::timeout;
use crate::web::prelude::*;
use everyply_connect_four::solver::MIN_POSITIONS_PER_THREAD;
use everyply_core::control::Stopped;
use everyply_core::game::Key;
use everyply_core::parallel::in_order::each_in_order;

pub const MOST_POSITIONS: usize = 10_000;

const MOST_BYTES: usize = 1 << 20;

/// The positions of a request.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Positions {
    /// Moves from the start of the game.
    Moves(Vec<String>),
    /// Keys, as databases and data sets have them.
    Keys(Vec<u64>),
}

pub async fn positions(
    explorer: Shared,
    mut query: Query,
    body: Body,
) -> Result<Response, ApiError> {
    let start = GameRecord::read(&explorer.registry, &mut query)?;
    let limit = timeout(&mut query)?;
    let goal = match (query.flag("all-moves")?, query.flag("best")?) {
        (true, _) => Goal::AllMoves,
        (false, true) => Goal::BestMoves,
        (false, false) => Goal::Value,
    };
    if query.position_input()? != (TextForm::Moves, String::new()) {
        let error = "give the positions in the body or as moves, not both";
        return Err(ApiError::refused(error));
    }
    query.done()?;
    let record = Arc::new(start);
    let Ok(body) = to_bytes(body, MOST_BYTES).await else {
        let error = format!("the body is longer than {MOST_BYTES} bytes: send several requests");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, error));
    };
    let positions = Positions::read(&body)?;
    let searching = explorer.clone();
    Ok(stream(&explorer, limit, move |control, lines| {
        let batch = Batch { oracle: &searching.oracle, record: &record, positions, goal };
        batch.answer(control, |line| lines.send(&line));
    })
    .await)
}

impl Positions {
    pub fn read(body: &[u8]) -> Result<Self, ApiError> {
        let positions: Self = serde_json::from_slice(body).map_err(|error| {
            ApiError::refused(format!(
                "the body is not a list of positions ({error}): \
                 {{\"moves\": [\"4453\", ...]}} or {{\"keys\": [...]}}"
            ))
        })?;
        match positions.number() {
            0..=MOST_POSITIONS => Ok(positions),
            number => Err(ApiError::refused(format!(
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

/// The positions of a request, and the extent of the answers.
struct Batch<'a> {
    oracle: &'a Oracle,
    record: &'a Arc<GameRecord>,
    positions: Positions,
    goal: Goal,
}

impl Batch<'_> {
    /// Answers every position in order; after a stop, with values that need no search.
    fn answer(&self, control: &Control, mut take: impl FnMut(PositionDocument)) {
        let (number, threads) = (self.positions.number(), rayon::current_num_threads());
        let mut done = 0;
        if number >= MIN_POSITIONS_PER_THREAD * threads {
            // A solution of the whole game is made once, not by every thread.
            if !self
                .position(0)
                .is_ok_and(|position| matches!(self.oracle.known(&*position), Ok(Some(_))))
            {
                let _ = self.oracle.prepare(self.record.start(), control);
            }
            let mut waiting = 0..number;
            let each = |at, inner: &Control| {
                let line = self.line(at, inner);
                inner.check().map(|()| line)
            };
            let send = |lines: Vec<PositionDocument>| {
                done += lines.len();
                lines.into_iter().for_each(&mut take);
                ControlFlow::Continue(())
            };
            let _: Result<u64, Stopped> =
                each_in_order(threads, control, || waiting.next(), each, send);
        }
        (done..number).for_each(|at| take(self.line(at, control)));
    }

    fn position(&self, at: usize) -> Result<Box<dyn Position>, ApiError> {
        match &self.positions {
            Positions::Moves(moves) => {
                Ok(self.record.replayed(TextForm::Moves, &moves[at])?.position().boxed())
            }
            Positions::Keys(keys) => self.record.position_of_key(Key(keys[at])),
        }
    }

    fn line(&self, at: usize, control: &Control) -> PositionDocument {
        let found = match self.position(at) {
            Ok(position) => PositionDocument::ask(self.oracle, &*position, self.goal, control)
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.error),
        };
        let line = found.unwrap_or_else(|error| PositionDocument {
            error: Some(error),
            ..PositionDocument::default()
        });
        let (moves, key) = match &self.positions {
            Positions::Moves(moves) => (Some(moves[at].clone()), None),
            Positions::Keys(keys) => (None, Some(keys[at])),
        };
        let values = line.values.filter(|_| self.goal == Goal::AllMoves);
        PositionDocument { game: None, moves, key, values, ..line }
    }
}
