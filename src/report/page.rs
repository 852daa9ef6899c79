//! A report as one HTML page: no script, nothing from elsewhere.

use std::fmt::Write;

use super::figure::{Figure, Section};
use super::plot::COLOURS;
use crate::html::escaped;

const STYLE: &str = include_str!("page.css");

/// Lighter twins of [`COLOURS`] for dark ground.
const ON_DARK: [&str; 6] = ["#6CB8EA", "#F2A25C", "#5FD0AE", "#E59BC8", "#D9BF5A", "#C4C4C4"];

/// The page. `facts` say how it was made.
#[must_use]
pub fn page(title: &str, facts: &[(String, String)], sections: &[Section]) -> String {
    let title = escaped(title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
        colours()
    );
    html.push_str(&list(facts));
    html.push_str("<nav aria-label=\"Sections\">\n<ul>\n");
    for (i, section) in sections.iter().enumerate() {
        let _ = writeln!(html, "<li><a href=\"#s{i}\">{}</a></li>", escaped(&section.title));
    }
    html.push_str("</ul>\n</nav>\n");
    for (i, section) in sections.iter().enumerate() {
        let _ = writeln!(html, "<section id=\"s{i}\">\n<h2>{}</h2>", escaped(&section.title));
        html.push_str(&list(&section.facts));
        for figure in &section.figures {
            html.push_str(&figure_html(figure));
        }
        html.push_str("</section>\n");
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// Series keep their hue on dark ground.
fn colours() -> String {
    let mut rules = String::new();
    for (light, dark) in COLOURS.iter().zip(ON_DARK) {
        let _ = writeln!(
            rules,
            "  svg [fill=\"{light}\"] {{ fill: {dark}; }} svg [stroke=\"{light}\"] {{ stroke: {dark}; }}"
        );
    }
    format!("@media screen and (prefers-color-scheme: dark) {{\n{rules}}}\n")
}

fn list(facts: &[(String, String)]) -> String {
    if facts.is_empty() {
        return String::new();
    }
    let item = |(name, value): &(String, String)| {
        format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value))
    };
    format!("<dl>\n{}</dl>\n", facts.iter().map(item).collect::<String>())
}

fn figure_html(figure: &Figure) -> String {
    let id = escaped(&figure.id);
    let mut html = format!("<figure id=\"{id}\">\n<figcaption><h3>{}</h3>", escaped(&figure.title));
    let _ = writeln!(html, "<p>{}</p></figcaption>", escaped(&figure.note));
    if let Some(svg) = &figure.svg {
        let svg = svg.trim_end();
        let _ = writeln!(
            html,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of {id}\">{svg}</div>"
        );
    }
    // Without a picture the table is what there is to see.
    let open = if figure.svg.is_none() { " open=\"open\"" } else { "" };
    let csv = format!("data:text/csv;charset=utf-8,{}", percent_encoded(&figure.table.csv()));
    let _ = writeln!(
        html,
        "<details{open}><summary>Data table</summary>\n<p><a download=\"{id}.csv\" href=\"{csv}\">\
         {id}.csv</a></p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Data of {id}\"><table>"
    );
    let cells = |row: &[String], tag: &str, scope: &str| {
        let cell = |cell: &String| format!("<{tag}{scope}>{}</{tag}>", escaped(cell));
        row.iter().map(cell).collect::<String>()
    };
    let head = cells(&figure.table.header, "th", " scope=\"col\"");
    let _ = writeln!(html, "<thead><tr>{head}</tr></thead>\n<tbody>");
    for row in &figure.table.rows {
        let _ = writeln!(html, "<tr>{}</tr>", cells(row, "td", ""));
    }
    html.push_str("</tbody></table></div>\n</details>\n</figure>\n");
    html
}

/// Text in a `data:` address.
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
