//! `analyze sql`: queries of a database in SQL.

mod functions;
mod rows;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use rusqlite::{Connection, Error, Statement};

use super::failure::Failure;
use super::{interrupt, text};
use crate::control::Control;
use crate::database::{Database, DatabaseError};
use crate::registry::Registry;
use rows::RowWriter;

/// Answers of a database to a query in SQL
///
/// The view `solution` shows the positions in words, for games of every kind that this program
/// knows; `SELECT sql FROM sqlite_schema` lists it and
/// the tables with what they hold. The file is only read. It is checked first, as `analyze verify`
/// does, which takes a minute or two for a hundred million positions; --unchecked leaves that out.
///
/// Functions beside those of SQLite; GAME is a game_id of the view, or the name of a game of which
/// the file holds one board, or the usual one:
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
    /// How rows are written
    #[arg(long, value_enum, default_value_t = Format::Table, value_name = "FORMAT")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Do not check the whole file first
    #[arg(long)]
    unchecked: bool,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Columns side by side, for people
    Table,
    /// Comma-separated values with a header; NULL is empty
    Csv,
    /// One array of an object a row
    Json,
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let started = Instant::now();
    let control = interrupt::control();
    let database = Database::open(&args.file).map_err(Failure::runtime)?;
    let connection = database.for_queries().map_err(Failure::runtime)?;
    let games = functions::Games::of(&database, registry).map_err(Failure::runtime)?;
    functions::add(connection, games).map_err(|error| Failure::runtime(database.told(error)))?;
    let asked = stopping(connection, &control, || {
        let mut statement = prepare(connection, &args.query).map_err(Abort::Query)?;
        if !args.unchecked {
            database.check().map_err(Abort::Database)?;
        }
        answer(&mut statement, if args.json { Format::Json } else { args.format }, &control)
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
        Abort::Row(error) => match database.told(error) {
            // What a function is given is the query's.
            DatabaseError::Sqlite { source: Error::SqliteFailure(_, Some(said)), .. } => {
                Failure::Usage(format!("QUERY: {said}"))
            }
            error => Failure::runtime(error),
        },
        Abort::Output(error) => text::cannot_write(error),
    })
}

/// Why there is no answer, or not all of it.
enum Abort {
    Query(Failure),
    Database(DatabaseError),
    Row(Error),
    Output(std::io::Error),
}

/// The one statement of a query, which only reads.
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
        return Err(refuse("it is no statement that reads rows, as SELECT does"));
    }
    if statement.parameter_count() > 0 {
        return Err(refuse("it has a parameter: write the value in its place"));
    }
    Ok(statement)
}

/// Writes the rows of a statement as they come.
fn answer(statement: &mut Statement<'_>, format: Format, control: &Control) -> Result<(), Abort> {
    let names: Vec<String> = statement.column_names().map(String::from).collect();
    let mut writer = RowWriter::new(std::io::stdout().lock(), format, names);
    let mut rows = statement.query([]).map_err(Abort::Row)?;
    let mut write = || -> Result<(), Abort> {
        while let Some(row) = rows.next().map_err(Abort::Row)? {
            if control.is_asked_to_stop() {
                break;
            }
            writer.row(row).map_err(Abort::Output)?;
        }
        writer.finish().map_err(Abort::Output)
    };
    match write() {
        // A reader that has seen enough is no failure.
        Err(Abort::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// How often it is seen whether a stop was asked for.
const TICK: Duration = Duration::from_millis(50);

/// Runs work whose statements are broken off when a stop is asked for.
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
