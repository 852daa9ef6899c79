//! A report as one HTML page, without other files. Its script only saves charts.

use std::collections::HashMap;
use std::fmt::Write;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::colour;
use super::figure::{Figure, Section};
use crate::html::plain;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Metadata of the page, closed as XML demands.
const META: &str = "<meta charset=\"utf-8\"/>\n\
     <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>";

/// Writes the page of a report, which names the command that made it.
pub fn page(command: &str, sections: &[Section]) -> String {
    let title = match sections {
        [section] => &section.title,
        _ => "Report of everyply",
    };
    let program = format!("everyply {}", env!("CARGO_PKG_VERSION"));
    let origin =
        [("made by", program), ("command", command.to_owned())].map(|(a, b)| (a.to_owned(), b));
    let stems = stems(sections);
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
                    @for (i, (section, stem)) in sections.iter().zip(&stems).enumerate() {
                        "\n"
                        section id={ "s" (i) } { (section_html(section, stem, sections.len() == 1)) }
                    }
                    footer { h2 { "This page" } (list(&origin)) }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
        "\n"
    };
    page.into_string()
}

/// Returns the stem of each section, with a number if it is a repeated one.
fn stems(sections: &[Section]) -> Vec<String> {
    let mut seen = HashMap::new();
    let unique = |section: &Section| {
        let times = seen.entry(section.stem.clone()).or_insert(0);
        *times += 1;
        if *times > 1 { format!("{}-{times}", section.stem) } else { section.stem.clone() }
    };
    sections.iter().map(unique).collect()
}

fn section_html(section: &Section, stem: &str, is_alone: bool) -> Markup {
    html! {
        p.game { (plain(&section.source)) }
        @if is_alone { h1 { (plain(&section.title)) } } @else { h2 { (plain(&section.title)) } }
        @if !section.counts.is_empty() {
            dl.counts {
                @for (name, number) in &section.counts {
                    div { dt { (plain(name)) } dd { (plain(number)) } }
                }
            }
        }
        (list(&section.facts))
        @for figure in &section.figures { "\n" (figure_html(figure, &section.game, stem)) }
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

fn figure_html(figure: &Figure, game: &str, stem: &str) -> Markup {
    let id = plain(&format!("{stem}-{}", figure.kind));
    // Without a chart the table is open, and on a narrow screen a list.
    let is_listed = figure.chart.is_none();
    let open = is_listed.then_some("open");
    let csv = format!("data:text/csv;charset=utf-8,{}", percent_encoded(&figure.table.csv()));
    html! {
        figure id=(id) {
            figcaption {
                p.game { (plain(game)) }
                h3 { (plain(&figure.title)) }
                p { (plain(&figure.note)) }
            }
            @if let Some(svg) = figure.svg(game) {
                div.scroll tabindex="0" role="region" aria-label={ "Chart of " (id) } {
                    (PreEscaped(svg.trim_end()))
                }
            }
            details open=[open] {
                summary { "Data table" }
                p { a download={ (id) ".csv" } href=(csv) { "CSV" } }
                div.scroll tabindex="0" role="region" aria-label={ "Data of " (id) } {
                    table.listed[is_listed] {
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
                                    @for (name, cell) in figure.table.header.iter().zip(row) {
                                        @let long = cell.chars().count() > LONG;
                                        td class=[long.then_some("long")] data-name=[is_listed.then(|| plain(name))] { (plain(cell)) }
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
