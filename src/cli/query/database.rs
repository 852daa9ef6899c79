//! A query of a database, which holds the positions that runs wrote.

use super::answer::{Answer, File, Source, central};
use super::{Args, present, study};
use crate::cli::failure::Failure;
use crate::cli::game_filter::Fit;
use crate::cli::learning;
use crate::cli::options::PositionOptions;
use crate::cli::output::{self, Run};
use crate::cli::session::Session;
use crate::connect_four::solver::Solver;
use crate::control::{Control, Stopped};
use crate::database::{Database, PositionRow};
use crate::game::{GameId, Key, MoveSet, PartialValue, Symmetric, Value};
use crate::games::line::{LineGame, Size, Stones};
use crate::registry::{Registry, Study};

pub(super) fn run(args: &Args, command: &str, registry: &Registry) -> Result<(), Failure> {
    let database = Database::open(&args.file).map_err(Failure::runtime)?;
    let fit = |id: &GameId, game: &dyn Study| match key(game, &args.position) {
        None => Ok(Fit::Not),
        Some(key) => {
            let row = database.lookup(id).and_then(|mut lookup| lookup.position(key));
            Ok(Fit::of(row.map_err(Failure::runtime)?.is_some()))
        }
    };
    let (id, start) = args.game.choose_for(&database, registry, fit)?;
    let Some((game, _)) = start.lines() else { return study::run(&database, start, args) };
    let position = args.position.position(&game)?;
    let lookup = database.lookup(&id).map_err(Failure::runtime)?;
    let mut source = Source { game, file: File::Database(lookup) };
    let mut answer = source.answer(position)?;
    if args.search {
        let missing = answer.best.is_none()
            || !answer.from_book.is_empty()
            || answer.moves.iter().any(|(_, v)| v.is_none())
            || !answer.value.is_some_and(PartialValue::is_exact);
        if missing {
            answer.kept = search(&game, position, &id, args, command)?;
            let kept = std::mem::take(&mut answer.kept);
            answer = Answer { kept, ..source.answer(position)? };
        }
    } else if answer.value.is_none()
        && answer.bounds.is_none()
        && answer.moves.iter().all(|(_, value)| value.is_none())
    {
        return Err(Failure::Runtime(anyhow::anyhow!(
            "{} does not hold the position{}",
            args.file.display(),
            if Solver::serves(&game) { ": --search solves it" } else { "" }
        )));
    }
    present(&game, position, &answer, args)
}

/// The canonical key of the position asked for; `None` if the game has none such.
fn key(start: &dyn Study, asked: &PositionOptions) -> Option<Key> {
    match start.lines() {
        Some((game, _)) => Some(game.canonical(asked.position(&game).ok()?).0),
        None => match (&asked.moves, &asked.board) {
            (_, Some(_)) => None,
            (Some(text), None) => Some(start.read(text).ok()?.canonical()?.0),
            (None, None) => Some(start.canonical().expect("games of 64-bit keys are stored").0),
        },
    }
}

/// Solves a position, its moves and best play, adds them to the database, and returns a line about
/// the additions.
fn search<G: LineGame>(
    game: &G,
    position: Stones,
    id: &GameId,
    args: &Args,
    command: &str,
) -> Result<String, Failure> {
    if !Solver::serves(game) {
        return Err(Failure::Usage(format!(
            "--search: the solver is made for {}, not {id}",
            Solver::BOARDS
        )));
    }
    let mut solver =
        learning::default_solver(Size::of_parameters(id.parameters), args.running.threads())?;
    let session = Session::start(&args.running)?;
    let database = Database::create_or_open(&args.file).map_err(output::failed_file)?;
    learning::learn_around(&mut solver, &database, position).map_err(Failure::runtime)?;
    let run = Run::begin_in_file(database, id, command, &session)?;
    let found = session.work("solving", "nodes", |control| rows(&solver, game, position, control));
    if let Ok(rows) = found {
        run.send(rows);
    }
    let summary = run.finish(&session)?;
    Ok(summary.map_or_else(String::new, |summary| output::summary_of(summary, &args.file)))
}

/// A position, its moves, and best play to the end of the game.
fn rows<G: LineGame>(
    solver: &Solver,
    game: &G,
    position: Stones,
    control: &Control,
) -> Result<Vec<PositionRow>, Stopped> {
    let mut rows = Vec::new();
    let mut add = |position: Stones, value: Value, best: MoveSet| {
        let (key, symmetry) = game.canonical(position);
        rows.push(PositionRow {
            key,
            ply: position.ply(),
            value: value.into(),
            best: Some(game.image_moves(position, best, symmetry)),
        });
    };
    let mut value = solver.value(position, control)?.value;
    for m in game.moves(position) {
        let next = game.play(position, m);
        let below = solver.value(next, control)?.value;
        add(next, below, solver.best_moves(next, below, control)?);
    }
    let mut position = position;
    loop {
        let best = solver.best_moves(position, value, control)?;
        add(position, value, best);
        let Some(m) = central(game, best) else { return Ok(rows) };
        position = game.play(position, m);
        value = value.after_best_move();
    }
}
