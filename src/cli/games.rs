//! `analyze games`: the list of games, with their options and capabilities.

use super::prelude::*;
use everyply_core::game::{Chosen, Parameter, ParameterKind};
use everyply_registry::registry::Capability;
use everyply_results::export::GamesDocument;

/// The commands for a game: its own, and those that take it as an argument and suit its capabilities.
fn commands_of(
    definition: &clap::Command,
    game: &str,
    can: impl Fn(Capability) -> bool,
) -> Vec<String> {
    let fits = |command: &&clap::Command| {
        // `compare` searches to a depth, so play has to end.
        can(Capability::Tiered) || command.get_name() != "compare"
    };
    let takes = |command: &clap::Command| {
        let mut arguments = command.get_arguments().filter(|arg| arg.get_id() == "game");
        arguments.any(|arg| {
            let values = arg.get_possible_values();
            values.is_empty() || values.iter().any(|value| value.matches(game, false))
        })
    };
    let commands = definition.get_subcommands().filter(|c| c.get_name() == game || takes(c));
    commands.filter(fits).map(|command| command.get_name().to_owned()).collect()
}

/// The list of games, with the options of each and what it can do
#[derive(Debug, clap::Args)]
pub(super) struct GamesArgs {
    /// Write one JSON document to stdout, and nothing else
    #[arg(long)]
    json: bool,
}

/// `line` is the whole command line.
pub(super) fn run(
    args: &GamesArgs,
    registry: &Registry,
    line: &clap::Command,
) -> Result<(), Failure> {
    if args.json {
        let mut document = GamesDocument::new(registry).map_err(Failure::usage)?;
        for game in &mut document.games {
            let can = |capability: Capability| game.can.contains(&capability.word());
            game.commands = Some(commands_of(line, game.game, can));
        }
        return text::print_json(&document);
    }
    let mut text = String::new();
    for entry in registry.entries() {
        let _ = writeln!(text, "{}: {}", entry.name, entry.about);
        let option = |Parameter { name, help, kind }: &Parameter| match kind {
            ParameterKind::Size(w, h) => format!("--{name} WxH (usual: {w}x{h})"),
            ParameterKind::Number { usual, .. } => format!("--{name} K (usual: {usual})"),
            ParameterKind::Rule => format!("--{name} ({help})"),
        };
        let options: Vec<String> = entry.parameters.iter().map(option).collect();
        let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
        let _ = writeln!(text, "  options   {options}");
        let usual = entry.choose(&Chosen::default()).map_err(Failure::usage)?;
        let _ = writeln!(text, "  position  {}", entry.position_help);
        let capabilities = &usual.info().capabilities;
        let ends = match capabilities.contains(&Capability::Tiered) {
            true => "always",
            false => "not always",
        };
        let _ = writeln!(text, "  ends      {ends}");
        let commands = commands_of(line, entry.name, |one| capabilities.contains(&one));
        let _ = writeln!(text, "  commands  {}\n", commands.join(", "));
    }
    text::print(&format!("{}\n", text.trim_end()))
}
