//! `/api`: the description of the API for people.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::page;
use crate::web::Shared;
use crate::web::api::description;

/// The page `/api`.
pub async fn api(explorer: Shared, headers: HeaderMap) -> Response {
    let main = main(&description(&explorer.registry));
    page(&headers, StatusCode::OK, "everyply: the API", &main)
}

fn main(description: &Value) -> Markup {
    let paths = objects(&description["paths"]).flat_map(|(path, methods)| {
        objects(methods).map(move |(method, address)| (path, method, address))
    });
    html! {
        h1 { "The API" }
        p {
            "For programs: " a href="/api/v1/openapi.json" { "the same as OpenAPI 3.1" } ". "
            "Wrong requests get status 400 and " (reference("ErrorDocument")) "."
        }
        @for (path, method, address) in paths {
            @let answers = &address["responses"]["200"];
            h2 { (method.to_uppercase()) " " code { (path) } }
            p { (text(&address["summary"])) "." }
            @if let Some(parameters) = address["parameters"].as_array().filter(|p| !p.is_empty()) {
                (table("Parameter", parameters.iter().map(|parameter| {
                    let name = text(&parameter["name"]);
                    (name, &parameter["schema"], text(&parameter["description"]))
                })))
            }
            @for (kind, body) in objects(&address["requestBody"]["content"]) {
                p { "Body (" (kind) "): " (schema(&body["schema"])) ". "
                    (text(&address["requestBody"]["description"])) "." }
            }
            @for (kind, body) in objects(&answers["content"]) {
                p { (text(&answers["description"])) " (" (kind) "): " (schema(&body["schema"])) }
            }
        }
        h2 { "Documents" }
        @for (name, described) in objects(&description["components"]["schemas"]) {
            h3 id=(name) { (name) }
            p { (text(&described["description"])) }
            (fields(described))
        }
    }
}

/// The fields of a document, those of its alternatives too.
fn fields(described: &Value) -> Markup {
    let alternatives = alternatives(described);
    html! {
        @if described["properties"].is_object() {
            (table("Field", objects(&described["properties"]).map(|(name, field)| {
                (&name[..], field, text(&field["description"]))
            })))
        }
        @for alternative in alternatives.into_iter().flatten() {
            @if alternative["properties"].is_object() {
                p { "or" }
                (fields(alternative))
            } @else {
                p { "or " (schema(alternative)) }
            }
        }
        @for part in described["allOf"].as_array().into_iter().flatten() {
            p { "and " (schema(part)) }
        }
    }
}

fn table<'a>(name: &str, rows: impl Iterator<Item = (&'a str, &'a Value, &'a str)>) -> Markup {
    html! {
        div.scroll tabindex="0" {
            table {
                thead { tr { th { (name) } th { "Type" } th { "Meaning" } } }
                tbody {
                    @for (name, described, about) in rows {
                        tr { th scope="row" { code { (name) } } td { (schema(described)) } td { (about) } }
                    }
                }
            }
        }
    }
}

/// A type in a few words.
fn schema(described: &Value) -> Markup {
    if let Some(target) = described["$ref"].as_str() {
        return reference(target.rsplit('/').next().unwrap_or(target));
    }
    if let Some(alternatives) = alternatives(described) {
        return joined(alternatives.iter().map(schema));
    }
    if described["const"] == "" {
        return html! { "empty" };
    }
    if let Some(values) = described["enum"].as_array() {
        return joined(values.iter().map(|value| html! { code { (text(value)) } }));
    }
    let kinds = match &described["type"] {
        Value::Array(kinds) => kinds.iter().collect(),
        kind => vec![kind],
    };
    joined(kinds.into_iter().map(|kind| match text(kind) {
        "array" => html! { "list of " (schema(&described["items"])) },
        "" => html! { "any" },
        kind => html! { (kind) },
    }))
}

fn joined(parts: impl Iterator<Item = Markup>) -> Markup {
    html! { @for (at, part) in parts.enumerate() { @if at > 0 { " or " } (part) } }
}

fn reference(name: &str) -> Markup {
    html! { a href={ "#" (name) } { (name) } }
}

fn alternatives(described: &Value) -> Option<&Vec<Value>> {
    described["anyOf"].as_array().or_else(|| described["oneOf"].as_array())
}

fn objects(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
