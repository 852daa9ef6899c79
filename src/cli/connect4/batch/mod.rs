//! `analyze connect4 --input`: one position a line, solved exactly.

mod rows;

use std::collections::VecDeque;
use std::path::Path;
use std::time::Instant;

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::input::{self, Input};
use crate::cli::session::Session;
use crate::connect_four::solver::batch::MANY;
use crate::connect_four::solver::{Solved, Solver, SolverWord, score_of};
use crate::control::{Control, Stopped};
use crate::game::{MoveSet, Tiered};
use crate::games::line::notation::parse_moves;
use crate::games::line::{LineGame, Stones};
use crate::reading::{LineError, TextLines, text_of};
use crate::search::in_order::each_in_order;
use crate::statistics::counted;
use rows::{Row, Rows, Told};

/// A line of the input, read: a position to solve, or why it is none.
struct Job<W> {
    number: u64,
    asked: Result<Asked<W>, String>,
}

struct Asked<W> {
    moves: String,
    root: Stones<W>,
    /// The score the line tells.
    expected: Option<i32>,
}

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
        session
            .interrupted(&format!("; the rows of {} were written", counted(rows.lines(), "line")))
    };
    let columns = if args.all_moves { solver.game().size().width } else { 0 };
    let mut rows = Rows::new(columns);
    let input = match Input::open(path, session.control.clone()) {
        Ok(input) => input,
        Err(_) if session.control.is_asked_to_stop() => return Err(stopped(&rows)),
        Err(error) => return Err(input::failed(LineError::Io(error), &name)),
    };
    let mut batch = Batch { solver, args, lines: TextLines::new(input), failed: None };
    rows.begin();
    let solved = batch.solve(&session, &mut rows);
    rows.flush();
    if rows.is_refused() {
        return rows.finish();
    }
    match (solved, batch.failed) {
        _ if session.control.is_asked_to_stop() => Err(stopped(&rows)),
        (Err(Stopped), _) => Err(stopped(&rows)),
        (Ok(()), Some(error)) => Err(input::failed(error, &name)),
        (Ok(()), None) => rows.finish(),
    }
}

struct Batch<'b, W: SolverWord> {
    solver: &'b Solver<W>,
    args: &'b Args,
    lines: TextLines<Input>,
    /// Why the rest of the input cannot be read.
    failed: Option<LineError>,
}

impl<W: SolverWord> Batch<'_, W> {
    fn solve(&mut self, session: &Session, rows: &mut Rows) -> Result<(), Stopped> {
        let (solver, args) = (self.solver, self.args);
        loop {
            // What is at hand decides who works on what; an input that pauses is not waited for.
            let mut jobs = VecDeque::new();
            let mut ended = false;
            while jobs.len() < MANY * session.threads && !ended {
                if !jobs.is_empty() && self.lines.input().pauses() {
                    break;
                }
                let job = self.next();
                ended = job.is_none();
                jobs.extend(job);
            }
            if jobs.len() >= MANY * session.threads {
                // Neighbours of a sorted file share much of their trees: each worker takes one
                // line at a time, so that all are at work in the same region of the table.
                return session.work("solving", "positions", |control| {
                    control.start(0);
                    let next = || jobs.pop_front().or_else(|| self.next());
                    let work = |job, inner: &Control| row(solver, args, job, inner);
                    each_in_order(session.threads, control, next, work, |done| rows.take(done))
                });
            }
            for job in jobs {
                let row = session.work("solving", "nodes", |control| {
                    control.start(0);
                    row(solver, args, job, control)
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

    /// The next line; none at the end of the input, or where it cannot be read on.
    fn next(&mut self) -> Option<Job<W>> {
        match self.lines.next_line() {
            Ok(line) => {
                let asked = read(self.solver.game(), line?);
                Some(Job { number: self.lines.number(), asked })
            }
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }
}

/// Reads a line: moves, and perhaps the score expected.
fn read<W: SolverWord>(game: &impl LineGame<W>, line: &[u8]) -> Result<Asked<W>, String> {
    let line = text_of(line).map_err(|error| error.to_string())?;
    let mut fields = line.split_whitespace();
    let moves = fields.next().unwrap_or_default();
    let expected = match fields.next().map(str::parse::<i32>) {
        None => None,
        Some(Ok(score)) => Some(score),
        Some(Err(_)) => return Err("the second field is not a whole number".to_owned()),
    };
    if fields.next().is_some() {
        return Err("more than two fields: a line is moves and perhaps a score".to_owned());
    }
    let root = parse_moves(game, moves).map_err(|error| error.to_string())?;
    Ok(Asked { moves: moves.to_owned(), root, expected })
}

/// Solves what a line asks.
fn row<W: SolverWord>(
    solver: &Solver<W>,
    args: &Args,
    job: Job<W>,
    control: &Control,
) -> Result<Row, Stopped> {
    let Job { number, asked } = job;
    let Asked { moves, root, expected } = match asked {
        Ok(asked) => asked,
        Err(why) => return Ok(Row { number, told: Err(why) }),
    };
    let begun = Instant::now();
    let Solved { value, nodes } = solver.value(root, control)?;
    let elapsed = begun.elapsed();
    let empties = solver.game().plies_left(root) as i32;
    let moves_found = if args.all_moves { solver.moves(root, control)? } else { Vec::new() };
    let scores = moves_found.iter().map(|(m, there)| (*m, score_of(there.value, empties)));
    let best = match (args.value_only, args.all_moves) {
        (true, _) => MoveSet::EMPTY,
        (false, false) => solver.best_moves(root, value, control)?,
        (false, true) => {
            let attaining = moves_found.iter().filter(|(_, there)| there.value == value);
            attaining.map(|(m, _)| *m).collect()
        }
    };
    let (score, scores) = (score_of(value, empties), scores.collect());
    let told = Told { moves, value, score, expected, best, scores, nodes, elapsed };
    Ok(Row { number, told: Ok(told) })
}
