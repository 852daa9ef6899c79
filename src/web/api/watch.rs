//! `GET /api/v1/watch`: the values of all moves, each sent when it is found.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::RawQuery;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::poll_fn;
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

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
#[derive(Serialize)]
#[serde(untagged)]
enum Message {
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
    Error {
        error: String,
    },
}

/// The values of all moves of a position, one JSON document a line.
pub async fn watch(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let mut query = Query::new(query.as_deref())?;
    let request = GameRequest::read(&explorer.registry, &mut query)?;
    let limit = timeout(&mut query)?;
    query.done()?;
    let record = read_record(&explorer, request).await?;
    let (sender, mut receiver) = unbounded_channel();
    tokio::spawn(async move {
        let (end, searching) = (sender.clone(), explorer.clone());
        let work = move |control: &Control| report(&searching, &record, control, &sender);
        let failed = tokio::select! {
            done = explorer.searches.run(limit, work) => done.is_err(),
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

fn send(sender: &UnboundedSender<Bytes>, message: &Message) {
    let mut text = serde_json::to_string(message).unwrap_or_else(|_| "{}".to_owned());
    text.push('\n');
    // Fails only if the client has left.
    let _ = sender.send(text.into());
}

fn report(
    explorer: &Shared,
    record: &Arc<GameRecord>,
    control: &Control,
    sender: &UnboundedSender<Bytes>,
) {
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
                let words = text::value(known.value, side, record.is_endless());
                Message::Move { m: name(bit), value: known.into(), words }
            }
            Finding::Bounds(bit, bounds) => Message::Bounds {
                m: name(bit),
                worst: bounds.worst.into(),
                best: bounds.best.into(),
            },
            Finding::Depth(depth) => Message::Depth { depth },
        };
        send(sender, &message);
    });
    let partial = match proved {
        Ok(_) => false,
        Err(OracleError::Stopped(_)) => true,
        Err(error) => return send(sender, &Message::Error { error: error.to_string() }),
    };
    let (value, best) = found.best().filter(|_| !partial).unzip();
    let best = best.unwrap_or_default();
    let reason = if partial { NO_TIME } else { THINKING };
    let known = value.map(|known| (known.value, best)).ok_or(reason);
    send(
        sender,
        &Message::End {
            done: true,
            partial,
            value: value.map(KnownRow::from),
            best: best.into_iter().map(|m| name(m.0.into())).collect(),
            words: text::situation(record, at, &branches, known),
        },
    );
}
