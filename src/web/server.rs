//! The server: its connections and requests, how many are handled at a time, and for how long.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderValue;
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::routing::{get, post};
use futures_util::FutureExt;
use hyper::server::conn::http1::Builder;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::api;
use super::origin::{self, Admission, LocalAddress};
use super::pages::{ASSETS, asset};
use super::prelude::*;
use super::search::Searches;
use super::{Explorer, Shown, routes};

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub searches: usize,
    pub threads: usize,
    /// The most time for a search, the wait for its start included.
    pub longest: Duration,
}

impl Limits {
    pub(super) fn searches(&self) -> Searches {
        Searches::aside(self.searches, self.threads, self.longest)
    }
}

/// Reasons for which a server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    #[error(
        "cannot listen on {address} ({source}): choose another address or port, or end the program \
         that uses it"
    )]
    Address { address: SocketAddr, source: std::io::Error },
    #[error("the client does not speak the Model Context Protocol: {0}")]
    Protocol(String),
    #[error("cannot start the server: {0}")]
    Start(#[from] std::io::Error),
}

/// Serves the explorer and the API until `stop`, called ten times a second, returns true. `ready`
/// gets the address, which matters if the system chose the port (0).
///
/// # Errors
/// If the address is not available or the server cannot start.
pub fn serve(
    address: SocketAddr,
    shown: Shown,
    limits: Limits,
    admission: Admission,
    ready: impl FnOnce(SocketAddr),
    stop: impl Fn() -> bool,
) -> Result<(), ServeError> {
    let explorer = Arc::new(Explorer { shown, searches: limits.searches() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let refused = |source| ServeError::Address { address, source };
    let listener = runtime.block_on(TcpListener::bind(address)).map_err(refused)?;
    ready(listener.local_addr().map_err(refused)?);
    let routes = served(explorer, admission, limits.longest);
    runtime.block_on(async {
        tokio::select! {
            () = accept(listener, routes, HEAD) => {}
            () = stopped(stop) => {}
        }
    });
    // Searches end with the process.
    runtime.shutdown_background();
    Ok(())
}

/// The explorer's routes with all checks and limits.
fn served(explorer: Arc<Explorer>, admission: Admission, longest_search: Duration) -> Router {
    let admission = Arc::new(admission);
    let longest = longest_search * SEARCHES + Duration::from_secs(10);
    let limits = Arc::new(RequestLimits { permits: Semaphore::new(REQUESTS), longest });
    let shared = from_fn_with_state(Arc::clone(&admission), origin::shared_with_origins);
    let api = super::api()
        .route("/api/v1/openapi.json", get(api::openapi))
        .route("/api/v1/positions", post(api::positions));
    let with_asset = |routes: Router<_>, [path, kind, text]: [&'static str; 3]| {
        routes.route(path, asset(kind, text))
    };
    ASSETS
        .into_iter()
        .fold(routes(api.layer(shared)), with_asset)
        .layer(from_fn_with_state(admission, origin::admitted))
        .with_state(explorer)
        .layer(from_fn_with_state(limits, limited))
        .layer(map_response(|response: Response| async move { guarded(response) }))
}

/// Adds headers that forbid content of other origins, guessed content types, and frames.
fn guarded(mut response: Response) -> Response {
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                  img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Requests handled at a time; more wait.
const REQUESTS: usize = 512;

/// Time limit of a request, as a multiple of the limit of a search: a page without a script waits for
/// five searches one after the other.
const SEARCHES: u32 = 8;

/// Time limit of the head of a request, and of a connection without one.
const HEAD: Duration = Duration::from_secs(30);

/// Limits of requests. Layers of tower would do the same with three crates more.
#[derive(Debug)]
struct RequestLimits {
    permits: Semaphore,
    longest: Duration,
}

/// Handles a request within the limits; a panic becomes an answer.
async fn limited(
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
            ApiError::failed("the server failed: please report this as a bug").into_response()
        }
        Err(_) => {
            let error = "the server is busy: try again later";
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error).into_response()
        }
    }
}

/// Serves every connection on a task of its own. `axum::serve` has no time limit for heads.
async fn accept(listener: TcpListener, routes: Router, head: Duration) {
    let mut http = Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(connection(stream, routes.clone(), http.clone()))),
            // No file descriptor is left: one may be closed meanwhile.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn connection(stream: TcpStream, routes: Router, http: Builder) {
    // Small answers are sent at once; a connection for which this fails is only slower.
    let _ = stream.set_nodelay(true);
    let local = ConnectInfo(LocalAddress(stream.local_addr().ok()));
    let routes = TowerToHyperService::new(routes);
    let service = service_fn(|mut request| {
        request.extensions_mut().insert(local);
        routes.call(request)
    });
    // A connection that breaks affects no other.
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

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

    /// The answers to texts sent, each on a connection of its own, by a server with a limit of a
    /// tenth of a second for a request and of a fifth for its head.
    fn answers_to(texts: &[&str]) -> Vec<String> {
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
                tokio::select! {
                    () = accept(listener, routes, Duration::from_millis(200)) => {}
                    () = stopped(|| asked.load(Relaxed)) => {}
                }
            });
        });
        let address = addresses.recv().unwrap();
        let answer = |sent: &&str| {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            stream.write_all(sent.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("the server closes it");
            text
        };
        let answers = texts.iter().map(answer).collect();
        stop.store(true, Relaxed);
        server.join().unwrap();
        answers
    }

    fn answers(paths: &[&str]) -> Vec<String> {
        let request = |path| format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let requests: Vec<String> = paths.iter().map(request).collect();
        answers_to(&requests.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn half_a_head_and_silence_are_closed() {
        let whole = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        let answers = answers_to(&[&whole[..20], "", whole]);
        // The last connection is closed without a second request.
        assert!(answers[0].is_empty() || answers[0].starts_with("HTTP/1.1 408"), "{answers:?}");
        assert!(answers[1].is_empty() || answers[1].starts_with("HTTP/1.1 408"), "{answers:?}");
        assert!(answers[2].ends_with("here"), "{answers:?}");
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
