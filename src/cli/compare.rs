//! `analyze compare`: the savings of each idea in the search, depth by depth.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::failure::Failure;
use super::game_options::GameOptions;
use super::options::{Running, check_keys, number, seconds};
use super::output::{self, Kept};
use super::session::Session;
use super::text;
use super::values::one_of;
use crate::export::{Comparison, ComparisonError, ComparisonRow, GameFields, write_comparison};
use crate::registry::{Capability, Registry};
use crate::search::{Algorithm, Evaluation, MoveOrder, SharedTable};
use crate::statistics::grouped;

/// Nodes and time of minimax, alpha-beta and its improvements, depth by depth
///
/// Searches one position by minimax and then with one idea more at a time, to every depth up to
/// N: nodes, leaf evaluations, effective branching factor, time, and the factor saved.
///
/// All of them must give the same score; if they do not, the exit code is 3.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The effective branching factor b solves nodes = 1 + b + b^2 + ... + b^depth.
With iterative deepening, nodes and time are of all iterations up to the depth. An iteration is
shared by the threads if the one before it visits 200,000 nodes or more: up to there all threads do
what one does, and the rung is left out.
docs/glossary.md explains the other statistics.

Examples:
  analyze compare connect4 --depth 8
  analyze compare connect4 4453 --depth 10 --limit 5 --csv tables
  analyze compare connect4 --depth 8 --order worst
  analyze compare ttt --depth 9 --evaluation none"
)]
pub(super) struct Args {
    #[command(flatten)]
    game: GameOptions,
    /// The greatest depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    depth: u32,
    /// The order of moves from the rung of move ordering on, by the promise that the game sees in them
    #[arg(long, value_parser = one_of::<MoveOrder>(), default_value = "best", value_name = "ORDER")]
    order: MoveOrder,
    /// The evaluation of positions at the depth
    #[arg(long, value_parser = one_of::<Evaluation>(), default_value = "own", value_name = "EVALUATION")]
    evaluation: Evaluation,
    /// Skip rows that would take longer
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    limit: f64,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = number::<u64>(1..=65536))]
    table_size: u64,
    /// Write compare.csv into this directory; made if it is not there
    #[arg(long, value_name = "DIR")]
    csv: Option<std::path::PathBuf>,
    /// Accepted as by other commands, without effect: this command writes no database
    #[arg(long, hide = true)]
    no_db: bool,
    #[command(flatten)]
    running: Running,
}

#[derive(JsonSchema, Serialize)]
pub(super) struct Document<'a> {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    threads: usize,
    limit_s: f64,
    order: &'static str,
    evaluation: &'static str,
    rows: &'a [ComparisonRow],
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let study = args.game.study(registry)?;
    let study = study.as_ref();
    let Some(left) = study.plies_left() else {
        return Err(Failure::Usage(format!(
            "{} is not {}, which depth-limited searches need: `analyze {}` solves it by retrograde \
             analysis",
            study.name(),
            Capability::Tiered,
            study.name()
        )));
    };
    check_keys(study)?;
    if study.lines().is_none() {
        study.check().map_err(Failure::usage)?;
    }
    if study.result().is_some() {
        return Err(Failure::usage("POSITION: the game is over, there is nothing to search"));
    }
    if args.depth > left {
        return Err(Failure::Usage(format!(
            "--depth {}: at most {left} plies are left on this board",
            args.depth
        )));
    }
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.csv.as_deref(), ["compare.csv"])?;
    let memory = SharedTable::new(args.table_size, study.key_bits()).map_err(Failure::usage)?;
    let comparison = Comparison {
        study,
        depth: args.depth,
        order: args.order,
        evaluation: args.evaluation,
        table: memory,
        limit: Duration::from_secs_f64(args.limit),
    };
    let label = Mutex::new(String::new());
    let begin = |algorithm: Algorithm, depth: u32| {
        *label.lock().unwrap_or_else(PoisonError::into_inner) =
            format!("{} to depth {depth}", comparison.name(algorithm));
    };
    let message = || label.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let rows = session
        .work_with_message(&message, "nodes", |control| comparison.rows(control, &begin))
        .map_err(|error| match error {
            ComparisonError::Stopped(_) => session.interrupted(""),
            different @ ComparisonError::Different { .. } => {
                Failure::Mismatch(different.to_string())
            }
        })?;
    let document = Document {
        game: GameFields::of(study),
        position: study.picture(),
        threads: session.threads,
        limit_s: args.limit,
        order: args.order.name(),
        evaluation: args.evaluation.name(),
        rows: &rows,
    };
    let kept = Kept::after(args.running.json, &document, || table(&comparison, &rows, &session));
    let written = kept.files(files).map_or(Ok(()), |[file]| {
        output::write_file(file, |file| write_comparison(file, &study.title(), &rows))
    });
    let name =
        |dir: &std::path::PathBuf| format!("CSV        {}\n", dir.join("compare.csv").display());
    kept.and(written.map(|()| args.csv.as_ref().map_or_else(String::new, name))).end()
}

/// The rows for people, rung by rung.
fn table(comparison: &Comparison<'_>, rows: &[ComparisonRow], session: &Session) -> String {
    let mut text = format!("{}\n", text::heading(comparison.study));
    for algorithm in Algorithm::ALL {
        let name = comparison.name(algorithm);
        let rows: Vec<_> = rows.iter().filter(|row| row.algorithm == name).collect();
        let _ = match (algorithm, rows.first()) {
            (Algorithm::Threads, Some(first)) => {
                writeln!(text, "\n{name} ({}) from depth {} on", session.threads, first.depth)
            }
            (_, Some(_)) => writeln!(text, "\n{name}"),
            (Algorithm::Threads, None) => {
                let _ = writeln!(text, "\n{name}: up to this depth all do what one does");
                continue;
            }
            (_, None) => continue,
        };
        let header = ["depth", "score", "nodes", "leaf evals", "branching", "saved", "time"];
        let mut table = text::Table::new(&header);
        let mut skipped = Vec::new();
        for row in rows {
            let (Some(score), Some(nodes), Some(elapsed)) =
                (row.first_player_score, row.nodes, row.elapsed_s)
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
    text.push_str(
        "\n(score: for the first player; saved: nodes of plain minimax over nodes of the row)\n",
    );
    text
}
