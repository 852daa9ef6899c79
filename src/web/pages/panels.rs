//! What is around the board.

use std::fmt::Write;

use super::view::View;
use crate::control::Control;
use crate::game::{Game, Move};
use crate::games::line::LineGame;
use crate::games::line::notation::write_moves;
use crate::html::escaped;
use crate::opponent::Level;
use crate::oracle::OracleError;
use crate::web::Shared;
use crate::web::api::ApiError;

/// The first page.
pub const HOME: &str = include_str!("../assets/home.html");

/// What a page shows beside what its view says.
pub struct Content<'c> {
    pub board: &'c str,
    /// Who is to move and what it is worth.
    pub words: &'c str,
    /// Values are still to come.
    pub pending: bool,
    pub line: Option<&'c str>,
    pub graph: Option<&'c str>,
    /// A text that was pasted, and what is wrong with it.
    pub refused: Option<(&'c str, &'c str)>,
}

/// The main part of a page.
pub fn main(view: &View, content: &Content<'_>) -> String {
    let machine = view.machine_moves_now();
    let mut state = String::new();
    if machine && let Some(level) = view.level {
        let _ = write!(
            state,
            " data-reply=\"{}\"",
            escaped(&format!("/api/v1/reply?{}&level={}", view.api_query(), level.name()))
        );
    } else if content.pending && view.hints {
        let _ = write!(
            state,
            " data-watch=\"{}\"",
            escaped(&format!("/api/v1/watch?{}", view.api_query()))
        );
    }
    let words = match (machine, view.hints, view.game.result(view.position())) {
        (true, ..) => format!("The machine ({}) is thinking …", view.side_to_move()),
        (_, false, None) => format!("{} to move.", view.side_to_move()),
        _ => content.words.to_owned(),
    };
    let (size, name) = (view.game.size(), view.name());
    let mut html = format!(
        "<h1>{name} <small>{size}</small></h1><div class=\"columns\"><div class=\"table\">\
         <div id=\"state\"{state}></div><p id=\"status\" role=\"status\">{}</p>\
         <div class=\"scroll\" tabindex=\"-1\">{}</div>",
        escaped(&words),
        content.board
    );
    if machine {
        let query = format!("{}{}", view.board_query(), view.rest_query());
        let _ = write!(
            html,
            "<noscript><p><a class=\"button\" href=\"/move?{}\">Let the machine move</a></p></noscript>",
            escaped(&query)
        );
    } else if content.pending {
        let join = if view.url().contains('?') { '&' } else { '?' };
        let _ = write!(
            html,
            "<noscript><p><a class=\"button\" href=\"{}{join}wait=true\">Wait for the values</a></p></noscript>",
            escaped(&view.url())
        );
    }
    html.push_str(&controls(view));
    html.push_str("</div><div class=\"side\">");
    html.push_str(&options(view));
    html.push_str(&record(view));
    if view.hints {
        let query = format!("{}{}", view.board_query(), view.rest_query());
        for (name, made) in [("line", content.line), ("graph", content.graph)] {
            let source = escaped(&format!("/part/{name}?{query}"));
            let _ = match made {
                Some(made) => {
                    write!(html, "<section id=\"{name}\" class=\"panel\">{made}</section>")
                }
                None => write!(
                    html,
                    "<section id=\"{name}\" class=\"panel\" data-src=\"{source}\">\
                     <p class=\"waiting\">thinking …</p></section>"
                ),
            };
        }
    }
    html.push_str(&paste(view, content.refused));
    html.push_str("</div></div>");
    html
}

pub fn button(id: &str, label: &str, keys: &str, target: Option<String>) -> String {
    match target {
        Some(url) => {
            format!("<a class=\"button\" id=\"{id}\" href=\"{}\"{keys}>{label}</a>", escaped(&url))
        }
        None => format!("<span class=\"button off\" id=\"{id}\">{label}</span>"),
    }
}

fn controls(view: &View) -> String {
    let flipped = View { second: !view.second, ..view.clone() };
    let buttons = [
        button(
            "undo",
            "Undo",
            " aria-keyshortcuts=\"u\"",
            (view.at > 0).then(|| view.at(view.at.saturating_sub(1)).url()),
        ),
        button(
            "redo",
            "Redo",
            " aria-keyshortcuts=\"r\"",
            (view.at < view.moves.len()).then(|| view.at(view.at + 1).url()),
        ),
        button(
            "new",
            "New game",
            " aria-keyshortcuts=\"n\"",
            Some(view.with_moves(Vec::new()).url()),
        ),
        button("mirror", "Mirror", " aria-keyshortcuts=\"m\"", Some(view.mirrored().url())),
        button("flip", "Flip sides", " aria-keyshortcuts=\"f\"", Some(flipped.url())),
    ];
    format!(
        "<div class=\"controls\">{}</div><p class=\"help\">Keys: 1 to 9 play, arrows and Enter choose, \
         u undo, r redo, n new, m mirror, f flip.</p>",
        buttons.concat()
    )
}

