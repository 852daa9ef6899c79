//! The panel to set up and to share a position.

use maud::{Markup, html};

use super::panels::hidden;
use super::view::View;
use crate::games::line::notation::{picture, write_moves};
use crate::html::plain;
use crate::oracle::Valued;

/// The panel of a view, with a refused text and its error.
pub fn panel<G: Valued>(view: &View<G>, refused: Option<(&str, &str)>) -> Markup {
    let (text, said) = refused.unwrap_or_default();
    let moves = write_moves(&view.game, &view.moves[..view.at]);
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
            (share(&view.url(), &moves, &picture(&view.game, view.position()), &view.api_query()))
        }
    }
}

/// Texts of a position to copy: the address of its page, its moves, its board, and its API request.
pub fn share(url: &str, moves: &str, board: &str, api_query: &str) -> Markup {
    html! {
        (copied("share", "Address of this position", url))
        (copied("copy-moves", "Moves", moves))
        (copied("copy-board", "Board", board))
        (copied("copy-api", "API", &format!("/api/v1/position?{api_query}")))
    }
}

/// A text to copy, with a button that the script shows.
fn copied(id: &str, label: &str, text: &str) -> Markup {
    html! {
        div.copied {
            label { (label) " " input id=(id) readonly value=(text); }
            button.copy type="button" data-copy=(id) aria-label={ "Copy: " (label) } hidden {
                "Copy"
            }
        }
    }
}
