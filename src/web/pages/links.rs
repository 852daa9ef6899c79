//! Links that panels share: buttons, moves, and pages that wait for all their panels.

use crate::web::prelude::*;

/// The address of a page that waits for all its panels.
pub fn waiting(url: &str) -> String {
    format!("{url}{}wait=true", if url.contains('?') { '&' } else { '?' })
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

/// A move as a link to the position after it, with its side and the side's name.
pub fn step(url: &str, mover: Option<(Side, &str)>, label: &str, is_current: bool) -> Markup {
    html! {
        li {
            a href=(url) class=[mover.map(|(side, _)| side.class())]
                aria-current=[is_current.then_some("step")] {
                @if let Some((_, name)) = mover { span.spoken { (name) " " } }
                (label)
            }
        }
    }
}
