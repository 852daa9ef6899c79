//! `analyze compare`: what each idea in the search saves, depth by depth.

mod climb;

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

pub(super) use climb::{Subject, compare};

use super::failure::Failure;
use super::options::{BoardOptions, PositionOptions, Running, seconds, with_game};
use super::output;
use super::session::Session;
use super::text;
use crate::control::{Control, Stopped};
use crate::disk::NewFile;
use crate::exhaustive::walk;
use crate::export::{ComparisonRow, write_comparison};
use crate::games::line::notation::picture;
use crate::games::line::{LineGame, Rules, Stones};
use crate::search::{Algorithm, NoTable, Table, minimax, search};
use crate::statistics::{Score, SearchCounters, grouped};

/// Nodes and time of minimax, alpha-beta and what speeds it up, depth by depth
///
/// Searches one position by minimax and then with one idea more at a time, to every depth up to
/// N: nodes, leaf evaluations, effective branching factor, time, and the factor saved.
///
/// All of them must give the same score; if they do not, the exit code is 3.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The effective branching factor b solves nodes = 1 + b + b^2 + ... + b^depth.
With iterative deepening, nodes and time are of all iterations up to the depth.

Examples:
  analyze compare connect4 --depth 8
  analyze compare connect4 4453 --depth 10 --limit 5 --csv tables
  analyze compare ttt --depth 9"
)]
pub(super) struct Args {
    /// The game
    #[arg(value_enum)]
    game: Rules,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    board: BoardOptions,
    /// The greatest depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    depth: u32,
    /// Skip rows that would take longer
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    limit: f64,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=65536))]
    table_size: u64,
    /// Write compare.csv into this directory; made if it is not there
    #[arg(long, value_name = "DIR")]
    csv: Option<std::path::PathBuf>,
    /// Accepted as by the other commands: nothing here goes into a database
    #[arg(long, hide = true)]
    no_db: bool,
    #[command(flatten)]
    running: Running,
}

#[derive(Serialize)]
struct Document<'a> {
    game: &'static str,
    board: String,
    line: u8,
    position: String,
    threads: usize,
    limit_s: f64,
    rows: &'a [ComparisonRow],
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    with_game!(args.board.game(args.game)?, game => run_game(game, args))
}

fn run_game<G: LineGame>(game: G, args: &Args) -> Result<(), Failure> {
    let root = args.position.position(&game)?;
    if game.result(root).is_some() {
        return Err(Failure::usage("POSITION: the game is over, there is nothing to search"));
    }
    let left = game.plies_left(root);
    if args.depth > left {
        return Err(Failure::Usage(format!(
            "--depth {}: at most {left} plies are left on this board",
            args.depth
        )));
    }
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.csv.as_deref(), ["compare.csv"])?;
    let subject = Lines { game, root, table_mib: args.table_size };
    let rows = compare(&subject, args.depth, args.limit, &session)?;
    write(&rows, files)?;
    let document = Document {
        game: game.name(),
        board: game.size().board(),
        line: game.size().line,
        position: picture(&game, root),
        threads: session.threads,
        limit_s: args.limit,
        rows: &rows,
    };
    text::print_result(args.running.json, &document, || table(&subject, &rows))
}

/// Writes compare.csv, if it is wanted.
pub(super) fn write(rows: &[ComparisonRow], files: Option<[NewFile; 1]>) -> Result<(), Failure> {
    let Some([file]) = files else { return Ok(()) };
    output::write_file(file, |file| write_comparison(file, rows))
}

/// A position of a board of lines.
struct Lines<G> {
    game: G,
    root: Stones,
    table_mib: u64,
}

impl<G: LineGame> Subject for Lines<G> {
    fn heading(&self) -> String {
        let (game, root) = (&self.game, self.root);
        format!("{}, {}", text::title(game), text::situation(game, root))
    }

    fn moves(&self) -> u32 {
        self.game.moves(self.root).len()
    }

    fn histories(&self, depth: u32, control: &Control) -> Result<u64, Stopped> {
        walk(&self.game, self.root, depth, control).map(|histories| histories.nodes())
    }

    fn attempt(
        &self,
        algorithm: Algorithm,
        depth: u32,
        control: &Control,
    ) -> Result<(Score, SearchCounters), Stopped> {
        let (game, root) = (&self.game, self.root);
        if algorithm == Algorithm::Minimax {
            let mut counters = SearchCounters::default();
            let points = minimax(game, root, depth, control, &mut counters)?;
            return Ok((points.score(u32::from(root.ply().0) + depth), counters));
        }
        let settings = algorithm.settings(depth);
        let report = if algorithm.uses_table() {
            let table = Table::new(self.table_mib, game.key_bits()).expect("the size is in range");
            search(game, root, &settings, &table, None, control, &mut |_| ())
        } else {
            search(game, root, &settings, &NoTable, None, control, &mut |_| ())
        };
        if report.stopped { Err(Stopped) } else { Ok((report.score, report.counters())) }
    }
}

/// The rows for people, rung by rung.
pub(super) fn table(subject: &impl Subject, rows: &[ComparisonRow]) -> String {
    let mut text = format!("{}\n", subject.heading());
    for algorithm in Algorithm::ALL {
        let name = subject.name(algorithm);
        let threads = rows.iter().find(|r| r.algorithm == name).map_or(1, |r| r.threads);
        let _ = write!(text, "\n{name}");
        if algorithm == Algorithm::Threads {
            let _ = write!(text, " ({threads})");
        }
        text.push('\n');
        let header = ["depth", "score", "nodes", "leaf evals", "branching", "saved", "time"];
        let mut table = text::Table::new(&header);
        let mut skipped = Vec::new();
        for row in rows.iter().filter(|row| row.algorithm == name) {
            let (Some(score), Some(nodes), Some(elapsed)) = (row.score, row.nodes, row.elapsed_s)
            else {
                skipped.push(format!(
                    "depth {} skipped: {}\n",
                    row.depth,
                    row.skipped.as_deref().unwrap_or("-")
                ));
                continue;
            };
            let dash = || "-".to_owned();
            table.row([
                row.depth.to_string(),
                score.to_string(),
                grouped(nodes),
                row.leaf_evaluations.map_or_else(dash, grouped),
                row.effective_branching_factor.map_or_else(dash, |b| format!("{b:.2}")),
                row.saved_factor.map_or_else(dash, |f| format!("{f:.1}x")),
                text::seconds(Duration::from_secs_f64(elapsed)),
            ]);
        }
        text.push_str(&table.render());
        text.push_str(&skipped.concat());
    }
    text.push_str("\n(saved: nodes of plain minimax over nodes of the row)\n");
    text
}
