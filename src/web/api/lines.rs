//! Answers that come line by line: one JSON document a line.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::poll_fn;
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::{ApiError, ErrorDocument};
use crate::control::Control;
use crate::web::Shared;

/// The lines of an answer, on their way to the client.
#[derive(Clone)]
pub struct Lines(UnboundedSender<Bytes>);

impl Lines {
    /// Sends a line; without effect if the client has left.
    pub fn send(&self, line: &impl Serialize) {
        let mut text = serde_json::to_string(line).unwrap_or_else(|_| "{}".to_owned());
        text.push('\n');
        let _ = self.0.send(text.into());
    }

    /// Sends an error as a line.
    pub fn fail(&self, error: &ApiError) {
        self.send(&ErrorDocument { error: error.text().to_owned() });
    }
}

/// The answer whose lines are sent by work that may search. The work bounds their number; it is
/// stopped if the client leaves.
pub fn stream(
    explorer: &Shared,
    limit: Option<Duration>,
    work: impl FnOnce(&Control, &Lines) + Send + 'static,
) -> Response {
    let (sender, mut receiver) = unbounded_channel();
    let (lines, explorer) = (Lines(sender), explorer.clone());
    tokio::spawn(async move {
        let sent = lines.clone();
        tokio::select! {
            done = explorer.searches.run(limit, move |control| work(control, &sent)) => {
                if let Err(failed) = done {
                    lines.fail(&failed.into());
                }
            }
            // Dropping the search stops it.
            () = lines.0.closed() => {}
        }
    });
    let lines = poll_fn(move |context| {
        receiver.poll_recv(context).map(|line| line.map(Ok::<Bytes, Infallible>))
    });
    let kind =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (kind, Body::from_stream(lines)).into_response()
}
