//! Connections: how many, how long, and how much a client may send.

use std::future::Future;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::Interest;
use tokio::net::{TcpListener, TcpStream};

use super::api::ApiError;
use super::connections::{Connections, Place};
use super::stream::SharedStream;
use super::workers::Client;

/// Bytes of a request's head.
const HEAD_BYTES: usize = 16 * 1024;

/// What connections are allowed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Connections open at a time.
    pub connections: usize,
    /// The most connections of one address.
    pub of_address: usize,
    /// For the head of a request, and between requests.
    pub head: Duration,
    /// A connection lives no longer than this; a client opens a new one.
    pub longest: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 512,
            of_address: 384,
            head: Duration::from_secs(15),
            longest: Duration::from_secs(300),
        }
    }
}

/// The connection a request came on.
#[derive(Clone, Debug)]
pub struct Origin {
    pub client: Client,
    /// The address it was made to.
    pub local: SocketAddr,
    pub place: Arc<Place>,
}

/// Serves connections until `stop` says so.
pub async fn serve(listener: TcpListener, routes: Router, bounds: Bounds, stop: impl Fn() -> bool) {
    let connections = Arc::new(Connections::new(bounds.connections, bounds.of_address));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => Some(accepted),
            () = tokio::time::sleep(Duration::from_millis(100)) => None,
        };
        if stop() {
            return;
        }
        match accepted {
            None => {}
            Some(Ok((stream, peer))) => {
                let client = Client(peer.ip().to_canonical());
                // Where all are at work the new one is closed.
                if let Some(place) = connections.enter(client) {
                    tokio::spawn(connection(stream, place, client, routes.clone(), bounds));
                }
            }
            Some(Err(_)) => {
                // Out of descriptors, or the client is gone already.
                connections.shed_one();
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

async fn connection(
    stream: TcpStream,
    place: Place,
    client: Client,
    routes: Router,
    bounds: Bounds,
) {
    // Small answers go out at once; where that is not available they are only slower.
    let _ = stream.set_nodelay(true);
    let Ok(local) = stream.local_addr() else { return };
    let (stream, place) = (Arc::new(stream), Arc::new(place));
    let origin = Origin { client, local, place: Arc::clone(&place) };
    let routes = TowerToHyperService::new(routes);
    let service = service_fn(|mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(origin.clone());
        let work = place.work();
        let answer = routes.call(request);
        async move {
            let answer = unpanicked(answer).await;
            drop(work);
            match answer {
                Some(answer) => answer,
                None => Ok(bug()),
            }
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.head)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(SharedStream(Arc::clone(&stream))), service);
    // How a connection ends is the client's affair.
    tokio::select! {
        biased;
        _ = serving => {}
        () = place.shed() => {}
        () = hung_up(&stream, &place) => {}
        () = tokio::time::sleep(bounds.longest) => {}
    }
}

/// The answer to a request whose handler panicked.
fn bug() -> Response {
    ApiError::Failed("the server failed: please report this as a bug".to_owned()).into_response()
}

/// A future's output; `None` if it panics.
async fn unpanicked<F: Future>(future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| {
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Some(output)),
            Err(_) => Poll::Ready(None),
        }
    })
    .await
}

/// Ends when the client has gone away during a request. Where it has sent more than that request,
/// nobody else sees this: what it sent is not read before the answer is out.
async fn hung_up(stream: &TcpStream, place: &Place) {
    loop {
        place.until_busy().await;
        tokio::time::sleep(Duration::from_millis(250)).await;
        match stream.ready(Interest::READABLE).await {
            Ok(ready) if !ready.is_read_closed() => {}
            _ if place.works() => return,
            _ => {}
        }
    }
}

/// Binds the address.
pub async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    TcpListener::bind(address).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use std::io::{Read, Write};
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    async fn faulty() -> &'static str {
        panic!("a fault of a handler, for the test");
    }

    /// What a server with little patience sends back, and keeps sending until it closes.
    fn answers(requests: &[&str]) -> Vec<String> {
        let routes = Router::new().route("/", get(|| async { "here" })).route("/bug", get(faulty));
        let bounds = Bounds { head: Duration::from_millis(300), ..Bounds::default() };
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let (tell, results) = std::sync::mpsc::channel();
        let server = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = bind(([127, 0, 0, 1], 0).into()).await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                serve(listener, routes, bounds, || asked.load(Relaxed)).await;
            });
        });
        let address = results.recv().unwrap();
        let answer = |request: &&str| {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
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
    fn heads_that_do_not_come_are_not_waited_for() {
        for answer in answers(&["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n"]) {
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
        }
        let whole = answers(&["GET / HTTP/1.1\r\nHost: x\r\n\r\n"]);
        assert!(whole[0].ends_with("here"), "{whole:?}");
    }

    #[test]
    fn a_fault_of_a_handler_is_told_and_hurts_nobody_else() {
        let results = answers(&["GET /bug HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"]);
        assert!(
            results[0].starts_with("HTTP/1.1 500") && results[0].contains("report this"),
            "{results:?}"
        );
        assert!(results[1].ends_with("here"), "{results:?}");
    }
}
