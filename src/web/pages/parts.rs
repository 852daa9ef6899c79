//! Parts of a page that the script requests, and the machine's move without a script.

use axum::extract::RawQuery;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::view::View;
use super::{
    best_play, error_page, graph as graph_panel, see_other, values as values_panel,
    why as why_panel,
};
use crate::web::Shared;
use crate::web::api::{self, ApiError, read_record};
use crate::web::record::GameRequest;
use crate::web::request::Query;

/// The view of a request.
async fn view(explorer: &Shared, query: Option<&str>) -> Result<View, ApiError> {
    let mut query = Query::new(query)?;
    let request = GameRequest::read(&explorer.registry, &mut query)?;
    let view = View::read(read_record(explorer, request).await?, &mut query)?;
    query.done()?;
    Ok(view)
}

fn part(made: Result<Markup, ApiError>) -> Response {
    match made {
        Ok(text) => {
            let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
            ([kind, (header::CACHE_CONTROL, "no-store")], text.into_string()).into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// `/part/line`.
pub async fn line(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    part(
        async {
            let view = view(&explorer, query.as_deref()).await?;
            Ok(best_play::best_play(&explorer, &view, true).await?.unwrap_or_default())
        }
        .await,
    )
}

/// `/part/values`.
pub async fn values(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    part(
        async {
            let view = view(&explorer, query.as_deref()).await?;
            let found = api::move_values(&explorer, &view.record, view.at, None).await?;
            Ok(values_panel::values(&view, &found))
        }
        .await,
    )
}

/// `/part/graph`.
pub async fn graph(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    part(
        async {
            let view = view(&explorer, query.as_deref()).await?;
            Ok(graph_panel::graph(&explorer, &view, true).await?.unwrap_or_default())
        }
        .await,
    )
}

/// `/part/why`.
pub async fn why(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    part(
        async {
            let view = view(&explorer, query.as_deref()).await?;
            why_panel::why(&explorer, &view, Some(why_panel::UNASKED)).await
        }
        .await,
    )
}

/// `/move`: lets the machine move, for browsers without scripts.
pub async fn machine_move(
    explorer: Shared,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let moved = async {
        let view = view(&explorer, query.as_deref()).await?;
        let level = view.level.unwrap_or_default();
        let choice = api::choose(&explorer, &view.record, view.at, level).await?;
        Ok(choice.map_or_else(|| view.url(), |choice| view.url_after(&[choice.m.text])))
    };
    let moved = moved.await.map(|url: String| see_other(&url));
    moved.unwrap_or_else(|error| error_page(&headers, error))
}
