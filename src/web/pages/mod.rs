//! The explorer's pages.

mod best_play;
mod board;
mod graph;
mod home;
pub mod model;
mod panels;
mod parts;
pub mod registered;
mod share;
pub mod strategy;
mod values;
mod view;
mod why;

use axum::extract::RawQuery;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use super::Shared;
use super::api::{self, ApiError};
use super::request::{BadRequest, Query, with_board};
use super::text::of_stones;
use crate::game::MoveSet;
use crate::games::line::Rules;
use crate::oracle::{SourcedValue, Valued, best_of};
pub use home::home;
pub use parts::{graph, line, machine_move, values, why};
use view::View;

/// The script, style and icon of all pages.
const SCRIPT: &str = include_str!("../assets/explorer.js");
const STYLE: &str = include_str!("../assets/explorer.css");
const ICON: &str = include_str!("../assets/icon.svg");

fn asset(kind: &'static str, text: &'static str) -> Response {
    // Small and local; requested again after an hour, so that a new version is seen.
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=3600")], text).into_response()
}

pub async fn script() -> Response {
    asset("text/javascript; charset=utf-8", SCRIPT)
}

pub async fn style() -> Response {
    asset("text/css; charset=utf-8", STYLE)
}

pub async fn icon() -> Response {
    asset("image/svg+xml", ICON)
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

/// A page with the error of a request.
fn error_page(headers: &HeaderMap, error: ApiError) -> Response {
    let (status, said) = match error {
        ApiError::Refused(BadRequest(said)) => (StatusCode::BAD_REQUEST, said),
        ApiError::Failed(said) => (StatusCode::INTERNAL_SERVER_ERROR, said),
    };
    let main = html! {
        h1 { "The request was refused" }
        p.error #error role="alert" { (said) }
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
        (home::boards())
        (registered::cards(explorer))
        p { "The API is at " code { "/api/v1/position" } ", described in " code { "docs/api.md" } "." }
        p { a href="/" { "The first page" } }
    };
    page(headers, StatusCode::NOT_FOUND, "everyply: no such page", &main)
}

/// `/play?game=...&size=...&line=...`, as the form of the first page asks.
pub async fn any_board(headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    let asked = || -> Result<String, BadRequest> {
        let mut query = Query::new(query.as_deref())?;
        let game = query.game()?;
        query.done()?;
        Ok(with_board!(game, game => View::of(game).url()))
    };
    match asked() {
        Ok(url) => see_other(&url),
        Err(refusal) => error_page(&headers, refusal.into()),
    }
}

fn see_other(url: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, url)]).into_response()
}

/// The page of a board with these rules.
pub async fn explorer(
    explorer: &Shared,
    headers: &HeaderMap,
    query: Option<&str>,
    rules: Rules,
) -> Response {
    match explorer_page(explorer, headers, query, rules).await {
        Ok(response) => response,
        Err(error) => error_page(headers, error),
    }
}

async fn explorer_page(
    explorer: &Shared,
    headers: &HeaderMap,
    query: Option<&str>,
    rules: Rules,
) -> Result<Response, ApiError> {
    let mut query = Query::new(query)?;
    let game = query.board(rules)?;
    with_board!(game, game => page_of(explorer, headers, query, game).await)
}

async fn page_of<G: Valued>(
    explorer: &Shared,
    headers: &HeaderMap,
    mut query: Query,
    game: G,
) -> Result<Response, ApiError> {
    let pasted = query.take("paste").filter(|text| !text.trim().is_empty());
    let wait = query.flag("wait")?;
    let view = View::read(game, &mut query)?;
    query.done()?;
    if let Some(text) = pasted {
        return Ok(match paste(explorer, &view, &text).await {
            Ok(moves) => see_other(&view.with_moves(moves).url()),
            Err(ApiError::Refused(BadRequest(said))) => {
                let results = known_results(explorer, &view, false).await?;
                let main =
                    main_part(explorer, &view, &results, Some((&text, &said)), false).await?;
                page(headers, StatusCode::BAD_REQUEST, &view.title(), &main)
            }
            Err(other) => return Err(other),
        });
    }
    let results = known_results(explorer, &view, wait).await?;
    let main = main_part(explorer, &view, &results, None, wait).await?;
    Ok(page(headers, StatusCode::OK, &view.title(), &main))
}

async fn paste<G: Valued>(
    explorer: &Shared,
    view: &View<G>,
    text: &str,
) -> Result<Vec<crate::game::Move>, ApiError> {
    let game = view.game;
    let given = super::request::PositionInput::pasted(text);
    let work = move |_: &crate::control::Control| given.read(&game);
    Ok(explorer.searches.run(None, work).await??.1)
}

/// Values of moves that are known when the page is made.
struct Results {
    moves: Vec<(crate::game::Move, SourcedValue)>,
    complete: bool,
    /// True after a search; else the script requests one.
    tried: bool,
}

async fn known_results<G: Valued>(
    explorer: &Shared,
    view: &View<G>,
    wait: bool,
) -> Result<Results, ApiError> {
    let position = view.position();
    if let Some(moves) = explorer.oracle.cached_moves(&view.game, position)? {
        return Ok(Results { moves, complete: true, tried: false });
    }
    if wait || view.game.has_small_tree(view.game.initial()) {
        let (moves, complete) = api::move_results(explorer, view.game, position, None).await?;
        return Ok(Results { moves, complete, tried: true });
    }
    Ok(Results { moves: Vec::new(), complete: false, tried: false })
}

/// A sentence with the side to move, the value and the best moves.
fn words_of<G: Valued>(
    view: &View<G>,
    value: Option<SourcedValue>,
    best: MoveSet,
    partial: bool,
) -> String {
    of_stones(&view.game, view.position(), value.map(|known| known.value), best, partial)
}

async fn main_part<G: Valued>(
    explorer: &Shared,
    view: &View<G>,
    results: &Results,
    refused: Option<(&str, &str)>,
    wait: bool,
) -> Result<Markup, ApiError> {
    let (value, best) = best_of(&results.moves).filter(|_| results.complete).unzip();
    let best = best.unwrap_or_default();
    let words = words_of(view, value, best, results.tried && !results.complete);
    let now = wait || view.game.has_small_tree(view.game.initial());
    let over_or_known = results.complete || results.tried;
    let values = over_or_known.then(|| values::of_view(view, &results.moves, results.complete));
    let line = if now { Some(best_play::best_play(explorer, view).await?) } else { None };
    let graph = if now { Some(graph::graph(explorer, view).await?) } else { None };
    let why = if now { Some(why::why(explorer, view, None).await?) } else { None };
    let pending = !results.complete && !results.tried;
    Ok(panels::main(
        view,
        &panels::Content {
            board: board::board(view, &results.moves, best, pending),
            words: &words,
            pending,
            values,
            line,
            graph,
            why,
            refused,
        },
    ))
}

/// True if the moves of a game are columns.
fn falls<G: Valued>(view: &View<G>) -> bool {
    view.game.rules().stones_fall()
}
