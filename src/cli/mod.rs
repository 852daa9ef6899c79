//! The command line: the only room that prints.
//!
//! Results go to stdout, progress and messages to stderr. Exit codes: 0 done, 1 runtime failure,
//! 2 usage, 3 a verification found a mismatch, 124 a time limit was reached, 130 interrupted.

mod analyze;
mod bench;
mod book;
mod caller;
mod compare;
mod convert;
mod count;
mod explain;
mod export;
mod failure;
mod game_filter;
mod game_options;
mod games;
mod input;
mod interrupt;
mod limit;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod options;
mod output;
mod play;
mod prelude;
mod program;
mod progress;
mod query;
#[cfg(feature = "report")]
mod report;
mod rules;
mod sample;
mod schema;
#[cfg(feature = "web")]
mod serve;
mod session;
mod solve;
mod sql;
mod strategy;
mod text;
mod tree;
#[cfg(feature = "report")]
mod tree_picture;
mod values;
mod verify;
mod work_folder;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind as Misuse};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};

pub use caller::{Called, call};
use everyply_registry::registry::{Entry, Registry};
use failure::{Failure, usage};
pub use session::available_memory;

/// Parallel exhaustive game-tree analyzer: the whole truth about small games.
///
/// Counts every game and position, solves whole boards, and searches deep where a board is too
/// large to visit, always with the node counts to check it by.
#[derive(Debug, Parser)]
#[command(name = "analyze", version, propagate_version = true, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct Cli {}

/// A command: its name, its arguments, and the function that runs it with the games of the program
/// and the command line as typed.
type CommandRow = (
    &'static str,
    fn(clap::Command) -> clap::Command,
    fn(&ArgMatches, &Registry, &str) -> Result<(), Failure>,
);

/// The commands in the order of the help; the commands of single games follow.
static COMMANDS: &[CommandRow] = &[
    ("compare", with::<compare::CompareArgs>, |args, games, _| compare::run(&read(args)?, games)),
    ("count", with::<count::CountArgs>, |args, games, line| count::run(&read(args)?, line, games)),
    ("explain", with::<explain::ExplainArgs>, |args, games, _| explain::run(&read(args)?, games)),
    ("solve", with::<solve::SolveArgs>, |args, games, _| solve::run(&read(args)?, games)),
    ("strategy", with::<strategy::StrategyArgs>, |args, _, _| strategy::run(&read(args)?)),
    ("prove", with::<strategy::ProveArgs>, |args, _, _| strategy::prove(&read(args)?)),
    ("book", with::<book::BookArgs>, |args, _, line| book::run(&read(args)?, line)),
    ("query", with::<query::QueryArgs>, |args, games, line| query::run(&read(args)?, line, games)),
    ("verify", with::<verify::VerifyArgs>, |args, games, _| verify::run(&read(args)?, games)),
    ("export", with::<export::ExportArgs>, |args, games, _| export::run(&read(args)?, games)),
    ("convert", with::<convert::ConvertArgs>, |args, _, _| convert::run(&read(args)?)),
    ("sample", with::<sample::SampleArgs>, |args, games, line| {
        sample::run(&read(args)?, line, games)
    }),
    ("sql", with::<sql::SqlArgs>, |args, games, _| sql::run(&read(args)?, games)),
    ("tree", with::<tree::TreeArgs>, |args, games, _| tree::run(&read(args)?, games)),
    #[cfg(feature = "report")]
    ("report", with::<report::ReportArgs>, |args, games, line| {
        report::run(&read(args)?, games, line)
    }),
    #[cfg(feature = "web")]
    ("serve", with::<serve::ServeArgs>, |args, games, _| serve::run(&read(args)?, games)),
    #[cfg(feature = "mcp")]
    ("mcp", with::<mcp::McpArgs>, |args, games, _| mcp::run(&read(args)?, games)),
    ("play", with::<play::PlayArgs>, |args, games, _| play::run(&read(args)?, games)),
    ("new", with::<new::NewArgs>, |args, games, _| new::run(&read(args)?, &definition(games))),
    ("games", with::<games::GamesArgs>, |args, games, _| {
        games::run(&read(args)?, games, &definition(games))
    }),
    ("rules", with::<rules::RulesArgs>, |args, games, _| rules::run(&read(args)?, games)),
    ("bench", with::<bench::BenchArgs>, |args, _, _| bench::run(&read(args)?)),
    ("schema", with::<schema::SchemaArgs>, |args, games, _| schema::run(&read(args)?, games)),
    ("completions", with::<Completions>, |args, games, _| completions(&read(args)?, games)),
    ("man", with::<man::ManArgs>, |args, games, _| {
        man::run(&read(args)?, with_examples(definition(games), games, |_| true))
    }),
];

