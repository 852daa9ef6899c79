//! `analyze sql`: queries of a database in SQL.

use std::io::{self, ErrorKind};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Statement};

use super::prelude::*;
use super::{input, interrupt, session};
use everyply_core::game::Key;

/// Answers of a database to a query in SQL, as CSV
///
/// The view `solution` shows the positions in words; `SELECT sql FROM sqlite_schema` lists it and
/// the tables with their columns. The file is only read. It is checked first, as by
/// `analyze verify`, which takes two minutes for a hundred million positions; --unchecked skips
/// the check. NULL is empty.
///
/// Functions besides those of SQLite; GAME is a game_id of the view, or the name of a game if the
/// file holds one board of it:
///
///   board(GAME, key)                       the position drawn on a line, top row first
///   moves(GAME, key)                       the shortest way to it, lowest moves first;
///                                          NULL if none is found
///   to_move(GAME, key)                     X or O; NULL if the position does not show it
///   best_moves(GAME, key, position.best)   the moves whose bits these are
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:
  analyze sql everyply.db 'SELECT * FROM solution LIMIT 5'
  analyze sql everyply.db 'SELECT ply, outcome, count(*) FROM solution GROUP BY 1, 2'
  analyze sql everyply.db \"SELECT moves(game, key), board(game, key), best FROM solution
                           WHERE game = 'ttt' AND ply = 2\""
)]
pub(super) struct SqlArgs {
    /// The database
    file: PathBuf,
    /// One SQL statement that reads
    query: String,
    /// Do not check the whole file first
    #[arg(long)]
    unchecked: bool,
}

/// The time between two checks of the control.
const TICK: Duration = Duration::from_millis(50);

pub(super) fn run(args: &SqlArgs, registry: &Registry) -> Result<(), Failure> {
    let started = Instant::now();
    let control = interrupt::control();
    let database = open(&args.file)?;
    let failed = |error| match database.failure(error) {
        DatabaseError::Sqlite { source, .. } => usage!("QUERY: {source}"),
        error @ DatabaseError::Damaged { .. } => Failure::Mismatch(error.to_string()),
        error => error.into(),
    };
    let connection = database.connection();
    let games = database.numbered_games()?;
    add_functions(connection, games, registry).map_err(failed)?;
    let (handle, stop) = (connection.get_interrupt_handle(), Arc::clone(&control));
    // The thread ends with the program, which ends with the query.
    std::thread::spawn(move || {
        loop {
            if stop.is_asked_to_stop() {
                handle.interrupt();
            }
            std::thread::sleep(TICK);
        }
    });
    let answer = || {
        let mut statement = connection.prepare(&args.query).map_err(failed)?;
        if statement.column_count() == 0 || !statement.readonly() {
            let why = "QUERY: it is not a statement that reads rows, such as SELECT";
            return Err(Failure::usage(why));
        }
        if !args.unchecked {
            database.check().map_err(|error| match error {
                error @ DatabaseError::Damaged { .. } => Failure::Mismatch(error.to_string()),
                error => error.into(),
            })?;
        }
        match write_rows(&mut statement).map_err(failed)? {
            // A reader that closes the pipe is no failure.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(text::cannot_write(error)),
            _ => Ok(()),
        }
    };
    answer().map_err(|failure| match control.is_asked_to_stop() {
        true => session::interrupted(started, ""),
        false => failure,
    })
}

/// Opens a database. For another file with positions, the error says how to query it in SQL.
fn open(path: &Path) -> Result<Database, Failure> {
    let stored = input::open_values(path)?;
    let (file, kind) = (path.display(), stored.kind());
    match stored.into_content() {
        Content::Database(database) => Ok(database.into_inner()),
        _ => Err(usage!(
            "{file} is {kind}, which SQL cannot query: write its positions with `analyze export {file} \
             --format parquet`, and query that file with DuckDB or polars"
        )),
    }
}

/// Writes the rows of a statement to stdout. The inner result is about writing.
fn write_rows(statement: &mut Statement<'_>) -> rusqlite::Result<io::Result<()>> {
    let names: Vec<String> = statement.column_names().map(String::from).collect();
    let mut rows = statement.query([])?;
    // An error of the first row comes before the header.
    let mut row = rows.next()?;
    let mut csv = csv::Writer::from_writer(io::stdout().lock());
    let mut written = csv.write_record(&names);
    while written.is_ok()
        && let Some(values) = row
    {
        let fields = (0..names.len()).map(|column| Ok(text_of(values.get_ref(column)?)));
        written = csv.write_record(fields.collect::<rusqlite::Result<Vec<String>>>()?);
        row = rows.next()?;
    }
    Ok(written.map_err(io::Error::from).and_then(|()| csv.flush()))
}

/// A value as text; NULL is empty, bytes are in hexadecimal.
fn text_of(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

struct StoredGame {
    /// Its number in the file.
    number: i64,
    id: GameId,
    /// The start; `None` if this program does not have the game.
    start: Option<Box<dyn Position>>,
}

fn add_functions(
    connection: &Connection,
    games: Vec<(i64, GameId)>,
    registry: &Registry,
) -> rusqlite::Result<()> {
    let games = games.into_iter().map(|(number, id)| {
        let start = registry.start_of(&id).and_then(Result::ok);
        StoredGame { number, id, start }
    });
    let games: Arc<[StoredGame]> = games.collect();
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let add =
        |name: &'static str, arguments, text: fn(&dyn Position, MoveSet) -> Option<String>| {
            let games = Arc::clone(&games);
            connection.create_scalar_function(name, arguments, flags, move |context| {
                let last = context.get::<Option<i64>>(context.len() - 1)?;
                let (Some(key), Some(last)) = (context.get(1)?, last) else { return Ok(None) };
                let position = position(&games, context, key)
                    .map_err(|why| Error::UserFunctionError(format!("{name}: {why}").into()))?;
                Ok(text(&*position, MoveSet(last.cast_unsigned().into())))
            })
        };
    add("board", 2, |position, _| Some(position.picture()))?;
    add("moves", 2, |position, _| position.moves_to().ok())?;
    add("to_move", 2, |position, _| position.to_move().map(String::from))?;
    add("best_moves", 3, |position, best| Some(position.texts(best).join(" ")))
}

/// The position with this key, of the game in the first argument.
fn position(
    games: &[StoredGame],
    context: &Context<'_>,
    key: i64,
) -> Result<Box<dyn Position>, String> {
    let named = context.get_raw(0);
    let is_named = |game: &&StoredGame| match named {
        ValueRef::Integer(number) => game.number == number,
        ValueRef::Text(name) => game.id.name.as_bytes() == name,
        _ => false,
    };
    let named: Vec<&StoredGame> = games.iter().filter(is_named).collect();
    let [StoredGame { id, start, .. }] = named[..] else {
        return Err(match named.len() {
            0 => "this file has no game of this game_id or name".to_owned(),
            _ => format!("this file has {} games of this name: give a game_id", named.len()),
        });
    };
    let start = start.as_ref().ok_or_else(|| format!("this program does not know {id}"))?;
    let position = start.of_key(Key(key.cast_unsigned()));
    position.ok_or_else(|| format!("{key} is the key of no position of {id}"))
}
