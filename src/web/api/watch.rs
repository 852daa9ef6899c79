//! `GET /api/v1/watch`: the values of all moves, line by line as they are found.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::RawQuery;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body::Frame;
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{ApiError, KnownRow, position_of, timeout};
use crate::control::Control;
use crate::export::ValueRow;
use crate::games::line::Stones;
use crate::oracle::{OracleError, Update, Valued, best_of};
use crate::web::Shared;
use crate::web::request::{PositionInput, Query, with_board};
use crate::web::text::of_stones;
use crate::web::workers::StopOnDrop;

/// A line of the answer.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Move {
        #[serde(rename = "move")]
        m: u32,
        #[serde(flatten)]
        value: KnownRow,
    },
    Bounds {
        #[serde(rename = "move")]
        m: u32,
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
        best: Vec<u32>,
        /// The value in words, for people.
        words: String,
    },
    Error {
        error: String,
    },
}

/// An answer in pieces. When the client goes away it is dropped, and the search stops. The
/// number of lines is bounded by the moves of a board and the windows of a search.
struct Lines {
    receiver: UnboundedReceiver<Bytes>,
    _guard: StopOnDrop,
}

impl http_body::Body for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.receiver.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}

/// The values of all moves of a position, one JSON document a line.
pub async fn watch(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let mut query = Query::new(query.as_deref())?;
    let game = query.game()?;
    let given = query.given()?;
    let limit = timeout(&mut query)?;
    query.done()?;
    with_board!(game, game => watched(explorer, game, given, limit).await)
}

async fn watched<G: Valued>(
    explorer: Shared,
    game: G,
    given: PositionInput,
    limit: Option<Duration>,
) -> Result<Response, ApiError> {
    let (_, position) = position_of(&explorer, game, given).await?;
    let (control, guard) = explorer.workers.control(limit);
    let (sender, receiver) = unbounded_channel();
    let this = explorer.clone();
    tokio::spawn(async move {
        let end = sender.clone();
        let searching = this.clone();
        // The answer has begun, but its connection is not idle before the search is over.
        let working = this.origin.place.work();
        let work = move |control: &Control| tell(&searching, game, position, control, &sender);
        if this.run(control, work).await.is_err() {
            let error = "the search failed: please report this as a bug".to_owned();
            send(&end, &Line::Error { error });
        }
        drop(working);
    });
    let kind =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, Body::new(Lines { receiver, _guard: guard })).into_response())
}

fn send(sender: &UnboundedSender<Bytes>, line: &Line) {
    let mut text = serde_json::to_string(line).unwrap_or_else(|_| "{}".to_owned());
    text.push('\n');
    // The client may be gone.
    let _ = sender.send(text.into());
}

fn tell<G: Valued>(
    explorer: &Shared,
    game: G,
    position: Stones<G::Word>,
    control: &Control,
    sender: &UnboundedSender<Bytes>,
) {
    let mut results = Vec::new();
    let found = explorer.oracle.moves(&game, position, control, &mut |update| {
        let line = match update {
            Update::Move(m, known) => {
                results.push((m, known));
                Line::Move { m: m.number(), value: known.into() }
            }
            Update::Bounds(m, bounds) => {
                Line::Bounds { m: m.number(), worst: bounds.worst.into(), best: bounds.best.into() }
            }
            Update::Depth(depth) => Line::Depth { depth },
        };
        send(sender, &line);
    });
    let partial = match found {
        Ok(_) => false,
        Err(OracleError::Stopped(_)) => true,
        Err(error) => return send(sender, &Line::Error { error: error.to_string() }),
    };
    let (value, best) = best_of(&results).filter(|_| !partial).unzip();
    let best = best.unwrap_or_default();
    let words = of_stones(&game, position, value.map(|known| known.value), best, partial);
    let best = best.into_iter().map(crate::game::Move::number).collect();
    send(sender, &Line::End { done: true, partial, value: value.map(KnownRow::from), best, words });
}
