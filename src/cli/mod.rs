//! The command line: the only room that prints.
//!
//! Results go to stdout, progress and messages to stderr. Exit codes: 0 done, 1 runtime failure,
//! 2 usage, 3 a verification found a mismatch, 130 interrupted.

mod bench;
mod book;
mod compare;
mod connect4;
mod convert;
mod count;
mod export;
mod failure;
mod input;
mod interrupt;
mod options;
mod play;
mod query;
mod report;
mod room;
mod serve;
mod session;
mod solve;
mod store;
mod stored;
mod text;
mod ttt;
mod verify;

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use failure::Failure;

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
    Ttt(ttt::Args),
    Connect4(connect4::Args),
    Compare(compare::Args),
    Count(count::Args),
    Solve(solve::Args),
    Book(book::Args),
    Query(query::Args),
    Verify(verify::Args),
    Export(export::Args),
    Convert(convert::Args),
    Report(report::Args),
    Serve(serve::Args),
    Play(play::Args),
    Bench(bench::Args),
    /// Shell completions on stdout
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The man page on stdout
    Man,
}

/// Runs a command line and gives its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => return told_by_clap(&error),
    };
    let command = store::command_line(&args);
    let result = interrupt::listen().and_then(|()| run(cli, &command));
    result.map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

/// Prints the help and the version, which are results, and what is wrong with the arguments.
fn told_by_clap(error: &clap::Error) -> ExitCode {
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    match printed {
        Err(failed) if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe => {
            text::cannot_write(failed).report()
        }
        // If stderr is gone, the exit code has to do.
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

fn run(cli: Cli, command: &str) -> Result<(), Failure> {
    match cli.command {
        Command::Ttt(args) => ttt::run(&args, command),
        Command::Connect4(args) => connect4::run(&args, command),
        Command::Compare(args) => compare::run(&args),
        Command::Count(args) => count::run(&args, command),
        Command::Solve(args) => solve::run(&args),
        Command::Book(args) => book::run(&args, command),
        Command::Query(args) => query::run(&args, command),
        Command::Verify(args) => verify::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Report(args) => report::run(&args, command),
        Command::Serve(args) => serve::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "analyze", &mut script);
            text::print(&String::from_utf8_lossy(&script))
        }
        Command::Man => man(),
    }
}

fn man() -> Result<(), Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(Failure::runtime)?;
    text::print(&String::from_utf8_lossy(&page))
}
