//! `analyze GAME`: the value of a position of any game, from its whole tree, by an exact solver or by search; the
//! values of many positions; or a search to a depth.

mod batch;
mod checkpoint;
mod depth;
mod exact;
mod learning;
mod proof;
mod tree;

use clap::{ArgMatches, Args as _, Command, FromArgMatches};

use self::checkpoint::CheckpointOptions;
use super::game_options::{Parameters, with_parameters};
use super::options::{PositionOptions, has_solver};
use super::prelude::*;
use super::session::check_table;
use everyply_core::game::Chosen;
use everyply_results::export::Scoring;
pub(super) use tree::by_tiers;

#[derive(Debug, clap::Args)]
struct AnalyzeArgs {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    parameters: Parameters,
    /// Search this number of plies, with statistics; without it the value is found exactly
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    depth: Option<u32>,
    /// Give the exact value of every move, not only of the best; with --input in a column for each
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
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    /// Solve every line of a file, or of stdin (-): a position, optionally with the expected score; an empty
    /// line is the start. Each line gets a CSV row as soon as it is solved; the row of a line that is no
    /// position gives the reason, which also goes to stderr
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "outcome_only", "timeout", "moves", "board", "json", "csv"])]
    input: Option<PathBuf>,
    /// Size of the transposition table; the largest power of two in it is used [default: up to 64
    /// with --depth, else what suits the game and the memory]
    #[arg(long, value_name = "MIB", value_parser = number::<u64>(1..))]
    table_size: Option<u64>,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    running: Running,
}

/// The option of games whose moves are the numbers of columns or cells.
#[derive(Debug, clap::Args)]
struct ScoringOption {
    /// The score column of the solution table
    #[arg(long, value_parser = one_of::<Scoring>(), default_value = Scoring::default().name(), value_name = "S")]
    scoring: Scoring,
}

/// The options of games that have an exact solver.
#[derive(Debug, Default, clap::Args)]
struct SolverOptions {
    /// Use a database or an opening book of `analyze book`: stored positions are answered at once,
    /// and end searches that reach them
    #[arg(long, value_name = "FILE", conflicts_with = "depth")]
    book: Option<PathBuf>,
    /// Search every position, even those in the opening book that is part of the program
    #[arg(long, conflicts_with = "depth")]
    no_book: bool,
    #[command(flatten)]
    checkpoint: CheckpointOptions,
}

/// The question about a position that the command line states.
struct Question<'a> {
    position: Box<dyn Position>,
    /// The moves as typed; none with a picture.
    moves: Option<String>,
    goal: Goal,
    timeout: Option<f64>,
    table_mib: Option<u64>,
    output: &'a OutputOptions,
    running: &'a Running,
    command: &'a str,
}

impl Question<'_> {
    /// The size of the table in MiB: as requested, if memory has room for it, else the usual one.
    fn table(&self, usual: impl FnOnce() -> u64) -> Result<u64, Failure> {
        self.table_mib.map_or_else(|| Ok(usual()), |mib| check_table(mib).map(|()| mib))
    }

    fn begin(&self, session: &Session) -> Result<Run, Failure> {
        self.begin_after(session, |_| Ok(()))
    }

    /// Begins the run in the database after `learn` has read it. A board whose keys do not fit 64 bits is
    /// not stored.
    fn begin_after(
        &self,
        session: &Session,
        learn: impl FnOnce(&Database) -> Result<(), Failure>,
    ) -> Result<Run, Failure> {
        let position = self.position.as_ref();
        match self.output.db {
            _ if position.info().has_keys => {
                Run::begin(self.output, &position.game_id(), (self.command, session), learn)
            }
            Some(_) => exact::refuse_large(position, "--db").map(|()| Run::unkept()),
            None => Ok(Run::unkept()),
        }
    }

    /// Ends the run, and returns the line about its positions.
    fn end(&self, run: Run, session: &Session, more: &str) -> Result<String, Failure> {
        let line = run.end(session, more)?;
        let info = self.position.info();
        if info.has_keys || self.output.no_db {
            return Ok(line);
        }
        Ok(format!("database   none: the keys of {} have more than 64 bits\n", info.title))
    }

    /// Creates the CSV files of the run if there is --csv, each named after the game and its table.
    fn csv_files<const N: usize>(
        &self,
        tables: [&str; N],
    ) -> Result<Option<[NewFile; N]>, Failure> {
        let names = tables.map(|table| format!("{}-{table}.csv", self.position.info().name));
        output::csv_files(self.output.csv.as_deref(), names.each_ref().map(String::as_str))
    }
}

