//! The JSON Schemas of the documents that commands print: `docs/schema`.
#![cfg(feature = "report")]

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::{
    bench, book, compare, connect4, convert, count, export, query, report, sample, solve, strategy,
    verify,
};
use crate::connect_four::strategy::ExplanationDocument;
use crate::export::{ExactDocument, GamesDocument, Manifest, ReasonsDocument, TreeDocument};

fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<T>()
}

/// A document of a command.
type Document = fn(&mut SchemaGenerator) -> Schema;

/// The commands, and the documents each may print. `game` stands for every game that is solved
/// whole.
const COMMANDS: [(&str, &[Document]); 15] = [
    ("bench", &[of::<bench::Document>]),
    ("book", &[of::<book::Report>]),
    ("compare", &[of::<compare::Document<'_>>]),
    ("connect4", &[of::<ExactDocument>, of::<connect4::Document>]),
    ("convert", &[of::<convert::Document>]),
    ("count", &[of::<count::Document>]),
    ("explain", &[of::<ExplanationDocument>, of::<ReasonsDocument>]),
    ("export", &[of::<Manifest>, of::<export::Tables>]),
    ("game", &[of::<TreeDocument>]),
    ("games", &[of::<GamesDocument>]),
    ("query", &[of::<query::Document>]),
    ("report", &[of::<report::Document>]),
    ("sample", &[of::<sample::Document<'_>>]),
    (
        "solve",
        &[
            of::<solve::Document>,
            of::<solve::PlanDocument>,
            of::<solve::GameDocument>,
            of::<solve::GamePlanDocument>,
        ],
    ),
    ("strategy", &[of::<strategy::FileSummary<'_>>]),
];

/// Commands with `--json` that have no schema of their own: `prove` prints the document of `strategy`.
const OTHERS: [&str; 1] = ["prove"];

fn schema(command: &str, documents: &[Document]) -> Value {
    let mut schemas = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let any: Vec<Schema> = documents.iter().map(|document| document(&mut schemas)).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("analyze {command} --json"),
        "anyOf": any,
        "$defs": schemas.take_definitions(true),
    })
}

#[test]
fn the_schemas_are_those_of_the_documents() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    let verified: &[Document] = &[
        of::<verify::Document>,
        of::<verify::Documents>,
        of::<verify::SolutionDocument>,
        of::<verify::Sampled<'_>>,
        of::<verify::GameSolutionDocument>,
        of::<verify::BookDocument>,
        of::<strategy::FileSummary<'_>>,
    ];
    let mut old = Vec::new();
    for (command, documents) in COMMANDS.into_iter().chain([("verify", verified)]) {
        let path = folder.join(format!("{command}.json"));
        let text = serde_json::to_string_pretty(&schema(command, documents)).unwrap() + "\n";
        if std::fs::read_to_string(&path).is_ok_and(|stored| stored == text) {
            continue;
        }
        if std::env::var_os("EVERYPLY_WRITE_SCHEMAS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, text).unwrap();
        } else {
            old.push(path);
        }
    }
    assert!(old.is_empty(), "run this test with EVERYPLY_WRITE_SCHEMAS=1: {old:?}");
}

#[test]
fn every_command_with_json_has_a_schema() {
    let registry = crate::registry::builtin();
    for command in super::definition(&registry).get_subcommands() {
        let name = command.get_name();
        let known = name == "verify"
            || registry.find(name).is_some()
            || OTHERS.contains(&name)
            || COMMANDS.iter().any(|(command, _)| *command == name);
        let has_json = command.get_arguments().any(|argument| argument.get_id() == "json");
        assert!(known || !has_json, "{name} has no schema");
        assert!(has_json || !known, "{name} has a schema, but no --json");
    }
}
