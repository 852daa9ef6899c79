//! `analyze solve` of a whole Connect Four board.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Args, last_lines, plan};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::text;
use crate::cli::work_folder::{failed_pass, failed_solution};
use everyply_connect_four::profiles::{self, Board};
use everyply_core::control::Control;
use everyply_core::game::ValueRow;
use everyply_core::games::line::{LineGame, Size};
use everyply_core::statistics::PlyCounts;
use everyply_registry::registry::Position;

#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Document {
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

pub(super) fn run(args: &Args, study: &dyn Position, size: Size) -> Result<(), Failure> {
    if study.identity() != study.start().identity() {
        return Err(Failure::usage(
            "POSITION: Connect Four is solved from the empty board; leave it out, or ask `analyze \
             connect4 POSITION`",
        ));
    }
    let board = Board::new(size).map_err(Failure::usage)?;
    if args.plan {
        return plan::print(&board, args.running.json);
    }
    let need = board.estimate(usize::MAX);
    let storage = args.room.storage(size, need.solve, &need)?;
    let session = Session::start(&args.running)?;
    let interrupted = || session.interrupted(&args.room.kept());
    let Some(out) = &args.out else {
        let fill = |control: &Control| profiles::fill(&board, &*storage, control);
        let filled = session.work("solving", "profiles", fill);
        filled.map_err(|error| failed_pass(error).unwrap_or_else(interrupted))?;
        return args.print_filled(study);
    };
    let solved = session
        .work("solving", "profiles", |control| profiles::solve(&board, &*storage, out, control));
    let solved = solved.map_err(|error| failed_solution(error).unwrap_or_else(interrupted))?;
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
        let Document { bytes, bits_per_position, elapsed_s, threads, .. } = document;
        text + &last_lines(out, bytes, bits_per_position, &text::time(elapsed_s, threads))
    })
}
