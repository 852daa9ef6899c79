//! Parts of a page that the script requests, and the machine's move without a script.

use axum::extract::Path;

use super::view::View;
use super::{best_play, error_page, graph, see_other, unknown, values, why};
use crate::web::api::{self, read_record};
use crate::web::prelude::*;

async fn view(explorer: &Shared, mut query: Query) -> Result<(View, Option<Duration>), ApiError> {
    let limit = api::timeout(&mut query)?;
    let view = View::read(read_record(explorer, &mut query).await?, &mut query)?;
    query.done()?;
    Ok((view, limit))
}

/// `/part/NAME`: the best play, the values, the graph or the reasons of a view.
pub async fn part(
    explorer: Shared,
    Path(name): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    query: ReadQuery,
) -> Response {
    if !["line", "values", "graph", "why"].contains(&&name[..]) {
        return unknown(explorer, uri, headers).await;
    }
    let made = async {
        let (view, limit) = view(&explorer, query?).await?;
        Ok::<_, ApiError>(match &name[..] {
            "line" => best_play::best_play(&explorer, &view, true, limit).await?,
            "values" => {
                let found = api::move_values(&explorer, &view.record, view.at, limit).await?;
                Some(values::values(&view, &found))
            }
            "graph" => graph::graph(&explorer, &view, true, limit).await?,
            _ => Some(why::why(&explorer, &view, limit.or(Some(why::UNASKED))).await?),
        })
    };
    match made.await {
        Ok(text) => {
            let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
            let text = text.unwrap_or_default().into_string();
            ([kind, (header::CACHE_CONTROL, "no-store")], text).into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// `/move`: lets the machine move, for browsers without scripts.
pub async fn machine_move(explorer: Shared, headers: HeaderMap, query: ReadQuery) -> Response {
    let moved = async {
        let (view, _) = view(&explorer, query?).await?;
        let level = view.level.unwrap_or_default();
        let choice = api::choose(&explorer, &view.record, view.at, level).await?;
        Ok(choice.map_or_else(|| view.url(), |choice| view.url_after(&[choice.m.text])))
    };
    let moved = moved.await.map(|url: String| see_other(&url));
    moved.unwrap_or_else(|error| error_page(&headers, error))
}