/// The parameters of a form that it does not change.
fn hidden(view: &View, without: &[&str]) -> String {
    let size = view.game.size();
    let mut html = String::new();
    let fixed = [
        ("size", size.board()),
        ("line", size.line.to_string()),
        ("moves", write_moves(&view.game, &view.moves)),
        ("at", if view.at < view.moves.len() { view.at.to_string() } else { String::new() }),
        ("side", if view.second { "second".into() } else { "first".into() }),
        ("hints", if view.hints { "on".into() } else { "off".into() }),
        ("level", view.level.map_or_else(String::new, |level| level.name().into())),
    ];
    for (name, value) in fixed.iter().filter(|(name, _)| !without.contains(name)) {
        let _ =
            write!(html, "<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escaped(value));
    }
    html
}

fn options(view: &View) -> String {
    let option = |value: &str, label: &str, chosen: bool| {
        let selected = if chosen { " selected" } else { "" };
        format!("<option value=\"{value}\"{selected}>{}</option>", escaped(label))
    };
    let mut levels = option("", "nobody: two people", view.level.is_none());
    for level in Level::ALL {
        let label = format!("{}: {}", level.name(), level.rule());
        levels.push_str(&option(level.name(), &label, view.level == Some(level)));
    }
    format!(
        "<form id=\"options\" method=\"get\" action=\"{}\">{}\
         <label>The machine plays <select name=\"level\">{levels}</select></label>\
         <label>You are <select name=\"side\">{}{}</select></label>\
         <label>Values <select name=\"hints\">{}{}</select></label>\
         <button type=\"submit\">Apply</button></form>",
        view.path(),
        hidden(view, &["level", "side", "hints"]),
        option("first", "X, moving first", !view.second),
        option("second", "O, moving second", view.second),
        option("on", "shown", view.hints),
        option("off", "hidden", !view.hints),
    )
}

fn record(view: &View) -> String {
    if view.moves.is_empty() {
        return String::new();
    }
    let mut steps = step(view, 0, "start");
    for (i, m) in view.moves.iter().enumerate() {
        steps.push_str(&step(view, i + 1, &m.number().to_string()));
    }
    let played = write_moves(&view.game, &view.moves[..view.at]);
    format!(
        "<section class=\"panel\"><h2>Moves</h2><ol class=\"steps\" id=\"record\">{steps}</ol>\
         <p>Move string <code id=\"moves\">{played}</code></p></section>"
    )
}

/// A link to a place in the game.
fn step(view: &View, at: usize, label: &str) -> String {
    let current = if at == view.at { " aria-current=\"step\"" } else { "" };
    format!("<li><a href=\"{}\"{current}>{label}</a></li>", escaped(&view.at(at).url()))
}

fn paste(view: &View, refused: Option<(&str, &str)>) -> String {
    let (text, said) = refused.unwrap_or_default();
    let error = if said.is_empty() {
        String::new()
    } else {
        format!("<p id=\"error\" class=\"error\" role=\"alert\">{}</p>", escaped(said))
    };
    format!(
        "<section class=\"panel\"><h2>Set up and share</h2>\
         <form id=\"paste\" method=\"get\" action=\"{}\">{}\
         <label>Moves, or a board with X, O and . (rows separated by /, top row first) \
         <input name=\"paste\" value=\"{}\" autocomplete=\"off\" spellcheck=\"false\"></label>\
         <button type=\"submit\">Set up</button></form>{error}\
         <label>Address of this position <input id=\"share\" readonly value=\"{}\"></label></section>",
        view.path(),
        hidden(view, &["moves", "at"]),
        escaped(text),
        escaped(&view.url())
    )
}

/// Best play from here to the end, every move of it a link.
pub async fn line(explorer: &Shared, view: &View) -> Result<String, ApiError> {
    let (game, position) = (view.game, view.position());
    let mut html = "<h2>Best play from here</h2>".to_owned();
    if game.result(position).is_some() {
        return Ok(html + "<p>The game is over.</p>");
    }
    let (control, _guard) = explorer.workers.control(None);
    let this = explorer.clone();
    let work = move |control: &Control| this.oracle.variation(&game, position, control);
    let variation: Vec<Move> = match explorer.run(control, work).await? {
        Ok(variation) => variation,
        Err(OracleError::Stopped(_)) => {
            return Ok(html + "<p>Not found in the time there is.</p>");
        }
        Err(error) => return Err(error.into()),
    };
    let moves: Vec<Move> = view.moves[..view.at].iter().chain(&variation).copied().collect();
    let whole = view.with_moves(moves);
    html.push_str("<ol class=\"steps\" id=\"variation\">");
    for (i, m) in variation.iter().enumerate() {
        let url = escaped(&whole.at(view.at + i + 1).url());
        let _ = write!(html, "<li><a href=\"{url}\">{}</a></li>", m.number());
    }
    html.push_str("</ol>");
    Ok(html)
}
