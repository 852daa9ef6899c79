//! `GET /api/v1/openapi.json`: the description of the API, made from the types of its answers.

use axum::extract::RawQuery;
use axum::response::Response;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::batch::{MOST_POSITIONS, PositionLine, Positions};
use super::document::PositionDocument;
use super::game::GameDocument;
use super::watch::Message;
use super::why::WhyDocument;
use super::{ApiError, ErrorDocument, Reply, Scores};
use crate::export::{GamesDocument, Scoring};
use crate::game::ParameterKind;
use crate::opponent::Level;
use crate::registry::Registry;
use crate::web::Shared;
use crate::web::request::Query;

/// A parameter of a request.
pub struct Described {
    pub name: String,
    pub about: String,
    pub schema: Value,
    pub is_required: bool,
    /// True if an empty value is as none: forms send their empty fields.
    pub may_be_empty: bool,
}

impl Described {
    pub fn new(name: &str, about: &str, schema: Value) -> Self {
        Self {
            name: name.to_owned(),
            about: about.to_owned(),
            schema,
            is_required: false,
            may_be_empty: false,
        }
    }

    fn flag(name: &str, about: &str) -> Self {
        Self::new(name, about, json!({"type": "boolean"}))
    }

    /// The time limit.
    pub fn timeout() -> Self {
        let seconds = json!({"type": "number", "minimum": 0.001, "maximum": 1e9});
        Self::new("timeout", "Time limit in seconds, if it is shorter than the server's", seconds)
    }

    /// The level of the machine.
    pub fn level() -> Self {
        let names = json!({"type": "string", "enum": Level::ALL.map(Level::name)});
        let level = Self::new("level", "The level of the machine; usually the first", names);
        Self { may_be_empty: true, ..level }
    }

    /// The flag for all moves of a batch.
    fn all_moves() -> Self {
        Self::flag("all-moves", "With the value of every move")
    }
}

/// Widens the range of numbers that a game takes by that of another game.
fn widen(range: &mut Value, other: &Value) {
    let ends = |end: &str| Some((range[end].as_i64()?, other[end].as_i64()?));
    let (least, most) = (ends("minimum"), ends("maximum"));
    if let (Some((a, b)), Some((c, d))) = (least, most) {
        range["minimum"] = a.min(b).into();
        range["maximum"] = c.max(d).into();
    }
}

/// The parameters that name a game and its start.
fn of_games(registry: &Registry) -> Vec<Described> {
    let names: Vec<&str> = registry.entries().iter().map(|entry| entry.name).collect();
    let names = json!({"type": "string", "enum": names});
    let game = Described { is_required: true, ..Described::new("game", "The game", names) };
    let text = || json!({"type": "string"});
    let mut all = vec![
        game,
        Described::new("position", "The start as text, in games without boards of sizes", text()),
        Described::new(
            "parameters",
            "The three numbers by which databases name the board, as 3-3-1",
            json!({"type": "string", "pattern": "^[0-9]+-[0-9]+-[0-9]+$"}),
        ),
    ];
    for entry in registry.entries() {
        for parameter in entry.parameters {
            let name = parameter.name;
            let schema = match parameter.kind {
                ParameterKind::Size(..) => {
                    json!({"type": "string", "pattern": "^[0-9]+x[0-9]+$"})
                }
                ParameterKind::Number { least, most, .. } => {
                    json!({"type": "integer", "minimum": least, "maximum": most})
                }
                ParameterKind::Rule => json!({"type": "boolean"}),
            };
            match all.iter_mut().find(|described| described.name == name) {
                Some(described) => {
                    described.about += &format!(", {}", entry.name);
                    widen(&mut described.schema, &schema);
                }
                None => {
                    let about = format!("{}: {}", parameter.help, entry.name);
                    all.push(Described::new(name, &about, schema));
                }
            }
        }
    }
    for described in all.iter_mut().filter(|described| !described.is_required) {
        described.may_be_empty = true;
    }
    all
}

/// The parameters that name a position.
pub fn parameters_of_positions(registry: &Registry) -> Vec<Described> {
    let text = || json!({"type": "string"});
    let mut all = of_games(registry);
    all.push(Described::new("moves", "Moves played from the start, as 4453 or a1a2,b3a2", text()));
    all.push(Described::new(
        "board",
        "Instead of moves: a picture, X.O/.X./..O, top row first, in games that read pictures",
        text(),
    ));
    all
}

/// An address of the API.
struct Address {
    path: &'static str,
    about: &'static str,
    parameters: Vec<Described>,
    /// The schema of the answer, or of each of its lines.
    answer: Schema,
    is_in_lines: bool,
}

