//! `analyze compare`: the savings of each idea in the search, depth by depth.

use super::options::check_search;
use super::prelude::*;
use everyply_core::search::{Algorithm, Evaluation, MoveOrder, SharedTable};
use everyply_results::export::{Comparison, ComparisonError, ComparisonRow, write_comparison};

/// Nodes and time of minimax, alpha-beta and its improvements, depth by depth
///
/// Searches one position to every depth up to N, by minimax and then with one more idea at a time, and
/// gives nodes, leaf evaluations, effective branching factor, time, and the factor saved.
///
/// All searches must give the same score; if they do not, the exit code is 3.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The effective branching factor b solves nodes = 1 + b + b^2 + ... + b^depth.
With iterative deepening, nodes and time are of all iterations up to the depth. An iteration is
shared by the threads if the one before it visits 20,000 nodes or more: up to there all threads do
what one does, and the search by all threads is left out.
A search by several threads is compared with one thread: how many times as fast, how many times the nodes, and
the largest share of the nodes that one thread visited. With another --order than best the
algorithms from history on are left out: they learn the order of moves.
docs/glossary.md explains the other statistics.

Examples:
  analyze compare connect4 --depth 8
  analyze compare connect4 4453 --depth 10 --limit 5 --csv tables
  analyze compare connect4 --depth 8 --order worst
  analyze compare ttt --depth 9 --evaluation none"
)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    game: GameOptions,
    /// The greatest depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    depth: u32,
    /// The order of moves, by the game's own estimate, for the algorithms that order moves. The algorithms
    /// from history on learn the order: they are left out unless ORDER is best
    #[arg(long, value_parser = one_of::<MoveOrder>(), default_value = "best", value_name = "ORDER")]
    order: MoveOrder,
    /// The evaluation of positions at the depth
    #[arg(long, value_parser = one_of::<Evaluation>(), default_value = "own", value_name = "EVALUATION")]
    evaluation: Evaluation,
    /// Skip rows that would take longer
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    limit: f64,
    /// Stop after this number of seconds: the rows found stay, and the exit code is 124
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = number::<u64>(1..=65536))]
    table_size: u64,
    /// Write compare.csv into this directory; made if it is missing
    #[arg(long, value_name = "DIR")]
    csv: Option<std::path::PathBuf>,
    /// Accepted as by other commands, without effect: this command writes no database
    #[arg(long, hide = true)]
    no_db: bool,
    #[command(flatten)]
    running: Running,
}

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Document")]
pub(super) struct CompareDocument<'a> {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    threads: usize,
    limit_s: f64,
    order: &'static str,
    evaluation: &'static str,
    /// True if it was stopped before all rows were found.
    interrupted: bool,
    rows: &'a [ComparisonRow],
}

pub(super) fn run(args: &CompareArgs, registry: &Registry) -> Result<(), Failure> {
    let position = args.game.position(registry)?;
    let position = position.as_ref();
    if position.result().is_some() {
        return Err(usage!("POSITION: the game is over, there is nothing to search"));
    }
    check_search(position, args.depth)?;
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.csv.as_deref(), ["compare.csv"])?;
    let memory =
        SharedTable::new(args.table_size, position.info().key_bits).map_err(Failure::usage)?;
    let (ways, limit) = ((args.order, args.evaluation), Duration::from_secs_f64(args.limit));
    let mut comparison = Comparison::new(position, args.depth, ways, memory, limit);
    let shown = Shown { json: args.running.json, threads: session.threads };
    shown.print(&format!("{}\n", text::heading(position)))?;
    let ended = run_all(&mut comparison, args, &session, &shown);
    let rows = comparison.rows();
    let document = CompareDocument {
        game: GameFields::of(position),
        position: position.picture(),
        threads: session.threads,
        limit_s: args.limit,
        order: args.order.name(),
        evaluation: args.evaluation.name(),
        interrupted: ended.is_err(),
        rows,
    };
    let kept = Kept::after(args.running.json, &document, || {
        "\n(score: for the first player; saved: nodes of plain minimax over nodes of the row)\n"
            .to_owned()
    });
    // Rows that were found stay, however the command ends.
    let of = OfRun::new(position, session.threads);
    let tables = |[file]: [NewFile; 1]| {
        Ok(vec![output::write_table(file, |file| write_comparison(file, &of, rows))?])
    };
    kept.tables(files, tables).and(ended.map(|()| String::new())).end()
}

