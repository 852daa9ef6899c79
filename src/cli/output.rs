//! The output of a command besides stdout: the database and CSV files.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::failure::Failure;
use super::options::OutputOptions;
use super::session::Session;
use crate::database::{Database, DatabaseError, Ending, PositionRow, RunWriter, WriteSummary};
use crate::disk::{NewFile, in_directory};
use crate::game::GameId;
use crate::statistics::{counted, grouped};

/// The command line as typed by the user.
pub(super) fn command_line(args: &[OsString]) -> String {
    let args = args.iter().skip(1).map(|arg| arg.to_string_lossy());
    let words: Vec<_> = std::iter::once("analyze".into()).chain(args).collect();
    shell_words::join(&words)
}

/// The line that names the CSV files written, if there are any.
pub(super) fn csv_line(output: &OutputOptions, names: &[impl AsRef<Path>]) -> String {
    output.csv.as_ref().map_or_else(String::new, |dir| {
        let paths: Vec<_> = names.iter().map(|name| dir.join(name).display().to_string()).collect();
        format!("CSV        {}\n", paths.join(", "))
    })
}

/// Begins the CSV files of a command, if any are wanted.
pub(super) fn csv_files<const N: usize>(
    directory: Option<&Path>,
    names: [&str; N],
) -> Result<Option<[NewFile; N]>, Failure> {
    directory.map(|dir| in_directory(dir, names)).transpose().map_err(Failure::runtime)
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

/// Opens the database of a command, before any work. The usual one may not have been intended: if
/// its folder cannot be written to, the work is done, and the second part is the failure to end
/// with once the results are printed.
pub(super) fn open(output: &OutputOptions) -> Result<(Option<Database>, Unkept), Failure> {
    let Some(path) = output.database() else { return Ok((None, Ok(()))) };
    match Database::create_or_open(path) {
        Ok(database) => Ok((Some(database), Ok(()))),
        Err(error @ (DatabaseError::ReadOnly(_) | DatabaseError::Io { .. }))
            if output.db.is_none() =>
        {
            let remedy = "--db FILE keeps the results elsewhere, --no-db nowhere";
            Ok((None, Err(Failure::Runtime(anyhow::anyhow!("{error}; {remedy}")))))
        }
        Err(error) => Err(failed(error)),
    }
}

/// The failure to end a command with whose results could not be kept.
pub(super) type Unkept = Result<(), Failure>;

/// Opens a database to write to.
pub(super) fn create_or_open(path: &Path) -> Result<Database, Failure> {
    Database::create_or_open(path).map_err(failed)
}

/// A run in the database, or nothing if there is none.
pub(super) struct Run {
    writer: Option<RunWriter>,
    /// The failure of an error, which names the option that chose the file, if one did.
    failed: fn(DatabaseError) -> Failure,
}

/// Rows sent to the writer at a time.
const BATCH: usize = 8192;

impl Run {
    /// A run that stores nothing.
    pub const fn unkept() -> Self {
        Self { writer: None, failed }
    }

    pub fn begin(
        database: Option<Database>,
        game: &GameId,
        command: &str,
        session: &Session,
    ) -> Result<Self, Failure> {
        let begin = |database: Database| database.begin_run(game, command, session.threads);
        let writer = database.map(begin).transpose().map_err(failed)?;
        Ok(Self { writer, failed }.stopped_by(session))
    }

    /// A run in a file that no option names.
    pub fn begin_in_file(
        database: Database,
        game: &GameId,
        command: &str,
        session: &Session,
    ) -> Result<Self, Failure> {
        let failed = failed_file;
        let writer = database.begin_run(game, command, session.threads).map_err(failed)?;
        Ok(Self { writer: Some(writer), failed }.stopped_by(session))
    }

    fn stopped_by(self, session: &Session) -> Self {
        if let Some(writer) = &self.writer {
            writer.stop_by(Arc::clone(&session.control));
        }
        self
    }

    /// The writer, if there is one.
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

    /// Ends the run. A stop that was asked for marks it as interrupted.
    pub fn finish(self, session: &Session) -> Result<Option<WriteSummary>, Failure> {
        let kept = if self.writer.is_some() {
            "; what was written to the database until then stays"
        } else {
            ""
        };
        self.finish_saying(session, kept)
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
            // The work was stopped because its results could not be kept.
            Err(error) => Err((self.failed)(error)),
            // A stop after the work changes nothing unless it left out some of the positions.
            Ok(summary) if stopped || summary.is_some_and(|summary| summary.left_out) => {
                Err(session.interrupted(kept))
            }
            Ok(summary) => Ok(summary),
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
        _ => Failure::Runtime(anyhow::anyhow!("{words}")),
    }
}

/// The line about the positions sent to the database.
pub(super) fn summary(summary: Option<WriteSummary>, output: &OutputOptions) -> String {
    let kept = summary.zip(output.database());
    kept.map_or_else(String::new, |(summary, database)| summary_of(summary, database))
}

/// The line about positions sent to this database.
pub(super) fn summary_of(summary: WriteSummary, database: &Path) -> String {
    let WriteSummary { added, refined, unchanged, .. } = summary;
    format!(
        "database   {}: {} added, {} refined, {} already there\n",
        database.display(),
        counted(added, "position"),
        grouped(refined),
        grouped(unchanged)
    )
}
