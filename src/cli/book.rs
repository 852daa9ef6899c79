//! `analyze book`: every position up to a ply, solved into a database.

use super::options::{BoardOptions, check_solver, refused_size};
use super::prelude::*;
use super::session::{check_table, fitting_table};
use everyply_connect_four::OpeningBook;
use everyply_connect_four::book::{Book, BookDetail, BookPlan, TierError, solve_all};
use everyply_core::game::Ply;
use everyply_core::games::line::ConnectFour;
use everyply_results::database::{DatabaseLock, RunWriter};
use everyply_results::oracle::load_book;

/// Database of every position up to a ply, resumable at any moment
///
/// Every position of the last ply, up to mirror images, is proved with its best moves; the values of
/// earlier plies follow. The same command continues an interrupted run, with any number of threads,
/// and ends with the same positions.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze book connect4 --plies 6 --db book.db
  analyze book connect4 --plies 6 --no-book       search positions of the built-in book too
  analyze book connect4 --plies 8 --outcome-only --db outcomes.db
  analyze book connect4 --plies 5 --size 6x5 --threads 1
  analyze book connect4 --plies 6 --size 6x5 --out 6x5.book
  analyze query book.db 4453
  analyze connect4 4453 --book book.db")]
pub(super) struct BookArgs {
    /// The game
    #[arg(value_enum)]
    game: Only,
    /// The last ply of the book: solve every position with this many stones
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u8).range(0..=63)
    )]
    plies: u8,
    #[command(flatten)]
    board: BoardOptions,
    /// Prove win, draw or loss only, which is cheaper
    #[arg(long)]
    outcome_only: bool,
    /// Search every position, even those in the opening book that is part of the program
    #[arg(long)]
    no_book: bool,
    /// Size of the transposition table; the largest power of two in it is used [default: the size
    /// that measured best for the board]
    #[arg(long, value_name = "MIB", value_parser = number::<u64>(1..))]
    table_size: Option<u64>,
    /// Solved-position database to write to; made if it is missing
    #[arg(long, value_name = "FILE", default_value = "everyply.db")]
    db: PathBuf,
    /// Also write the values as an opening book, without moves, in the form of the book that is
    /// part of the program (docs/opening-book.md)
    #[arg(long, value_name = "FILE", conflicts_with = "outcome_only")]
    out: Option<PathBuf>,
    #[command(flatten)]
    running: Running,
}

/// The game of commands for Connect Four alone.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Only {
    /// Connect Four
    #[value(aliases = Rules::ConnectFour.aliases())]
    Connect4,
}

/// The size of the board; an error if it does not fit 64 bits.
pub(super) fn board_of_64_bits(options: &BoardOptions) -> Result<Size, Failure> {
    let size = options.size(Rules::ConnectFour)?;
    ConnectFour::new(size).map(|_| size).map_err(refused_size)
}

/// The facts about a run.
#[derive(JsonSchema, Serialize)]
pub(super) struct Report {
    game: &'static str,
    board: String,
    line: u8,
    last_ply: usize,
    outcome_only: bool,
    /// Positions of the book, up to mirror images.
    positions: usize,
    /// Positions that were in the database before.
    found: usize,
    /// True if all of them were, so that nothing was left to do.
    was_finished: bool,
    threads: usize,
    table_mib: f64,
    elapsed_s: f64,
    nodes: u64,
    nodes_per_s: f64,
    plies: Vec<PlyCounts>,
    database: Option<WriteSummary>,
}

pub(super) fn run(args: &BookArgs, command: &str) -> Result<(), Failure> {
    let size = board_of_64_bits(&args.board)?;
    check_solver(size, "")?;
    if u32::from(args.plies) > size.cells() {
        return Err(usage!(
            "--plies {}: no game on {} has more than {} plies",
            args.plies,
            size.board(),
            size.cells()
        ));
    }
    let mib = args.table_size.unwrap_or_else(|| fitting_table(Book::default_table(size)));
    check_table(mib)?;
    let game = ConnectFour::new(size).map_err(Failure::usage)?;
    if args.out.is_some() {
        OpeningBook::check(size, Ply(args.plies)).map_err(Failure::usage)?;
    }
    let session = Session::start(&args.running)?;
    let plan = plan(&game, args.plies, &session)?;
    let opening = args.out.as_deref().map(NewFile::create).transpose()?;
    let detail = if args.outcome_only { BookDetail::Outcome } else { BookDetail::Exact };
    let mut book = Book::new(game, plan, detail);
    load_book(&mut book, &args.db).map_err(output::failed)?;
    let positions = book.plan().positions();
    let open = book.open_positions().len();
    let mut work = Work::default();
    if open > 0 {
        let solver = if args.no_book { Solver::without_book } else { Solver::new };
        let solver = solver(size, mib).map_err(Failure::usage)?;
        work = solve_open(&solver, detail, &args.db, (command, &session), &mut book)?;
    }
    let written = write_opening(opening, &book, Ply(args.plies))?;
    let Work { table_mib, nodes, solving, summary } = work;
    let report = Report {
        game: game.name(),
        board: size.board(),
        line: size.line,
        last_ply: book.plan().tiers().len() - 1,
        outcome_only: args.outcome_only,
        positions,
        found: positions - open,
        was_finished: summary.is_none(),
        threads: session.threads,
        table_mib,
        elapsed_s: session.started.elapsed().as_secs_f64(),
        nodes,
        nodes_per_s: nodes as f64 / solving.as_secs_f64().max(1e-9),
        plies: book.counts(),
        database: summary,
    };
    text::print_result(args.running.json, &report, || report.text(&game, &args.db) + &written)
}

