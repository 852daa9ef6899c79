//! `analyze connect4`: exact values of Connect Four, or a search to a depth with everything it counts.

mod batch;
mod checkpoint;
pub(super) mod exact;
pub(super) mod explain;

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use self::checkpoint::CheckpointOptions;
use super::failure::Failure;
use super::options::{BoardOptions, OutputOptions, PositionOptions, Running, number, refused_size};
use super::output::{self, Kept, Run};
use super::session::{Session, check_table};
use super::text;
use everyply_connect_four::solver::Solver;
use everyply_core::game::{MoveSet, PartialValue};
use everyply_core::games::line::{ConnectFour, Rules, Size, Stones};
use everyply_core::search::{Report, RootScores, Settings, SharedTable};
use everyply_core::statistics::{SearchCounters, counted, grouped};
use everyply_files::disk::NewFile;
use everyply_registry::registry::{Position, study_of};
use everyply_results::database::PositionRow;
use everyply_results::export::{
    OfRun, PositionDocument, ScoringScore, write_iterations, write_root_moves,
};

/// Connect Four: the exact value of a position, or a search to a depth
///
/// With --depth: a search by all threads, which share every node and one transposition table, with full
/// statistics. Without --depth: the exact value, by a solver that proves it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze connect4 --depth 8             the first eight plies of the game
  analyze connect4 4453 --depth 12       a position, by the columns played so far
  analyze connect4 4453                  its exact value, best moves and best play
  analyze connect4 --size 6x5            the value of another board
  analyze connect4 4553 --size 8x8       boards of up to 128 bits, without --depth and database
  analyze connect4 --size 8x7 --checkpoint 8x7.chk   for hours; the same command continues
  analyze connect4 --input positions.txt one position a line, as CSV
  analyze connect4 --input - --all-moves the score of every column as well
  analyze connect4 4453 --book book.db   the same from a book, made by analyze book
  analyze connect4 44444326 --depth 14 --all-moves
  analyze connect4 --depth 42 --timeout 10   as deep as ten seconds go
docs/glossary.md explains the statistics: probes, hits, stores, cutoffs, window.")]
pub(super) struct Args {
    #[command(flatten)]
    pub position: PositionOptions,
    #[command(flatten)]
    pub board: BoardOptions,
    /// Plies to search; without it the value is found exactly
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    depth: Option<u32>,
    /// Give the exact score of every move, not only of the best; with --input in a column for each
    #[arg(long)]
    all_moves: bool,
    /// Prove win, draw or loss only, which is cheaper
    #[arg(long, conflicts_with_all = ["depth", "all_moves"])]
    outcome_only: bool,
    /// Find the value alone: proving the best moves can take longer
    #[arg(long, conflicts_with_all = ["depth", "all_moves", "outcome_only"])]
    value_only: bool,
    /// Stop after this number of seconds and print the results so far, with exit code 124; with --depth
    /// those of the last depth completed
    #[arg(long, value_name = "SECONDS", value_parser = super::options::seconds)]
    timeout: Option<f64>,
    #[command(flatten)]
    checkpoint: CheckpointOptions,
    /// Solve every line of a file, or of stdin (-): moves, and perhaps the score expected; an empty line
    /// is the empty board. A CSV row for each is written as soon as it is found; the reason for a line that is no position is
    /// in its row and on stderr
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "outcome_only", "timeout", "moves", "board", "json", "csv"])]
    input: Option<PathBuf>,
    /// Use a database or an opening book of `analyze book`: stored positions are answered at once,
    /// and end searches that reach them
    #[arg(long, value_name = "FILE", conflicts_with = "depth")]
    book: Option<PathBuf>,
    /// Search every position, even those in the opening book that is part of the program
    #[arg(long, conflicts_with = "depth")]
    no_book: bool,
    /// Size of the transposition table; the largest power of two in it is used [default: 64 with
    /// --depth, else the fastest size measured for the board and the threads]
    #[arg(long, value_name = "MIB", value_parser = number::<u64>(1..))]
    table_size: Option<u64>,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    running: Running,
}

/// The CSV files of a run.
const CSV_FILES: [&str; 2] = ["connect4-iterations.csv", "connect4-root-moves.csv"];

/// MiB of the table of a deep search; half as many for each ply less, down to one for eight plies.
const TABLE: u64 = 64;

/// The game of the commands that have an engine for Connect Four alone.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Only {
    /// Connect Four
    #[value(aliases = Rules::ConnectFour.aliases())]
    Connect4,
}

