//! The parts of a page that the script asks for when they may take a search, and the machine's move
//! for browsers without one.

use std::sync::Arc;

use axum::extract::RawQuery;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::view::View;
use super::why::{UNASKED, why_registered};
use super::{error_page, registered, see_other};
use crate::opponent::Opponent;
use crate::oracle::Valued;
use crate::web::Shared;
use crate::web::api::{self, ApiError};
use crate::web::registered::Address;
use crate::web::request::{BadRequest, Query, with_board};

/// The query of a part: the game, its board, and a view.
fn view_of<G: Valued>(game: G, mut query: Query) -> Result<View<G>, ApiError> {
    let view = View::read(game, &mut query)?;
    query.done()?;
    Ok(view)
}

pub(super) fn part(made: Result<Markup, ApiError>) -> Response {
    match made {
        Ok(text) => {
            let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
            ([kind, (header::CACHE_CONTROL, "no-store")], text.into_string()).into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// The game of the registry that a part is asked about; else what it is asked.
pub(super) fn registered_game(
    explorer: &Shared,
    query: Option<&str>,
) -> Result<Result<Arc<Address>, Query>, BadRequest> {
    let mut query = Query::new(query)?;
    match Address::of_game(&explorer.registry, &mut query)? {
        Some(address) => query.done().map(|()| Ok(Arc::new(address))),
        None => Ok(Err(query)),
    }
}

pub async fn line(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    let made = async {
        let mut query = match registered_game(&explorer, query.as_deref())? {
            Err(query) => query,
            Ok(address) => {
                return Ok(registered::line(&explorer, &address, true).await?.unwrap_or_default());
            }
        };
        let board = query.game()?;
        with_board!(board, game => super::best_play::best_play(&explorer, &view_of(game, query)?).await)
    };
    part(made.await)
}

pub async fn values(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    let made = async {
        let mut query = match registered_game(&explorer, query.as_deref())? {
            Err(query) => query,
            Ok(address) => return registered::values(&explorer, &address).await,
        };
        let board = query.game()?;
        with_board!(board, game => super::values::values(&explorer, &view_of(game, query)?).await)
    };
    part(made.await)
}

pub async fn graph(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    let made = async {
        let mut query = match registered_game(&explorer, query.as_deref())? {
            Err(query) => query,
            Ok(address) => {
                return Ok(registered::graph(&explorer, &address, true).await?.unwrap_or_default());
            }
        };
        let board = query.game()?;
        with_board!(board, game => super::graph::graph(&explorer, &view_of(game, query)?).await)
    };
    part(made.await)
}

pub async fn why(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    let made = async {
        let limit = Some(UNASKED);
        let mut query = match registered_game(&explorer, query.as_deref())? {
            Err(query) => query,
            Ok(address) => return why_registered(&explorer, &address, limit).await,
        };
        let board = query.game()?;
        with_board!(board, game => {
            super::why::why(&explorer, &view_of(game, query)?, limit).await
        })
    };
    part(made.await)
}

/// Lets the machine move, for browsers without scripts.
pub async fn machine_move(
    explorer: Shared,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let moved = async {
        let mut query = Query::new(query.as_deref())?;
        let board = query.game()?;
        with_board!(board, game => after_reply(&explorer, view_of(game, query)?).await)
    };
    let moved = moved.await.map(|url: String| see_other(&url));
    moved.unwrap_or_else(|error| error_page(&headers, error))
}

/// The address of a page after the machine has moved.
async fn after_reply<G: Opponent>(explorer: &Shared, view: View<G>) -> Result<String, ApiError> {
    let level = view.level.unwrap_or_default();
    let choice = api::choose(explorer, view.game, view.position(), level).await?;
    Ok(choice.map_or_else(|| view.clone(), |choice| view.playing(choice.m)).url())
}
