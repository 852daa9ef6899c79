//! The command line: the only room that prints.
//!
//! Results go to stdout, progress and messages to stderr. Exit codes: 0 done, 1 runtime failure,
//! 2 usage, 3 a verification found a mismatch, 124 the time given is over, 130 interrupted.

mod analyze;
mod bench;
mod book;
mod compare;
mod connect4;
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
mod learning;
mod limit;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod options;
mod output;
mod play;
mod program;
mod progress;
mod query;
#[cfg(feature = "report")]
mod report;
mod sample;
#[cfg(test)]
mod schema;
#[cfg(feature = "web")]
mod serve;
mod session;
mod solve;
mod sql;
mod strategy;
mod text;
mod tree;
mod values;
mod verify;
mod work_folder;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind as Misuse};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::game::Chosen;
use crate::games::line::Rules;
use crate::registry::{Entry, Registry};
use connect4::explain::run as explain_by_plans;
use failure::Failure;
pub use session::available_memory;

/// Parallel exhaustive game-tree analyzer: the whole truth about small games.
///
/// Counts every game and position, solves whole boards, and searches deep where a board is too
/// large to visit, always with the node counts to check it by.
#[derive(Debug, Parser)]
#[command(name = "analyze", version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Connect4(connect4::Args),
    Compare(compare::Args),
    Count(count::Args),
    Explain(explain::Args),
    Solve(solve::Args),
    Strategy(strategy::StrategyArgs),
    Prove(strategy::ProveArgs),
    Book(book::Args),
    Query(query::Args),
    Verify(verify::Args),
    Export(export::Args),
    Convert(convert::Args),
    Sample(sample::Args),
    Sql(sql::Args),
    Tree(tree::Args),
    #[cfg(feature = "report")]
    Report(report::Args),
    #[cfg(feature = "web")]
    Serve(serve::Args),
    #[cfg(feature = "mcp")]
    Mcp(mcp::Args),
    Play(play::Args),
    New(new::Args),
    Games(games::Args),
    Bench(bench::Args),
    /// Shell completions on stdout
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    Man(man::Args),
}

/// Runs a command line with the games of this crate and gives its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_with(&crate::registry::builtin(), args)
}

/// Runs the command line of this process with the games of a registry, beside the boards of
/// lines, and gives its exit code: all that a program with a game of its own needs. Help, messages
/// and completions bear the name of that program.
pub fn run(registry: &Registry) -> ExitCode {
    std::env::args_os().take(1).for_each(|path| program::take_name(&path));
    run_with(registry, std::env::args_os())
}

