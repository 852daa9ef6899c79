//! `analyze schema`: JSON Schemas of the documents that commands print, made from their types.

use schemars::Schema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::json;

use super::prelude::*;
#[cfg(feature = "report")]
use super::report;
use super::{bench, book, compare, convert, count, export, sample, solve, strategy, verify};
use everyply_results::export::{GamesDocument, Manifest};

/// JSON Schema of what a command prints with --json
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze schema                  the commands that have one
  analyze schema connect4")]
pub(super) struct SchemaArgs {
    /// The command [default: list the commands]
    command: Option<String>,
}

fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<T>()
}

type Document = fn(&mut SchemaGenerator) -> Schema;

/// The name that stands for every game in the list.
const GAME: &str = "GAME";

/// The commands, and the documents each may print.
const COMMANDS: &[(&str, &[Document])] = &[
    (GAME, &[of::<PositionDocument>]),
    ("bench", &[of::<bench::BenchDocument>]),
    ("book", &[of::<book::Report>]),
    ("compare", &[of::<compare::CompareDocument<'_>>]),
    ("convert", &[of::<convert::ConvertDocument>]),
    ("count", &[of::<count::CountDocument>]),
    ("explain", &[of::<PositionDocument>]),
    ("export", &[of::<Manifest>, of::<export::Tables>]),
    ("games", &[of::<GamesDocument>]),
    ("prove", &[of::<strategy::FileSummary>]),
    ("query", &[of::<PositionDocument>]),
    #[cfg(feature = "report")]
    ("report", &[of::<report::ReportDocument>]),
    ("sample", &[of::<sample::SampleFilesDocument<'_>>]),
    ("solve", &[of::<solve::SolveDocument>, of::<solve::Plan>, of::<solve::Filled>]),
    ("strategy", &[of::<strategy::FileSummary>]),
    (
        "verify",
        &[of::<verify::VerifyDocument>, of::<verify::Documents>, of::<strategy::FileSummary>],
    ),
];

fn documents(command: &str, registry: &Registry) -> Option<&'static [Document]> {
    let of = |name| COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, of)| *of);
    of(command).or_else(|| registry.find(command).and_then(|_| of(GAME)))
}

pub(super) fn run(args: &SchemaArgs, registry: &Registry) -> Result<(), Failure> {
    let Some(command) = &args.command else {
        let names = COMMANDS.iter().map(|(name, _)| format!("{name}\n"));
        return text::print(&names.collect::<String>());
    };
    let documents = documents(command, registry).ok_or_else(|| {
        usage!("{command} prints no JSON; `analyze schema` lists the commands that do")
    })?;
    let mut schemas = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let any: Vec<Schema> = documents.iter().map(|document| document(&mut schemas)).collect();
    text::print_json(&json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("analyze {command} --json"),
        "anyOf": any,
        "$defs": schemas.take_definitions(true),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_with_json_has_a_schema() {
        let registry = everyply_registry::registry::builtin();
        for command in super::super::definition(&registry).get_subcommands() {
            let name = command.get_name();
            let has_json = command.get_arguments().any(|argument| argument.get_id() == "json");
            assert_eq!(documents(name, &registry).is_some(), has_json, "{name}");
        }
    }
}
