//! The explorer without a server: a page asks by address, as a browser would.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use tower_service::Service;

use super::prelude::*;
use super::search::Searches;
use super::{Explorer, Shown, api, routes};

/// The pages and the API of an explorer, which searches in the thread that asks.
#[derive(Debug)]
pub struct Page(Router);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub kind: String,
    /// The address that has the answer, if it is another one.
    pub location: Option<String>,
    pub body: Vec<u8>,
}

impl Page {
    /// An explorer whose searches take at most `longest` each, unless a request has a limit. Answers
    /// that come line by line have no content: `lines` gets each line when it is found, during
    /// [`ask`](Self::ask).
    pub fn new(
        shown: Shown,
        longest: Duration,
        lines: impl Fn(&[u8]) + Send + Sync + 'static,
    ) -> Self {
        let explorer = Explorer { shown, searches: Searches::here(longest, Arc::new(lines)) };
        Self(routes(api()).with_state(Arc::new(explorer)))
    }

    /// Returns the answer for an address, a path with its query; of a page with `part` only its
    /// main part. `None` if the text is no address.
    pub fn ask(&mut self, address: &str, part: bool) -> Option<Answer> {
        let request = Request::get(address);
        let request = if part { request.header("x-part", "main") } else { request };
        let answer = self.0.call(request.body(Body::empty()).ok()?);
        finished(async {
            let (head, body) = answer.await.ok()?.into_parts();
            let text = |name| Some(head.headers.get(name)?.to_str().ok()?.to_owned());
            Some(Answer {
                status: head.status.as_u16(),
                kind: text(header::CONTENT_TYPE).unwrap_or_default(),
                location: text(header::LOCATION),
                body: to_bytes(body, usize::MAX).await.ok()?.into(),
            })
        })
    }
}

/// The result of a future that never waits for another thread.
fn finished<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return done;
        }
    }
}
