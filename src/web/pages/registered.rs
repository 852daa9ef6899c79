//! The page of a game of the registry: its position, every move with what it leads to, and the
//! moves played.

use std::sync::Arc;

use axum::extract::{Path, RawQuery};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};

use super::best_play::{BestPlay, best_play_panel};
use super::graph::graph_panel;
use super::model::{Mark, Model, PositionLink};
use super::panels::{button, part, waiting, without_scripts};
use super::parts;
use super::share::share;
use super::values::{ResultRow, table};
use super::why::why_registered;
use super::{error_page, not_found, page};
use crate::game::Parameter;
use crate::registry::{Branch, Entry, Situation};
use crate::web::Shared;
use crate::web::api::ApiError;
use crate::web::api::registered::{self, Found, Lack, found, kept};
use crate::web::registered::Address;
use crate::web::request::{BadRequest, Query};
use crate::web::text::{NO_TIME, THINKING, Verdict, situation};

/// `/game/NAME`.
pub async fn game(
    explorer: Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(entry) = explorer.registry.other(&name).cloned() else {
        return not_found(&explorer, &headers);
    };
    let made = async {
        let mut query = Query::new(query.as_deref())?;
        let wait = query.flag("wait")?;
        let address = Arc::new(Address::read(entry, &mut query)?);
        query.done()?;
        let title = address.course.start().title();
        Ok::<_, ApiError>(page(
            &headers,
            StatusCode::OK,
            &title,
            &main(&explorer, &address, wait).await?,
        ))
    };
    made.await.unwrap_or_else(|error| error_page(&headers, error))
}

/// `/part/moves?game=NAME&...`: what the moves lead to, for the script.
pub async fn moves(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    let made = async {
        let address = parts::registered_game(&explorer, query.as_deref())?;
        let address = address.map_err(|_| BadRequest("there is no such game".to_owned()))?;
        let found = found(&explorer, &address, None).await?;
        Ok(branches(&address, &address.model(), &found, false))
    };
    parts::part(made.await)
}

/// The moves by what they lead to.
pub async fn values(explorer: &Shared, address: &Arc<Address>) -> Result<Markup, ApiError> {
    let found = found(explorer, address, None).await?;
    Ok(by_result(address, &address.model(), &found.situation))
}

fn by_result(address: &Address, model: &Model, situation: &Situation) -> Markup {
    let rows = situation.moves.iter().map(|(branch, worth)| ResultRow {
        label: branch.text.clone(),
        url: Some(address.playing(&branch.text)),
        value: worth.map(Into::into),
        is_best: situation.is_best(branch),
        score: None,
    });
    table(model, rows.collect())
}

/// Best play; `None` if it takes a search that is not wanted.
pub async fn line(
    explorer: &Shared,
    address: &Arc<Address>,
    search: bool,
) -> Result<Option<Markup>, ApiError> {
    let model = address.model();
    if address.study().result().is_some() {
        return Ok(Some(best_play_panel(&model, &BestPlay::Over)));
    }
    let Some(play) = registered::play(explorer, address, search).await? else {
        return Ok(search.then(|| best_play_panel(&model, &BestPlay::Unknown)));
    };
    let texts = play.moves.iter().map(|(text, _)| text.clone());
    let moves: Vec<String> = address.played().iter().cloned().chain(texts).collect();
    let mut to_move = model.current().to_move;
    let places = play.moves.into_iter().zip(address.at + 1..).map(|((label, keeps_turn), at)| {
        to_move = if keeps_turn { to_move } else { to_move.other() };
        PositionLink { url: address.url(&moves, at), label, to_move }
    });
    let places = places.collect();
    let line = if play.repeats { BestPlay::Repeats(places) } else { BestPlay::Ends(places) };
    Ok(Some(best_play_panel(&model, &line)))
}

/// The values of the game so far; `None` if they take a search that is not wanted.
pub async fn graph(
    explorer: &Shared,
    address: &Arc<Address>,
    search: bool,
) -> Result<Option<Markup>, ApiError> {
    let known = registered::values(explorer, address, search).await?;
    let is_shown = search || known.iter().all(Option::is_some);
    Ok(is_shown.then(|| graph_panel(&address.model(), &known)))
}

async fn main(explorer: &Shared, address: &Arc<Address>, wait: bool) -> Result<Markup, ApiError> {
    let model = address.model();
    let found = if wait { found(explorer, address, None).await? } else { kept(explorer, address)? };
    let pending = !found.situation.is_whole() && !wait;
    let values = (!pending).then(|| by_result(address, &model, &found.situation));
    let line = line(explorer, address, wait).await?;
    let graph = graph(explorer, address, wait).await?;
    let why = if wait { Some(why_registered(explorer, address, None).await?) } else { None };
    let picture = address.study().picture();
    let query =
        format!("game={}&{}", address.entry.name, address.query(&address.moves, address.at));
    let source = pending.then(|| format!("/part/moves?{query}"));
    Ok(html! {
        h1 { (address.course.start().title()) }
        div.columns {
            div.table {
                div #state {}
                p #notice role="status" {}
                div.scroll tabindex="0" role="region" aria-label="Position" {
                    pre.picture #board tabindex="-1" role="img"
                        aria-label=(picture.replace('/', ", "))
                        data-picture=(picture.replace('/', "\n"))
                        data-none="there is no move # here: choose one of those below" {
                        (picture.replace('/', "\n"))
                    }
                }
                p.help #after {}
                section #branches data-src=[source] { (branches(address, &model, &found, pending)) }
                @if why.is_none() {
                    (without_scripts(&waiting(&model.current().url), "Wait for the values"))
                }
                (controls(address, &model))
                (part("why", &query, why.as_ref()))
            }
            div.side {
                (part("values", &query, values.as_ref()))
                (part("line", &query, line.as_ref()))
                (model.record(&address.played().join(",")))
                (part("graph", &query, graph.as_ref()))
                (set_up(address, &model))
            }
        }
    })
}

