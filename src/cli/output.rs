//! The output of a command besides stdout: the database and CSV files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use serde::Serialize;

use super::failure::{Failure, mismatch, runtime};
use super::options::OutputOptions;
use super::session::Session;
use super::{program, text};
use everyply_core::game::{GameId, MoveSet, PartialValue};
use everyply_core::statistics::{counted, grouped};
use everyply_files::disk::{NewFile, in_directory};
use everyply_registry::registry::Position;
use everyply_results::database::{
    Database, DatabaseError, Ending, PositionRow, RunWriter, WriteSummary,
};

pub(super) fn command_line(args: &[OsString]) -> String {
    let args = args.iter().skip(1).map(|arg| arg.to_string_lossy());
    let words: Vec<_> = std::iter::once(program::name().into()).chain(args).collect();
    shell_words::join(&words)
}

pub(super) fn csv_files<const N: usize>(
    directory: Option<&Path>,
    names: [&str; N],
) -> Result<Option<[NewFile; N]>, Failure> {
    directory.map(|dir| in_directory(dir, names)).transpose().map_err(Failure::from)
}

/// Writes a table; returns its path, and whether it replaced an earlier one.
pub(super) fn write_table(
    file: NewFile,
    write: impl FnOnce(&mut NewFile) -> csv::Result<()>,
) -> Result<String, Failure> {
    let path = file.path().to_owned();
    let replaced = if path.exists() { " (replaced)" } else { "" };
    write_file(file, write)?;
    Ok(format!("{}{replaced}", path.display()))
}

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

/// The end of a command: prints the result, and then closes the files, which may fail, and may take
/// longer than the second that a signal leaves. The first failure is the command's.
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

/// A run in a database, or nothing if there is none.
pub(super) struct Run {
    writer: Option<RunWriter>,
    path: PathBuf,
    /// The failure to end with, if nothing can be kept.
    unkept: Result<(), Failure>,
    /// Turns an error into a failure that names the option that chose the file, if one did.
    failed: fn(DatabaseError) -> Failure,
}

/// Rows sent to the writer at a time.
const BATCH: usize = 8192;

impl Run {
    pub fn unkept() -> Self {
        Self { writer: None, path: PathBuf::new(), unkept: Ok(()), failed }
    }

    /// Begins a run whose results are printed even if they cannot be stored: the default database may not have
    /// been intended, and if it cannot be written, the command fails once its results are printed. `learn` reads
    /// the database first.
    pub fn begin(
        output: &OutputOptions,
        game: &GameId,
        (command, session): (&str, &Session),
        learn: impl FnOnce(&Database) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let Some(path) = output.database() else { return Ok(Self::unkept()) };
        let tolerated = |error| match error {
            DatabaseError::ReadOnly(_)
            | DatabaseError::Io { .. }
            | DatabaseError::DiskFull(_)
            | DatabaseError::Sqlite { .. }
                if output.db.is_none() =>
            {
                let unkept =
                    runtime!("{error}; --db FILE keeps the results elsewhere, --no-db nowhere");
                Ok(Self { unkept: Err(unkept), ..Self::unkept() })
            }
            error => Err(failed(error)),
        };
        let database = match Database::create_or_open(path) {
            Ok(database) => database,
            Err(error) => return tolerated(error),
        };
        learn(&database)?;
        Self::started((database, path), game, (command, session), failed).or_else(tolerated)
    }

    /// Begins a run whose only purpose is its file, which ends if the file cannot be written. `failed` turns
    /// an error into a failure.
    pub fn begin_in_file(
        file: (Database, &Path),
        game: &GameId,
        command: (&str, &Session),
        failed: fn(DatabaseError) -> Failure,
    ) -> Result<Self, Failure> {
        Self::started(file, game, command, failed).map_err(failed)
    }

    fn started(
        (database, path): (Database, &Path),
        game: &GameId,
        (command, session): (&str, &Session),
        failed: fn(DatabaseError) -> Failure,
    ) -> Result<Self, DatabaseError> {
        let writer = database.begin_run(game, command, session.threads)?;
        writer.stop_by(Arc::clone(&session.control));
        Ok(Self { writer: Some(writer), path: path.to_owned(), unkept: Ok(()), failed })
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

    /// Writes counts or bounds. If the writer fails, the end of the run reports the error.
    pub fn write<E>(&self, write: impl FnOnce(&RunWriter) -> Result<(), E>) {
        if let Some(writer) = &self.writer {
            let _ = write(writer);
        }
    }

    /// Ends the run, and returns the line about its positions. After a stop it is marked as interrupted; `more`
    /// ends the message about that.
    pub fn end(self, session: &Session, more: &str) -> Result<String, Failure> {
        let path = self.path.clone();
        Ok(self.finish(session, more)?.map_or_else(String::new, |summary| added(summary, &path)))
    }

    /// Ends the run, as [`end`](Self::end).
    pub fn finish(self, session: &Session, more: &str) -> Result<Option<WriteSummary>, Failure> {
        let path = self.path.display();
        let kept =
            self.writer.as_ref().map(|_| format!("; what was found until then is in {path}"));
        let stopped = session.control.is_asked_to_stop();
        let ending = if stopped { Ending::Interrupted } else { Ending::Finished };
        match self.writer.map(|writer| writer.finish(ending)).transpose() {
            Err(error) => Err((self.failed)(error)),
            // A stop after the work changes nothing unless it left out some of the positions.
            Ok(summary) if stopped || summary.is_some_and(|summary| summary.left_out) => {
                Err(session.interrupted(&(kept.unwrap_or_default() + more)))
            }
            Ok(summary) => self.unkept.map(|()| summary),
        }
    }
}

/// The row of a position; `None` for a game whose positions are not stored.
pub(super) fn row(
    at: &dyn Position,
    value: PartialValue,
    best: Option<MoveSet>,
) -> Option<PositionRow> {
    let (key, symmetry) = at.canonical()?;
    let best = best.map(|best| at.image_moves(best, symmetry));
    Some(PositionRow { key, ply: at.tier(), value, best })
}

/// The failure of a database that a command writes to, which an option names.
#[expect(clippy::needless_pass_by_value, reason = "made to be handed to map_err")]
pub(super) fn failed(error: DatabaseError) -> Failure {
    let option = if error.is_mended_by_another_file() { " (--db FILE)" } else { "" };
    match error {
        DatabaseError::Conflict { .. } => mismatch!("{error}{option}"),
        _ => runtime!("{error}{option}"),
    }
}

/// The failure of a database that a command writes to, which is an argument.
#[expect(clippy::needless_pass_by_value, reason = "made to be handed to map_err")]
pub(super) fn failed_file(error: DatabaseError) -> Failure {
    match error {
        DatabaseError::Conflict { .. } => mismatch!("{error}"),
        _ => runtime!("{error}"),
    }
}

/// The line about positions sent to a database.
pub(super) fn added(summary: WriteSummary, database: &Path) -> String {
    let WriteSummary { added, refined, unchanged, .. } = summary;
    let others = [(refined, "refined"), (unchanged, "already there")];
    let others = others.into_iter().filter(|(number, _)| *number > 0);
    let others: String = others.map(|(n, what)| format!(", {} {what}", grouped(n))).collect();
    let added = counted(added, "position");
    format!("database   {}: {added} added up to symmetry{others}\n", database.display())
}