impl Address {
    fn new<A: JsonSchema>(
        path: &'static str,
        about: &'static str,
        parameters: Vec<Described>,
        schemas: &mut SchemaGenerator,
    ) -> Self {
        let answer = schemas.subschema_for::<A>();
        Self { path, about, parameters, answer, is_in_lines: false }
    }

    fn described(self, schemas: &mut SchemaGenerator) -> Value {
        let kind = if self.is_in_lines { "application/x-ndjson" } else { "application/json" };
        let error = |about: &str, schemas: &mut SchemaGenerator| {
            let schema = schemas.subschema_for::<ErrorDocument>();
            json!({"description": about, "content": {"application/json": {"schema": schema}}})
        };
        let parameters = self.parameters.into_iter().map(|parameter| {
            let Described { name, about, mut schema, is_required, may_be_empty } = parameter;
            if may_be_empty {
                schema = json!({"anyOf": [schema, {"const": ""}]});
            }
            json!({
                "name": name,
                "in": "query",
                "description": about,
                "required": is_required,
                "schema": schema,
            })
        });
        json!({
            "summary": self.about,
            "parameters": parameters.collect::<Vec<_>>(),
            "responses": {
                "200": {
                    "description": if self.is_in_lines { "One document a line" } else { "Answer" },
                    "content": {kind: {"schema": self.answer}},
                },
                "400": error("The request is wrong; the error says where", schemas),
                "default": error("Another error", schemas),
            },
        })
    }
}

/// The description of the API of a server with these games.
fn description(registry: &Registry) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let mut schemas = settings.into_generator();
    let positions = |more: Vec<Described>| -> Vec<Described> {
        parameters_of_positions(registry).into_iter().chain(more).collect()
    };
    let pos = json!({"type": "string", "pattern": "^[1-7]*$"});
    let addresses = [
        Address::new::<GamesDocument>("/api/v1/games", "The games", vec![], &mut schemas),
        Address::new::<PositionDocument>(
            "/api/v1/position",
            "The value of a position, as the command line prints it",
            positions(vec![
                Described::timeout(),
                Described::all_moves(),
                Described::flag("outcome-only", "Win, draw or loss alone"),
                Described::new(
                    "scoring",
                    "The convention that makes a score of a value",
                    json!({"type": "string", "enum": Scoring::ALL.map(Scoring::name)}),
                ),
            ]),
            &mut schemas,
        ),
        Address {
            is_in_lines: true,
            ..Address::new::<Message>(
                "/api/v1/watch",
                "The values of the moves of a position as they are found",
                positions(vec![Described::timeout()]),
                &mut schemas,
            )
        },
        Address::new::<WhyDocument>(
            "/api/v1/why",
            "The reasons for the value of a position",
            positions(vec![Described::timeout()]),
            &mut schemas,
        ),
        Address::new::<GameDocument>(
            "/api/v1/game",
            "The value of every position of a game, and its mistakes",
            positions(vec![]),
            &mut schemas,
        ),
        Address::new::<Reply>(
            "/api/v1/reply",
            "The machine's move",
            positions(vec![Described::level()]),
            &mut schemas,
        ),
        Address::new::<Scores>(
            "/solve",
            "The scores of all columns of the usual board, 100 for one that is full",
            vec![Described::new("pos", "Moves played, as 4453", pos)],
            &mut schemas,
        ),
    ];
    let mut paths = Map::new();
    for address in addresses {
        let path = address.path.to_owned();
        paths.insert(path, json!({"get": address.described(&mut schemas)}));
    }
    let batch = Address {
        is_in_lines: true,
        ..Address::new::<PositionLine>(
            "/api/v1/positions",
            "The values of many positions",
            of_games(registry)
                .into_iter()
                .chain([
                    Described::timeout(),
                    Described::flag("best", "With the best moves"),
                    Described::all_moves(),
                ])
                .collect(),
            &mut schemas,
        )
    };
    let path = batch.path.to_owned();
    let mut post = batch.described(&mut schemas);
    let about = format!("At most {MOST_POSITIONS} positions, by their moves or their keys");
    let body = schemas.subschema_for::<Positions>();
    post["requestBody"] = json!({
        "description": about,
        "required": true,
        "content": {"application/json": {"schema": body}},
    });
    paths.insert(path, json!({"post": post}));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "everyply",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": env!("CARGO_PKG_DESCRIPTION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": schemas.take_definitions(true)},
    })
}

/// `GET /api/v1/openapi.json`.
pub async fn openapi(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    Query::new(query.as_deref())?.done()?;
    Ok(super::json(&description(&explorer.registry)))
}
