//! `analyze verify`: checks of databases, solution files and strategies.

mod database;
mod document;
mod file;
mod strategy;

pub(in crate::cli) use {database::Documents, document::Document, file::FileDocument};

use std::path::PathBuf;
use std::time::Duration;

use super::failure::Failure;
use super::game_filter::GameFilter;
use super::input;
use super::options::Running;
use super::session::Session;
use super::work_folder::WorkOptions;
use crate::cli::values::one_of;
use everyply_connect_four::OpeningBook;
use everyply_connect_four::formats::ValueFormat;
use everyply_connect_four::strategy::is_strategy;
use everyply_core::control::Control;
use everyply_registry::registry::Registry;
use everyply_results::oracle::{Oracle, OracleError, OracleFiles};
use everyply_results::verify::Resolved;

/// Check of a database, a solution file, an opening book or a strategy
///
/// A database: first the file itself, its pages, checksums and counts of rows, damage in which ends
/// it; then every row by the rules and against the rows its moves lead to; the rows per ply against
/// exact counts; a random sample solved anew; and, with --against, other people's values. Of several
/// games in it all are checked, unless --game and the options of a game choose.
/// A solution file: every checksum, and every value against those of its children, which proves all of
/// them; for that a Connect Four board is solved once more, and of other games the file is read into
/// memory, tier by tier if the game numbers its positions. Or with --sample, random positions solved
/// anew in their place.
///
/// An opening book: its checksum; that it has every position that a game reaches and no other; every
/// value against those of the moves, but for the last ply; and a random sample solved anew.
///
/// A strategy, or a proof of an exact value: every plan is played against every line of the opponent,
/// and every exit has to be answered.
///
/// Exit code 3 if anything disagrees; all disagreements are listed, with both sides.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze verify everyply.db
  analyze verify book.db --sample 2000 --seed 7
  analyze verify book.db --against connect-4.data
  analyze verify book.db --against mine.txt --values-only
  analyze verify 5x5.solution
  analyze verify 6x6.solution --sample 10000
  analyze verify 6x5.book
  analyze verify 7x6.strategy
Files for --against: UCI's connect-4.data, Pons' test lines, BitBully's three books. Mirror images
count as one position. Positions that a BitBully book leaves out are won (with distances: won at
once); of positions that other files leave out nothing is known.")]
pub(super) struct Args {
    /// The database, the solution file, the opening book or the strategy
    file: PathBuf,
    /// Positions to solve anew, drawn at random, late ones more often: of a database or an opening
    /// book [default: 100, for at most a minute, or none with --against], or of a solution file that
    /// is not to be checked whole
    ///
    /// The cost: 100 positions of Connect Four 7x6 take seconds, as the built-in opening book knows
    /// those of the first plies. Without a book early positions take minutes each. A number that is
    /// given is solved to the end, whatever the time; 0 solves none.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the draws: the same seed draws the same positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Compare a database with the values of another file
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Compare with that file alone, without the other checks of the database
    #[arg(long, requires = "against", conflicts_with = "sample")]
    values_only: bool,
    /// The format of that file [default: recognized by its content, if possible]
    #[arg(long, value_parser = one_of::<ValueFormat>(), value_name = "FORMAT", requires = "against")]
    against_format: Option<ValueFormat>,
    #[command(flatten)]
    game: GameFilter,
    #[command(flatten)]
    room: WorkOptions,
    #[command(flatten)]
    running: Running,
}

/// Positions to solve anew where no number is given, and the longest time for them.
const SAMPLE: (usize, Duration) = (100, Duration::from_secs(60));

/// MiB of the engine that solves positions anew.
const ENGINE: u64 = 256;

/// The source of values that positions are compared with: no file.
fn verifier() -> Oracle {
    Oracle::new(OracleFiles::default(), ENGINE)
}

/// Solves a number of positions anew. The first control counts them, the second one the work of the
/// searches, which end at the limit.
fn solved_anew(
    session: &Session,
    label: &str,
    count: usize,
    limit: Option<Duration>,
    solve: impl FnOnce([&Control; 2]) -> Result<Resolved, OracleError> + Send,
) -> Result<Resolved, OracleError> {
    let searching = Control::part_of(&session.control);
    session.work(label, "positions", |control| {
        control.start(count as u64);
        searching.limit(limit);
        solve([control, &searching])
    })
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let registry = &registry.with_many_moves();
    if input::is_database(&args.file)? {
        return database::run(args, registry);
    }
    let is_strategy = is_strategy(&args.file).unwrap_or(false);
    let options = [
        ("--against", args.against.is_some()),
        ("--game and the options of a game", args.game.is_given()),
    ];
    if let Some((option, _)) = options.into_iter().find(|(_, given)| *given) {
        return Err(Failure::Usage(format!(
            "{option}: {} is no database; of another file all values are checked, or a --sample",
            args.file.display()
        )));
    }
    if is_strategy {
        return strategy::run(args);
    }
    // A file that cannot be read is left to the reader of solution files, which gives the reason.
    if OpeningBook::is_book(&args.file).unwrap_or(false) {
        return file::book(args);
    }
    file::solution(args, registry)
}
