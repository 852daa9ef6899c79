//! The output of a command besides stdout: the database and CSV files.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::Serialize;

use super::failure::{Failure, runtime};
use super::options::OutputOptions;
use super::session::Session;
use super::{program, text};
use everyply_core::game::GameId;
use everyply_core::statistics::{counted, grouped};
use everyply_files::disk::{NewFile, in_directory};
use everyply_results::database::{
    Database, DatabaseError, Ending, PositionRow, RunWriter, WriteSummary,
};

pub(super) fn command_line(args: &[OsString]) -> String {
    let args = args.iter().skip(1).map(|arg| arg.to_string_lossy());
    let words: Vec<_> = std::iter::once(program::name().into()).chain(args).collect();
    shell_words::join(&words)
}

/// Begins the CSV files of a command, if any are wanted.
pub(super) fn csv_files<const N: usize>(
    directory: Option<&Path>,
    names: [&str; N],
) -> Result<Option<[NewFile; N]>, Failure> {
    directory.map(|dir| in_directory(dir, names)).transpose().map_err(Failure::runtime)
}

/// Fills a table and puts it in its place; returns its path, and whether an earlier one was there.
pub(super) fn write_table(
    file: NewFile,
    write: impl FnOnce(&mut NewFile) -> csv::Result<()>,
) -> Result<String, Failure> {
    let path = file.path().to_owned();
    let replaced = if path.exists() { " (replaced)" } else { "" };
    write_file(file, write)?;
    Ok(format!("{}{replaced}", path.display()))
}

/// Fills a file and puts it in its place.
pub(super) fn write_file(
    mut file: NewFile,
    write: impl FnOnce(&mut NewFile) -> csv::Result<()>,
) -> Result<(), Failure> {
    let path = file.path().display().to_string();
    write(&mut file)
        .map_err(anyhow::Error::from)
        .and_then(|()| file.commit().map_err(anyhow::Error::from))
        .with_context(|| format!("{path} was not written"))
        .map_err(Failure::Runtime)
}

/// The database of a command, opened before any work.
pub(super) struct Opened {
    pub database: Option<Database>,
    /// The failure to end the command with, if its results cannot be kept.
    unkept: Result<(), Failure>,
    /// True if no option names the file.
    is_usual: bool,
}

/// Opens the database of a command. The usual one may not have been intended: if it cannot be
/// written, the work is done all the same, and the command fails once its results are printed.
pub(super) fn open(output: &OutputOptions) -> Result<Opened, Failure> {
    let mut opened = Opened { database: None, unkept: Ok(()), is_usual: output.db.is_none() };
    if let Some(path) = output.database() {
        opened.database = opened.tolerate(Database::create_or_open(path))?;
    }
    Ok(opened)
}

impl Opened {
    /// A result of the database; nothing if the usual file cannot be written.
    fn tolerate<T>(&mut self, result: Result<T, DatabaseError>) -> Result<Option<T>, Failure> {
        match result {
            Ok(result) => Ok(Some(result)),
            Err(
                error @ (DatabaseError::ReadOnly(_)
                | DatabaseError::Io { .. }
                | DatabaseError::DiskFull(_)
                | DatabaseError::Sqlite { .. }),
            ) if self.is_usual => {
                let remedy = "--db FILE keeps the results elsewhere, --no-db nowhere";
                self.unkept = Err(runtime!("{error}; {remedy}"));
                Ok(None)
            }
            Err(error) => Err(failed(error)),
        }
    }
}

/// The end of a command: its result is printed, and then its files are closed, which may fail, and
/// may take longer than the second that a signal leaves. The first failure is the command's.
pub(super) struct Kept {
    json: bool,
    failed: Result<(), Failure>,
}

impl Kept {
    pub fn after(json: bool, document: &impl Serialize, text: impl FnOnce() -> String) -> Self {
        Self { json, failed: text::print_result(json, document, text) }
    }

    /// Prints the line about a file, or notes its failure.
    pub fn and(mut self, line: Result<String, Failure>) -> Self {
        let printed = line.and_then(|line| if self.json { Ok(()) } else { text::print(&line) });
        self.failed = self.failed.and(printed);
        self
    }

    /// Fills the CSV files, and prints the line about them, unless the database contradicts the result.
    pub fn tables<const N: usize>(
        self,
        files: Option<[NewFile; N]>,
        write: impl FnOnce([NewFile; N]) -> Result<Vec<String>, Failure>,
    ) -> Self {
        match files.filter(|_| !matches!(self.failed, Err(Failure::Mismatch(_)))) {
            Some(files) => {
                self.and(write(files).map(|written| format!("CSV        {}\n", written.join(", "))))
            }
            None => self,
        }
    }

    pub fn end(self) -> Result<(), Failure> {
        self.failed
    }
}

/// A run in the database, or nothing if there is none.
pub(super) struct Run {
    writer: Option<RunWriter>,
    /// The failure to end with, if nothing can be kept.
    unkept: Result<(), Failure>,
    /// The failure of an error, which names the option that chose the file, if one did.
    failed: fn(DatabaseError) -> Failure,
}

