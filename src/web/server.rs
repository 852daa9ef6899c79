//! Connections: how many, how long, and how much a client may send.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Connections open at a time; others wait in the system's queue.
const CONNECTIONS: usize = 512;

/// For the head of a request, and between requests.
const HEAD: Duration = Duration::from_secs(15);

/// A connection lives no longer than this; a client opens a new one.
const LONGEST: Duration = Duration::from_secs(300);

/// Bytes of a request's head.
const HEAD_BYTES: usize = 16 * 1024;

/// Serves connections until `stop` says so.
pub async fn serve(listener: TcpListener, routes: Router, stop: impl Fn() -> bool) {
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &connections) => accepted,
            () = tokio::time::sleep(Duration::from_millis(100)) => None,
        };
        if stop() {
            return;
        }
        let Some((stream, place)) = accepted else { continue };
        let service = TowerToHyperService::new(routes.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .max_buf_size(HEAD_BYTES)
                .serve_connection(TokioIo::new(stream), service);
            // How a connection ends is the client's affair.
            let _ = tokio::time::timeout(LONGEST, connection).await;
            drop(place);
        });
    }
}

async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(connections).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Small answers go out at once; where that cannot be had they are only slower.
            let _ = stream.set_nodelay(true);
            Some((stream, place))
        }
        Err(_) => {
            // Out of descriptors, or the client is gone already.
            tokio::time::sleep(Duration::from_millis(20)).await;
            None
        }
    }
}

/// Binds the address.
pub async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    TcpListener::bind(address).await
}