/// The size of a board that fits a word of 64 bits: those of the engine for whole boards and of
/// books.
pub(super) fn board_of_64_bits(options: &BoardOptions) -> Result<Size, Failure> {
    let size = options.size(Rules::ConnectFour)?;
    ConnectFour::new(size).map(|_| size).map_err(refused_size)
}

pub(super) fn run(args: &Args, command: &str) -> Result<(), Failure> {
    let size = args.board.size(Rules::ConnectFour)?;
    args.table_size.map_or(Ok(()), check_table)?;
    if ConnectFour::new(size).is_err() {
        return exact::run_wide(size, args);
    }
    if args.depth.is_none() && Solver::supports(size) {
        return exact::run(size, args, command);
    }
    if args.input.is_some()
        || args.outcome_only
        || args.value_only
        || args.book.is_some()
        || args.checkpoint.checkpoint.is_some()
    {
        return Err(Failure::Usage(format!(
            "--line {}: the solver is made for lines of 3 to 6; leave out --input, --book, \
             --outcome-only, --value-only and --checkpoint to search to the end by alpha-beta",
            size.line
        )));
    }
    let game = ConnectFour::new(size).map_err(Failure::usage)?;
    let study = args.position.study(study_of(&game.into(), Stones::default()))?;
    search_to_depth(study.as_ref(), args, command)
}

fn search_to_depth(study: &dyn Position, args: &Args, command: &str) -> Result<(), Failure> {
    let cells = study.start().plies_left().unwrap_or_default();
    if let Some(depth) = args.depth.filter(|depth| *depth > cells) {
        return Err(Failure::Usage(format!(
            "--depth {depth}: no game on {} has more than {cells} plies",
            Size::of_parameters(study.info().parameters).board()
        )));
    }
    let depth = args.depth.unwrap_or(cells);
    let mib = args.table_size.unwrap_or_else(|| TABLE.min(1 << depth.saturating_sub(8).min(63)));
    let table = SharedTable::new(mib, study.info().key_bits).map_err(Failure::usage)?;
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.output.csv.as_deref(), CSV_FILES)?;
    let opened = output::open(&args.output)?;
    let run = Run::begin(opened, &study.game_id(), command, &session)?;

    let settings = Settings {
        root_scores: if args.all_moves { RootScores::All } else { RootScores::AllBest },
        ..Settings::to_depth(depth)
    };
    // The first touch of memory is no work of the search.
    table.touch();
    let begun = std::time::Instant::now();
    session.control.limit(args.timeout.map(Duration::from_secs_f64));
    let report = session
        .work("searching", "nodes", |control| study.search(&settings, Some(&table), control));
    session.control.limit(None);
    let report = report.expect("play of this game ends");
    // Without all iterations, the completed ones are valid results.
    let document = PositionDocument::of_search(
        study,
        args.position.asked_moves(study),
        &report,
        args.depth.is_none(),
        &table,
        (session.threads, begun.elapsed()),
    );
    let kept = Kept::after(args.running.json, &document, || in_words(study, &document, &report));
    run.send(proved(study, &report));
    let summary = run.finish(&session);
    let mut kept = kept.and(summary.map(|summary| output::summary(summary, &args.output)));
    if let Some(files) = kept.files(files).filter(|_| !session.control.is_asked_to_stop()) {
        let written = write_csv(files, study, &report, session.threads);
        kept = kept.and(written.map(|tables| output::csv_line(&tables)));
    }
    if let Some(limit) = args.timeout.filter(|_| report.stopped) {
        let message =
            format!("stopped after --timeout {limit} s; the last depth is {}", report.depth);
        kept = kept.and(Err(Failure::TimedOut(message)));
    }
    kept.end()
}

/// The proven values of a search: those of the root and of its moves.
fn proved(study: &dyn Position, report: &Report) -> Vec<PositionRow> {
    let row = |at: &dyn Position, value, best: Option<MoveSet>| {
        let (key, symmetry) = at.canonical().expect("keys have 64 bits");
        let best = best.map(|best| at.image_moves(best, symmetry));
        PositionRow { key, ply: at.tier(), value, best }
    };
    let root = report.value.map(|value| row(study, value.into(), Some(report.best)));
    let moves = study.branches().into_iter().filter_map(|branch| {
        let tried = report.root_moves.iter().find(|tried| u32::from(tried.m.0) == branch.bit)?;
        let value = tried.value?.exact()?.after_best_move().into();
        Some(row(&*branch.to, value, branch.to.result().map(|_| MoveSet::EMPTY)))
    });
    root.into_iter().chain(moves).collect()
}

