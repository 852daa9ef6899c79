//! `analyze sql`: queries of a database in SQL.

mod functions;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rusqlite::{Connection, Error, Statement};

use super::failure::Failure;
use super::rows::{RowError, RowFormat, write_rows};
use super::{interrupt, text};
use crate::connect_four::OpeningBook;
use crate::control::Control;
use crate::database::{Database, DatabaseError};
use crate::registry::Registry;
use crate::solutions::AnySolution;

/// Answers of a database to a query in SQL
///
/// The view `solution` shows the positions in words; `SELECT sql FROM sqlite_schema` lists it and
/// the tables with their columns. The file is only read. It is checked first, as by
/// `analyze verify`, which takes two minutes for a hundred million positions; --unchecked skips
/// the check.
///
/// Functions beside those of SQLite; GAME is a game_id of the view, or the name of a game of which
/// the file holds one board, or the usual one. CSV has their values as they are: write
/// '[' || moves(GAME, key) || ']' for a list that no reader takes for a number.
///
///   board(GAME, key)                             the position drawn on a line, top row first
///   moves(GAME, key)                             the shortest way to it, lowest moves first;
///                                                NULL if none is found
///   to_move(GAME, key)                           X or O; NULL where the position does not say
///   best_moves(GAME, key, position.best)         the moves whose bits these are
///   score(GAME, ply, outcome, remoteness)        Pons' score of a Connect Four position; NULL
///                                                for other games and unknown distances
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:
  analyze sql everyply.db 'SELECT * FROM solution LIMIT 5'
  analyze sql everyply.db 'SELECT ply, outcome, count(*) FROM solution GROUP BY 1, 2' --format csv
  analyze sql everyply.db \"SELECT moves(game, key), board(game, key), best FROM solution
                           WHERE game = 'ttt' AND ply = 2\""
)]
pub(super) struct Args {
    /// The database
    file: PathBuf,
    /// One SQL statement that reads
    query: String,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Table, value_name = "FORMAT")]
    format: RowFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Do not check the whole file first
    #[arg(long)]
    unchecked: bool,
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let started = Instant::now();
    let control = interrupt::control();
    let database = open(&args.file)?;
    let connection = database.for_queries().map_err(Failure::runtime)?;
    let games = functions::Games::of(&database, registry).map_err(Failure::runtime)?;
    functions::add(connection, games).map_err(|error| Failure::runtime(database.error(error)))?;
    let asked = stopping(connection, &control, || {
        let mut statement = prepare(connection, &args.query).map_err(Abort::Query)?;
        if !args.unchecked {
            database.check().map_err(Abort::Database)?;
        }
        let format = if args.json { RowFormat::Json } else { args.format };
        match write_rows(&mut statement, format, std::io::stdout().lock(), &control) {
            // A reader that has seen enough is no failure.
            Err(RowError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(Abort::Rows),
        }
    });
    asked.map_err(|abort| match abort {
        _ if control.is_asked_to_stop() => {
            Failure::Interrupted(format!("interrupted after {}", text::seconds(started.elapsed())))
        }
        Abort::Query(failure) => failure,
        Abort::Database(error @ DatabaseError::Damaged { .. }) => {
            Failure::Mismatch(error.to_string())
        }
        Abort::Database(error) => Failure::runtime(error),
        Abort::Rows(RowError::Query(error)) => match database.error(error) {
            // Arguments of a function come from the query.
            DatabaseError::Sqlite { source: Error::SqliteFailure(_, Some(said)), .. } => {
                Failure::Usage(format!("QUERY: {said}"))
            }
            error => Failure::runtime(error),
        },
        Abort::Rows(RowError::Output(error)) => text::cannot_write(error),
    })
}

/// The database of a file. Of other files with positions, the error says how to ask them in SQL.
fn open(path: &Path) -> Result<Database, Failure> {
    let kind = match (AnySolution::open(path), OpeningBook::is_book(path)) {
        (Ok(_), _) => "a solution file",
        (_, Ok(true)) => "an opening book",
        _ => return Database::open(path).map_err(Failure::runtime),
    };
    let file = path.display();
    Err(Failure::Usage(format!(
        "{file} is {kind}, which SQL cannot ask: write its positions with `analyze export {file} \
         --format parquet`, and query that file with DuckDB or polars"
    )))
}

/// The reason why an answer is missing or ended early.
enum Abort {
    Query(Failure),
    Database(DatabaseError),
    Rows(RowError),
}

/// Prepares the one statement of a query, which only reads.
fn prepare<'c>(connection: &'c Connection, query: &str) -> Result<Statement<'c>, Failure> {
    let refuse = |why: &str| Failure::Usage(format!("QUERY: {why}"));
    let statement = connection.prepare(query).map_err(|error| match error {
        Error::SqlInputError { msg, offset, .. } => match usize::try_from(offset) {
            Ok(before) => {
                let character = query.get(..before).map_or(before, |text| text.chars().count());
                refuse(&format!("{msg} (character {})", character + 1))
            }
            Err(_) => refuse(&msg),
        },
        Error::MultipleStatement => refuse("it has several statements: give one"),
        error => refuse(&error.to_string()),
    })?;
    if statement.column_count() == 0 || !statement.readonly() {
        return Err(refuse("it is not a statement that reads rows, such as SELECT"));
    }
    if statement.parameter_count() > 0 {
        return Err(refuse("it has a parameter: write the value in its place"));
    }
    Ok(statement)
}

/// The time between two looks at the control.
const TICK: Duration = Duration::from_millis(50);

/// Runs work whose statements are interrupted when a stop is asked for.
fn stopping<T>(connection: &Connection, control: &Control, work: impl FnOnce() -> T) -> T {
    let handle = connection.get_interrupt_handle();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Relaxed) {
                if control.is_asked_to_stop() {
                    handle.interrupt();
                }
                std::thread::park_timeout(TICK);
            }
        });
        let result = work();
        done.store(true, Relaxed);
        watcher.thread().unpark();
        result
    })
}