/// Who is to move, what it is worth, and every move.
fn branches(address: &Address, model: &Model, found: &Found, pending: bool) -> Markup {
    html! {
        p #status role="status" { (words(address, model, found, pending)) }
        ul.branches {
            @for (branch, worth) in &found.situation.moves {
                @let mark = Mark {
                    model,
                    label: &branch.text,
                    value: worth.map(Into::into),
                    is_best: found.situation.is_best(branch),
                    unknown: if pending { "…" } else { "?" },
                };
                li { (link(address, branch, &mark)) }
            }
        }
    }
}

/// A move: a link that shows what the position would be and what that is worth.
fn link(address: &Address, branch: &Branch, mark: &Mark<'_>) -> Markup {
    let text = &branch.text;
    let mover = mark.model.current().to_move;
    let told = mark.value.map_or_else(String::new, |value| {
        format!(": {}{}", mark.model.words(value, mover), if mark.is_best { ", best" } else { "" })
    });
    html! {
        a class=(mark.class()) data-move=(text) data-label={ "move " (text) }
            data-picture=(branch.to.picture().replace('/', "\n"))
            data-told={ "After " (text) (told) }
            href=(address.playing(text)) { (mark.inside()) }
    }
}

/// Who is to move, what it is worth, and what is best.
fn words(address: &Address, model: &Model, found: &Found, pending: bool) -> String {
    let Found { situation: known, lack } = found;
    let side = model.current().to_move;
    let told = match (known.worth, lack) {
        (Some(worth), _) => Verdict::Value {
            value: model.words(worth.into(), side),
            best: known.best_moves().map(|branch| branch.text.clone()).collect(),
            moves: known.moves.len(),
        },
        (None, Some(Lack::Size(said))) => Verdict::Unknown(said),
        (None, None) if pending => Verdict::Unknown(THINKING),
        (None, _) => Verdict::Unknown(NO_TIME),
    };
    let result = address.study().result();
    situation(model.name(side), model.name(side.other()), result, &told)
}

fn controls(address: &Address, model: &Model) -> Markup {
    let url = |at: usize| model.positions.get(at).map(|place| place.url.clone());
    html! {
        div.controls {
            (button("undo", "Undo", "u", address.at.checked_sub(1).and_then(url)))
            (button("redo", "Redo", "r", url(address.at + 1)))
            (button("new", "New game", "n", Some(address.url(&[], 0))))
        }
        p.help {
            "Keys: 1 to 9 play the move of that name, arrows and Enter choose, u undo, r redo, n \
             new, k and j step along best play."
        }
    }
}

/// The form of another start.
fn set_up(address: &Address, model: &Model) -> Markup {
    let entry = &address.entry;
    let size = entry.usual_size().map(|(width, height)| match address.chosen("size") {
        "" => format!("{width}x{height}"),
        given => given.to_owned(),
    });
    html! {
        section.panel {
            h2 { "Set up and share" }
            form #setup method="get" action={ "/game/" (entry.name) } {
                @if let Some(size) = size {
                    label {
                        "Columns x rows "
                        input name="size" value=(size) pattern="[0-9]+x[0-9]+";
                    }
                }
                @for Parameter { name: flag, help, .. } in entry.rules() {
                    label {
                        (help) " "
                        select name=(flag) {
                            option value="false" { "no" }
                            option value="true" selected[address.chosen(flag) == "true"] { "yes" }
                        }
                    }
                }
                label {
                    "Position: " (address.course.start().position_help()) " "
                    input name="position" value=(address.chosen("position")) autocomplete="off"
                        spellcheck="false";
                }
                button type="submit" { "Set up" }
            }
            (share(
                &model.current().url,
                &address.played().join(","),
                &address.study().picture(),
                &format!("game={}&{}", entry.name, address.query(address.played(), address.at)),
            ))
        }
    }
}

/// The games of the registry, and those that the files hold, for the first page.
pub fn cards(explorer: &Shared) -> Markup {
    let entries: Vec<&Entry> = explorer.registry.others().collect();
    let stored = explorer.oracle.files().games().filter_map(|id| {
        let start = explorer.registry.start_of(id)?.ok()?;
        let [width, height, line] = start.parameters();
        let url = format!("/game/{}?parameters={width}-{height}-{line}", id.name);
        Some((url, start.title(), "from a database"))
    });
    let all = entries
        .iter()
        .map(|entry| (format!("/game/{}", entry.name), entry.name.to_owned(), entry.about));
    html! {
        @if !entries.is_empty() {
            h2 { "Games of other kinds" }
            ul.cards #games {
                @for (url, title, about) in all.chain(stored) {
                    li { a href=(url) { b { (title) } " " (about) } }
                }
            }
        }
    }
}
