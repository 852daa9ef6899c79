//! The commands on games of the registry: what a game can do is asked of its capabilities.

mod analyze;
mod compare;
mod count;
mod explain;
mod games;
mod play;
pub(super) mod query;
pub(super) mod verify;

use crate::cli::options::OutputOptions;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches};

use super::failure::Failure;
use super::options::Running;
use crate::game::GameId;
use crate::game::{Chosen, Parameter};
use crate::games::line::{Board, Rules};
use crate::registry::{Entry, Registry, Study};

pub(super) use games::run as games;

/// Commands that take a game by name as their first argument, and work on games of the registry.
const WITH_A_GAME: [&str; 4] = ["compare", "count", "explain", "play"];

/// Commands that take a database, and the name of a game of it, which may be one of the registry.
const ON_A_DATABASE: [&str; 3] = ["export", "query", "verify"];

/// Adds the games of a registry to the command line: a command each, and their names and flags
/// where other commands take a game.
pub(super) fn add(mut command: Command, registry: &Registry) -> Command {
    let usual: Vec<clap::builder::PossibleValue> = {
        use clap::ValueEnum;
        let names = Rules::value_variants();
        names.iter().filter_map(ValueEnum::to_possible_value).collect()
    };
    let names = || {
        let registered = registry
            .others()
            .map(|entry| clap::builder::PossibleValue::new(entry.name).help(entry.about));
        let all = usual.iter().cloned().chain(registered);
        clap::builder::PossibleValuesParser::new(all)
    };
    for name in ON_A_DATABASE {
        command = command.mut_subcommand(name, |on_a_database| {
            on_a_database.mut_arg("game", |game| game.value_parser(names()))
        });
    }
    for name in WITH_A_GAME {
        let rules = registry.others().flat_map(Entry::rules);
        command = command.mut_subcommand(name, |with_game| {
            // An argument that is changed goes to the end, so its place is given anew.
            let with_game = with_game
                .mut_arg("game", |game| game.value_parser(names()).index(1))
                .mut_arg(POSITION, |position| position.index(2));
            flags(with_game, rules)
        });
    }
    for entry in registry.others() {
        command = command.subcommand(analyze::command(entry));
    }
    command
}

/// Adds the flags of games, each once.
fn flags(mut command: Command, rules: impl Iterator<Item = &'static Parameter>) -> Command {
    for Parameter { name, help, .. } in rules {
        if command.get_arguments().all(|there| there.get_id() != *name) {
            let arg = Arg::new(*name).long(*name).help(*help).action(ArgAction::SetTrue);
            command = command.arg(arg);
        }
    }
    command
}

/// Runs a command line that is about a game of the registry; `None` if it is not.
pub(super) fn run(
    registry: &Registry,
    matches: &ArgMatches,
    command: &str,
) -> Option<Result<(), Failure>> {
    let (name, matches) = matches.subcommand()?;
    if let Some(entry) = registry.other(name) {
        return Some(analyze::run(entry, matches, command));
    }
    if WITH_A_GAME.contains(&name) {
        let game = matches.get_one::<String>("game")?;
        let entry = registry.other(game)?;
        return Some(match name {
            "compare" => compare::run(entry, matches),
            "explain" => explain::run(entry, matches),
            "play" => play::run(entry, matches),
            _ => count::run(entry, matches, command),
        });
    }
    None
}

/// A stored game of the registry at its start; `None` if it is not there.
pub(super) fn start(registry: &Registry, id: &GameId) -> Option<Result<Box<dyn Study>, Failure>> {
    Some(registry.start_of(id)?.map_err(Failure::usage))
}

/// The position that a command line asks for.
fn study(entry: &Entry, matches: &ArgMatches) -> Result<Box<dyn Study>, Failure> {
    let position = given::<String>(matches, POSITION).cloned();
    if position.as_deref() == Some("") {
        return Err(Failure::usage("POSITION is empty: leave it out for the start of the game"));
    }
    let size = given::<Board>(matches, "size").map(|board| (board.width, board.height));
    let all = entry.rules().map(|rule| rule.name);
    let rules = all.filter(|rule| matches.get_flag(rule)).map(String::from).collect();
    let of_size = size.is_some() && entry.usual_size().is_none();
    let option = if of_size { "--size " } else { "" };
    entry
        .position(&Chosen { size, rules, position, ..Chosen::default() })
        .map_err(|error| Failure::Usage(format!("{option}{error}")))
}

/// The id of the argument POSITION, here and where the boards of lines take their moves.
const POSITION: &str = "moves";

/// What the user gave for an argument, if the command has it.
fn given<'m, T: Clone + Send + Sync + 'static>(matches: &'m ArgMatches, id: &str) -> Option<&'m T> {
    let by_user = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let known = matches.try_contains_id(id).is_ok();
    (known && by_user(id)).then(|| matches.get_one::<T>(id)).flatten()
}

/// Refuses the first of these arguments that was given: `what` cannot do it, for lack of
/// something.
fn refuse(matches: &ArgMatches, ids: &[&str], name: &str, lacks: &str) -> Result<(), Failure> {
    let given = |id: &&&str| {
        matches.try_contains_id(id).is_ok()
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    ids.iter().find(given).map_or(Ok(()), |id| Err(refusal(&id.replace('_', "-"), name, lacks)))
}

/// The refusal of an option that a game, for lack of something, cannot serve.
fn refusal(option: &str, name: &str, lacks: &str) -> Failure {
    Failure::Usage(format!("--{option}: {name} is not {lacks}"))
}

/// The capability that the boards of stones and lines share.
const LINES: &str = "a game of stones and lines";

fn keeping(matches: &ArgMatches) -> Result<OutputOptions, Failure> {
    OutputOptions::from_arg_matches(matches).map_err(Failure::usage)
}

fn running(matches: &ArgMatches) -> Result<Running, Failure> {
    Running::from_arg_matches(matches).map_err(Failure::usage)
}

/// Adds what all commands that run and keep something take.
fn common(command: Command) -> Command {
    Running::augment_args(OutputOptions::augment_args(command))
}
