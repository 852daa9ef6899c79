//! `analyze solve`: a strong solution of a whole board, in one file.

mod plan;

#[cfg(test)]
pub(in crate::cli) use plan::Document as PlanDocument;

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::cli::connect4::{self, board_of_64_bits};
use crate::cli::failure::Failure;
use crate::cli::options::{BoardOptions, Running};
use crate::cli::session::Session;
use crate::cli::text;
use crate::cli::work_folder::{WorkOptions, failed_solution};
use crate::connect_four::profiles::{self, Board, SolutionDetail};
use crate::game::ValueRow;
use crate::games::line::LineGame;
use crate::statistics::{PlyCounts, counted};

/// Strong solution of a whole Connect Four board: every reachable position, in one file
///
/// The file holds outcome and remoteness of every position, compressed, for `analyze query`
/// and `serve`. It appears whole or not at all; --out may be a link, but no device or pipe.
/// Any number of processes, on machines that share the folder of --work, solve a board together.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze solve connect4 --size 5x5 --out 5x5.solution
  analyze solve connect4 --size 6x5 --out 6x5.solution --work /tmp/6x5
  analyze solve connect4 --size 7x6 --plan
  analyze query 5x5.solution 3342")]
pub(super) struct Args {
    /// The game
    #[arg(value_enum)]
    game: connect4::Only,
    #[command(flatten)]
    board: BoardOptions,
    /// The file to write
    #[arg(long, value_name = "FILE", required_unless_present = "plan")]
    out: Option<PathBuf>,
    /// Solve nothing: print the units that --work cuts the board into, their bytes, and the time to
    /// be expected
    #[arg(long)]
    plan: bool,
    /// Keep win, draw and loss only: a much smaller file
    #[arg(long)]
    outcome_only: bool,
    #[command(flatten)]
    room: WorkOptions,
    #[command(flatten)]
    running: Running,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Document {
    game: &'static str,
    board: String,
    line: u8,
    value: Option<ValueRow>,
    positions: u64,
    plies: Vec<PlyCounts>,
    bytes: u64,
    bits_per_position: f64,
    threads: usize,
    elapsed_s: f64,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let size = board_of_64_bits(&args.board)?;
    let board = Board::new(size).map_err(Failure::usage)?;
    let Some(out) = args.out.as_deref().filter(|_| !args.plan) else {
        return plan::print(&board, args.running.json);
    };
    let need = board.estimate(usize::MAX);
    let storage = args.room.storage(size, need.solve, &need)?;
    let session = Session::start(&args.running)?;
    let detail =
        if args.outcome_only { SolutionDetail::Outcome } else { SolutionDetail::Remoteness };
    let solved = session.work("solving", "profiles", |control| {
        profiles::solve(&board, detail, &*storage, out, control)
    });
    let solved = solved.map_err(|error| {
        failed_solution(error).unwrap_or_else(|| session.interrupted(&args.room.kept()))
    })?;
    let positions = solved.counts.plies.iter().filter_map(|ply| ply.positions).sum();
    let value = solved.counts.values.as_ref().map(|values| values.start);
    let document = Document {
        game: board.game().name(),
        board: size.board(),
        line: size.line,
        value: value.map(ValueRow::from),
        positions,
        plies: solved.counts.plies,
        bytes: solved.bytes,
        bits_per_position: 8.0 * solved.bytes as f64 / positions as f64,
        threads: session.threads,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    };
    text::print_result(args.running.json, &document, || {
        let mut text = format!("{}\n\n", text::title(board.game()));
        text.push_str(&text::ply_table(&document.plies));
        if let Some(value) = value {
            let _ = writeln!(text, "\nvalue      {value}");
        }
        let _ = writeln!(
            text,
            "file       {}: {}, {:.3} bits a position",
            out.display(),
            counted(document.bytes, "byte"),
            document.bits_per_position
        );
        let _ = writeln!(text, "{}", text::time(document.elapsed_s, document.threads));
        text
    })
}
