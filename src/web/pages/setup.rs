//! The panel to set up a position.

use super::view::View;
use crate::html::plain;
use crate::web::prelude::*;
use everyply_core::game::{Parameter, ParameterKind};

/// The panel of a view, with a refused text and its error.
pub fn panel(view: &View, refused: Option<(&str, &str)>) -> Markup {
    let (text, error) = refused.unwrap_or_default();
    html! {
        section.panel {
            h2 { "Set up a position" }
            form #paste method="get" action=(view.path()) {
                (view.hidden_fields(&["moves", "at"]))
                label {
                    "Moves, or a board: its rows from the top, as " code { (plain(&view.position().picture())) } " "
                    // Lines that are pasted into an input would become one.
                    textarea name="paste" rows="2" autocomplete="off" spellcheck="false" {
                        (plain(text))
                    }
                }
                button type="submit" { "Set up" }
                @if view.record.rules().is_some() {
                    " " button #edit type="button" data-picture=(view.position().picture()) hidden {
                        "Edit the board"
                    }
                }
            }
            @if !error.is_empty() { p.error #error role="alert" { (error) } }
        }
        section.panel {
            h2 { "Another board" }
            (parameters(view))
        }
    }
}

fn parameters(view: &View) -> Markup {
    let entry = &view.record.entry;
    let current = |name: &str| view.record.parameter(name).unwrap_or_default().to_owned();
    html! {
        form #setup method="get" action=(view.path()) {
            @for Parameter { name, help, kind } in entry.parameters {
                label {
                    (help) " "
                    @match *kind {
                        ParameterKind::Size(width, height) => {
                            input name=(name) pattern="[0-9]+x[0-9]+" value=(current(name))
                                placeholder={ (width) "x" (height) };
                        }
                        ParameterKind::Number { usual, least, most } => {
                            input name=(name) type="number" min=(least) max=(most)
                                value=(current(name)) placeholder=(usual);
                        }
                        ParameterKind::Rule => {
                            select name=(name) {
                                option value="false" { "no" }
                                option value="true" selected[current(name) == "true"] { "yes" }
                            }
                        }
                    }
                }
            }
            @if view.record.rules().is_none() {
                label {
                    "Position: " (view.start().info().position_help) " "
                    input name="position" value=(current("position")) autocomplete="off"
                        spellcheck="false";
                }
            }
            button type="submit" { "Set up another board" }
        }
    }
}
