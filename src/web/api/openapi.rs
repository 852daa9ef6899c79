//! `GET /api/v1/openapi.json`: the description of the API, made from the types of its answers.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::batch::{MOST_POSITIONS, Positions};
use super::game::GameDocument;
use super::watch::Message;
use super::{ErrorDocument, Reply, Scores};
use crate::web::prelude::*;
use everyply_core::game::ParameterKind;
use everyply_results::export::Scoring;

pub struct Described {
    pub name: String,
    pub about: String,
    pub schema: Value,
    pub is_required: bool,
    /// True if an empty value means none: forms send their empty fields.
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

    pub fn timeout() -> Self {
        let seconds = json!({"type": "number", "minimum": 0.001, "maximum": 1e9});
        Self::new("timeout", "Time limit in seconds, if it is shorter than the server's", seconds)
    }

    pub fn level() -> Self {
        let names = json!({"type": "string", "enum": Level::ALL.map(Level::name)});
        let level = Self::new("level", "The level of the machine; usually the first", names);
        Self { may_be_empty: true, ..level }
    }
}

/// Widens a range of numbers so that it includes the range of another game.
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

/// The description of a method of an address, with the schemas of its answer, or of a line of it, and of an
/// error.
fn method(about: &str, parameters: Vec<Described>, answer: &Schema, error: &Schema) -> Value {
    let error = |about: &str| json!({"description": about, "content": {"application/json": {"schema": error}}});
    let parameters = parameters.into_iter().map(|parameter| {
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
        "summary": about,
        "parameters": parameters.collect::<Vec<_>>(),
        "responses": {
            "200": {"description": "Answer", "content": {"application/json": {"schema": answer}}},
            "400": error("The request is wrong; the error says where"),
            "default": error("Another error"),
        },
    })
}

/// The description of a method whose answer comes in lines.
fn in_lines(mut method: Value) -> Value {
    let answer = &mut method["responses"]["200"];
    let content = answer["content"]["application/json"].take();
    *answer =
        json!({"description": "One document a line", "content": {"application/x-ndjson": content}});
    method
}

fn description(registry: &Registry) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let schemas = &mut settings.into_generator();
    let position = |more: Vec<Described>| -> Vec<Described> {
        parameters_of_positions(registry).into_iter().chain(more).collect()
    };
    let timed = || position(vec![Described::timeout()]);
    let all_moves = || Described::flag("all-moves", "With the value of every move");
    let scorings = json!({"type": "string", "enum": Scoring::ALL.map(Scoring::name)});
    let of_position = vec![
        Described::timeout(),
        all_moves(),
        Described::flag("outcome-only", "Win, draw or loss alone"),
        Described::new("scoring", "The convention that makes a score of a value", scorings),
    ];
    let pos = json!({"type": "string", "pattern": "^[1-7]*$"});
    let pos = vec![Described::new("pos", "Moves played, as 4453", pos)];
    let mut of_batch = of_games(registry);
    of_batch.extend([
        Described::timeout(),
        Described::flag("best", "With the best moves"),
        all_moves(),
    ]);
    let error = schemas.subschema_for::<ErrorDocument>();
    let document = schemas.subschema_for::<PositionDocument>();
    let get = |about, parameters, answer: &Schema| method(about, parameters, answer, &error);
    let whole = "The value of a position, as the command line prints it";
    let found = "The values of the moves of a position as they are found";
    let record = "The value of every position of a game, and its mistakes";
    let scores = "The scores of all columns of the usual board, 100 for one that is full";
    let games = get("The games", vec![], &schemas.subschema_for::<GamesDocument>());
    let watch = in_lines(get(found, timed(), &schemas.subschema_for::<Message>()));
    let game = get(record, position(vec![]), &schemas.subschema_for::<GameDocument>());
    let level = position(vec![Described::level()]);
    let reply = get("The machine's move", level, &schemas.subschema_for::<Reply>());
    let solve = get(scores, pos, &schemas.subschema_for::<Scores>());
    let why = get("The reasons for the value of a position", timed(), &document);
    let mut batch = in_lines(get("The values of many positions", of_batch, &document));
    batch["requestBody"] = json!({
        "description": format!("At most {MOST_POSITIONS} positions, by their moves or their keys"),
        "required": true,
        "content": {"application/json": {"schema": schemas.subschema_for::<Positions>()}},
    });
    let paths = json!({
        "/api/v1/games": {"get": games},
        "/api/v1/position": {"get": get(whole, position(of_position), &document)},
        "/api/v1/positions": {"post": batch},
        "/api/v1/watch": {"get": watch},
        "/api/v1/why": {"get": why},
        "/api/v1/game": {"get": game},
        "/api/v1/reply": {"get": reply},
        "/solve": {"get": solve},
    });
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

pub async fn openapi(explorer: Shared, query: Query) -> Result<Response, ApiError> {
    query.done()?;
    Ok(super::json(&description(&explorer.registry)))
}
