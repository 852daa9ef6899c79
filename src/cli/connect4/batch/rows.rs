//! The output of a batch: a CSV row for each line, and messages about bad lines on stderr.

use std::io::{ErrorKind, Stdout};
use std::ops::ControlFlow;

use crate::cli::failure::{Failure, warn};
use crate::cli::text;
use crate::connect_four::batch::{BatchAnswer, BatchTable};
use crate::statistics::{counted, grouped};

/// The result of a line of the input.
pub(super) struct Row {
    pub number: u64,
    /// The answer, or the reason why the line is no position.
    pub answer: Result<BatchAnswer, String>,
}

/// The rows, on their way to stdout.
pub(super) struct Rows {
    csv: csv::Writer<Stdout>,
    table: BatchTable,
    lines: u64,
    refused: u64,
    mismatches: u64,
    /// The error of a stdout that takes no more.
    failed: Option<std::io::Error>,
}

impl Rows {
    pub fn new(table: BatchTable) -> Self {
        let csv = csv::Writer::from_writer(std::io::stdout());
        Self { csv, table, lines: 0, refused: 0, mismatches: 0, failed: None }
    }

    /// Writes the header.
    pub fn begin(&mut self) {
        let written = self.csv.write_record(self.table.header());
        self.check(written);
        self.flush();
    }

    /// Lines whose rows were written.
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// True if stdout takes no more.
    pub const fn is_refused(&self) -> bool {
        self.failed.is_some()
    }

    /// Writes rows and flushes them; breaks if stdout takes no more.
    pub fn take(&mut self, rows: Vec<Row>) -> ControlFlow<()> {
        for row in rows {
            self.write(row);
        }
        self.flush();
        if self.is_refused() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub fn flush(&mut self) {
        let flushed = self.csv.flush().map_err(csv::Error::from);
        self.check(flushed);
    }

    fn write(&mut self, row: Row) {
        if self.is_refused() {
            return;
        }
        self.lines += 1;
        let Row { number, answer } = row;
        match &answer {
            Ok(answer) => {
                if let Some(wrong) = answer.mismatch() {
                    self.mismatches += 1;
                    warn(&format!("line {number}: {wrong}"));
                }
            }
            Err(why) => {
                self.refused += 1;
                warn(&format!("line {number}: {why}"));
            }
        }
        let record = self.table.row(answer.as_ref().map_err(String::as_str));
        let written = self.csv.write_record(record);
        self.check(written);
    }

    fn check(&mut self, written: csv::Result<()>) {
        if let (Err(error), None) = (written, &self.failed) {
            self.failed = Some(match error.into_kind() {
                csv::ErrorKind::Io(error) => error,
                other => std::io::Error::other(format!("{other:?}")),
            });
        }
    }

    /// The result of the whole batch.
    pub fn finish(self) -> Result<(), Failure> {
        let lines = |count, what: &str| {
            format!("{} of {} {what}", grouped(count), counted(self.lines, "line"))
        };
        match self.failed {
            // A reader that has seen enough is no failure.
            Some(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Some(error) => return Err(text::cannot_write(error)),
            None => {}
        }
        let refused = (self.refused > 0).then(|| lines(self.refused, "could not be solved"));
        if self.mismatches > 0 {
            let wrong = lines(self.mismatches, "have another score than was found");
            return Err(Failure::Mismatch(
                [Some(wrong), refused].into_iter().flatten().collect::<Vec<_>>().join("; "),
            ));
        }
        refused.map_or(Ok(()), |refused| Err(Failure::Runtime(anyhow::anyhow!("{refused}"))))
    }
}
