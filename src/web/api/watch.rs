//! `GET /api/v1/watch`: the values of all moves, each sent when it is found.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::RawQuery;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::poll_fn;
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::{ApiError, KnownRow, position_of, timeout};
use crate::control::Control;
use crate::game::ValueRow;
use crate::games::line::Stones;
use crate::oracle::{OracleError, Update, Valued, best_of};
use crate::web::Shared;
use crate::web::request::{PositionInput, Query, with_board};
use crate::web::text::of_stones;

/// A line of the answer, a JSON document.
#[derive(Serialize)]
#[serde(untagged)]
enum Message {
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
        /// The value in words.
        words: String,
    },
    Error {
        error: String,
    },
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
    let (sender, mut receiver) = unbounded_channel();
    let this = explorer.clone();
    tokio::spawn(async move {
        let (end, searching) = (sender.clone(), this.clone());
        let work = move |control: &Control| report(&searching, game, position, control, &sender);
        let failed = tokio::select! {
            done = this.searches.run(limit, work) => done.is_err(),
            // The client has left; dropping the search stops it.
            () = end.closed() => false,
        };
        if failed {
            let error = "the search failed: please report this as a bug".to_owned();
            send(&end, &Message::Error { error });
        }
    });
    // Bounded by the moves of a board and the windows of a search.
    let lines = poll_fn(move |context| {
        receiver.poll_recv(context).map(|line| line.map(Ok::<Bytes, Infallible>))
    });
    let kind =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, Body::from_stream(lines)).into_response())
}

fn send(sender: &UnboundedSender<Bytes>, line: &Message) {
    let mut text = serde_json::to_string(line).unwrap_or_else(|_| "{}".to_owned());
    text.push('\n');
    // Fails only if the client has left.
    let _ = sender.send(text.into());
}

fn report<G: Valued>(
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
                Message::Move { m: m.number(), value: known.into() }
            }
            Update::Bounds(m, bounds) => Message::Bounds {
                m: m.number(),
                worst: bounds.worst.into(),
                best: bounds.best.into(),
            },
            Update::Depth(depth) => Message::Depth { depth },
        };
        send(sender, &line);
    });
    let partial = match found {
        Ok(_) => false,
        Err(OracleError::Stopped(_)) => true,
        Err(error) => return send(sender, &Message::Error { error: error.to_string() }),
    };
    let (value, best) = best_of(&results).filter(|_| !partial).unzip();
    let best = best.unwrap_or_default();
    let words = of_stones(&game, position, value.map(|known| known.value), best, partial);
    let best = best.into_iter().map(crate::game::Move::number).collect();
    send(
        sender,
        &Message::End { done: true, partial, value: value.map(KnownRow::from), best, words },
    );
}