/// Shell completions on stdout
#[derive(Debug, clap::Args)]
struct Completions {
    /// The shell
    shell: clap_complete::Shell,
}

fn completions(args: &Completions, registry: &Registry) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition(registry), program::name(), &mut script);
    text::print(&String::from_utf8_lossy(&script))
}

fn with<A: clap::Args>(command: clap::Command) -> clap::Command {
    A::augment_args(command)
}

fn read<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, Failure> {
    A::from_arg_matches(matches).map_err(Failure::usage)
}

/// Runs a command line with the games of this crate and returns its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    limit::prepare();
    run_with(&everyply_registry::registry::builtin(), args)
}

/// Runs the command line of this process with the games of a registry and returns its exit code:
/// all that a program with a game of its own needs. Help, messages and completions bear the name
/// of that program.
pub fn run(registry: &Registry) -> ExitCode {
    limit::prepare();
    std::env::args_os().take(1).for_each(|path| program::take_name(&path));
    run_with(registry, std::env::args_os())
}

fn run_with(registry: &Registry, args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut args: Vec<OsString> = args.into_iter().collect();
    // The command `help` has no help of its own: `help --help` prints the general help.
    if let [_, command, option] = &args[..]
        && command == "help"
        && (option == "--help" || option == "-h")
    {
        args.truncate(2);
    }
    if args.len() < 2 {
        let tried = text::print(&things_to_try(registry, program::name()));
        return tried.map_or_else(Failure::report, |()| ExitCode::SUCCESS);
    }
    let matches = match parsed(registry, &args) {
        Ok(matches) => matches,
        Err(code) => return code,
    };
    let line = output::command_line(&args);
    let (name, matches) = matches.subcommand().expect("the parser requires a command");
    let run = || match COMMANDS.iter().find(|(command, ..)| *command == name) {
        Some((.., run)) => run(matches, registry, &line),
        None => {
            let entry = registry.find(name).expect("the parser knows the names");
            analyze::run(entry, matches, &line)
        }
    };
    interrupt::listen().and_then(|()| run()).map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

/// Parses a command line; prints help, version and errors, whose exit code is the error.
fn parsed(registry: &Registry, args: &[OsString]) -> Result<ArgMatches, ExitCode> {
    let asked = args[1..].iter().find(|word| *word != "help").and_then(|word| word.to_str());
    let asked = asked.and_then(|word| name_of(registry, word));
    // Only the named command: all of them, which help and tips need, take ten times as long.
    let alone = asked.iter().fold(root(), |line, name| line.subcommand(command(registry, name)));
    alone.try_get_matches_from(args).or_else(|error| {
        if error.kind() == Misuse::DisplayVersion {
            return Err(printed_by_clap(&error));
        }
        let mut line = with_examples(definition(registry), registry, |name| Some(name) == asked);
        let again = line.try_get_matches_from_mut(args);
        again.map_err(|mut error| {
            remove_far_fetched(&mut error);
            match of_another_word(registry, &error) {
                Some(failure) => failure.report(),
                None => {
                    let game = asked.and_then(|name| registry.find(name));
                    printed_by_clap(&with_fitting_tips(of_a_number(error), &line, registry, game))
                }
            }
        })
    })
}

fn root() -> clap::Command {
    program::with_name(Cli::command())
}

/// The name of the command that a word means: the word itself, or the game of an alias.
fn name_of(registry: &Registry, word: &str) -> Option<&'static str> {
    let of_command = COMMANDS.iter().map(|(name, ..)| *name).find(|name| *name == word);
    of_command.or_else(|| registry.called(word).map(|entry| entry.name))
}