/// Runs all searches, and prints each row when it is found.
fn run_all(
    comparison: &mut Comparison<'_>,
    args: &CompareArgs,
    session: &Session,
    shown: &Shown,
) -> Result<(), Failure> {
    let left = || match args.timeout {
        Some(most) => most - session.started.elapsed().as_secs_f64(),
        None => f64::INFINITY,
    };
    for (algorithm, depth) in comparison.searches() {
        let name = comparison.name(algorithm);
        let is_first = comparison.rows_of(algorithm).next().is_none();
        comparison.limit = Duration::from_secs_f64(args.limit.min(left().max(0.001)));
        let label = format!("{name} to depth {depth}");
        let found =
            session.work(&label, "nodes", |control| comparison.search(algorithm, depth, control));
        let row = found.map_err(|error| match error {
            ComparisonError::Stopped(_) => session.interrupted("; the rows found stay"),
            different @ ComparisonError::Different { .. } => {
                Failure::Mismatch(different.to_string())
            }
        })?;
        let is_over = left() <= 0.0;
        match &row {
            // Stopped by --timeout, not by its own limit.
            Some(row) if is_over && row.skipped.is_some() => comparison.take_back(),
            Some(row) => shown.row(algorithm, name, is_first, row)?,
            None if algorithm == Algorithm::Threads
                && args.order == MoveOrder::Best
                && is_first
                && depth == args.depth =>
            {
                shown
                    .print(&format!("\n{name}: up to this depth all threads do what one does\n"))?;
            }
            None => {}
        }
        if is_over {
            return Err(session.stopped(args.timeout, "; the rows found stay"));
        }
    }
    Ok(())
}

struct Shown {
    json: bool,
    threads: usize,
}

impl Shown {
    fn print(&self, text: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { text::print(text) }
    }

    /// Prints a row, the first of an algorithm below its name.
    fn row(
        &self,
        algorithm: Algorithm,
        name: &str,
        is_first: bool,
        row: &ComparisonRow,
    ) -> Result<(), Failure> {
        let line = |cells: [String; 8]| {
            let [depth, score, nodes, leaves, branching, saved, time, speed] = cells;
            format!(
                "{depth:>5}  {score:>16}  {nodes:>14}  {leaves:>14}  {branching:>9}  {saved:>8}  {time:>7}  \
                 {speed:>7}\n"
            )
        };
        if is_first {
            let header =
                ["depth", "score", "nodes", "leaf evals", "branching", "saved", "time", "nodes/s"];
            let of_threads = match algorithm {
                Algorithm::Threads => format!(" ({}) from depth {} on", self.threads, row.depth),
                _ => String::new(),
            };
            self.print(&format!("\n{name}{of_threads}\n{}", line(header.map(str::to_owned))))?;
        }
        let (Some(score), Some(nodes), Some(elapsed)) =
            (row.first_player_score, row.nodes, row.elapsed_s)
        else {
            let why = row.skipped.as_deref().unwrap_or("-");
            return self.print(&format!("{:>5}  skipped: {why}\n", row.depth));
        };
        let dash = || "-".to_owned();
        self.print(&line([
            row.depth.to_string(),
            score.to_string(),
            grouped(nodes),
            row.leaf_evaluations.map_or_else(dash, grouped),
            row.effective_branching_factor.map_or_else(dash, |b| format!("{b:.2}")),
            row.saved_factor.map_or_else(dash, |f| match f {
                ..1000.0 => format!("{f:.1}x"),
                _ => format!("{}x", grouped(f as u64)),
            }),
            text::seconds(Duration::from_secs_f64(elapsed)),
            text::magnitude(nodes as f64 / elapsed.max(1e-9)),
        ]))?;
        let (Some(speed_up), Some(overhead), Some(share)) =
            (row.speed_up, row.node_overhead, row.largest_share)
        else {
            return Ok(());
        };
        self.print(&format!(
            "       {speed_up:.2} times as fast as one thread, {overhead:.2} times its nodes; the largest share of \
             a thread {:.0} %\n",
            100.0 * share
        ))
    }
}
