//! A query of a database, which holds the positions that runs wrote.

use super::study;
use super::{Answer, Args, central, present};
use crate::cli::failure::Failure;
use crate::cli::game_filter::Fit;
use crate::cli::learning;
use crate::cli::options::PositionOptions;
use crate::cli::output::{self, Run};
use crate::cli::session::Session;
use crate::connect_four::solver::Solver;
use crate::control::{Control, Stopped};
use crate::database::{Database, Lookup, PositionRow};
use crate::game::{Game, GameId, Key, Move, MoveSet, PartialValue, Symmetric, Value, best_of};
use crate::games::line::{AnyGame, LineGame, Size, Stones};
use crate::registry::{Registry, Study, study_of};

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
    let mut source = Source { game, lookup: database.lookup(&id).map_err(Failure::runtime)? };
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

/// The positions of one game in a database.
struct Source<'d> {
    game: AnyGame,
    lookup: Lookup<'d>,
}

impl Source<'_> {
    /// The row of a position, its best moves those of the position itself.
    fn row(&mut self, position: Stones) -> Result<Option<PositionRow>, Failure> {
        self.lookup.find(&self.game, position).map_err(Failure::runtime)
    }

    fn known(&mut self, position: Stones) -> Result<Option<PartialValue>, Failure> {
        if let Some(outcome) = self.game.result(position) {
            return Ok(Some(Value::over(outcome).into()));
        }
        Ok(self.row(position)?.map(|row| row.value))
    }

    fn answer(&mut self, position: Stones) -> Result<Answer, Failure> {
        let game = self.game;
        if let Some(outcome) = game.result(position) {
            return Ok(Answer {
                value: Some(Value::over(outcome).into()),
                bounds: None,
                moves: Vec::new(),
                best: Some(MoveSet::EMPTY),
                variation: Vec::new(),
                from_book: MoveSet::EMPTY,
                kept: String::new(),
            });
        }
        let row = self.row(position)?;
        let mut moves: Vec<(Move, Option<PartialValue>)> = Vec::new();
        for m in game.moves(position) {
            let below = self.known(game.play(position, m))?;
            moves.push((m, below.map(PartialValue::for_parent)));
        }
        let stored = row.map(|row| row.value);
        let best = row.and_then(|row| row.best);
        let is_held = stored.is_some() || moves.iter().any(|(_, known)| known.is_some());
        let (mut value, mut best) = settle(stored, best, &mut moves);
        let mut from_book = MoveSet::EMPTY;
        if is_held {
            for (m, known) in moves.iter_mut().filter(|(_, known)| known.is_none()) {
                let below = study_of(&game, game.play(position, *m)).booked();
                *known = below.map(|value| value.for_parent().into());
                from_book.0 |= u64::from(known.is_some()) << m.0;
            }
            (value, best) = settle(value, best, &mut moves);
        }
        let bounds = self.lookup.bound(game.canonical(position).0).map_err(Failure::runtime)?;
        Ok(Answer {
            value,
            bounds: bounds.filter(|_| value.is_none()).map(|row| row.bounds),
            variation: self.variation(position, value, best)?,
            moves,
            best,
            from_book,
            kept: String::new(),
        })
    }

    /// Best play as far as the database holds the best moves.
    fn variation(
        &mut self,
        mut position: Stones,
        value: Option<PartialValue>,
        mut best: Option<MoveSet>,
    ) -> Result<Vec<Move>, Failure> {
        let game = self.game;
        let mut line = Vec::new();
        // Without distances a won game could be played in circles around its end.
        if !value.is_some_and(PartialValue::is_exact) {
            return Ok(line);
        }
        while let Some(m) = best.and_then(|best| central(&game, best)) {
            line.push(m);
            position = game.play(position, m);
            if game.result(position).is_some() {
                break;
            }
            let row = self.row(position)?.filter(|row| row.value.is_exact());
            best = match row {
                Some(PositionRow { best: Some(best), .. }) => Some(best),
                // The rows of the next positions may imply the best moves.
                _ => self.best_by_moves(position)?,
            };
        }
        Ok(line)
    }

    /// The best moves of a position, if the values of all its moves are known.
    fn best_by_moves(&mut self, position: Stones) -> Result<Option<MoveSet>, Failure> {
        let game = self.game;
        let mut moves = Vec::new();
        for m in game.moves(position) {
            let Some(below) = self.known(game.play(position, m))? else { return Ok(None) };
            if !below.is_exact() {
                return Ok(None);
            }
            moves.push((m, Some(below.for_parent())));
        }
        Ok(settle(None, None, &mut moves).1)
    }
}

/// Combines the rows of a position and of its moves: each may imply values of the other.
fn settle(
    stored: Option<PartialValue>,
    best: Option<MoveSet>,
    moves: &mut [(Move, Option<PartialValue>)],
) -> (Option<PartialValue>, Option<MoveSet>) {
    if let (Some(value), Some(best)) = (stored, best) {
        for (m, known) in moves.iter_mut().filter(|(_, known)| known.is_none()) {
            *known = best.contains(*m).then_some(value);
        }
        return (stored, Some(best));
    }
    let all: Option<Vec<_>> = moves.iter().map(|&(m, known)| Some((m, known?))).collect();
    match all.and_then(|all| best_of(all.iter().copied())) {
        // The rows of the moves know the outcome, and that of the position more.
        Some((value, _)) if !value.is_exact() && stored.is_some_and(PartialValue::is_exact) => {
            (stored, None)
        }
        Some((value, best)) => (Some(value), Some(best)),
        None => (stored, None),
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
