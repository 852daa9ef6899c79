//! The pages.

mod board;
mod graph;
mod panels;
pub mod registered;
mod view;

use axum::extract::RawQuery;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Shared;
use super::api::{self, ApiError};
use super::request::{BadRequest, Query};
use super::text::situation;
use crate::game::Game;
use crate::games::line::{LineGame, Rules};
use crate::oracle::{SourcedValue, best_of, tree_is_small};
use view::View;

/// Script and style, as they are sent.
const SCRIPT: &str = include_str!("../assets/explorer.js");
const STYLE: &str = include_str!("../assets/explorer.css");
const ICON: &str = include_str!("../assets/icon.svg");

fn asset(kind: &'static str, text: &'static str) -> Response {
    // Small and local: asked for again after an hour, so that a new version shows.
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

/// A page, or its main part alone for the script.
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

/// A page that says what is wrong with the request.
fn error_page(headers: &HeaderMap, error: ApiError) -> Response {
    let (status, said) = match error {
        ApiError::Refused(BadRequest(said)) => (StatusCode::BAD_REQUEST, said),
        ApiError::Failed(said) => (StatusCode::INTERNAL_SERVER_ERROR, said),
    };
    let main = html! {
        h1 { "That did not work" }
        p.error #error role="alert" { (said) }
        p { a href="/" { "Choose a board" } }
    };
    page(headers, status, "everyply", &main)
}

pub async fn home(explorer: Shared, headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    match Query::new(query.as_deref()).and_then(Query::done) {
        Ok(()) => {
            let main = html! { (PreEscaped(panels::HOME)) (registered::cards(&explorer)) };
            page(&headers, StatusCode::OK, "everyply", &main)
        }
        Err(refusal) => error_page(&headers, refusal.into()),
    }
}

/// `/play?game=...&size=...&line=...`, as the form of the first page asks.
pub async fn any_board(headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    let asked = || -> Result<View, BadRequest> {
        let mut query = Query::new(query.as_deref())?;
        let game = query.game()?;
        query.done()?;
        Ok(View::of(game))
    };
    match asked() {
        Ok(view) => see_other(&view.url()),
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

async fn paste(
    explorer: &Shared,
    view: &View,
    text: &str,
) -> Result<Vec<crate::game::Move>, ApiError> {
    let game = view.game;
    let given = super::request::PositionInput::pasted(text);
    let (control, _guard) = explorer.workers.control(None);
    let work = move |_: &crate::control::Control| given.game_record(&game);
    Ok(explorer.run(control, work).await??)
}

/// What is known of the moves when the page is made.
struct Results {
    moves: Vec<(crate::game::Move, SourcedValue)>,
    complete: bool,
    /// Time was up; else the script keeps asking.
    tried: bool,
}

async fn known_results(explorer: &Shared, view: &View, wait: bool) -> Result<Results, ApiError> {
    let position = view.position();
    if let Some(moves) = explorer.oracle.cached_moves(&view.game, position)? {
        return Ok(Results { moves, complete: true, tried: false });
    }
    if wait || tree_is_small(&view.game, view.game.initial()) {
        let (moves, complete) = api::move_results(explorer, view.game, position, None).await?;
        return Ok(Results { moves, complete, tried: true });
    }
    Ok(Results { moves: Vec::new(), complete: false, tried: false })
}

async fn main_part(
    explorer: &Shared,
    view: &View,
    results: &Results,
    refused: Option<(&str, &str)>,
    wait: bool,
) -> Result<Markup, ApiError> {
    let position = view.position();
    let (value, best) = best_of(&results.moves).filter(|_| results.complete).unzip();
    let best = best.unwrap_or_default();
    let words = situation(
        &view.game,
        position,
        value.map(|known| known.value),
        best,
        results.tried && !results.complete,
    );
    let now = wait || tree_is_small(&view.game, view.game.initial());
    let line = if now { Some(panels::line(explorer, view).await?) } else { None };
    let graph = if now { Some(graph::graph(explorer, view).await?) } else { None };
    let pending = !results.complete && !results.tried;
    Ok(panels::main(
        view,
        &panels::Content {
            board: board::board(view, &results.moves, best, pending),
            words: &words,
            pending,
            line,
            graph,
            refused,
        },
    ))
}

/// The query of a part: the game, its board, and a view.
fn view_of(query: Option<&str>) -> Result<View, ApiError> {
    let mut query = Query::new(query)?;
    let game = query.game()?;
    let view = View::read(game, &mut query)?;
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

pub async fn line(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    part(match view_of(query.as_deref()) {
        Ok(view) => panels::line(&explorer, &view).await,
        Err(error) => Err(error),
    })
}

pub async fn graph(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    part(match view_of(query.as_deref()) {
        Ok(view) => graph::graph(&explorer, &view).await,
        Err(error) => Err(error),
    })
}

/// Lets the machine move, for browsers without scripts.
pub async fn machine_move(
    explorer: Shared,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let moved = async {
        let view = view_of(query.as_deref())?;
        let level = view.level.unwrap_or_default();
        let choice = api::choose(&explorer, view.game, view.position(), level).await?;
        let played = choice.map_or_else(|| view.clone(), |choice| view.playing(choice.m));
        Ok::<_, ApiError>(see_other(&played.url()))
    };
    moved.await.unwrap_or_else(|error| error_page(&headers, error))
}

/// True if the moves of a game are columns.
fn falls(view: &View) -> bool {
    view.game.rules().stones_fall()
}
