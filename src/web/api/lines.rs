//! Answers that come line by line: one JSON document a line.

use axum::body::Body;

use super::ErrorDocument;
use crate::web::prelude::*;
use crate::web::search::{LineSink, Runner};

/// The lines of an answer, on their way to the client.
#[derive(Clone)]
pub struct Lines(LineSink);

impl Lines {
    /// Sends a line; without effect if the client has left.
    pub fn send(&self, line: &impl Serialize) {
        let mut text = serde_json::to_string(line).unwrap_or_else(|_| "{}".to_owned());
        text.push('\n');
        (self.0)(text.as_bytes());
    }

    pub fn fail(&self, error: &ApiError) {
        self.send(&ErrorDocument { error: error.error.clone() });
    }
}

/// An answer whose lines come from work that may search. The work bounds their number; it is
/// stopped if the client leaves.
pub async fn stream(
    explorer: &Shared,
    limit: Option<Duration>,
    work: impl FnOnce(&Control, &Lines) + Send + 'static,
) -> Response {
    let body = match &explorer.searches.runner {
        Runner::Here(sink) => {
            let (lines, sent) = (Lines(sink.clone()), Lines(sink.clone()));
            if let Err(failed) =
                explorer.searches.run(limit, move |control| work(control, &sent)).await
            {
                lines.fail(&failed.into());
            }
            Body::empty()
        }
        #[cfg(feature = "web")]
        Runner::Aside { .. } => sent_aside(explorer, limit, work),
    };
    let kind =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (kind, body).into_response()
}

/// The lines of work that runs beside the connection.
#[cfg(feature = "web")]
fn sent_aside(
    explorer: &Shared,
    limit: Option<Duration>,
    work: impl FnOnce(&Control, &Lines) + Send + 'static,
) -> Body {
    use axum::body::Bytes;
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let sending = sender.clone();
    let lines = Lines(std::sync::Arc::new(move |line: &[u8]| {
        let _ = sending.send(Bytes::copy_from_slice(line));
    }));
    let explorer = explorer.clone();
    tokio::spawn(async move {
        let sent = lines.clone();
        tokio::select! {
            done = explorer.searches.run(limit, move |control| work(control, &sent)) => {
                if let Err(failed) = done {
                    lines.fail(&failed.into());
                }
            }
            // Dropping the search stops it.
            () = sender.closed() => {}
        }
    });
    Body::from_stream(futures_util::stream::poll_fn(move |context| {
        receiver.poll_recv(context).map(|line| line.map(Ok::<Bytes, std::convert::Infallible>))
    }))
}
