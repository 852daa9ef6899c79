//! `--input`: one position a line, with a row of a table for each.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Stdout};
use std::ops::ControlFlow;

use super::{Question, SolverOptions, exact};
use crate::cli::failure::LineWarnings;
use crate::cli::input::{self, Input};
use crate::cli::options::has_solver;
use crate::cli::prelude::*;
use crate::cli::session::oracle_mib;
use everyply_connect_four::formats::scored_moves;
use everyply_connect_four::solver::MIN_POSITIONS_PER_THREAD;
use everyply_core::game::csv_list;
use everyply_core::games::line::Wide;
use everyply_core::games::line::notation::is_picture;
use everyply_core::parallel::in_order::each_in_order;
use everyply_files::reading::{LineError, TextLines, text_of};
use everyply_registry::registry::TextForm;
use everyply_results::oracle::Answer;

/// The first columns of the table; columns of moves (`score_1`, ...) and [`LAST`] follow.
const COLUMNS: [&str; 7] =
    ["moves", "outcome", "remoteness", "score", "best", "nodes", "elapsed_us"];

const LAST: [&str; 3] = ["error", "line", "expected"];

/// Solves every line of a file and prints a CSV row for each, in the order of the input and as
/// soon as it is found.
pub(super) fn run(
    question: &Question<'_>,
    options: &SolverOptions,
    path: &Path,
) -> Result<(), Failure> {
    let start = question.position.as_ref();
    let goal = match question.goal {
        Goal::AllMoves if !has_solver(start.info().name) => {
            return Err(usage!(
                "--all-moves: moves of {} have no scores for the columns of a table: leave it out",
                start.info().name
            ));
        }
        goal => goal,
    };
    let engine = exact::engine(question, options)?;
    let session = Session::start(question.running)?;
    let new = |mib| Oracle::new(OracleFiles::default(), mib);
    let mut oracle = match engine {
        Some(engine) => new(1).with_engine(start, engine),
        None => new(question.table(oracle_mib)?),
    };
    if options.no_book {
        oracle = oracle.without_opening();
    }
    let scored = start.any_lines().filter(|(rules, _)| rules.stones_fall());
    let split: Split = match scored.map(|(_, size)| Wide::wide(size)) {
        Some(Ok(game)) => Box::new(move |text| scored_moves(&game, text)),
        _ => Box::new(|text| Ok((text, None))),
    };
    let moves = if goal == Goal::AllMoves { start.numbered_moves() } else { None };
    let solve = Solve { oracle, start, split, goal, moves: moves.unwrap_or_default() as u32 };
    let name = format!("--input {}", input::name_of(path));
    let stopped = |rows: &Rows| {
        session.interrupted(&format!("; the rows of {} were written", counted(rows.lines, "line")))
    };
    let mut rows = Rows {
        to: csv::Writer::from_writer(std::io::stdout()),
        lines: 0,
        refused: 0,
        mismatches: 0,
        warnings: LineWarnings::default(),
        failed: None,
    };
    let input = match Input::open(path, session.control.clone()) {
        Ok(input) => input,
        Err(_) if session.control.is_asked_to_stop() => return Err(stopped(&rows)),
        Err(error) => return Err(input::failed(LineError::Io(error), &name)),
    };
    let mut lines = Lines { lines: TextLines::new(input), failed: None };
    rows.begin(&solve.header());
    let solved = solve.all(&mut lines, &session, &mut rows);
    if rows.failed.is_none() {
        if solved.is_err() || session.control.is_asked_to_stop() {
            return Err(stopped(&rows));
        }
        if let Some(error) = lines.failed {
            return Err(input::failed(error, &name));
        }
    }
    rows.finish()
}

/// The number of a line, and the line.
type Job = (u64, Vec<u8>);

struct Lines {
    lines: TextLines<Input>,
    /// The error that ended the input.
    failed: Option<LineError>,
}

impl Lines {
    /// The next line; none at the end of the input, or at an error.
    fn next(&mut self) -> Option<Job> {
        match self.lines.next_line() {
            Ok(line) => {
                let line = line?.to_owned();
                Some((self.lines.number(), line))
            }
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }
}

/// Splits a line into a position, as text, and the expected score, in games with scores.
type Split = Box<dyn Fn(&str) -> Result<(&str, Option<i32>), String> + Sync>;

struct Asked {
    text: String,
    position: Box<dyn Position>,
    /// The moves that lead to it, or else the text.
    moves: String,
    expected: Option<i32>,
}

/// A row of the table, and what is wrong with its line.
struct Row {
    number: u64,
    cells: Vec<String>,
    wrong: Option<String>,
    is_refused: bool,
}

/// The oracle and the settings that make rows from lines.
struct Solve<'s> {
    oracle: Oracle,
    start: &'s dyn Position,
    split: Split,
    goal: Goal,
    moves: u32,
}

