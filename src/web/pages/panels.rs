//! What is around the board.

use maud::{Markup, html};

use super::view::View;
use crate::control::Control;
use crate::game::{Game, Move};
use crate::games::line::LineGame;
use crate::games::line::notation::write_moves;
use crate::html::plain;
use crate::opponent::Level;
use crate::oracle::OracleError;
use crate::web::Shared;
use crate::web::api::ApiError;

/// The first page.
pub const HOME: &str = include_str!("../assets/home.html");

/// What a page shows beside what its view says.
pub struct Content<'c> {
    pub board: Markup,
    /// Who is to move and what it is worth.
    pub words: &'c str,
    /// Values are still to come.
    pub pending: bool,
    pub line: Option<Markup>,
    pub graph: Option<Markup>,
    /// A text that was pasted, and what is wrong with it.
    pub refused: Option<(&'c str, &'c str)>,
}

/// The main part of a page.
pub fn main(view: &View, content: &Content<'_>) -> Markup {
    let machine = view.machine_moves_now();
    let level = view.level.filter(|_| machine);
    let reply =
        level.map(|level| format!("/api/v1/reply?{}&level={}", view.api_query(), level.name()));
    let watch = (!machine && content.pending && view.hints)
        .then(|| format!("/api/v1/watch?{}", view.api_query()));
    let words = match (machine, view.hints, view.game.result(view.position())) {
        (true, ..) => format!("The machine ({}) is thinking …", view.side_to_move()),
        (_, false, None) => format!("{} to move.", view.side_to_move()),
        _ => content.words.to_owned(),
    };
    let query = format!("{}{}", view.board_query(), view.rest_query());
    let part = |name: &str, made: Option<&Markup>| {
        let source = made.is_none().then(|| format!("/part/{name}?{query}"));
        html! {
            section.panel id=(name) data-src=[source] {
                @match made {
                    Some(made) => (made),
                    None => p.waiting { "thinking …" },
                }
            }
        }
    };
    html! {
        h1 { (view.name()) " " small { (view.game.size()) } }
        div.columns {
            div.table {
                div #state data-reply=[reply] data-watch=[watch] {}
                p #status role="status" { (words) }
                div.scroll tabindex="-1" { (content.board) }
                @if machine {
                    (without_scripts(&format!("/move?{query}"), "Let the machine move"))
                } @else if content.pending {
                    (without_scripts(&waiting(&view.url()), "Wait for the values"))
                }
                (controls(view))
            }
            div.side {
                (options(view))
                (record(view))
                @if view.hints {
                    (part("line", content.line.as_ref()))
                    (part("graph", content.graph.as_ref()))
                }
                (paste(view, content.refused))
            }
        }
    }
}

/// The address of a page with all that it is to say, however long that takes.
pub fn waiting(url: &str) -> String {
    format!("{url}{}wait=true", if url.contains('?') { '&' } else { '?' })
}

/// A link for browsers without scripts.
pub fn without_scripts(url: &str, label: &str) -> Markup {
    html! { noscript { p { a.button href=(url) { (label) } } } }
}

pub fn button(id: &str, label: &str, key: &str, target: Option<String>) -> Markup {
    html! {
        @match target {
            Some(url) => {
                a.button id=(id) href=(url) aria-keyshortcuts=(key) { (label) }
            }
            None => span class="button off" id=(id) { (label) },
        }
    }
}

fn controls(view: &View) -> Markup {
    let flipped = View { second: !view.second, ..view.clone() };
    let back = (view.at > 0).then(|| view.at(view.at.saturating_sub(1)).url());
    let on = (view.at < view.moves.len()).then(|| view.at(view.at + 1).url());
    html! {
        div.controls {
            (button("undo", "Undo", "u", back))
            (button("redo", "Redo", "r", on))
            (button("new", "New game", "n", Some(view.with_moves(Vec::new()).url())))
            (button("mirror", "Mirror", "m", Some(view.mirrored().url())))
            (button("flip", "Flip sides", "f", Some(flipped.url())))
        }
        p.help {
            "Keys: 1 to 9 play, arrows and Enter choose, u undo, r redo, n new, m mirror, f flip."
        }
    }
}