/// True if moves are the numbers of columns or cells, so that the solution table has a column for
/// each, and scores.
fn takes_scoring(entry: &Entry) -> bool {
    entry.move_style != MoveStyle::Text && !has_solver(entry.name)
}

/// The command of a game, without its [examples].
pub(super) fn command(entry: &Entry) -> Command {
    let mut command = AnalyzeArgs::augment_args(Command::new(entry.name));
    if takes_scoring(entry) {
        command = ScoringOption::augment_args(command);
    }
    if has_solver(entry.name) {
        command = SolverOptions::augment_args(command);
    }
    // Last: the documentation of the common options would replace the texts.
    with_parameters(command, std::slice::from_ref(entry)).about(entry.about).long_about(format!(
        "{}\n\nFinds the exact value of the start or POSITION. {} With --depth: a search by all threads, \
         which share every node and one transposition table, with full statistics.",
        entry.about,
        match has_solver(entry.name) {
            true => "A solver made for the game proves it.",
            false =>
                "Builds the complete tree below, counts it, solves every position in it, and writes \
                the whole solution table. If the tree is too large, search proves the value, with \
                bounds on the way.",
        }
    ))
}

/// The examples of the command of a game: its start, a position after two moves, other commands.
pub(super) fn examples(entry: &Entry) -> String {
    let name = entry.name;
    let mut text = format!("Examples:\n  analyze {name}\n");
    let start = entry.choose(&Chosen::default()).ok();
    if let Some(position) = start.as_deref().and_then(after_two_moves) {
        let _ = writeln!(text, "  analyze {name} {position}");
    }
    if let Some(left) = start.and_then(|start| start.plies_left()) {
        let _ = writeln!(text, "  analyze {name} --depth {} --timeout 10", left.min(8));
    }
    if has_solver(name) {
        let _ = writeln!(
            text,
            "  analyze {name} 4453 --all-moves --book book.db
  analyze {name} --input positions.txt    one position a line, as CSV
  analyze {name} --size 8x7 --checkpoint 8x7.chk    for hours; the same command continues"
        );
    } else {
        let _ = writeln!(text, "  analyze {name} --csv tables");
    }
    let _ = write!(
        text,
        "  analyze play {name}\n  analyze rules {name}\ndocs/glossary.md explains the statistics: \
         probes, hits, stores, cutoffs, window."
    );
    text
}

/// The text of a position two moves after the start, as a command line has it.
fn after_two_moves(start: &dyn Position) -> Option<String> {
    let first = start.branches().into_iter().next()?;
    let second = first.to.branches().into_iter().next()?;
    let moves = [first.text, second.text].join(start.info().separator);
    let key = second.to.key();
    let leads_there = |text: &String| start.read(text).is_ok_and(|read| read.key() == key);
    [moves, second.to.picture()].into_iter().find(leads_there)
}

/// Reads options that the command of a game may lack.
fn some<A: FromArgMatches>(is_there: bool, matches: &ArgMatches) -> Result<Option<A>, Failure> {
    is_there.then(|| A::from_arg_matches(matches)).transpose().map_err(Failure::usage)
}

pub(super) fn run(entry: &Entry, matches: &ArgMatches, command: &str) -> Result<(), Failure> {
    let args = AnalyzeArgs::from_arg_matches(matches).map_err(Failure::usage)?;
    let scoring = some::<ScoringOption>(takes_scoring(entry), matches)?;
    let options = some::<SolverOptions>(has_solver(entry.name), matches)?.unwrap_or_default();
    let position = args.parameters.position(entry, &args.position)?;
    let question = Question {
        moves: args.position.asked_moves(position.as_ref()),
        position,
        goal: match (args.outcome_only, args.value_only, args.all_moves) {
            (true, ..) => Goal::Outcome,
            (_, true, _) => Goal::Value,
            (.., true) => Goal::AllMoves,
            _ => Goal::BestMoves,
        },
        timeout: args.timeout,
        table_mib: args.table_size,
        output: &args.output,
        running: &args.running,
        command,
    };
    let serves = exact::serves(question.position.as_ref());
    if !serves && (options.book.is_some() || options.checkpoint.checkpoint.is_some()) {
        return Err(usage!(
            "--book, --checkpoint: the solver is made for lines of 3 to 6: leave them out",
        ));
    }
    match (args.depth, &args.input) {
        (Some(depth), _) => depth::run(&question, depth),
        (None, Some(input)) => batch::run(&question, &options, input),
        (None, None) if serves => exact::run(&question, &options),
        (None, None) => tree::run(&question, entry, scoring.map(|option| option.scoring)),
    }
}