impl Solve<'_> {
    fn header(&self) -> Vec<String> {
        let scores = (1..=self.moves).map(|m| format!("score_{m}"));
        let header = COLUMNS.map(str::to_owned).into_iter().chain(scores);
        header.chain(LAST.map(str::to_owned)).collect()
    }

    fn all(&self, lines: &mut Lines, session: &Session, rows: &mut Rows) -> Result<(), Stopped> {
        let many = MIN_POSITIONS_PER_THREAD * session.threads;
        loop {
            // The lines at hand decide how work is shared; a pausing input is not waited for.
            let mut jobs = VecDeque::new();
            let mut ended = false;
            while jobs.len() < many && !ended && (jobs.is_empty() || !lines.lines.input().pauses())
            {
                let job = lines.next();
                ended = job.is_none();
                jobs.extend(job);
            }
            if jobs.len() >= many {
                // Neighbours of a sorted file share much of their trees: each worker takes one
                // line at a time, so that all are at work in the same region of the table.
                return session.work("solving", "positions", |control| {
                    control.start(0);
                    let next = || jobs.pop_front().or_else(|| lines.next());
                    let work = |job, inner: &Control| self.row(job, inner);
                    each_in_order(session.threads, control, next, work, |done| rows.take(done))
                        .map(drop)
                });
            }
            for job in jobs {
                let row = session.work("solving", "nodes", |control| self.row(job, control))?;
                if rows.take(vec![row]).is_break() {
                    return Ok(());
                }
            }
            if ended {
                return Ok(());
            }
        }
    }

    fn read(&self, line: &[u8]) -> Result<Asked, String> {
        let text = text_of(line).map_err(|error| error.to_string())?;
        let has_numbers = self.start.info().move_style != MoveStyle::Text;
        let is_board = has_numbers && is_picture(text);
        let (text, expected) = if is_board { (text, None) } else { (self.split)(text)? };
        let form = match text.is_empty() || has_numbers {
            _ if is_board => TextForm::Picture,
            true => TextForm::Moves,
            false => TextForm::Position,
        };
        let (position, moves) =
            self.start.read_as(form, text).map_err(|error| error.to_string())?;
        let moves = moves.map_or_else(|| text.to_owned(), csv_list);
        Ok(Asked { text: text.to_owned(), position, moves, expected })
    }

    fn row(&self, (number, line): Job, control: &Control) -> Result<Row, Stopped> {
        let solved = self.read(&line).and_then(|asked| {
            match self.oracle.answer(&*asked.position, self.goal, control) {
                Ok(answer) => Ok(Some((asked, answer))),
                Err(OracleError::Stopped(_)) => Ok(None),
                Err(error) => Err(error.to_string()),
            }
        });
        let row = match solved {
            Ok(None) => return Err(Stopped),
            Ok(Some((asked, answer))) => {
                let score = self.score(&*asked.position, &answer);
                let Asked { text, expected, .. } = &asked;
                let wrong = expected.zip(score).filter(|(expected, score)| expected != score);
                let wrong = wrong
                    .map(|(expected, score)| format!("{text} has score {score}, not {expected}"));
                let last = [String::new(), number.to_string(), written(*expected)];
                let cells = self.cells(asked, score, &answer).into_iter().chain(last);
                Row { number, cells: cells.collect(), wrong, is_refused: false }
            }
            Err(why) => {
                let mut cells = vec![String::new(); COLUMNS.len() + self.moves as usize];
                cells[0] = String::from_utf8_lossy(&line).into_owned();
                cells.extend([why.clone(), number.to_string(), String::new()]);
                Row { number, cells, wrong: Some(why), is_refused: true }
            }
        };
        Ok(row)
    }

    /// The score on Pons' scale, of games that have one.
    fn score(&self, position: &dyn Position, answer: &Answer) -> Option<i32> {
        let left = position.plies_left().filter(|_| has_solver(position.info().name))?;
        Some(answer.value?.value.exact()?.pons_score(left))
    }

    fn cells(&self, asked: Asked, score: Option<i32>, answer: &Answer) -> Vec<String> {
        let Asked { position, moves, .. } = asked;
        let value = answer.value.map(|known| known.value);
        let plies = value.and_then(|value| value.remoteness);
        let best = answer.best.map(|best| csv_list(position.texts(best)));
        let left = position.plies_left().unwrap_or_default();
        let scores = (0..self.moves).map(|m| {
            let (_, known) = answer.moves.iter().find(|(bit, _)| *bit == m)?;
            Some(known.value.exact()?.pons_score(left))
        });
        let found = [
            moves,
            value.map(|value| value.outcome.word().to_owned()).unwrap_or_default(),
            plies.map(|plies| plies.to_string()).unwrap_or_default(),
            written(score),
            best.unwrap_or_default(),
            answer.nodes.to_string(),
            answer.elapsed.as_micros().to_string(),
        ];
        found.into_iter().chain(scores.map(written)).collect()
    }
}

/// A number as a cell, which is empty without one.
fn written(number: Option<i32>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

struct Rows {
    to: csv::Writer<Stdout>,
    /// Lines whose rows were written.
    lines: u64,
    refused: u64,
    mismatches: u64,
    warnings: LineWarnings,
    /// The error that ended writing to stdout.
    failed: Option<io::Error>,
}

impl Rows {
    fn begin(&mut self, header: &[String]) {
        let written = self.to.write_record(header);
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

    fn write(&mut self, Row { number, cells, wrong, is_refused }: Row) -> csv::Result<()> {
        self.lines += 1;
        if let Some(why) = wrong {
            *if is_refused { &mut self.refused } else { &mut self.mismatches } += 1;
            self.warnings.warn(&format!("line {number}"), &why);
        }
        self.to.write_record(cells)
    }

    fn finish(self) -> Result<(), Failure> {
        self.warnings.finish();
        let lines = |count, what: &str| {
            format!("{} of {} {what}", grouped(count), counted(self.lines, "line"))
        };
        match self.failed {
            // A reader that closes the pipe is no failure.
            Some(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Some(error) => return Err(text::cannot_write(error)),
            None => {}
        }
        let refused = (self.refused > 0).then(|| lines(self.refused, "could not be solved"));
        if self.mismatches > 0 {
            let wrong = lines(self.mismatches, "have a wrong score");
            let refused = refused.map_or_else(String::new, |refused| format!("; {refused}"));
            return Err(Failure::Mismatch(wrong + &refused));
        }
        refused.map_or(Ok(()), |refused| Err(runtime!("{refused}")))
    }
}