fn run_with(registry: &Registry, args: impl IntoIterator<Item = OsString>) -> ExitCode {
    limit::prepare();
    let mut args: Vec<OsString> = args.into_iter().collect();
    // The command `help` has no help of its own; without an argument it prints the general one.
    if let [_, command, option] = &args[..]
        && command == "help"
        && (option == "--help" || option == "-h")
    {
        args.truncate(2);
    }
    let line = definition(registry);
    if args.len() < 2 {
        let tried = text::print(&things_to_try(registry, line.get_name()));
        return tried.map_or_else(Failure::report, |()| ExitCode::SUCCESS);
    }
    let matches = match line.try_get_matches_from(&args) {
        Ok(matches) => matches,
        Err(error) => match of_another_word(registry, &error) {
            Some(failure) => return failure.report(),
            None => {
                let error = with_fitting_tips(of_a_number(error), &definition(registry));
                return printed_by_clap(&error);
            }
        },
    };
    let command = output::command_line(&args);
    let run = || match matches.subcommand() {
        Some((name, matches)) if !Command::has_subcommand(name) => {
            let entry = registry.find(name).expect("the parser knows the names");
            analyze::run(entry, matches, &command)
        }
        _ => {
            let cli = Cli::from_arg_matches(&matches).map_err(Failure::usage)?;
            dispatch(registry, cli, &command)
        }
    };
    interrupt::listen().and_then(|()| run()).map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

/// The commands that take any game as their first argument.
const WITH_A_GAME: [&str; 7] = ["compare", "count", "explain", "play", "sample", "solve", "tree"];

/// The commands that take a database, and the name of a game of it.
const ON_A_DATABASE: [&str; 3] = ["export", "query", "verify"];

/// The commands about Connect Four alone.
const OF_ONE_GAME: [&str; 5] = ["connect4", "book", "convert", "strategy", "prove"];

/// The command line with the usual board of their game in the help of these commands.
fn with_usual_boards(line: clap::Command) -> clap::Command {
    let usual = Rules::ConnectFour.usual();
    OF_ONE_GAME.into_iter().fold(line, |line, command| {
        let size = format!("Columns x rows [default: {}]", usual.board());
        let length = format!("How many in a row win [default: {}]", usual.line);
        line.mut_subcommand(command, |command| {
            command.mut_arg("size", |arg| arg.help(size)).mut_arg("line", |arg| arg.help(length))
        })
    })
}

/// The whole command line, with the games of a registry.
fn definition(registry: &Registry) -> clap::Command {
    let line = with_usual_boards(Cli::command());
    let line = game_options::add(line, registry, &WITH_A_GAME, &ON_A_DATABASE);
    // Made once for each game: that takes longer than all else here.
    let start = |entry: &Entry| entry.choose(&Chosen::default()).ok();
    let starts: Vec<_> = registry.entries().iter().map(|entry| (entry, start(entry))).collect();
    let others = starts.iter().filter(|(entry, _)| !Command::has_subcommand(entry.name));
    let line = others
        .map(|(entry, start)| analyze::command(entry, start.as_deref()))
        .fold(line, clap::Command::subcommand);
    let line = starts.iter().fold(line, |line, (entry, start)| {
        let is_free = |word: &&&str| registry.find(word).is_none();
        let aliases: Vec<&str> = entry.aliases.iter().filter(is_free).copied().collect();
        line.mut_subcommand(entry.name, |command| {
            let command = command.aliases(aliases);
            let Some(position) = start.as_ref().map(|start| start.position_help()) else {
                return command;
            };
            let help = format!("Position: {position} [default: the start of the game]");
            command.mut_arg("moves", |arg| arg.index(1).help(help))
        })
    });
    program::with_name(line).mut_subcommands(|command| {
        // A number below zero is a value out of range, not an option that does not exist.
        command.mut_args(|arg| {
            let takes_values = arg.get_action().takes_values();
            if takes_values { arg.allow_negative_numbers(true) } else { arg }
        })
    })
}

/// An error about an unknown option, with the commands that have it, and without the tip to pass it as
/// a value: no position or file is called so.
fn with_fitting_tips(mut error: clap::Error, line: &clap::Command) -> clap::Error {
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

/// An error about a number, in words of a command line instead of those of the parser.
fn of_a_number(error: clap::Error) -> clap::Error {
    use std::num::{IntErrorKind, ParseIntError};
    let Some(source) = std::error::Error::source(&error) else { return error };
    let said = source.to_string();
    let range = said.split_once(" is not in ").and_then(|(_, range)| range.split_once("..="));
    let wanted = match (source.downcast_ref::<ParseIntError>().map(ParseIntError::kind), range) {
        (Some(IntErrorKind::PosOverflow), _) => "a smaller number".to_owned(),
        (Some(_), _) => "a whole number, as 7".to_owned(),
        (None, Some((least, most))) => format!("a whole number from {least} to {most}"),
        (None, None) => return error,
    };
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let [name, given] = [ContextKind::InvalidArg, ContextKind::InvalidValue].map(text);
    let said = format!(
        "invalid value '{given}' for '{name}': {wanted}\n\nFor more information, try '--help'.\n"
    );
    clap::Error::raw(Misuse::ValueValidation, said)
}

/// The text of a command line without arguments.
fn things_to_try(registry: &Registry, program: &str) -> String {
    let first = registry.entries()[0].name;
    let mut text = "The whole truth about small games. Four things to try:\n".to_owned();
    for (command, what) in [
        (first, "every position of a game, counted and solved"),
        ("connect4 4453", "the exact value of a position of Connect Four, by the columns played"),
        (&format!("play {first}"), "a game against the machine"),
        ("serve --open", "all of it in a browser"),
    ] {
        let _ = writeln!(text, "  {:<24}{what}", format!("{program} {command}"));
    }
    let _ = writeln!(text, "All commands: {program} --help");
    text
}

/// Commands that not every program has, each with its feature.
const OF_FEATURES: [(&str, &str); 3] = [("mcp", "mcp"), ("serve", "web"), ("report", "report")];

/// The failure of a position, or of a command that was left out, in the place of a command.
fn of_another_word(registry: &Registry, error: &clap::Error) -> Option<Failure> {
    let given = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(given)) if !given.is_empty() => given,
        _ => return None,
    };
    // Commands of this name are features that were left out.
    if let Some((_, feature)) = OF_FEATURES.iter().find(|(command, _)| command == given) {
        return Some(Failure::Usage(format!(
            "{given} is a command of the feature {feature}, which this program was built without: \
             `cargo install --path . --features {feature}`"
        )));
    }
    let games =
        registry.with_position(given).map(|game| format!("`analyze {} {given}`", game.name));
    let games: Vec<String> = games.collect();
    let is_position = error.kind() == Misuse::InvalidSubcommand && !games.is_empty();
    is_position.then(|| {
        Failure::Usage(format!("{given} is a position, not a command: try {}", games.join(" or ")))
    })
}

/// Prints the help and the version, which are results, and what is wrong with the arguments.
fn printed_by_clap(error: &clap::Error) -> ExitCode {
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    match printed {
        Err(failed) if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe => {
            text::cannot_write(failed).report()
        }
        // A closed stderr is ignored: the exit code remains.
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

fn dispatch(registry: &Registry, cli: Cli, command: &str) -> Result<(), Failure> {
    match cli.command {
        Command::Connect4(args) => connect4::run(&args, command),
        Command::Compare(args) => compare::run(&args, registry),
        Command::Count(args) => count::run(&args, command, registry),
        Command::Explain(args) => explain::run(&args, registry),
        Command::Solve(args) => solve::run(&args, registry),
        Command::Strategy(args) => strategy::run(&args),
        Command::Prove(args) => strategy::prove(&args),
        Command::Book(args) => book::run(&args, command),
        Command::Query(args) => query::run(&args, command, registry),
        Command::Verify(args) => verify::run(&args, registry),
        Command::Export(args) => export::run(&args, registry),
        Command::Convert(args) => convert::run(&args),
        Command::Sample(args) => sample::run(&args, command, registry),
        Command::Tree(args) => tree::run(&args, registry),
        Command::Sql(args) => sql::run(&args, registry),
        #[cfg(feature = "report")]
        Command::Report(args) => report::run(&args, registry, command),
        #[cfg(feature = "web")]
        Command::Serve(args) => serve::run(&args, registry),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args, registry),
        Command::Play(args) => play::run(&args, registry),
        Command::New(args) => new::run(&args, &definition(registry)),
        Command::Games(args) => games::run(&args, registry, &definition(registry)),
        Command::Bench(args) => bench::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut definition(registry), program::name(), &mut script);
            text::print(&String::from_utf8_lossy(&script))
        }
        Command::Man(args) => man::run(&args, definition(registry)),
    }
}