#[derive(Default)]
struct Work {
    table_mib: f64,
    nodes: u64,
    /// The time of the last ply.
    solving: Duration,
    summary: Option<WriteSummary>,
}

fn solve_open(
    solver: &Solver,
    detail: BookDetail,
    db: &Path,
    (command, session): (&str, &Session),
    book: &mut Book,
) -> Result<Work, Failure> {
    let database = Database::create_or_open(db).map_err(output::failed)?;
    let _lock = DatabaseLock::take(db).map_err(output::failed)?;
    let id = book.game().game_id();
    let run = Run::begin_in_file((database, db), &id, (command, session), output::failed)?;
    let begun = Instant::now();
    let solved = solve(solver, detail, session, &run, book);
    let solving = begun.elapsed();
    if solved.is_ok() {
        finish(&run, book);
        run.write(|writer| writer.ply_counts(&book.counts()));
    }
    let summary = run.finish(session, ", and the same command continues from there")?;
    let table_mib = solver.table_bytes() as f64 / f64::from(1 << 20);
    Ok(Work { table_mib, nodes: solved.unwrap_or_default(), solving, summary })
}

fn plan(game: &ConnectFour, plies: u8, session: &Session) -> Result<BookPlan, Failure> {
    let most = (available_memory() / Book::BYTES_PER_POSITION).min(1e12) as usize;
    let listed = session.work("listing positions", "positions", |control| {
        BookPlan::of_plies(game, plies, most, control)
    });
    listed.map_err(|error| match error {
        TierError::Stopped(_) => session.interrupted(""),
        error => usage!("--plies {plies}: {error}, the most that fit into memory"),
    })
}

/// Writes the values of a whole book as an opening book, if there is --out; returns the line about it.
fn write_opening(file: Option<NewFile>, book: &Book, last: Ply) -> Result<String, Failure> {
    let Some(file) = file else { return Ok(String::new()) };
    let value = |key| book.known(key)?.value.exact();
    let opening = OpeningBook::new(book.game().size(), last, value);
    let bytes = opening.map_err(Failure::usage)?.to_bytes()?;
    let line =
        format!("book       {}, {}\n", file.path().display(), counted(bytes.len() as u64, "byte"));
    output::write_file(file, |file| Ok(file.write_all(&bytes)?))?;
    Ok(line)
}

/// Solves the open positions into the database and the book; returns the nodes searched.
fn solve(
    solver: &Solver,
    detail: BookDetail,
    session: &Session,
    run: &Run,
    book: &mut Book,
) -> Result<u64, Stopped> {
    let sink = run.writer().map(RunWriter::sink);
    let keys = book.unsolved();
    let book = Mutex::new(book);
    session.work("solving", "positions", |control| {
        control.start(keys.len() as u64);
        solve_all(solver, &keys, detail, session.threads, control, |key, proven| {
            let rows = vec![PositionRow::new(key, Book::ply_of(solver.game(), key), proven)];
            if sink.as_ref().is_some_and(|sink| sink.send(rows).is_err()) {
                // Later results could not be stored.
                control.stop();
            }
            book.lock().unwrap_or_else(PoisonError::into_inner).insert(key, proven);
        })
    })
}

/// Backs up from the last ply to the empty board.
fn finish(run: &Run, book: &mut Book) {
    let game = *book.game();
    book.back_up(|backed_up| {
        let row = |&(key, proven): &_| PositionRow::new(key, Book::ply_of(&game, key), proven);
        run.send(backed_up.iter().map(row));
    });
}

impl Report {
    fn text(&self, game: &ConnectFour, db: &Path) -> String {
        let outcomes = if self.outcome_only { ", outcomes only" } else { "" };
        let (title, last_ply) = (text::title(game), self.last_ply);
        let mut text = format!("{title}, book of all positions up to ply {last_ply}{outcomes}\n\n");
        if !self.plies.is_empty() {
            text.push_str(&text::ply_table(&self.plies));
            text.push_str("(wins and losses for the side to move, mirror images counted)\n\n");
        }
        let Some(summary) = self.database else {
            let (db, positions) = (db.display(), counted(self.positions as u64, "position"));
            let _ = writeln!(text, "finished   {db} holds all {positions}: nothing to do");
            return text;
        };
        let _ = writeln!(
            text,
            "time       {}, {}, {} nodes/s, table {} MiB",
            text::time(self.elapsed_s, self.threads),
            counted(self.nodes, "node"),
            text::magnitude(self.nodes_per_s),
            self.table_mib
        );
        text + &output::added(summary, db)
    }
}
