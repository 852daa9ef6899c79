//! `analyze connect4 --input`: one position a line, solved exactly.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::text;
use crate::control::{Control, Stopped};
use crate::export::pons_score;
use crate::game::notation::parse_moves;
use crate::game::{Game, Move, MoveSet};
use crate::search::apart::each_apart;
use crate::search::solver::{Solved, Solver, SolverWord};

/// Positions per thread from which on each is solved by one thread; fewer are solved one after
/// the other by all.
const MANY: usize = 4;

/// A line of the output, without a line feed.
type Line = String;

/// What became of a line of the input.
struct Answer {
    line: Line,
    /// Why the line is no position.
    refused: Option<String>,
    /// The score expected and the one found, where they differ.
    mismatch: Option<String>,
}

/// Solves every line of a file and prints a CSV row for each, in the order of the input.
pub(super) fn run<W: SolverWord>(
    solver: &Solver<W>,
    path: &Path,
    args: &Args,
) -> Result<(), Failure> {
    let lines = read(path)?;
    let session = Session::start(&args.running)?;
    let many = lines.len() >= MANY * session.threads;
    let unit = if many { "positions" } else { "nodes" };
    let answers = session.work("solving", unit, |control| {
        if many {
            control.start(lines.len() as u64);
            // Neighbours of a sorted file share much of their trees: each worker takes one line
            // at a time, so that all are at work in the same region of the table.
            let answer = |i: usize, inner: &Control| answer(solver, args, i + 1, &lines[i], inner);
            each_apart(lines.len(), session.threads, control, answer).map(|(answers, _)| answers)
        } else {
            lines
                .iter()
                .enumerate()
                .map(|(i, line)| answer(solver, args, i + 1, line, control))
                .collect()
        }
    });
    let answers = answers.map_err(|Stopped| session.interrupted(""))?;
    let mut text = "moves,outcome,remoteness,score,best,nodes,elapsed_us\n".to_owned();
    for answer in &answers {
        text.push_str(&answer.line);
        text.push('\n');
    }
    text::print(&text)?;
    let mismatches: Vec<&str> = answers.iter().filter_map(|a| a.mismatch.as_deref()).collect();
    let refused: Vec<&str> = answers.iter().filter_map(|a| a.refused.as_deref()).collect();
    if !mismatches.is_empty() {
        return Err(Failure::Mismatch(
            mismatches.iter().chain(&refused).copied().collect::<Vec<_>>().join("\n"),
        ));
    }
    if !refused.is_empty() {
        return Err(Failure::Runtime(anyhow::anyhow!("{}", refused.join("\n"))));
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<String>, Failure> {
    let failed = |error: std::io::Error| {
        let name = if path == Path::new("-") { "stdin".into() } else { path.display().to_string() };
        Failure::Runtime(
            anyhow::Error::from(error).context(format!("--input {name} cannot be read")),
        )
    };
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(PathBuf::from(path)).map_err(failed)?)
    };
    BufReader::new(input).lines().collect::<Result<_, _>>().map_err(failed)
}

/// Solves one line: moves, and perhaps the score expected.
fn answer<W: SolverWord>(
    solver: &Solver<W>,
    args: &Args,
    number: usize,
    line: &str,
    control: &Control,
) -> Result<Answer, Stopped> {
    let mut fields = line.split_whitespace();
    let moves = fields.next().unwrap_or_default();
    let refuse = |why: String| {
        Ok(Answer {
            line: ",,,,,,".to_owned(),
            refused: Some(format!("line {number}: {why}")),
            mismatch: None,
        })
    };
    let expected = match fields.next().map(str::parse::<i32>) {
        None => None,
        Some(Ok(score)) => Some(score),
        Some(Err(_)) => return refuse("the second field is not a whole number".to_owned()),
    };
    if fields.next().is_some() {
        return refuse("more than two fields: a line is moves and perhaps a score".to_owned());
    }
    let game = solver.game();
    let root = match parse_moves(game, moves) {
        Ok(root) => root,
        Err(error) => return refuse(error.to_string()),
    };
    let begun = Instant::now();
    let Solved { value, nodes } = solver.value(root, control)?;
    let elapsed = begun.elapsed().as_micros();
    let best =
        if args.value_only { MoveSet::EMPTY } else { solver.best_moves(root, value, control)? };
    let score = pons_score(value, game.size().cells(), u32::from(root.ply().0));
    let numbers: Vec<String> = best.into_iter().map(|m: Move| m.number().to_string()).collect();
    let moves_field = if moves.contains(',') { format!("\"{moves}\"") } else { moves.to_owned() };
    let mismatch = expected
        .filter(|expected| *expected != score)
        .map(|expected| format!("line {number}: {moves} has score {score}, not {expected}"));
    Ok(Answer {
        line: format!(
            "{moves_field},{},{},{score},{},{nodes},{elapsed}",
            value.outcome,
            value.remoteness,
            numbers.join(" ")
        ),
        refused: None,
        mismatch,
    })
}
