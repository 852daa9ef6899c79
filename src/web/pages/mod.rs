//! The explorer's pages.

mod best_play;
mod board;
mod graph;
mod home;
mod links;
mod panels;
mod parts;
mod scene;
mod setup;
pub mod strategy;
mod values;
mod view;
mod why;

use axum::extract::Path;
use axum::routing::{MethodRouter, get};
use maud::DOCTYPE;

use super::Explorer;
use super::api;
use super::prelude::*;
use super::request::form_of;
pub use home::home;
pub use parts::{machine_move, part};
use view::View;

/// The style, script and icon of all pages, each with its address and kind.
#[cfg(feature = "web")]
pub const ASSETS: [[&str; 3]; 3] = [
    ["/assets/explorer.css", "text/css; charset=utf-8", include_str!("../assets/explorer.css")],
    [
        "/assets/explorer.js",
        "text/javascript; charset=utf-8",
        include_str!("../assets/explorer.js"),
    ],
    ["/favicon.ico", "image/svg+xml", include_str!("../assets/icon.svg")],
];

#[cfg(feature = "web")]
pub fn asset(kind: &'static str, text: &'static str) -> MethodRouter<Arc<Explorer>> {
    // Small and local; requested again after an hour, so that a new version is seen.
    let fields = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=3600")];
    get(move || async move { (fields, text) })
}

/// A page; for the script, only its main part.
fn page(headers: &HeaderMap, status: StatusCode, title: &str, main: &Markup) -> Response {
    let text = if headers.contains_key("x-part") {
        main.0.clone()
    } else {
        whole(title, main).into_string()
    };
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    let fresh = (header::CACHE_CONTROL, "no-store");
    (status, [kind, fresh, (header::VARY, "x-part")], text).into_response()
}

fn whole(title: &str, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="/favicon.ico";
                link rel="stylesheet" href="/assets/explorer.css";
                script src="/assets/explorer.js" defer {}
            }
            body {
                header {
                    a.home href="/" { "everyply" }
                    nav aria-label="Games" {
                        @for rules in Rules::ALL {
                            a href={ "/" (rules.word()) } { (rules.name(rules.usual())) }
                        }
                    }
                }
                main #main { (main) }
            }
        }
    }
}

fn error_page(headers: &HeaderMap, error: ApiError) -> Response {
    let ApiError { status, error } = error;
    let main = html! {
        h1 { "The request was refused" }
        p.error #error role="alert" { (error) }
        p { a href="/" { "Choose a board" } }
    };
    page(headers, status, "everyply", &main)
}

/// The answer for an unknown address: a document for programs, else a page.
pub async fn unknown(explorer: Shared, uri: Uri, headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    let accepted = accepted.unwrap_or_default();
    let wants_json = accepted.contains("application/json") && !accepted.contains("text/html");
    if wants_json || uri.path().starts_with("/api/") {
        return api::not_found();
    }
    not_found(&explorer, &headers)
}

/// A page that lists the addresses that exist.
fn not_found(explorer: &Shared, headers: &HeaderMap) -> Response {
    let main = html! {
        h1 { "There is no such page" }
        p.error #error role="alert" { "There is nothing at this address. Pages that exist:" }
        (home::cards(explorer))
        p { a href="/" { "The first page" } }
    };
    page(headers, StatusCode::NOT_FOUND, "everyply: no such page", &main)
}

fn see_other(url: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, url)]).into_response()
}

pub async fn game(
    explorer: Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
    query: ReadQuery,
) -> Response {
    named(&explorer, &name, &headers, query).await
}

pub async fn named(
    explorer: &Shared,
    name: &str,
    headers: &HeaderMap,
    query: ReadQuery,
) -> Response {
    let Some(entry) = explorer.registry.find(name) else {
        return not_found(explorer, headers);
    };
    let made = async {
        let mut query = query?;
        let pasted = query.take("paste").filter(|text| !text.trim().is_empty());
        let wait = query.flag("wait")?;
        let start = GameRecord::of_entry(entry, &mut query)?;
        let record = api::played(explorer, start, &mut query).await?;
        let view = View::read(record, &mut query)?;
        query.done()?;
        let Some(text) = pasted else {
            let (title, main) = (view.title(), panels::main(explorer, view, wait, None).await?);
            return Ok(page(headers, StatusCode::OK, &title, &main));
        };
        match paste(explorer, &view, &text).await {
            Ok(moves) => Ok(see_other(&view.url_with(&moves))),
            Err(ApiError { status: StatusCode::BAD_REQUEST, error }) => {
                let (title, refused) = (view.title(), Some((&text[..], &error[..])));
                let main = panels::main(explorer, view, false, refused).await?;
                Ok(page(headers, StatusCode::BAD_REQUEST, &title, &main))
            }
            Err(other) => Err(other),
        }
    };
    made.await.unwrap_or_else(|error| error_page(headers, error))
}

async fn paste(explorer: &Shared, view: &View, text: &str) -> Result<Vec<String>, ApiError> {
    let (record, text) = (view.record.clone(), text.trim().to_owned());
    let work = move |_: &_| record.replayed(form_of(&text), &text);
    let course = explorer.searches.run(None, work).await??;
    Ok(course.moves().map(String::from).collect())
}