/// The whole command line, with the games of a registry, but without the examples of their commands.
fn definition(registry: &Registry) -> clap::Command {
    let commands = COMMANDS.iter().map(|(name, ..)| *name);
    let games = registry.entries().iter().map(|entry| entry.name);
    let games = games.filter(|game| COMMANDS.iter().all(|(name, ..)| name != game));
    let all = commands.chain(games).map(|name| command(registry, name));
    all.fold(root(), clap::Command::subcommand)
}

/// A command with its options, and with the games of a registry if it takes any.
fn command(registry: &Registry, name: &'static str) -> clap::Command {
    let entry = registry.find(name);
    let command = match (COMMANDS.iter().find(|(command, ..)| *command == name), entry) {
        (Some((_, define, _)), _) => define(clap::Command::new(name)),
        (None, Some(entry)) => analyze::command(entry),
        (None, None) => unreachable!("{name} is no command"),
    };
    let command = match name {
        "compare" | "count" | "explain" | "play" | "sample" | "solve" | "tree" => {
            game_options::with_a_game(command, registry)
        }
        "export" | "query" | "verify" => game_options::on_a_database(command, registry),
        "rules" => command.mut_arg("game", |game| game.value_parser(game_options::names(registry))),
        _ => command,
    };
    let command = match entry {
        Some(entry) => {
            let is_free = |word: &&&str| registry.find(word).is_none();
            let aliases: Vec<&str> = entry.aliases.iter().filter(is_free).copied().collect();
            let position = entry.position_help;
            let help = format!("Position: {position} [default: the start of the game]");
            command.aliases(aliases).mut_arg("moves", |arg| arg.index(1).help(help))
        }
        None => command,
    };
    program::with_name_in_help(command).mut_args(|arg| {
        // A number below zero is a value out of range, not an option that does not exist.
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    })
}

/// Adds examples, which take time to make, to the help of the games that `of` selects.
fn with_examples(
    line: clap::Command,
    registry: &Registry,
    of: impl Fn(&str) -> bool,
) -> clap::Command {
    line.mut_subcommands(|command| match registry.find(command.get_name()) {
        Some(entry) if command.get_after_help().is_none() && of(entry.name) => {
            command.after_help(program::named(&analyze::examples(entry)).into_owned())
        }
        _ => command,
    })
}

