//! The explorer: pages and an HTTP API, with limits on requests and searches.
//!
//! Pages are made here and work without a script; the script in `assets` only saves reloading
//! and fills in values as they are found. Everything is in the binary, nothing comes from
//! elsewhere.

mod api;
#[cfg(feature = "mcp")]
mod mcp;
mod origin;
mod pages;
mod record;
mod request;
mod search;
mod server;
mod text;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::{get, post};

use crate::connect_four::strategy::Follower;
use crate::games::line::Rules;
use crate::oracle::Oracle;
use crate::registry::Registry;
#[cfg(feature = "mcp")]
pub use mcp::serve_mcp;
pub use origin::{Admission, HostName, PageOrigin};
use pages::asset;
use pages::strategy::ServedStrategy;
use search::Searches;
use server::RequestLimits;

/// Limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Searches at a time.
    pub searches: usize,
    /// Threads of a search.
    pub threads: usize,
    /// The most time for a search, the wait for its start included.
    pub longest: Duration,
}

/// The values, games and strategies that a server shows.
#[derive(Debug)]
pub struct Shown {
    /// The source of values.
    pub oracle: Oracle,
    /// The games beside the boards of lines.
    pub registry: Registry,
    /// Strategies to walk and to play against.
    pub strategies: Vec<Follower>,
}

/// State that all requests share.
#[derive(Debug)]
struct Explorer {
    oracle: Oracle,
    registry: Registry,
    strategies: Vec<ServedStrategy>,
    searches: Searches,
    admission: Admission,
}

impl Explorer {
    fn new(shown: Shown, limits: Limits, admission: Admission) -> Self {
        let Shown { oracle, registry, strategies } = shown;
        let strategies = strategies.into_iter().map(ServedStrategy::new).collect();
        let searches = Searches::new(limits.searches, limits.threads, limits.longest);
        Self { oracle, registry, strategies, searches, admission }
    }
}

/// The explorer as handlers take it.
type Shared = State<Arc<Explorer>>;

/// Reasons for which a server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is not available.
    #[error(
        "cannot listen on {address} ({source}): choose another port, or end the program that uses it"
    )]
    Address {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: std::io::Error,
    },
    /// The client of a protocol does not keep to it.
    #[error("the client does not speak the Model Context Protocol: {0}")]
    Protocol(String),
    /// No runtime.
    #[error("cannot start the server: {0}")]
    Start(#[from] std::io::Error),
}

/// Serves the explorer and the API until `stop` returns true, which is asked ten times a second.
/// `ready` gets the address, which matters if the system chose the port (0).
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
    let explorer = Arc::new(Explorer::new(shown, limits, admission));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let refused = |source| ServeError::Address { address, source };
    let listener = runtime.block_on(tokio::net::TcpListener::bind(address)).map_err(refused)?;
    ready(listener.local_addr().map_err(refused)?);
    let routes = routes(explorer, Arc::new(RequestLimits::new(limits.longest)));
    runtime.block_on(server::serve(listener, routes, stop));
    // Searches end with the process.
    runtime.shutdown_background();
    Ok(())
}

fn routes(explorer: Arc<Explorer>, limits: Arc<RequestLimits>) -> Router {
    let framed = explorer.admission.framed;
    let api = Router::new()
        .route("/api/v1/games", get(api::games))
        .route("/api/v1/openapi.json", get(api::openapi))
        .route("/api/v1/position", get(api::position))
        .route("/api/v1/positions", post(api::positions))
        .route("/api/v1/watch", get(api::watch))
        .route("/api/v1/game", get(api::game))
        .route("/api/v1/reply", get(api::reply))
        .route("/api/v1/why", get(api::why))
        .route("/solve", get(api::solve))
        .layer(from_fn_with_state(Arc::clone(&explorer), origin::shared_with_origins));
    let boards = Rules::ALL.into_iter().fold(Router::new(), |router, rules| {
        let page = move |state: Shared, headers: HeaderMap, RawQuery(query): RawQuery| async move {
            pages::named(&state, rules.word(), &headers, query.as_deref()).await
        };
        router.route(&format!("/{}", rules.word()), get(page))
    });
    boards
        .route("/", get(pages::home))
        .route("/api", get(pages::description))
        .route("/game/{name}", get(pages::game))
        .route("/strategy", get(pages::strategy::walk))
        .route("/strategy/{moves}", get(pages::strategy::walk))
        .route("/move", get(pages::machine_move))
        .route("/part/{name}", get(pages::part))
        .route("/assets/explorer.css", asset("text/css; charset=utf-8", pages::STYLE))
        .route("/assets/explorer.js", asset("text/javascript; charset=utf-8", pages::SCRIPT))
        .route("/favicon.ico", asset("image/svg+xml", pages::ICON))
        .merge(api)
        .fallback(pages::unknown)
        .method_not_allowed_fallback(api::wrong_method)
        .layer(from_fn_with_state(Arc::clone(&explorer), origin::admitted))
        .with_state(explorer)
        .layer(from_fn_with_state(limits, server::limited))
        .layer(map_response(move |response: Response| async move { guarded(response, framed) }))
}

/// Adds headers that forbid content of other origins, guessed content types, and frames except, if
/// admitted, those of pages on this machine.
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
