//! The output of a batch: a CSV row for each line, and on stderr what is wrong with one.

use std::io::{ErrorKind, Stdout};
use std::ops::ControlFlow;
use std::time::Duration;

use crate::cli::failure::{Failure, warn};
use crate::cli::text;
use crate::game::{Move, MoveSet, Value};
use crate::statistics::{counted, grouped};

/// The columns before those of the moves, `score_1` and so on, and `error`.
const COLUMNS: [&str; 7] =
    ["moves", "outcome", "remoteness", "score", "best", "nodes", "elapsed_us"];

/// What became of a line of the input.
pub(super) struct Row {
    pub number: u64,
    /// Or why the line is no position.
    pub told: Result<Told, String>,
}

/// A position that was solved.
pub(super) struct Told {
    pub moves: String,
    pub value: Value,
    pub score: i32,
    /// The score that the line tells.
    pub expected: Option<i32>,
    pub best: MoveSet,
    /// The scores of moves for the side that makes them, as that of the position; empty if they
    /// were not asked for.
    pub scores: Vec<(Move, i32)>,
    pub nodes: u64,
    pub elapsed: Duration,
}

/// The rows, on their way to stdout.
pub(super) struct Rows {
    csv: csv::Writer<Stdout>,
    /// Columns of the board, each with its score in a row; 0 if they are not asked for.
    columns: u8,
    lines: u64,
    refused: u64,
    mismatches: u64,
    /// Why stdout takes no more.
    failed: Option<std::io::Error>,
}

impl Rows {
    pub fn new(columns: u8) -> Self {
        let csv = csv::Writer::from_writer(std::io::stdout());
        Self { csv, columns, lines: 0, refused: 0, mismatches: 0, failed: None }
    }

    /// Writes the header.
    pub fn begin(&mut self) {
        let scores = (1..=self.columns).map(|column| format!("score_{column}"));
        let header = COLUMNS.map(str::to_owned).into_iter().chain(scores);
        let written = self.csv.write_record(header.chain(["error".to_owned()]));
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

    /// Writes rows, all the way to whoever reads them; breaks where nobody does.
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
        let Row { number, told } = row;
        let written = match told {
            Ok(told) => self.write_told(number, &told),
            Err(why) => {
                self.refused += 1;
                warn(&format!("line {number}: {why}"));
                let unknown = COLUMNS.len() + usize::from(self.columns);
                self.csv.write_record(std::iter::repeat_n("", unknown).chain([&*why]))
            }
        };
        self.check(written);
    }

    fn write_told(&mut self, number: u64, told: &Told) -> csv::Result<()> {
        let Told { moves, value, score, expected, best, scores, nodes, elapsed } = told;
        if let Some(expected) = expected.filter(|expected| expected != score) {
            self.mismatches += 1;
            warn(&format!("line {number}: {moves} has score {score}, not {expected}"));
        }
        let best: Vec<String> = best.into_iter().map(|m: Move| m.number().to_string()).collect();
        let found = [
            moves.clone(),
            value.outcome.word().to_owned(),
            value.remoteness.to_string(),
            score.to_string(),
            best.join(" "),
            nodes.to_string(),
            elapsed.as_micros().to_string(),
        ];
        let score_of = |column: u8| scores.iter().find(|(m, _)| *m == Move(column));
        let scores = (0..self.columns).map(|column| {
            score_of(column).map_or_else(String::new, |(_, score)| score.to_string())
        });
        self.csv.write_record(found.into_iter().chain(scores).chain([String::new()]))
    }

    fn check(&mut self, written: csv::Result<()>) {
        if let (Err(error), None) = (written, &self.failed) {
            self.failed = Some(match error.into_kind() {
                csv::ErrorKind::Io(error) => error,
                other => std::io::Error::other(format!("{other:?}")),
            });
        }
    }

    /// What the whole batch comes to.
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
            let wrong = lines(self.mismatches, "tell another score than was found");
            return Err(Failure::Mismatch(
                [Some(wrong), refused].into_iter().flatten().collect::<Vec<_>>().join("; "),
            ));
        }
        refused.map_or(Ok(()), |refused| Err(Failure::Runtime(anyhow::anyhow!("{refused}"))))
    }
}
