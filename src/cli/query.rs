//! `analyze query`: a position in a file of solved positions.

use std::slice::from_ref;

use super::game_filter::{Fit, GameFilter};
use super::input;
use super::options::PositionOptions;
use super::prelude::*;
use everyply_results::export::MoveName;
use everyply_results::oracle::{BestPlay, Origin, StoredMove, StoredPosition, first_of};

/// Value of a position and of its moves, from a database, a solution file or an opening book
///
/// Gives outcome and remoteness of the position and of every move, the best moves, and the
/// principal variation, as far as the file holds them. With --search the engine of the game solves
/// what a database lacks, and adds it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze query everyply.db 4453           a database with positions of one game
  analyze query everyply.db 15 --game ttt  one of several games in it
  analyze query book.db 44532 --search     solve what is missing, and keep it
  analyze query 5x5.solution 3342          a solution file of `analyze solve`
  analyze query 6x5.book 3342              an opening book of `analyze book --out`")]
pub(super) struct QueryArgs {
    /// The database, the solution file or the opening book
    file: PathBuf,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    game: GameFilter,
    /// Solve what the database lacks, and add it
    #[arg(long)]
    search: bool,
    #[command(flatten)]
    running: Running,
}

/// MiB of the engine that solves what the database lacks.
const ENGINE: u64 = 1024;

pub(super) fn run(args: &QueryArgs, command: &str, registry: &Registry) -> Result<(), Failure> {
    let (file, stored) = (args.file.display(), input::open_values(&args.file)?);
    if stored.database().is_none() && args.search {
        let why = "it is no database, to which positions can be added: leave out --search";
        return Err(usage!("{file}: {why}"));
    }
    let games = stored.games();
    let mut files = OracleFiles::of(vec![stored])?;
    let fit = |_: &GameId, start: &dyn Position| match args.position.read(start.boxed()) {
        Err(_) => Ok(Fit::Not),
        Ok(position) => Ok(Fit::of(files.holds(&*position)?)),
    };
    let (_, start) = args.game.choose_for(&args.file, &games, registry, fit)?;
    let position = args.position.read(files.root(start)?)?;
    let position = position.as_ref();
    let mut found = files.look_up(position)?;
    let mut kept = String::new();
    if args.search && !found.is_whole(position) {
        kept = search(files, position, args, command)?;
        files = OracleFiles::open(from_ref(&args.file))?;
        found = files.look_up(position)?;
    } else if found.is_unknown() {
        return Err(runtime!("{file} does not hold the position: --search solves it"));
    }
    let moves = args.position.asked_moves(position);
    let document = PositionDocument::of_files(position, moves, &found, &files)?;
    let text = || in_words(position, &document, &found) + &kept;
    text::print_result(args.running.json, &document, text)
}

/// Solves a position, its moves and best play, adds them to the database, and returns a line about
/// the additions.
fn search(
    files: OracleFiles,
    position: &dyn Position,
    args: &QueryArgs,
    command: &str,
) -> Result<String, Failure> {
    let oracle = Oracle::new(files.with_whole_values_only(), ENGINE);
    let session = Session::start(&args.running)?;
    let database = Database::create_or_open(&args.file).map_err(output::failed_file)?;
    let (file, id) = ((database, &*args.file), position.game_id());
    let run = Run::begin_in_file(file, &id, (command, &session), output::failed_file)?;
    let mut rows = Vec::new();
    let found = session
        .work("solving", "nodes", |control| find_rows(&oracle, position, control, &mut rows));
    run.send(rows);
    let failed = match found {
        // The end of the run reports a stop.
        Ok(()) | Err(OracleError::Stopped(_)) => Ok(()),
        Err(error) => Err(usage!("--search: {error}")),
    };
    let added = run.end(&session, "")?;
    failed.map(|()| added)
}

/// Finds a position, its moves, and best play to the end of the game, or to where it is endless.
/// Rows found before a stop are kept.
fn find_rows(
    oracle: &Oracle,
    position: &dyn Position,
    control: &Control,
    rows: &mut Vec<PositionRow>,
) -> Result<(), OracleError> {
    let mut add = |at: &dyn Position| -> Result<MoveSet, OracleError> {
        let value = oracle.prove(at, control)?.value;
        let best = oracle.best_moves(at, control)?;
        rows.extend(output::row(at, value, Some(best)));
        Ok(if value.is_exact() { best } else { MoveSet::EMPTY })
    };
    add(position)?;
    for branch in position.branches() {
        add(&*branch.to)?;
    }
    BestPlay::follow(position, |at| Ok(first_of(at, add(at)?)))?;
    rows.sort_unstable_by_key(|row| row.key);
    rows.dedup_by_key(|row| row.key);
    Ok(())
}

fn in_words(
    position: &dyn Position,
    document: &PositionDocument,
    found: &StoredPosition,
) -> String {
    let value = match (found.value, found.bounds) {
        (Some(value), _) => position.value_for_mover(value),
        (None, Some(bounds)) => {
            format!("not known; proved: {bounds}, for {}", text::side_to_move(position))
        }
        (None, None) => "not known".to_owned(),
    };
    let mut text = format!("{}\n", text::heading(position));
    if position.info().move_style != MoveStyle::Text {
        let _ = write!(text, "\n{}", text::board_of(position));
    }
    let holds = document.positions.zip(document.holds);
    text += "\n";
    text += &text::facts([
        ("value", Some(value)),
        ("points", document.points.map(text::points)),
        ("file", holds.map(|(n, holds)| format!("{} positions: {holds}", grouped(n)))),
    ]);
    if found.moves.is_empty() {
        return text;
    }
    let texts = |moves: &mut dyn Iterator<Item = &StoredMove>| {
        moves.map(|m| &m.branch.text[..]).collect::<Vec<_>>().join(" ")
    };
    let names = |names: Option<&Vec<MoveName>>| {
        let names: Vec<String> = names.into_iter().flatten().map(ToString::to_string).collect();
        text::joined(&names, " ")
    };
    let soonest = names(document.soonest.as_ref());
    let best = names(document.best.as_ref()).map(|best| match document.best_complete {
        Some(true) => best,
        _ => {
            let missing = texts(&mut found.moves.iter().filter(|m| m.value.is_none()));
            format!("{best} at least; not stored: {missing}")
        }
    });
    let more = if document.pv_complete == Some(true) { "" } else { " ..." };
    let line = document.pv.as_ref().filter(|line| !line.is_empty());
    text += &text::facts([
        ("soonest", soonest.map(|moves| moves + " (the files have no points: best is not known)")),
        ("best", best),
        ("line", line.map(|line| format!("{line}{more}"))),
    ]);
    let mut table = match document.points {
        Some(_) => Table::new("move,value,points"),
        None => Table::new("move,value"),
    };
    for (m, row) in found.moves.iter().zip(document.values.iter().flatten()) {
        let value = match (m.value, m.bounds) {
            (Some(known), _) => position.value_in_words(known.value),
            (None, Some(bounds)) if !bounds.is_open() => bounds.to_string(),
            (None, _) => "-".to_owned(),
        };
        let points = row.points.map(|points| format!("{points:+}"));
        table.row([m.branch.text.clone(), value].into_iter().chain(points));
    }
    let _ = write!(text, "\n{}", table.render());
    let is_booked =
        |m: &&StoredMove| m.value.is_some_and(|known| known.origin == Origin::OpeningBook);
    let booked = texts(&mut found.moves.iter().filter(is_booked));
    if !booked.is_empty() {
        let book = "from the opening book of this program";
        let _ = writeln!(text, "({booked} not stored: {book})");
    }
    text
}
