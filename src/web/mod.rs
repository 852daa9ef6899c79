//! The explorer: pages and an HTTP API, with limits on requests and searches.
//!
//! Pages are made here and work without a script; the script in `assets` only saves reloading
//! and fills in values as they are found. Everything is in the binary, nothing comes from
//! elsewhere.

mod api;
mod failure;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "web")]
mod origin;
mod page;
mod pages;
mod prelude;
mod record;
mod request;
mod search;
#[cfg(feature = "web")]
mod server;
mod text;

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::get;

use everyply_connect_four::strategy::Follower;
use everyply_core::games::line::Rules;
use everyply_registry::registry::Registry;
use everyply_results::oracle::Oracle;
#[cfg(feature = "mcp")]
pub use mcp::serve_mcp;
#[cfg(feature = "web")]
pub use origin::{Admission, HostName, PageOrigin};
pub use page::{Answer, Page};
use request::ReadQuery;
use search::Searches;
#[cfg(feature = "web")]
pub use server::{Limits, ServeError, serve};

/// The values, games and strategies that a server shows.
#[derive(Debug)]
pub struct Shown {
    pub oracle: Oracle,
    /// The games of the pages and the API.
    pub registry: Registry,
    /// Strategies to walk and to play against.
    pub strategies: Vec<Follower>,
}

/// The values and games of a server, and the executor of its searches.
struct Explorer {
    shown: Shown,
    searches: Searches,
}

impl Deref for Explorer {
    type Target = Shown;

    fn deref(&self) -> &Shown {
        &self.shown
    }
}

type Shared = State<Arc<Explorer>>;

/// The addresses of the API that pages request too.
fn api() -> Router<Arc<Explorer>> {
    Router::new()
        .route("/api/v1/games", get(api::games))
        .route("/api/v1/position", get(api::position))
        .route("/api/v1/watch", get(api::watch))
        .route("/api/v1/game", get(api::game))
        .route("/api/v1/reply", get(api::reply))
        .route("/api/v1/why", get(api::why))
        .route("/solve", get(api::solve))
}

/// The addresses of the explorer, the API included.
fn routes(api: Router<Arc<Explorer>>) -> Router<Arc<Explorer>> {
    let boards = Rules::ALL.into_iter().fold(Router::new(), |router, rules| {
        let page = move |state: Shared, headers: HeaderMap, query: ReadQuery| async move {
            pages::named(&state, rules.word(), &headers, query).await
        };
        router.route(&format!("/{}", rules.word()), get(page))
    });
    boards
        .route("/", get(pages::home))
        .route("/game/{name}", get(pages::game))
        .route("/strategy", get(pages::strategy::walk))
        .route("/strategy/{moves}", get(pages::strategy::walk))
        .route("/move", get(pages::machine_move))
        .route("/part/{name}", get(pages::part))
        .merge(api)
        .fallback(pages::unknown)
        .method_not_allowed_fallback(api::wrong_method)
}
