//! The explorer: pages, an HTTP API, and the limits that keep both answering.
//!
//! Pages are made here and work without a script; the script in `assets` only saves reloading
//! and fills in values as they are found. Everything is in the binary, nothing comes from
//! elsewhere.

mod api;
mod connections;
mod origin;
mod pages;
mod queue;
mod registered;
mod request;
mod server;
mod stream;
mod text;
mod workers;

use crate::oracle::Oracle;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{FromRequestParts, RawQuery};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::get;

use crate::connect_four::strategy::Follower;
use crate::control::Control;
use crate::games::line::Rules;
use crate::registry::Registry;
pub use origin::{Admission, HostName, PageOrigin};
use pages::strategy::ServedStrategy;
use server::{Bounds, Origin};
use workers::{Failed, Workers};

/// Limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Searches at a time.
    pub searches: usize,
    /// Threads of a search.
    pub threads: usize,
    /// The most time for a request, waiting for its turn included.
    pub longest: Duration,
}

/// What is shown.
#[derive(Debug)]
pub struct Shown {
    /// Who knows values.
    pub oracle: Oracle,
    /// The games beside the boards of lines.
    pub registry: Registry,
    /// Strategies to walk and to play against.
    pub strategies: Vec<Follower>,
}

/// What all requests share.
#[derive(Debug)]
struct Explorer {
    oracle: Oracle,
    registry: Registry,
    strategies: Vec<ServedStrategy>,
    workers: Arc<Workers>,
    admission: Admission,
}

/// The explorer, and the connection of the request it is asked by.
#[derive(Clone, Debug)]
struct Shared {
    explorer: Arc<Explorer>,
    origin: Origin,
}

impl Shared {
    /// Does work by turns with those of other clients.
    async fn run<T: Send + 'static>(
        &self,
        control: Arc<Control>,
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Result<T, Failed> {
        self.workers.run(self.origin.client, control, work).await
    }
}

impl std::ops::Deref for Shared {
    type Target = Explorer;

    fn deref(&self) -> &Explorer {
        &self.explorer
    }
}

impl FromRequestParts<Arc<Explorer>> for Shared {
    type Rejection = StatusCode;

    async fn from_request_parts(
        parts: &mut Parts,
        explorer: &Arc<Explorer>,
    ) -> Result<Self, StatusCode> {
        // The server tells every request where it came from.
        let origin = parts.extensions.get::<Origin>().cloned();
        let origin = origin.ok_or(StatusCode::INTERNAL_SERVER_ERROR)?;
        Ok(Self { explorer: Arc::clone(explorer), origin })
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is not available.
    #[error("cannot listen on {address} ({source}): choose another port, or end what uses it")]
    Address {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// No runtime.
    #[error("cannot start the server: {0}")]
    Start(#[from] std::io::Error),
    /// No threads.
    #[error("cannot start the search threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Serves the explorer and the API, for the boards of lines, the games of a registry and
/// strategies, until `stop` says so, looking ten times a second. `ready` is told the address,
/// which matters where the port was left to the system (0).
///
/// # Errors
/// If the address is not available or threads cannot be started.
pub fn serve(
    address: SocketAddr,
    shown: Shown,
    limits: Limits,
    admission: Admission,
    ready: impl FnOnce(SocketAddr),
    stop: impl Fn() -> bool,
) -> Result<(), ServeError> {
    let workers = Workers::new(limits.searches, limits.threads, limits.longest)?;
    let workers = Arc::new(workers);
    let Shown { oracle, registry, strategies } = shown;
    let strategies = strategies.into_iter().map(ServedStrategy::new).collect();
    let workers_of_all = Arc::clone(&workers);
    let explorer =
        Arc::new(Explorer { oracle, registry, strategies, workers: workers_of_all, admission });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(limits.searches + 8)
        .build()?;
    let refused = |source| ServeError::Address { address, source };
    let listener = runtime.block_on(server::bind(address)).map_err(refused)?;
    ready(listener.local_addr().map_err(refused)?);
    runtime.spawn(async move { workers.keep_turning().await });
    runtime.block_on(server::serve(listener, routes(explorer), Bounds::default(), stop));
    // Searches end with the process.
    runtime.shutdown_background();
    Ok(())
}

fn routes(explorer: Arc<Explorer>) -> Router {
    let framed = explorer.admission.framed;
    let api = Router::new()
        .route("/api/v1/position", get(api::position))
        .route("/api/v1/watch", get(api::watch))
        .route("/api/v1/game", get(api::game))
        .route("/api/v1/reply", get(api::reply))
        .route("/api/v1/why", get(api::why))
        .route("/solve", get(api::solve))
        .layer(from_fn_with_state(Arc::clone(&explorer), origin::shared_with_origins));
    let boards = Rules::ALL.into_iter().fold(Router::new(), |router, rules| {
        let page = move |state: Shared, headers: HeaderMap, RawQuery(query): RawQuery| async move {
            pages::explorer(&state, &headers, query.as_deref(), rules).await
        };
        router.route(&format!("/{}", rules.word()), get(page))
    });
    boards
        .route("/", get(pages::home))
        .route("/game/{name}", get(pages::registered::game))
        .route("/strategy", get(pages::strategy::first))
        .route("/strategy/{moves}", get(pages::strategy::position))
        .route("/play", get(pages::any_board))
        .route("/move", get(pages::machine_move))
        .route("/part/values", get(pages::values))
        .route("/part/line", get(pages::line))
        .route("/part/graph", get(pages::graph))
        .route("/part/why", get(pages::why))
        .route("/part/moves", get(pages::registered::moves))
        .route("/assets/explorer.css", get(pages::style))
        .route("/assets/explorer.js", get(pages::script))
        .route("/favicon.ico", get(pages::icon))
        .merge(api)
        .fallback(pages::unknown)
        .layer(from_fn_with_state(Arc::clone(&explorer), origin::admitted))
        .with_state(explorer)
        .layer(map_response(move |response: Response| async move { guarded(response, framed) }))
}

/// Nothing from elsewhere, nothing guessed, no frames but those of pages of this machine, where they
/// are let in.
fn guarded(mut response: Response, framed: bool) -> Response {
    let policy = if framed {
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         img-src 'self' data:; form-action 'self'; base-uri 'none'; \
         frame-ancestors http://localhost:* http://127.0.0.1:* https://localhost:*"
    } else {
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                  img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
