//! `analyze connect4 --input`: one position a line, solved exactly.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Stdout};
use std::ops::ControlFlow;
use std::path::Path;

use super::Args;
use crate::cli::failure::{Failure, LineWarnings};
use crate::cli::input::{self, Input};
use crate::cli::session::Session;
use crate::cli::text;
use everyply_connect_four::batch::{BadLine, BatchAnswer, BatchDetail, BatchPosition, BatchTable};
use everyply_connect_four::solver::{MIN_POSITIONS_PER_THREAD, Solver, SolverWord};
use everyply_core::control::{Control, Stopped};
use everyply_core::games::line::LineGame;
use everyply_core::parallel::in_order::each_in_order;
use everyply_core::statistics::{counted, grouped};
use everyply_files::reading::{LineError, TextLines};

/// The number of a line of the input, and the position to solve.
type Job<W> = (u64, Result<BatchPosition<W>, BadLine>);

/// The number of a line of the input, and the answer.
type Row = (u64, Result<BatchAnswer, BadLine>);

/// Solves every line of a file and prints a CSV row for each, in the order of the input and as
/// soon as it is found.
pub(super) fn run<W: SolverWord>(
    solver: &Solver<W>,
    path: &Path,
    args: &Args,
) -> Result<(), Failure> {
    let session = Session::start(&args.running)?;
    let name = format!("--input {}", input::name_of(path));
    let stopped = |rows: &Rows| {
        session.interrupted(&format!("; the rows of {} were written", counted(rows.lines, "line")))
    };
    let detail = match (args.value_only, args.all_moves) {
        (_, true) => BatchDetail::AllMoves,
        (true, _) => BatchDetail::Value,
        (false, _) => BatchDetail::BestMoves,
    };
    let mut rows = Rows::new(BatchTable::new(detail, solver.game().size().width));
    let input = match Input::open(path, session.control.clone()) {
        Ok(input) => input,
        Err(_) if session.control.is_asked_to_stop() => return Err(stopped(&rows)),
        Err(error) => return Err(input::failed(LineError::Io(error), &name)),
    };
    let mut batch = Batch { solver, detail, lines: TextLines::new(input), failed: None };
    rows.begin();
    let solved = batch.solve(&session, &mut rows);
    if rows.failed.is_none() {
        if solved.is_err() || session.control.is_asked_to_stop() {
            return Err(stopped(&rows));
        }
        if let Some(error) = batch.failed {
            return Err(input::failed(error, &name));
        }
    }
    rows.finish()
}

struct Batch<'b, W: SolverWord> {
    solver: &'b Solver<W>,
    detail: BatchDetail,
    lines: TextLines<Input>,
    /// The error at which the input ended.
    failed: Option<LineError>,
}

impl<W: SolverWord> Batch<'_, W> {
    fn solve(&mut self, session: &Session, rows: &mut Rows) -> Result<(), Stopped> {
        let (solver, detail) = (self.solver, self.detail);
        let many = MIN_POSITIONS_PER_THREAD * session.threads;
        loop {
            // The lines at hand decide how work is shared; the rest of a pausing input is not awaited.
            let mut jobs = VecDeque::new();
            let mut ended = false;
            while jobs.len() < many && !ended && (jobs.is_empty() || !self.lines.input().pauses()) {
                let job = self.next();
                ended = job.is_none();
                jobs.extend(job);
            }
            if jobs.len() >= many {
                // Neighbours of a sorted file share much of their trees: each worker takes one
                // line at a time, so that all are at work in the same region of the table.
                return session.work("solving", "positions", |control| {
                    control.start(0);
                    let next = || jobs.pop_front().or_else(|| self.next());
                    let work = |job, inner: &Control| row(solver, detail, job, inner);
                    each_in_order(session.threads, control, next, work, |done| rows.take(done))
                        .map(drop)
                });
            }
            for job in jobs {
                let row = session.work("solving", "nodes", |control| {
                    control.start(0);
                    row(solver, detail, job, control)
                })?;
                if rows.take(vec![row]).is_break() {
                    return Ok(());
                }
            }
            if ended {
                return Ok(());
            }
        }
    }

    /// The next line; none at the end of the input, or at an error.
    fn next(&mut self) -> Option<Job<W>> {
        match self.lines.next_line() {
            Ok(line) => {
                let position = BatchPosition::read(self.solver.game(), line?);
                Some((self.lines.number(), position))
            }
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }
}

/// Solves the position of a line.
fn row<W: SolverWord>(
    solver: &Solver<W>,
    detail: BatchDetail,
    (number, position): Job<W>,
    control: &Control,
) -> Result<Row, Stopped> {
    let solved = position.map(|position| position.solve(solver, detail, control));
    Ok((number, solved.map_or_else(|bad| Ok(Err(bad)), |answer| answer.map(Ok))?))
}

/// The rows, on their way to stdout.
struct Rows {
    to: csv::Writer<Stdout>,
    table: BatchTable,
    /// Lines whose rows were written.
    lines: u64,
    refused: u64,
    mismatches: u64,
    warnings: LineWarnings,
    /// The error of a stdout that takes no more.
    failed: Option<io::Error>,
}

impl Rows {
    fn new(table: BatchTable) -> Self {
        let to = csv::Writer::from_writer(std::io::stdout());
        Self {
            to,
            table,
            lines: 0,
            refused: 0,
            mismatches: 0,
            warnings: LineWarnings::default(),
            failed: None,
        }
    }

    /// Writes the header.
    fn begin(&mut self) {
        let written = self.to.write_record(self.table.header());
        self.failed = written.map_err(io::Error::from).and_then(|()| self.to.flush()).err();
    }

    /// Writes rows and flushes them; breaks if stdout takes no more.
    fn take(&mut self, rows: Vec<Row>) -> ControlFlow<()> {
        if self.failed.is_none() {
            let written = rows.into_iter().try_for_each(|row| self.write(row));
            self.failed = written.map_err(io::Error::from).and_then(|()| self.to.flush()).err();
        }
        if self.failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn write(&mut self, (number, answer): Row) -> csv::Result<()> {
        self.lines += 1;
        let wrong = match &answer {
            Ok(answer) => answer.mismatch(),
            Err(bad) => Some(bad.why.clone()),
        };
        if let Some(wrong) = wrong {
            *if answer.is_ok() { &mut self.mismatches } else { &mut self.refused } += 1;
            self.warnings.warn(&format!("line {number}"), &wrong);
        }
        self.to.write_record(self.table.row(number, answer.as_ref()))
    }

    /// The result of the whole batch.
    fn finish(self) -> Result<(), Failure> {
        self.warnings.finish();
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
            let refused = refused.map_or_else(String::new, |refused| format!("; {refused}"));
            return Err(Failure::Mismatch(wrong + &refused));
        }
        refused.map_or(Ok(()), |refused| Err(Failure::Runtime(anyhow::anyhow!("{refused}"))))
    }
}