/// Fills the CSV files of a run.
fn write_csv(
    [iterations, moves]: [NewFile; 2],
    study: &dyn Position,
    report: &Report,
    threads: usize,
) -> Result<[String; 2], Failure> {
    let of = OfRun::new(study, threads);
    let depths = &report.iterations;
    let iterations = output::write_table(iterations, |file| {
        write_iterations(file, &of, depths, study.info().separator)
    })?;
    let moves = output::write_table(moves, |file| write_root_moves(file, &of, &report.root_moves))?;
    Ok([iterations, moves])
}

fn in_words(study: &dyn Position, document: &PositionDocument, report: &Report) -> String {
    let mut text = format!("{}\n\n{}", text::heading(study), text::board_of(study));
    let side = document.to_move.unwrap_or('-');
    let _ = match report.value {
        Some(value) => {
            writeln!(text, "\nvalue      {}", PartialValue::from(value).words_for(side))
        }
        None => writeln!(text, "\nvalue      not proven at this depth"),
    };
    let (depth, score) = (report.depth, report.score);
    let _ = match document.score {
        None => Ok(()),
        Some(ScoringScore::Whole(score)) => writeln!(text, "score      {score} (Pons)"),
        Some(ScoringScore::Fraction(_)) => writeln!(
            text,
            "score      {score} for {side} at depth {depth}, in points of the evaluation"
        ),
    };
    if report.stopped {
        let _ = writeln!(text, "           stopped: the last depth completed is {depth}");
    }
    if report.best.is_empty() {
        return text;
    }
    let _ = writeln!(text, "best       {}", study.texts(report.best).join(" "));
    let _ = writeln!(text, "line       {}\n", document.pv.as_deref().unwrap_or_default());

    let mut table = text::Table::new(&["move", "value", "score", "nodes"]);
    for m in &report.root_moves {
        let value = m.value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let score = match m.score {
            None => "below best".to_owned(),
            Some(score) if score.value().is_some() => "proved".to_owned(),
            Some(score) => score.to_string(),
        };
        table.row([m.m.number().to_string(), value, score, grouped(m.nodes)]);
    }
    text.push_str(&table.render());
    if report.root_moves.iter().any(|m| m.score.is_none()) {
        text.push_str("(--all-moves: the exact score of every move)\n");
    }
    text.push('\n');
    let header = "depth,score,nodes,leaf evals,cutoffs,by 1st move,time,line";
    let mut table = text::Table::new(&header.split(',').collect::<Vec<_>>());
    for i in &report.iterations {
        let SearchCounters { nodes, leaf_evaluations, cutoffs, first_move_cutoffs, .. } =
            i.counters;
        let counts = [nodes, leaf_evaluations, cutoffs, first_move_cutoffs].map(grouped);
        let head = [i.depth.to_string(), i.score.to_string()].into_iter();
        let tail = [text::seconds(i.elapsed), i.pv(study.info().separator)];
        table.row(head.chain(counts).chain(tail));
    }
    text.push_str(&table.render());
    text.push('\n');
    add_work(&mut text, document, report);
    text
}

/// Adds what the table and the threads did.
fn add_work(text: &mut String, document: &PositionDocument, report: &Report) {
    let SearchCounters { table_probes, table_hits, table_stores, table_replacements, .. } =
        report.counters();
    let (Some(search), Some(stats)) = (&document.search, &document.stats) else { return };
    let per_thread = &stats.per_thread;
    let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
    let _ = writeln!(
        text,
        "table      {} MiB, {:.0} % full; {}, {:.0} % hits; {}, {:.0} % replaced another position",
        search.table_mib,
        100.0 * stats.table_fill.unwrap_or_default(),
        counted(table_probes, "probe"),
        percent(table_hits, table_probes),
        counted(table_stores, "store"),
        percent(table_replacements, table_stores),
    );
    let worked = per_thread.iter().filter(|thread| thread.nodes > 0).count();
    let shared = report.iterations.iter().find(|iteration| iteration.threads > 1);
    if let Some(first) = shared.filter(|_| worked > 1) {
        let _ = writeln!(
            text,
            "threads    share the branches of the root, and all below, from depth {} on",
            first.depth
        );
        for (number, thread) in per_thread.iter().enumerate() {
            let _ = writeln!(
                text,
                "           {}: {}, {} put off, busy for {}",
                number + 1,
                counted(thread.nodes, "node"),
                counted(thread.deferrals, "move"),
                text::seconds(Duration::from_secs_f64(thread.busy_s)),
            );
        }
    } else if document.threads > Some(1) {
        text.push_str("threads    one searches all: no depth takes long enough to be shared\n");
    }
    let _ = writeln!(
        text,
        "{}, {} nodes/s",
        text::time(document.elapsed_s.unwrap_or_default(), worked),
        text::magnitude(search.nodes_per_s)
    );
}