/// The parameters of a form that it does not change.
fn hidden(view: &View, without: &[&str]) -> Markup {
    let size = view.game.size();
    let fixed = [
        ("size", size.board()),
        ("line", size.line.to_string()),
        ("moves", write_moves(&view.game, &view.moves)),
        ("at", if view.at < view.moves.len() { view.at.to_string() } else { String::new() }),
        ("side", if view.second { "second".into() } else { "first".into() }),
        ("hints", if view.hints { "on".into() } else { "off".into() }),
        ("level", view.level.map_or_else(String::new, |level| level.name().into())),
    ];
    html! {
        @for (name, value) in fixed.iter().filter(|(name, _)| !without.contains(name)) {
            input type="hidden" name=(name) value=(value);
        }
    }
}

fn options(view: &View) -> Markup {
    let option = |value: &str, label: &str, chosen: bool| {
        html! { option value=(value) selected[chosen] { (label) } }
    };
    html! {
        form #options method="get" action=(view.path()) {
            (hidden(view, &["level", "side", "hints"]))
            label {
                "The machine plays "
                select name="level" {
                    (option("", "nobody: two people", view.level.is_none()))
                    @for level in Level::ALL {
                        @let label = format!("{}: {}", level.name(), level.rule());
                        (option(level.name(), &label, view.level == Some(level)))
                    }
                }
            }
            label {
                "You are "
                select name="side" {
                    (option("first", "X, moving first", !view.second))
                    (option("second", "O, moving second", view.second))
                }
            }
            label {
                "Values "
                select name="hints" {
                    (option("on", "shown", view.hints))
                    (option("off", "hidden", !view.hints))
                }
            }
            button type="submit" { "Apply" }
        }
    }
}

fn record(view: &View) -> Markup {
    html! {
        @if !view.moves.is_empty() {
            section.panel {
                h2 { "Moves" }
                ol.steps #record {
                    (step(&view.at(0).url(), view.at == 0, "start"))
                    @for (i, m) in view.moves.iter().enumerate() {
                        @let at = i + 1;
                        (step(&view.at(at).url(), view.at == at, &m.number().to_string()))
                    }
                }
                p {
                    "Move string "
                    code #moves { (write_moves(&view.game, &view.moves[..view.at])) }
                }
            }
        }
    }
}

/// A link to a place in the game.
pub fn step(url: &str, is_current: bool, label: &str) -> Markup {
    html! { li { a href=(url) aria-current=[is_current.then_some("step")] { (label) } } }
}

fn paste(view: &View, refused: Option<(&str, &str)>) -> Markup {
    let (text, said) = refused.unwrap_or_default();
    html! {
        section.panel {
            h2 { "Set up and share" }
            form #paste method="get" action=(view.path()) {
                (hidden(view, &["moves", "at"]))
                label {
                    "Moves, or a board with X, O and . (rows separated by /, top row first) "
                    input name="paste" value=(plain(text)) autocomplete="off" spellcheck="false";
                }
                button type="submit" { "Set up" }
            }
            @if !said.is_empty() { p.error #error role="alert" { (said) } }
            (share(&view.url()))
        }
    }
}

/// The address of a page, to be copied.
pub fn share(url: &str) -> Markup {
    html! { label { "Address of this position " input #share readonly value=(url); } }
}

/// Best play from here to the end, every move of it a link.
pub async fn line(explorer: &Shared, view: &View) -> Result<Markup, ApiError> {
    let (game, position) = (view.game, view.position());
    let titled = |text: Markup| html! { h2 { "Best play from here" } (text) };
    if game.result(position).is_some() {
        return Ok(titled(html! { p { "The game is over." } }));
    }
    let (control, _guard) = explorer.workers.control(None);
    let this = explorer.clone();
    let work = move |control: &Control| this.oracle.variation(&game, position, control);
    let variation: Vec<Move> = match explorer.run(control, work).await? {
        Ok(variation) => variation,
        Err(OracleError::Stopped(_)) => {
            return Ok(titled(html! { p { "Not found in the time there is." } }));
        }
        Err(error) => return Err(error.into()),
    };
    let moves: Vec<Move> = view.moves[..view.at].iter().chain(&variation).copied().collect();
    let whole = view.with_moves(moves);
    Ok(titled(html! {
        ol.steps #variation {
            @for (i, m) in variation.iter().enumerate() {
                (step(&whole.at(view.at + i + 1).url(), false, &m.number().to_string()))
            }
        }
    }))
}
