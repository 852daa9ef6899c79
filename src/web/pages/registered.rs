//! The page of a game of the registry: its position, every move with what it leads to, and the
//! moves played.

use crate::web::pages::error_page;
use axum::extract::{Path, RawQuery};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};

use super::panels::{button, step, waiting, without_scripts};
use super::parts::part;
use super::share::share;
use super::{not_found, page};
use crate::game::Outcome;
use crate::game::{PartialValue, Worth};
use crate::registry::{Branch, Situation};
use crate::web::Shared;
use crate::web::api::ApiError;
use crate::web::api::registered::{Found, Lack, found};
use crate::web::registered::Address;
use crate::web::request::{BadRequest, Query};

/// `/game/NAME`.
pub async fn game(
    explorer: Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(entry) = explorer.registry.find(&name).cloned() else {
        return not_found(&explorer, &headers);
    };
    let made = async {
        let mut query = Query::new(query.as_deref())?;
        let wait = query.flag("wait")?;
        let address = Address::read(entry, &mut query)?;
        query.done()?;
        let course = &address.course;
        let kept = explorer.oracle.kept_situation(course.start(), course.study())?;
        let whole = kept.is_whole();
        let found = if wait && !whole {
            found(&explorer, address, None).await?
        } else {
            Found { address, situation: kept, lack: None }
        };
        let pending = !whole && !wait;
        let title = found.address.course.start().title();
        Ok::<_, ApiError>(page(&headers, StatusCode::OK, &title, &main(&found, pending)))
    };
    made.await.unwrap_or_else(|error| error_page(&headers, error))
}

/// `/part/moves?game=NAME&...`: what the moves lead to, for the script.
pub async fn moves(explorer: Shared, RawQuery(query): RawQuery) -> Response {
    let made = async {
        let mut query = Query::new(query.as_deref())?;
        let address = Address::of_game(&explorer.registry, &mut query)?;
        let address = address.ok_or_else(|| BadRequest("there is no such game".to_owned()))?;
        query.done()?;
        Ok(branches(&found(&explorer, address, None).await?, false))
    };
    part(made.await)
}

fn main(found: &Found, pending: bool) -> Markup {
    let address = &found.address;
    let course = &address.course;
    let picture = course.study().picture();
    let url = address.url(&address.moves, address.at());
    let query = address.query(&address.moves, address.at());
    let source = pending.then(|| format!("/part/moves?game={}&{query}", address.entry.name));
    html! {
        h1 { (course.start().title()) }
        div.columns {
            div.table {
                div #state {}
                p #notice role="status" {}
                div.scroll tabindex="0" role="region" aria-label="Position" {
                    pre.picture #board tabindex="-1" role="img"
                        aria-label=(picture.replace('/', ", "))
                        data-none="there is no move # here: choose one of those below" {
                        (picture.replace('/', "\n"))
                    }
                }
                section #branches data-src=[source] { (branches(found, pending)) }
                @if pending { (without_scripts(&waiting(&url), "Wait for the values")) }
                (controls(address))
            }
            div.side {
                (record(address))
                (set_up(address))
            }
        }
    }
}

/// Who is to move, what it is worth, and every move.
fn branches(found: &Found, pending: bool) -> Markup {
    let Found { address, situation, lack } = found;
    html! {
        p #status role="status" { (words(address, situation, lack.as_ref(), pending)) }
        ul.branches {
            @for (branch, worth) in &situation.moves {
                li { (link(address, branch, *worth, situation.is_best(branch), pending)) }
            }
        }
    }
}

fn link(
    address: &Address,
    branch: &Branch,
    worth: Option<Worth>,
    best: bool,
    pending: bool,
) -> Markup {
    let text = &branch.text;
    let class = match worth {
        Some(worth) => format!("place v-{}{}", worth.outcome(), if best { " best" } else { "" }),
        None => "place".to_owned(),
    };
    html! {
        a class=(class) data-move=(text) data-label={ "move " (text) }
            href=(address.playing(text)) {
            span.number { (text) }
            span.spoken { ": " }
            span.value {
                @match worth {
                    Some(Worth::Ends(value)) => {
                        (value.outcome) " in " b { (value.remoteness) }
                    }
                    Some(Worth::Endless) => { "draw " b { "endless" } }
                    None => @if pending { "…" } @else { "?" },
                }
            }
            span class="spoken rest" { @if best { ", best" } }
        }
    }
}

/// Who is to move, what it is worth, and what is best.
fn words(address: &Address, situation: &Situation, lack: Option<&Lack>, pending: bool) -> String {
    let names = ["first player", "second player"];
    let turn = usize::from(address.course.is_seconds_turn());
    let (side, other) = (names[turn], names[1 - turn]);
    match address.course.study().result() {
        Some(Outcome::Draw) => return "The game is over: a draw.".to_owned(),
        Some(Outcome::Win) => return format!("The game is over: the {side} wins."),
        Some(Outcome::Loss) => return format!("The game is over: the {other} wins."),
        None => {}
    }
    let Some(worth) = situation.worth else {
        let why = match lack {
            None if pending => "thinking …",
            Some(Lack::Size(said)) => said,
            _ => "not solved in the time there is.",
        };
        return format!("The {side} to move: {why}");
    };
    let told = match worth {
        Worth::Endless => worth.to_string(),
        Worth::Ends(value) => PartialValue::from(value).words_for(format!("the {side}")),
    };
    let best: Vec<&str> = situation.best_moves().map(|branch| &branch.text[..]).collect();
    match best.len() {
        0 => format!("The {side} to move: {told}."),
        1 => format!("The {side} to move: {told}; best is {}.", best[0]),
        n if n == situation.moves.len() => {
            format!("The {side} to move: {told}, whatever is played.")
        }
        _ => format!("The {side} to move: {told}; best are {}.", best.join(" ")),
    }
}

fn controls(address: &Address) -> Markup {
    let (moves, at) = (&address.moves, address.at());
    let back = at.checked_sub(1).map(|at| address.url(moves, at));
    let on = (at < moves.len()).then(|| address.url(moves, at + 1));
    html! {
        div.controls {
            (button("undo", "Undo", "u", back))
            (button("redo", "Redo", "r", on))
            (button("new", "New game", "n", Some(address.url(&[], 0))))
        }
        p.help {
            "Keys: 1 to 9 play the move of that name, arrows and Enter choose, u undo, r redo, n \
             new."
        }
    }
}

fn record(address: &Address) -> Markup {
    html! {
        section.panel {
            h2 { "Moves" }
            ol.steps #record {
                @for at in 0..=address.moves.len() {
                    @let before = at.checked_sub(1).map(|before| &address.moves[before][..]);
                    @let url = address.url(&address.moves, at);
                    (step(&url, at == address.at(), before.unwrap_or("start"), None))
                }
            }
        }
    }
}

/// The form of another start.
fn set_up(address: &Address) -> Markup {
    let entry = &address.entry;
    let size = entry.choices.size.map(|(width, height)| match address.chosen("size") {
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
                @for (flag, help) in entry.choices.flags {
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
            (share(&address.url(&address.moves, address.at())))
        }
    }
}

/// The games of the registry, and those that the files hold, for the first page.
pub fn cards(explorer: &Shared) -> Markup {
    let entries = explorer.registry.entries();
    let stored = explorer.oracle.files().games().filter_map(|id| {
        let [width, height, line] = [id.size.width, id.size.height, id.size.line];
        let entry = entries.iter().find(|entry| entry.name == id.name)?;
        let start = entry.of_parameters([width, height, line]).ok()?;
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
