//! Failures of commands: message and exit code.

use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;

use super::{caller, program};
use everyply_core::statistics::counted;

/// An error with its causes, each once: many messages already contain their cause.
fn chain(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        _ if text.contains(&cause) => text,
        _ => format!("{text}: {cause}"),
    })
}

#[derive(Debug)]
pub(super) enum Failure {
    /// The input is wrong or asks for too much: exit code 2.
    Usage(String),
    /// Something outside went wrong: exit code 1.
    Runtime(anyhow::Error),
    /// Two ways to the same number disagree: exit code 3.
    Mismatch(String),
    /// A time limit was reached: exit code 124, as of timeout(1).
    TimedOut(String),
    /// The user stopped it: exit code 130, as shells do for SIGINT.
    Interrupted(String),
}

/// A failure of the input: exit code 2, with a message as `format!` takes it.
macro_rules! usage {
    ($($message:tt)+) => { $crate::cli::failure::Failure::Usage(format!($($message)+)) };
}

/// A failure of something outside: exit code 1, with a message as `format!` takes it.
macro_rules! runtime {
    ($($message:tt)+) => { $crate::cli::failure::Failure::Runtime(anyhow::anyhow!($($message)+)) };
}

/// A disagreement: exit code 3, with a message as `format!` takes it.
macro_rules! mismatch {
    ($($message:tt)+) => { $crate::cli::failure::Failure::Mismatch(format!($($message)+)) };
}

pub(super) use {mismatch, runtime, usage};

/// An error is a runtime failure unless a command decides otherwise.
impl<E: std::error::Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Runtime(error.into())
    }
}

/// Prints a message about a part of the input on stderr.
pub(super) fn warn(message: &str) {
    // A closed stderr is ignored: the exit code remains.
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Warnings about lines: the first ten that break a rule are printed, the others counted.
#[derive(Debug, Default)]
pub(super) struct LineWarnings(HashMap<String, u64>);

impl LineWarnings {
    const MOST_EQUAL: u64 = 10;

    /// The most rules counted apart: an input may never end.
    const MOST_RULES: usize = 100;

    /// Warns of a line; the last clause of the reason is the rule.
    pub fn warn(&mut self, line: &str, reason: &str) {
        let rule = reason.rsplit(": ").next().unwrap_or_default();
        let is_told_apart = self.0.contains_key(rule) || self.0.len() < Self::MOST_RULES;
        let rule = if is_told_apart { rule } else { "other reasons" };
        let count = self.0.entry(rule.to_owned()).or_default();
        *count += 1;
        if *count <= Self::MOST_EQUAL {
            warn(&format!("{line}: {reason}"));
        }
    }

    /// Prints for each rule how many lines were not named.
    pub fn finish(self) {
        let mut more: Vec<_> =
            self.0.into_iter().filter(|(_, count)| *count > Self::MOST_EQUAL).collect();
        more.sort();
        for (rule, count) in more {
            let lines = counted(count - Self::MOST_EQUAL, "more line");
            warn(&format!("and {lines}: {rule}"));
        }
    }
}

impl Failure {
    #[expect(clippy::needless_pass_by_value, reason = "made to be handed to map_err")]
    pub fn usage(message: impl ToString) -> Self {
        Self::Usage(message.to_string())
    }

    /// Prints the message on stderr and returns the exit code.
    pub fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Usage(message) => (format!("error: {message}"), 2),
            Self::Runtime(error) => (format!("error: {}", chain(&error)), 1),
            Self::Mismatch(message) => (format!("mismatch: {message}"), 3),
            Self::TimedOut(message) => (message, 124),
            Self::Interrupted(message) => (message, 130),
        };
        if !caller::reports(&message) {
            // A closed stderr is ignored: the exit code remains.
            let _ = writeln!(std::io::stderr(), "{}", program::named(&message));
        }
        ExitCode::from(code)
    }
}
