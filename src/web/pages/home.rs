//! The first page: a board with the values of its moves, and links to all games.

use axum::extract::RawQuery;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};

use super::board::board;
use super::view::View;
use super::{error_page, page, registered, strategy, words_of};
use crate::connect_four::usual_board;
use crate::games::line::{LineGame, Rules};
use crate::opponent::Level;
use crate::oracle::best_of;
use crate::web::Shared;
use crate::web::api::ApiError;
use crate::web::request::Query;

/// The page `/`.
pub async fn home(explorer: Shared, headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    let made = Query::new(query.as_deref()).and_then(Query::done).map_err(ApiError::from);
    let made = made.and_then(|()| main(&explorer));
    match made {
        Ok(main) => page(&headers, StatusCode::OK, "everyply", &main),
        Err(error) => error_page(&headers, error),
    }
}

fn main(explorer: &Shared) -> Result<Markup, ApiError> {
    let view = View::of(usual_board());
    let known = explorer.oracle.cached_moves(&view.game, view.position())?;
    let results = known.as_deref().unwrap_or_default();
    let (value, best) = best_of(results).unzip();
    let best = best.unwrap_or_default();
    let watch = known.is_none().then(|| format!("/api/v1/watch?{}", view.api_query()));
    Ok(html! {
        h1 { "Every position, every move, and its result" }
        div.columns {
            div.table {
                h2 { a href=(view.url()) { (view.name()) " " (view.game.size()) } }
                div #state data-watch=[watch] {}
                p #status role="status" { (words_of(&view, value, best, false)) }
                div.scroll tabindex="-1" { (board(&view, results, best, known.is_none())) }
                p #notice role="status" {}
                p.help {
                    "Play a move here, or choose another board. Every free cell or column shows \
                     the result of its move with best play: win, draw or loss, and in how many plies."
                }
            }
            div.side {
                (strategy::cards(explorer))
                (boards())
                (another())
                (registered::cards(explorer))
            }
        }
    })
}

/// Links to the usual boards, to explore and to play.
pub fn boards() -> Markup {
    let casual = Level::Casual.name();
    html! {
        ul.cards {
            @for rules in Rules::ALL {
                @let (name, path) = (rules.name(rules.usual()), format!("/{}", rules.word()));
                li { a href=(path) { b { (name) } " " (rules.usual()) } }
                li {
                    a href={ (path) "?level=" (casual) "&hints=off" } {
                        b { "Play " (name) } " against the machine"
                    }
                }
            }
        }
    }
}

/// The form for any other board.
fn another() -> Markup {
    html! {
        form.panel #other method="get" action="/play" {
            h2 { "Another board" }
            label {
                "Game "
                select name="game" {
                    @for rules in Rules::ALL {
                        option value=(rules.word()) { (rules.about()) }
                    }
                }
            }
            label {
                "Columns x rows "
                input name="size" value="4x4" pattern="[0-9]+x[0-9]+" required;
            }
            label {
                "In a row to win "
                input name="line" type="number" min="1" max="64" value="4" required;
            }
            button type="submit" { "Open" }
        }
    }
}
