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
    /// The status, as of HTTP.
    pub status: u16,
    pub kind: String,
    /// The address that has the answer, if it is another one.
    pub location: Option<String>,
    pub body: Vec<u8>,
}

impl Page {
    /// An explorer whose searches take at most `longest` each. Answers that come line by line have
    /// no content: `lines` gets each line when it is found, while the page is asked.
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use everyply_registry::registry::builtin;
    use everyply_results::oracle::{Oracle, OracleFiles};

    /// A page with all games, and the lines that it sends.
    fn page() -> (Page, Arc<Mutex<Vec<u8>>>) {
        let shown = Shown {
            oracle: Oracle::new(OracleFiles::default(), 4),
            registry: builtin(),
            strategies: Vec::new(),
        };
        let lines = Arc::new(Mutex::new(Vec::new()));
        let sent = Arc::clone(&lines);
        let sink = move |line: &[u8]| sent.lock().unwrap().extend_from_slice(line);
        (Page::new(shown, Duration::from_secs(60), sink), lines)
    }

    fn text(page: &mut Page, address: &str, status: u16) -> String {
        let answer = page.ask(address, false).unwrap();
        assert_eq!(answer.status, status, "{address}");
        String::from_utf8(answer.body).unwrap()
    }

    #[test]
    fn pages_and_the_api_answer_without_a_server() {
        let (mut page, _) = page();
        assert!(text(&mut page, "/", 200).starts_with("<!DOCTYPE html>"));
        let main = page.ask("/ttt?moves=15", true).unwrap();
        assert_eq!(main.kind, "text/html; charset=utf-8");
        assert!(!String::from_utf8(main.body).unwrap().contains("<html"));
        for entry in builtin().entries() {
            text(&mut page, &format!("/game/{}", entry.name), 200);
        }
        let document = text(&mut page, "/api/v1/position?game=ttt&moves=1529", 200);
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert_eq!(document["value"]["outcome"], "win");
        let why = text(&mut page, "/api/v1/why?game=nim&position=3,2", 200);
        assert!(why.contains("\"elapsed_s\""), "{why}");
        assert_eq!(page.ask("/ttt?paste=519", false).unwrap().location.unwrap(), "/ttt?moves=519");
        assert!(text(&mut page, "/ttt?moves=11", 400).contains("refused"));
        assert!(text(&mut page, "/no/such/page", 404).contains("no such page"));
        assert_eq!(page.ask("not an address", false), None);
    }

    #[test]
    fn a_long_search_says_something_of_every_move() {
        let (mut page, lines) = page();
        for (game, moves) in [("connect4&size=8x8", 8), ("neutreeko", 14)] {
            let address = format!("/api/v1/watch?game={game}&timeout=1.5");
            let answer = page.ask(&address, false).unwrap();
            assert_eq!((answer.status, answer.body.len()), (200, 0));
            let lines = String::from_utf8(std::mem::take(&mut lines.lock().unwrap())).unwrap();
            let lines: Vec<serde_json::Value> =
                lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let is_told =
                |line: &&serde_json::Value| !line["bounds"].is_null() || !line["outcome"].is_null();
            let told: std::collections::BTreeSet<String> =
                lines.iter().filter(is_told).map(|line| line["move"].to_string()).collect();
            assert_eq!(told.len(), moves, "{game}");
            // Bounds only become narrower.
            let plies = |line: &serde_json::Value| line["bounds"]["best"]["remoteness"].as_u64();
            let of_one =
                lines.iter().filter(|line| line["move"].to_string().trim_matches('"') == "1");
            let of_one = of_one.filter_map(plies);
            assert!(of_one.collect::<Vec<_>>().is_sorted(), "{game}");
            let last = lines.last().unwrap();
            let words = last["text"].as_str().unwrap();
            assert!(words.contains("no win in less than") || words.contains(": win in"), "{last}");
            assert_eq!(last["done"], true, "{last}");
            // Only a win found on the way is a value.
            assert!(last["interrupted"] == true || last["value"]["outcome"] == "win", "{last}");
        }
    }
}
