//! The page of a game of the registry: its position, every move with what it leads to, and the
//! moves played.

use crate::web::pages::error_page;
use std::fmt::Write;

use axum::extract::{Path, RawQuery};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::panels::button;
use super::{page, part};
use crate::game::Outcome;
use crate::game::Worth;
use crate::html::escaped;
use crate::registry::{Branch, Situation};
use crate::web::Shared;
use crate::web::api::registered::{Found, Lack, found};
use crate::web::api::{ApiError, not_found};
use crate::web::registered::Address;
use crate::web::request::{BadRequest, Query};

/// `/game/NAME`.
pub async fn game(
    explorer: Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(entry) = explorer.registry.find(&name).cloned() else { return not_found().await };
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

fn main(found: &Found, pending: bool) -> String {
    let address = &found.address;
    let course = &address.course;
    let picture = course.study().picture();
    let query = escaped(&format!(
        "/part/moves?game={}&{}",
        address.entry.name,
        address.query(&address.moves, address.at())
    ));
    let source = if pending { format!(" data-src=\"{query}\"") } else { String::new() };
    let mut html = format!(
        "<h1>{}</h1><div class=\"columns\"><div class=\"table\"><div id=\"state\"></div>\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Position\">\
         <pre id=\"board\" class=\"picture\" role=\"img\" aria-label=\"{}\">{}</pre></div>\
         <section id=\"branches\"{source}>{}</section>",
        escaped(&course.start().title()),
        escaped(&picture.replace('/', ", ")),
        escaped(&picture.replace('/', "\n")),
        branches(found, pending)
    );
    if pending {
        let url = address.url(&address.moves, address.at());
        let join = if url.contains('?') { '&' } else { '?' };
        let _ = write!(
            html,
            "<noscript><p><a class=\"button\" href=\"{}{join}wait=true\">Wait for the values</a></p></noscript>",
            escaped(&url)
        );
    }
    html.push_str(&controls(address));
    html.push_str("</div><div class=\"side\">");
    html.push_str(&record(address));
    html.push_str(&set_up(address));
    html.push_str("</div></div>");
    html
}

/// Who is to move, what it is worth, and every move.
fn branches(found: &Found, pending: bool) -> String {
    let Found { address, situation, lack } = found;
    let mut html = format!(
        "<p id=\"status\" role=\"status\">{}</p><ul class=\"branches\">",
        escaped(&words(address, situation, lack.as_ref(), pending))
    );
    for (branch, worth) in &situation.moves {
        let best = situation.is_best(branch);
        let _ = write!(html, "<li>{}</li>", link(address, branch, *worth, best, pending));
    }
    html.push_str("</ul>");
    html
}

fn link(
    address: &Address,
    branch: &Branch,
    worth: Option<Worth>,
    best: bool,
    pending: bool,
) -> String {
    let text = escaped(&branch.text);
    let class = match worth {
        Some(worth) => format!("place v-{}{}", worth.outcome(), if best { " best" } else { "" }),
        None => "place".to_owned(),
    };
    let value = match worth {
        Some(Worth::Ends(value)) => format!("{} in <b>{}</b>", value.outcome, value.remoteness),
        Some(Worth::Endless) => "draw <b>endless</b>".to_owned(),
        None if pending => "…".to_owned(),
        None => "?".to_owned(),
    };
    format!(
        "<a class=\"{class}\" data-move=\"{text}\" data-label=\"move {text}\" href=\"{}\">\
         <span class=\"number\">{text}</span><span class=\"spoken\">: </span>\
         <span class=\"value\">{value}</span><span class=\"spoken rest\">{}</span></a>",
        escaped(&address.playing(&branch.text)),
        if best { ", best" } else { "" }
    )
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
        Worth::Endless => "a draw by endless play".to_owned(),
        Worth::Ends(value) => {
            let r = value.remoteness.0;
            let plies = if r == 1 { "ply" } else { "plies" };
            match value.outcome {
                Outcome::Win => format!("a win in {r} {plies}"),
                Outcome::Draw => format!("a draw in {r} {plies}"),
                Outcome::Loss => format!("a loss in {r} {plies}"),
            }
        }
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

fn controls(address: &Address) -> String {
    let (moves, at) = (&address.moves, address.at());
    let buttons = [
        button(
            "undo",
            "Undo",
            " aria-keyshortcuts=\"u\"",
            at.checked_sub(1).map(|at| address.url(moves, at)),
        ),
        button(
            "redo",
            "Redo",
            " aria-keyshortcuts=\"r\"",
            (at < moves.len()).then(|| address.url(moves, at + 1)),
        ),
        button("new", "New game", " aria-keyshortcuts=\"n\"", Some(address.url(&[], 0))),
    ];
    format!(
        "<div class=\"controls\">{}</div><p class=\"help\">Keys: 1 to 9 play the move of that \
         name, arrows and Enter choose, u undo, r redo, n new.</p>",
        buttons.concat()
    )
}

fn record(address: &Address) -> String {
    let mut steps = String::new();
    for at in 0..=address.moves.len() {
        let label = at.checked_sub(1).map_or("start", |before| &address.moves[before]);
        let current = if at == address.at() { " aria-current=\"step\"" } else { "" };
        let url = escaped(&address.url(&address.moves, at));
        let _ = write!(steps, "<li><a href=\"{url}\"{current}>{}</a></li>", escaped(label));
    }
    format!(
        "<section class=\"panel\"><h2>Moves</h2><ol class=\"steps\" id=\"record\">{steps}</ol></section>"
    )
}

/// The form of another start.
fn set_up(address: &Address) -> String {
    let entry = &address.entry;
    let mut fields = String::new();
    if let Some((width, height)) = entry.choices.size {
        let given = address.chosen("size");
        let size = if given.is_empty() { format!("{width}x{height}") } else { given.to_owned() };
        let _ = write!(
            fields,
            "<label>Columns x rows <input name=\"size\" value=\"{}\" pattern=\"[0-9]+x[0-9]+\"></label>",
            escaped(&size)
        );
    }
    for (flag, help) in entry.choices.flags {
        let chosen = |value| if address.chosen(flag) == value { " selected" } else { "" };
        let _ = write!(
            fields,
            "<label>{} <select name=\"{flag}\"><option value=\"false\">no</option>\
             <option value=\"true\"{}>yes</option></select></label>",
            escaped(help),
            chosen("true")
        );
    }
    format!(
        "<section class=\"panel\"><h2>Set up and share</h2>\
         <form id=\"setup\" method=\"get\" action=\"/game/{}\">{fields}\
         <label>Position: {} <input name=\"position\" value=\"{}\" autocomplete=\"off\" \
         spellcheck=\"false\"></label><button type=\"submit\">Set up</button></form>\
         <label>Address of this position <input id=\"share\" readonly value=\"{}\"></label></section>",
        entry.name,
        escaped(address.course.start().position_help()),
        escaped(address.chosen("position")),
        escaped(&address.url(&address.moves, address.at()))
    )
}

/// The games of the registry, and those that the files hold, for the first page.
pub fn cards(explorer: &Shared) -> String {
    let card = |url: &str, title: &str, about: &str| {
        format!(
            "<li><a href=\"{}\"><b>{}</b> {}</a></li>",
            escaped(url),
            escaped(title),
            escaped(about)
        )
    };
    let entries = explorer.registry.entries();
    let mut html = String::new();
    for entry in entries {
        html.push_str(&card(&format!("/game/{}", entry.name), entry.name, entry.about));
    }
    let mut files = String::new();
    for id in explorer.oracle.files().games() {
        let [width, height, line] = [id.size.width, id.size.height, id.size.line];
        let entry = entries.iter().find(|entry| entry.name == id.name);
        let Some(Ok(start)) = entry.map(|entry| entry.of_parameters([width, height, line])) else {
            continue;
        };
        let url = format!("/game/{}?parameters={width}-{height}-{line}", id.name);
        files.push_str(&card(&url, &start.title(), "from a database"));
    }
    if html.is_empty() {
        return html;
    }
    format!("<h2>Games of other kinds</h2><ul class=\"cards\" id=\"games\">{html}{files}</ul>")
}