/// An error about an unknown option: lists the commands that have it, and leaves out the tip to pass it
/// as a value, since no position or file has such a name.
fn with_fitting_tips(
    mut error: clap::Error,
    line: &clap::Command,
    registry: &Registry,
    game: Option<&Entry>,
) -> clap::Error {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    if error.kind() != Misuse::UnknownArgument {
        return error;
    }
    let name = given.split('=').next().and_then(|given| given.strip_prefix("--"));
    let has = |command: &&clap::Command| {
        name.is_some() && command.get_arguments().any(|arg| arg.get_long() == name)
    };
    let commands: Vec<_> =
        line.get_subcommands().filter(has).map(clap::Command::get_name).collect();
    let tip = format!("--{} is an option of {}", name.unwrap_or_default(), commands.join(", "));
    let is_choice = |entry: &&Entry| entry.parameters.iter().any(|own| Some(own.name) == name);
    // For a game: its own options instead of the commands of other games.
    let tip = match game.filter(|_| registry.entries().iter().any(|entry| is_choice(&entry))) {
        Some(Entry { name, parameters: [], .. }) => {
            format!("{name} has one board and one set of rules")
        }
        Some(Entry { name, parameters, .. }) => {
            let own: Vec<_> = parameters.iter().map(|own| format!("--{}", own.name)).collect();
            format!("the board and the rules of {name} are chosen by {}", own.join(", "))
        }
        None => tip,
    };
    let tips = match error.remove(ContextKind::Suggested) {
        _ if !commands.is_empty() => vec![tip.into()],
        Some(ContextValue::StyledStrs(mut tips)) => {
            tips.retain(|tip| !tip.to_string().contains(" as a value, use "));
            tips
        }
        _ => Vec::new(),
    };
    if !commands.is_empty() {
        error.remove(ContextKind::SuggestedArg);
    }
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// Removes suggestions that are a guess: a command with another first letter, and one of several values
/// that begin with the input.
fn remove_far_fetched(error: &mut clap::Error) {
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let [command, value] = [ContextKind::InvalidSubcommand, ContextKind::InvalidValue].map(text);
    if let Some(ContextValue::Strings(found)) = error.get(ContextKind::SuggestedSubcommand)
        && !found.iter().any(|found| found.chars().next() == command.chars().next())
    {
        error.remove(ContextKind::SuggestedSubcommand);
    }
    if let Some(ContextValue::Strings(all)) = error.get(ContextKind::ValidValue)
        && all.iter().filter(|one| one.starts_with(&value)).count() > 1
    {
        error.remove(ContextKind::SuggestedValue);
    }
}

/// Rewords an error about a number, which the parser words for programmers.
fn of_a_number(error: clap::Error) -> clap::Error {
    use std::num::{IntErrorKind, ParseIntError};
    let Some(source) = std::error::Error::source(&error) else { return error };
    let cause = source.to_string();
    let range = cause.split_once(" is not in ").and_then(|(_, range)| range.split_once("..="));
    let wanted = match (source.downcast_ref::<ParseIntError>().map(ParseIntError::kind), range) {
        (Some(IntErrorKind::PosOverflow), _) => "a smaller number".to_owned(),
        (Some(_), _) => "a whole number, as 7".to_owned(),
        (None, Some((least, most))) => format!("a whole number from {least} to {most}"),
        (None, None) => return error,
    };
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let [name, given] = [ContextKind::InvalidArg, ContextKind::InvalidValue].map(text);
    let message = format!(
        "invalid value '{given}' for '{name}': {wanted}\n\nFor more information, try '--help'.\n"
    );
    clap::Error::raw(Misuse::ValueValidation, message)
}

fn things_to_try(registry: &Registry, program: &str) -> String {
    let first = registry.entries()[0].name;
    let (number, things) = if cfg!(feature = "web") { ("Four", 4) } else { ("Three", 3) };
    let mut text = format!("The whole truth about small games. {number} things to try:\n");
    let all = [
        (first, "every position of a game, counted and solved"),
        ("connect4 4453", "the exact value of a position of Connect Four, by the columns played"),
        (&format!("play {first}"), "a game against the machine"),
        ("serve --open", "all of it in a browser"),
    ];
    for (command, what) in all.into_iter().take(things) {
        let _ = writeln!(text, "  {:<24}{what}", format!("{program} {command}"));
    }
    let _ = writeln!(text, "All commands: {program} --help");
    text
}

/// The commands of optional features, each with its feature.
const OF_FEATURES: [(&str, &str); 3] = [("mcp", "mcp"), ("serve", "web"), ("report", "report")];

/// The failure of an unknown command: a position, or a command of a disabled feature.
fn of_another_word(registry: &Registry, error: &clap::Error) -> Option<Failure> {
    let given = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(given)) if !given.is_empty() => given,
        _ => return None,
    };
    if let Some((_, feature)) = OF_FEATURES.iter().find(|(command, _)| command == given) {
        return Some(usage!(
            "{given} is a command of the feature {feature}, which this program was built without: \
             `cargo install --path . --features {feature}`"
        ));
    }
    let games =
        registry.with_position(given).map(|game| format!("`analyze {} {given}`", game.name));
    let games: Vec<String> = games.collect();
    if error.kind() != Misuse::InvalidSubcommand {
        return None;
    }
    let is_suggested = error.get(ContextKind::SuggestedSubcommand).is_some();
    let message = match games.is_empty() {
        false => format!("{given} is a position, not a command: try {}", games.join(" or ")),
        true if is_suggested => return None,
        true => format!(
            "{given} is neither a command nor a game: `analyze --help` lists the commands, `analyze games` \
             the games"
        ),
    };
    Some(Failure::Usage(message))
}

/// Prints help and version to stdout, and errors of the arguments to stderr.
fn printed_by_clap(error: &clap::Error) -> ExitCode {
    if caller::reports(&error.to_string()) {
        return ExitCode::from(error.exit_code() as u8);
    }
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    match printed {
        Err(failed) if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe => {
            text::cannot_write(failed).report()
        }
        // A closed stderr is ignored: the exit code remains.
        _ => ExitCode::from(error.exit_code() as u8),
    }
}
