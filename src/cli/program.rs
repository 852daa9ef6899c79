//! The name of the program, which differs in a program with games of its own.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

use clap::builder::StyledStr;

/// The name of the program of this crate, as help and messages in the source have it.
const USUAL: &str = "analyze";

static NAME: OnceLock<String> = OnceLock::new();

/// Takes the name from the path of the program that runs.
pub(super) fn take_name(path: &OsStr) {
    let stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    NAME.get_or_init(|| stem.unwrap_or_else(|| USUAL.to_owned()));
}

pub(super) fn name() -> &'static str {
    NAME.get().map_or(USUAL, String::as_str)
}

/// A text for people, with the commands in it under the name of the program that runs.
pub(super) fn named(text: &str) -> Cow<'_, str> {
    if name() == USUAL { text.into() } else { renamed(text, name()).into() }
}

/// A text with its commands under another name: those in backquotes, those that begin a line of
/// examples, and those of a pipe.
fn renamed(text: &str, name: &str) -> String {
    let before = ["`", "\n  ", "| "];
    before.iter().fold(text.to_owned(), |text, before| {
        text.replace(&format!("{before}{USUAL} "), &format!("{before}{name} "))
    })
}

/// A command line, without its commands, under the name of the program that runs.
pub(super) fn with_name(line: clap::Command) -> clap::Command {
    let version = concat!("(everyply ", env!("CARGO_PKG_VERSION"), ")");
    if name() == USUAL { line } else { line.name(name()).version(version) }
}

/// A command whose help has the name of the program that runs.
pub(super) fn with_name_in_help(command: clap::Command) -> clap::Command {
    if name() == USUAL { command } else { with(command, name()) }
}

fn with(command: clap::Command, name: &str) -> clap::Command {
    let own = |text: &StyledStr| renamed(&text.to_string(), name);
    let examples = command.get_after_help().map(own);
    let command = examples.into_iter().fold(command, clap::Command::after_help);
    command.mut_args(|arg| {
        let (help, long) = (arg.get_help().map(own), arg.get_long_help().map(own));
        let arg = help.into_iter().fold(arg, clap::Arg::help);
        long.into_iter().fold(arg, clap::Arg::long_help)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_takes_another_name_in_its_examples_and_options() {
        let count = clap::Command::new("count")
            .after_help("Examples:\n  analyze count\n  echo 4 | analyze count, analyze it")
            .arg(clap::Arg::new("game").help("A game of `analyze games`"));
        let help = with(count, "mine").render_help().to_string();
        assert!(help.contains("`mine games`") && help.contains("\n  mine count"), "{help}");
        assert!(help.contains("| mine count, analyze it"), "{help}");
    }
}
