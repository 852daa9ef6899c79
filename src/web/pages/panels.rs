//! The panels of a page around its board.

use maud::{Markup, html};

use super::share;
use super::view::View;
use crate::games::line::notation::write_moves;
use crate::opponent::Level;
use crate::oracle::Valued;
use crate::web::text::THINKING;

/// Contents of a page that are not part of its view.
pub struct Content<'c> {
    pub board: Markup,
    /// The side to move and the value of the position.
    pub words: &'c str,
    /// Values are still to come.
    pub pending: bool,
    pub values: Option<Markup>,
    pub line: Option<Markup>,
    pub graph: Option<Markup>,
    pub why: Option<Markup>,
    /// A pasted text that was refused, and its error.
    pub refused: Option<(&'c str, &'c str)>,
}

/// The main part of a page.
pub fn main<G: Valued>(view: &View<G>, content: &Content<'_>) -> Markup {
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
    let part = |name: &str, made: Option<&Markup>| part(name, &query, made);
    let moves = write_moves(&view.game, &view.moves[..view.at]);
    html! {
        h1 { (view.name()) " " small { (view.game.size()) } }
        div.columns {
            div.table {
                div #state data-reply=[reply] data-watch=[watch] {}
                p #status role="status" { (words) }
                div.scroll tabindex="-1" { (content.board) }
                p #notice role="status" {}
                @if machine {
                    (without_scripts(&format!("/move?{query}"), "Let the machine move"))
                } @else if content.pending || (view.hints && content.why.is_none()) {
                    (without_scripts(&waiting(&view.url()), "Wait for the values"))
                }
                (controls(view))
                @if view.hints { (part("why", content.why.as_ref())) }
            }
            div.side {
                @if view.hints {
                    (part("values", content.values.as_ref()))
                    (part("line", content.line.as_ref()))
                }
                (options(view))
                (view.model().record(&moves))
                @if view.hints { (part("graph", content.graph.as_ref())) }
                (share::panel(view, content.refused))
            }
        }
    }
}

/// A panel that may need a search: made here, or requested by the script.
pub fn part(name: &str, query: &str, made: Option<&Markup>) -> Markup {
    let source = made.is_none().then(|| format!("/part/{name}?{query}"));
    html! {
        section.panel id=(name) data-src=[source] {
            @match made {
                Some(made) => (made),
                None => p.waiting { (THINKING) },
            }
        }
    }
}

/// The address of a page that waits for all its panels.
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

fn controls<G: Valued>(view: &View<G>) -> Markup {
    let flipped = View { second: !view.second, ..view.clone() };
    let waits = view.is_machines_turn() && !view.machine_moves_now();
    html! {
        div.controls {
            (button("undo", "Undo", "u", view.before().map(|view| view.url())))
            (button("redo", "Redo", "r", view.after().map(|view| view.url())))
            @if waits {
                (button("resume", "Play on from here", "p", Some(view.ending_here().url())))
            }
            (button("new", "New game", "n", Some(view.with_moves(Vec::new()).url())))
            (button("mirror", "Mirror", "m", Some(view.mirrored().url())))
            (button("flip", "Flip sides", "f", Some(flipped.url())))
        }
        p.help {
            "Keys: 1 to 9 play, arrows and Enter choose, u undo, r redo, n new, m mirror, f flip, \
             k and j step along best play."
        }
    }
}

/// The parameters that a form keeps, as hidden fields.
pub fn hidden<G: Valued>(view: &View<G>, without: &[&str]) -> Markup {
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

fn options<G: Valued>(view: &View<G>) -> Markup {
    let option = |value: &str, label: &str, chosen: bool| {
        html! { option value=(value) selected[chosen] { (label) } }
    };
    html! {
        form #options method="get" action=(view.path()) {
            (hidden(view, &["level", "side", "hints"]))
            label {
                "The machine plays "
                select name="level" {
                    (option("", "neither side", view.level.is_none()))
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
            // The script applies every choice as it is made.
            noscript { button type="submit" { "Apply" } }
        }
    }
}