/// Rows sent to the writer at a time.
const BATCH: usize = 8192;

impl Run {
    pub const fn unkept() -> Self {
        Self { writer: None, unkept: Ok(()), failed }
    }

    /// A run whose results are printed, whether or not they can be kept.
    pub fn begin(
        mut opened: Opened,
        game: &GameId,
        command: &str,
        session: &Session,
    ) -> Result<Self, Failure> {
        let begin = |database: Database| database.begin_run(game, command, session.threads);
        let writer = match opened.database.take().map(begin) {
            Some(begun) => opened.tolerate(begun)?,
            None => None,
        };
        writer.iter().for_each(|writer| writer.stop_by(Arc::clone(&session.control)));
        Ok(Self { writer, unkept: opened.unkept, failed })
    }

    /// A run whose one purpose is its file: work ends if it cannot be written. `failed` gives the
    /// failure of an error.
    pub fn begin_in_file(
        database: Database,
        game: &GameId,
        command: &str,
        session: &Session,
        failed: fn(DatabaseError) -> Failure,
    ) -> Result<Self, Failure> {
        let writer = database.begin_run(game, command, session.threads).map_err(failed)?;
        writer.stop_by(Arc::clone(&session.control));
        Ok(Self { writer: Some(writer), unkept: Ok(()), failed })
    }

    pub fn writer(&self) -> Option<&RunWriter> {
        self.writer.as_ref()
    }

    /// Sends positions. If the writer fails, the rest are dropped; the end of the run reports the
    /// error.
    pub fn send(&self, rows: impl IntoIterator<Item = PositionRow>) {
        let Some(writer) = &self.writer else { return };
        let sink = writer.sink();
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            if sink.send(rows.by_ref().take(BATCH).collect()).is_err() {
                return;
            }
        }
    }

    /// Ends the run. A stop that was asked for marks it as interrupted; `more` ends the message about it.
    pub fn finish(self, session: &Session, more: &str) -> Result<Option<WriteSummary>, Failure> {
        let stays = "; what was written to the database until then stays";
        let kept = self.writer.as_ref().map_or("", |_| stays);
        self.finish_saying(session, &format!("{kept}{more}"))
    }

    /// Ends the run; `kept` is the end of the message if it was stopped.
    pub fn finish_saying(
        self,
        session: &Session,
        kept: &str,
    ) -> Result<Option<WriteSummary>, Failure> {
        let stopped = session.control.is_asked_to_stop();
        let ending = if stopped { Ending::Interrupted } else { Ending::Finished };
        match self.writer.map(|writer| writer.finish(ending)).transpose() {
            Err(error) => Err((self.failed)(error)),
            // A stop after the work changes nothing unless it left out some of the positions.
            Ok(summary) if stopped || summary.is_some_and(|summary| summary.left_out) => {
                Err(session.interrupted(kept))
            }
            Ok(summary) => self.unkept.map(|()| summary),
        }
    }
}

/// The failure of a database that a command writes to, which an option names.
#[expect(clippy::needless_pass_by_value, reason = "made to be handed to map_err")]
pub(super) fn failed(error: DatabaseError) -> Failure {
    let option = if error.is_mended_by_another_file() { " (--db FILE)" } else { "" };
    said(&error, &format!("{error}{option}"))
}

/// The failure of a database that a command writes to, which is an argument.
#[expect(clippy::needless_pass_by_value, reason = "made to be handed to map_err")]
pub(super) fn failed_file(error: DatabaseError) -> Failure {
    said(&error, &error.to_string())
}

fn said(error: &DatabaseError, words: &str) -> Failure {
    match error {
        DatabaseError::Conflict { .. } => Failure::Mismatch(words.to_owned()),
        _ => runtime!("{words}"),
    }
}

/// The line about the positions sent to the database.
pub(super) fn summary(summary: Option<WriteSummary>, output: &OutputOptions) -> String {
    let kept = summary.zip(output.database());
    kept.map_or_else(String::new, |(summary, database)| summary_of(summary, database))
}

/// The line about the counts of plies sent to the database.
pub(super) fn counts_line(
    summary: Option<WriteSummary>,
    output: &OutputOptions,
    plies: usize,
) -> String {
    let kept = summary.and(output.database());
    kept.map_or_else(String::new, |database| {
        let counts = counted(plies as u64, "ply");
        format!("database   {}: counts of {counts}\n", database.display())
    })
}

/// The line about positions sent to this database.
pub(super) fn summary_of(summary: WriteSummary, database: &Path) -> String {
    let WriteSummary { added, refined, unchanged, .. } = summary;
    let others = [(refined, "refined"), (unchanged, "already there")];
    let others = others.into_iter().filter(|(number, _)| *number > 0);
    let others: String = others.map(|(n, what)| format!(", {} {what}", grouped(n))).collect();
    let added = counted(added, "position");
    format!("database   {}: {added} added up to symmetry{others}\n", database.display())
}
