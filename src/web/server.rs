//! Connections and requests: how many are handled at a time, and for how long.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::serve::IncomingStream;
use futures_util::FutureExt;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::api::{ApiError, error_document};

/// Requests handled at a time; more wait.
const REQUESTS: usize = 512;

/// Time limit of a request in time limits of a search: a page without a script waits for five
/// searches one after the other.
const SEARCHES: u32 = 8;

/// Limits of requests. Layers of tower would do the same with three crates more.
#[derive(Debug)]
pub struct RequestLimits {
    permits: Semaphore,
    longest: Duration,
}

impl RequestLimits {
    /// The limits of a server whose searches have a time limit.
    pub fn new(longest_search: Duration) -> Self {
        let longest = longest_search * SEARCHES + Duration::from_secs(10);
        Self { permits: Semaphore::new(REQUESTS), longest }
    }
}

/// Handles a request within the limits; a panic becomes an answer.
pub async fn limited(
    State(limits): State<Arc<RequestLimits>>,
    request: Request,
    next: Next,
) -> Response {
    let handled = async {
        let _permit = limits.permits.acquire().await;
        AssertUnwindSafe(next.run(request)).catch_unwind().await
    };
    match tokio::time::timeout(limits.longest, handled).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => {
            let error = "the server failed: please report this as a bug".to_owned();
            ApiError::Failed(error).into_response()
        }
        Err(_) => {
            let error = "the server is busy: try again later".to_owned();
            (StatusCode::SERVICE_UNAVAILABLE, error_document(error)).into_response()
        }
    }
}

/// The address that a connection was made to, if the system knows it.
#[derive(Clone, Copy, Debug)]
pub struct LocalAddress(pub Option<SocketAddr>);

impl Connected<IncomingStream<'_, TcpListener>> for LocalAddress {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        // Small answers are sent at once; a connection for which this fails is only slower.
        let _ = stream.io().set_nodelay(true);
        Self(stream.io().local_addr().ok())
    }
}

/// Serves connections until `stop` returns true.
pub async fn serve(listener: TcpListener, routes: Router, stop: impl Fn() -> bool) {
    let service = routes.into_make_service_with_connect_info::<LocalAddress>();
    tokio::select! {
        _ = axum::serve(listener, service).into_future() => {}
        () = stopped(stop) => {}
    }
}

/// Waits until `stop` returns true, which is asked ten times a second.
pub async fn stopped(stop: impl Fn() -> bool) {
    while !stop() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use std::io::{Read, Write};
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    /// The answers to requests, each on a connection of its own, by a server with a limit of a
    /// tenth of a second for a request.
    fn answers(requests: &[&str]) -> Vec<String> {
        let limits =
            RequestLimits { permits: Semaphore::new(1), longest: Duration::from_millis(100) };
        let routes = Router::new()
            .route("/", get(|| async { "here" }))
            .route(
                "/bug",
                get(|| async {
                    if true {
                        panic!("for the test")
                    }
                }),
            )
            .route("/slow", get(std::future::pending::<()>))
            .layer(from_fn_with_state(Arc::new(limits), limited));
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let (sender, addresses) = std::sync::mpsc::channel();
        let server = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                sender.send(listener.local_addr().unwrap()).unwrap();
                serve(listener, routes, || asked.load(Relaxed)).await;
            });
        });
        let address = addresses.recv().unwrap();
        let answer = |path: &&str| {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("the server closes it");
            text
        };
        let answers = requests.iter().map(answer).collect();
        stop.store(true, Relaxed);
        server.join().unwrap();
        answers
    }

    #[test]
    fn a_panic_of_a_handler_is_reported_and_hurts_no_other_request() {
        let answers = answers(&["/bug", "/"]);
        assert!(answers[0].starts_with("HTTP/1.1 500"), "{answers:?}");
        assert!(answers[0].contains("report this"), "{answers:?}");
        assert!(answers[1].ends_with("here"), "{answers:?}");
    }

    #[test]
    fn a_request_that_takes_too_long_ends_and_makes_room() {
        let answers = answers(&["/slow", "/"]);
        assert!(answers[0].starts_with("HTTP/1.1 503"), "{answers:?}");
        assert!(answers[1].ends_with("here"), "{answers:?}");
    }
}
