//! The first page: a board with the values of its moves, and links to all games.

use std::collections::BTreeSet;

use super::board::{board, thumbnail};
use super::scene::Scene;
use super::view::{View, path_of};
use super::{error_page, page, strategy};
use crate::web::api::{known_values, scored_game};
use crate::web::prelude::*;
use everyply_core::game::{Chosen, GameId};
use everyply_core::statistics::counted;

pub async fn home(explorer: Shared, headers: HeaderMap, query: ReadQuery) -> Response {
    let made = query.and_then(Query::done).and_then(|()| main(&explorer));
    match made {
        Ok(main) => page(&headers, StatusCode::OK, "everyply", &main),
        Err(error) => error_page(&headers, error),
    }
}

fn main(explorer: &Shared) -> Result<Markup, ApiError> {
    let entry = scored_game(explorer).or(explorer.registry.entries().first());
    let Some(entry) = entry else { return Ok(cards(explorer)) };
    let view = View::of(Arc::new(GameRecord::usual(entry)?));
    let found = known_values(explorer, view.position())?;
    let watch = found.lack.is_some().then(|| format!("/api/v1/watch?{}", view.api_query()));
    let scene = Scene::new(view, found);
    let view = &scene.view;
    Ok(html! {
        div.columns {
            div.head {
                div #state data-watch=[watch] {}
                h1.large { "Every position, every move, and its result" }
                p.lead {
                    "Each free cell or column shows what its move leads to with best play of both \
                     sides: win, draw or loss, and in how many plies. All of it is proved, none of it \
                     estimated."
                }
            }
            div.table {
                div.scroll tabindex="-1" { (board(&scene)) }
                p #notice role="status" {}
            }
            div.side {
                section.panel {
                    h2 { a href=(view.url()) { (view.start().info().title) } }
                    p #status role="status" { (scene.words()) }
                    p.controls {
                        a.button href=(view.url()) { "Explore" }
                        a.button href={ (view.path()) "?hints=off&level=" (level(view.start())) } { "Play" }
                    }
                }
                (strategy::cards(explorer))
            }
        }
        h2.large #all { "All games" }
        (cards(explorer))
    })
}

/// Links to all games, to explore and to play, and to the games of the files.
pub fn cards(explorer: &Shared) -> Markup {
    let ids: BTreeSet<GameId> = explorer.oracle.files().games().cloned().collect();
    let stored = ids.iter().filter(|id| !explorer.registry.is_usual(id)).filter_map(|id| {
        let entry = explorer.registry.find(&id.name)?;
        let start = entry.of_parameters(id.parameters).ok()?;
        let [width, height, line] = id.parameters;
        let url = format!("{}?parameters={width}-{height}-{line}", path_of(entry));
        let known = explorer.oracle.known(start.as_ref()).ok().flatten();
        let fact = known.map(|known| known.value.to_string());
        Some(card(&url, start.as_ref(), "from a loaded file", fact))
    });
    html! {
        ul.cards #games {
            @for entry in explorer.registry.entries() {
                @if let Ok(start) = entry.choose(&Chosen::default()) {
                    li {
                        (card(&path_of(entry), start.as_ref(), entry.about, fact(explorer, start.as_ref())))
                        a.against href={ (path_of(entry)) "?hints=off&level=" (level(start.as_ref())) } {
                            "Play against the machine"
                        }
                    }
                }
            }
            @for card in stored { li { (card) } }
        }
    }
}

fn card(url: &str, start: &dyn Position, about: &str, fact: Option<String>) -> Markup {
    html! {
        a href=(url) {
            (thumbnail(start)) b { (start.info().title) } " " span { (about) }
            @if let Some(fact) = fact { span.fact { (fact) } }
        }
    }
}

/// The games that `analyze` solved whole, with their values and counts.
const SOLVED: &str = include_str!("../../../data/games.csv");

/// The value and the positions of a game, if that takes no search.
fn fact(explorer: &Shared, start: &dyn Position) -> Option<String> {
    let (name, usual) = (start.info().name, format!("{} {}", start.info().name, start.picture()));
    let solved = SOLVED.lines().map(fields).find(|row| row[1] == name || row[1] == usual);
    let (value, positions) = match solved {
        Some(row) => {
            let value = match (row[2], row[3]) {
                ("endless", _) => PartialValue::ENDLESS_TEXT.to_owned(),
                (outcome, "") => outcome.to_owned(),
                (outcome, plies) => format!("{outcome} in {plies} plies"),
            };
            (value, row[5].parse().ok()?)
        }
        None => {
            let count = |line: &str| -> u64 {
                line.split(',').skip(1).take(3).filter_map(|n| n.parse::<u64>().ok()).sum()
            };
            let value = explorer.oracle.known(start).ok()??.value;
            (value.to_string(), start.info().published_counts.lines().map(count).sum())
        }
    };
    Some(format!("{value} · {}", counted(positions, "position")))
}

/// The fields of a row, in which fields with commas are quoted.
fn fields(row: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let fields = row.split(|c| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    });
    fields.map(|field| field.trim_matches('"')).chain([""; 6]).collect()
}

fn level(start: &dyn Position) -> &'static str {
    match start.plies_left() {
        Some(_) => Level::Casual.name(),
        None => Level::Beginner.name(),
    }
}
