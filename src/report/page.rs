//! Report as one HTML page, without other files. Its script only saves and enlarges pictures.

use std::fmt::Write;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::colour;
use super::figure::{Figure, Section};
use super::first_moves::FIRST_MOVES;
use crate::html::plain;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Metadata of the page, closed as XML demands.
const META: &str = "<meta charset=\"utf-8\"/>\n\
     <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>";

/// Writes the page. `facts` are its origin: program, command, machine.
pub fn page(facts: &[(String, String)], sections: &[Section]) -> String {
    let title = match sections {
        [section] => &section.title,
        _ => "Report of everyply",
    };
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                (PreEscaped(META))
                title { (plain(title)) }
                style { (PreEscaped(STYLE)) (PreEscaped(colours())) }
            }
            body {
                main {
                    @if sections.len() > 1 {
                        h1 { (title) }
                        nav aria-label="Sections" {
                            ol {
                                @for (i, section) in sections.iter().enumerate() {
                                    li { a href={ "#s" (i) } { (plain(&section.title)) } }
                                }
                            }
                        }
                    }
                    @for (i, section) in sections.iter().enumerate() {
                        "\n"
                        section id={ "s" (i) } { (section_html(section, sections.len() == 1)) }
                    }
                    footer { h2 { "This page" } (list(facts)) }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
        "\n"
    };
    page.into_string()
}

fn section_html(section: &Section, is_alone: bool) -> Markup {
    // The first moves stand beside the facts.
    let beside = section.figures.first().filter(|figure| figure.id.ends_with(FIRST_MOVES));
    html! {
        div.opening {
            div {
                p.game { (plain(&section.source)) }
                @if is_alone { h1 { (plain(&section.title)) } } @else { h2 { (plain(&section.title)) } }
                dl.counts {
                    @for (name, number) in &section.counts { div { dt { (plain(name)) } dd { (plain(number)) } } }
                }
                (list(&section.facts))
            }
            @if let Some(figure) = beside { "\n" (figure_html(figure)) }
        }
        @for figure in section.figures.iter().skip(usize::from(beside.is_some())) {
            "\n" (figure_html(figure))
        }
    }
}

/// Replaces every colour by its dark form.
fn colours() -> String {
    let mut rules = String::new();
    for colour::Colour { light, dark } in colour::all() {
        let _ = writeln!(
            rules,
            "  svg [fill=\"{light}\"] {{ fill: {dark}; }} svg [stroke=\"{light}\"] {{ stroke: {dark}; }}"
        );
    }
    format!("@media screen and (prefers-color-scheme: dark) {{\n{rules}}}\n")
}

/// The longest cell, in characters, that is never broken into lines.
const LONG: usize = 32;

fn list(facts: &[(String, String)]) -> Markup {
    html! {
        @if !facts.is_empty() {
            dl {
                @for (name, value) in facts { dt { (plain(name)) } dd { (plain(value)) } }
            }
        }
    }
}

fn figure_html(figure: &Figure) -> Markup {
    let id = plain(&figure.id);
    // Without a picture the table is open.
    let open = (!figure.is_drawn()).then_some("open");
    let csv = format!("data:text/csv;charset=utf-8,{}", percent_encoded(&figure.table.csv()));
    html! {
        figure id=(id) {
            figcaption {
                p.game { (plain(&figure.game)) }
                h3 { (plain(&figure.title)) }
                p { (plain(&figure.note)) }
            }
            @if let Some(svg) = figure.inline() {
                div.scroll tabindex="0" role="region" aria-label={ "Picture of " (id) } {
                    (PreEscaped(svg.trim_end()))
                }
            }
            details open=[open] {
                summary { "Data table" }
                p { a download={ (id) ".csv" } href=(csv) { "CSV" } }
                div.scroll tabindex="0" role="region" aria-label={ "Data of " (id) } {
                    table {
                        thead {
                            tr {
                                @for cell in &figure.table.header {
                                    th scope="col" { (plain(cell)) }
                                }
                            }
                        }
                        tbody {
                            @for row in &figure.table.rows {
                                "\n"
                                tr {
                                    @for cell in row {
                                        @let long = cell.chars().count() > LONG;
                                        td class=[long.then_some("long")] { (plain(cell)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Encodes text for a `data:` address.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 3 / 2);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b',' => {
                encoded.push(char::from(byte));
            }
            byte => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}
