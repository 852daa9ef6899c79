//! The exact value of a position, by the solver made for its game.

use super::checkpoint::CheckpointFile;
use super::{Question, SolverOptions, learning};
use crate::cli::options::has_solver;
use crate::cli::prelude::*;
use crate::cli::session::fitting_table;
use everyply_connect_four::solver::{Analysis, Checkpoint, Solved, SolverWord, score_of};
use everyply_core::game::{Move, Value, ValueBounds};
use everyply_core::games::line::Stones;
use everyply_core::statistics::{RootMove, Score};
use everyply_registry::registry::Engine;
use everyply_results::database::BoundRow;
use everyply_results::export::{ExactRun, write_exact, write_root_moves};

/// True if the solver is made for the board of a position.
pub(super) fn serves(position: &dyn Position) -> bool {
    has_solver(position.info().name)
        && Solver::supports(Size::of_parameters(position.info().parameters))
}

fn solver<W: SolverWord>(
    question: &Question<'_>,
    options: &SolverOptions,
) -> Result<Solver<W>, Failure> {
    let size = Size::of_parameters(question.position.info().parameters);
    let threads = question.running.threads();
    let mib = question.table(|| fitting_table(Solver::default_table(size, threads)))?;
    let solver = if options.no_book { Solver::without_book } else { Solver::new };
    solver(size, mib).map_err(Failure::usage)
}

fn learned(question: &Question<'_>, options: &SolverOptions) -> Result<Solver, Failure> {
    let mut solver = solver(question, options)?;
    if let Some(path) = &options.book {
        learning::read_book(&mut solver, path)?;
    }
    Ok(solver)
}

/// The solver for many positions, if the game has one.
pub(super) fn engine(
    question: &Question<'_>,
    options: &SolverOptions,
) -> Result<Option<Engine>, Failure> {
    let position = question.position.as_ref();
    Ok(match position.stones::<u64>() {
        _ if !serves(position) => None,
        Some(_) => Some(Engine::Exact(learned(question, options)?.into())),
        None => {
            refuse_keys(question, options)?;
            Some(Engine::ExactWide(solver(question, options)?.into()))
        }
    })
}

/// Finds the exact value. A board that does not fit 64 bits has no keys: nothing is looked up or stored.
pub(super) fn run(question: &Question<'_>, options: &SolverOptions) -> Result<(), Failure> {
    let position = question.position.as_ref();
    if let Some(root) = position.stones() {
        let learn = |solver: &mut Solver, database: &Database| {
            learning::learn_around(solver, database, root).map_err(output::failed)
        };
        return solve(learned(question, options)?, root, question, options, learn);
    }
    let root = position.stones().expect("games with a solver are of stones and lines");
    refuse_keys(question, options)?;
    solve(solver::<u128>(question, options)?, root, question, options, |_, _| Ok(()))
}

/// Refuses the options that need keys on a board that has none.
fn refuse_keys(question: &Question<'_>, options: &SolverOptions) -> Result<(), Failure> {
    let given = [(options.book.is_some(), "--book"), (question.output.db.is_some(), "--db")];
    match given.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => refuse_large(question.position.as_ref(), option),
        None => Ok(()),
    }
}

/// Refuses an option on a board that does not fit 64 bits.
pub(super) fn refuse_large(position: &dyn Position, option: &str) -> Result<(), Failure> {
    check_keys(position).map_err(|failure| match failure {
        Failure::Usage(why) => {
            usage!("{why}; nothing of larger ones is kept: leave out {option}")
        }
        failure => failure,
    })
}

/// Solves the position, prints and stores all that was proved, also after a stop. `learn` teaches the solver the
/// rows of the database.
fn solve<W: SolverWord>(
    mut solver: Solver<W>,
    root: Stones<W>,
    question: &Question<'_>,
    options: &SolverOptions,
    learn: impl FnOnce(&mut Solver<W>, &Database) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let position = question.position.as_ref();
    let session = Session::start(question.running)?;
    let files = question.csv_files(["value", "root-moves"])?;
    let checkpoint = CheckpointFile::open(&options.checkpoint, &mut solver, root)?;
    let run = question.begin_after(&session, |database| learn(&mut solver, database))?;
    let (found, how, unwritten) = analyze(&solver, root, question, &session, checkpoint);
    let goes_on = options.checkpoint.checkpoint.as_ref().map_or_else(String::new, |path| {
        format!("; the same command continues from {}", path.display())
    });
    let moves = question.moves.clone();
    let document = PositionDocument::of_analysis(position, &solver, moves, &found, &how);
    let text = || in_words(&document, position, &found, &how);
    let kept = Kept::after(question.running.json, &document, text);
    let (proved, bounded) = rows(position, &found);
    run.send(proved);
    run.write(|writer| writer.bounds(&bounded));
    let database = question.end(run, &session, &goes_on);
    let mut kept = kept.and(unwritten.map(|()| String::new())).and(database);
    if how.stopped {
        kept = kept.and(Err(session.stopped(question.timeout, &goes_on)));
    } else {
        let tables = |files| write_csv(files, position, &document, &found, session.threads);
        kept = kept.tables(files, tables);
    }
    kept.end()
}

/// Analyzes the position; returns the analysis, its run, and the result of writing the last checkpoint.
fn analyze<W: SolverWord>(
    solver: &Solver<W>,
    root: Stones<W>,
    question: &Question<'_>,
    session: &Session,
    checkpoint: Option<CheckpointFile<'_>>,
) -> (Analysis, ExactRun, Result<(), Failure>) {
    session.control.limit(question.timeout.map(Duration::from_secs_f64));
    let begun = Instant::now();
    let found = Mutex::new(Analysis::default());
    let goal = question.goal;
    let message = || {
        let found = found.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match (found.value, found.bounds) {
            (Some(value), _) if goal == Goal::AllMoves => {
                format!("{value}; {} done", counted(found.moves.len() as u64, "move"))
            }
            (Some(value), _) => format!("{value}; best moves and best play"),
            (None, Some(bounds)) => format!("proved: {bounds}"),
            (None, None) => "solving".to_owned(),
        };
        format!("{known}; table {:.0} % full;", 100.0 * solver.table_fill())
    };
    let analyze = |control: &Control| solver.analyze(root, goal, &found, control);
    let work = || session.work_with_message(&message, "nodes", analyze);
    let (result, unwritten) = match &checkpoint {
        None => (work(), Ok(())),
        Some(checkpoint) => {
            let write = || {
                let (nodes, elapsed) = (session.control.progress().0, begun.elapsed());
                let run = Checkpoint { bounds: bounds_of(&found), nodes, elapsed };
                checkpoint.write(solver, root, run)
            };
            (checkpoint.during(&write, work), write())
        }
    };
    session.control.limit(None);
    let elapsed = begun.elapsed();
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    if result.is_err() {
        found.count_unfinished(session.control.progress().0);
    }
    let earlier = checkpoint.and_then(|checkpoint| checkpoint.earlier);
    let how = ExactRun { stopped: result.is_err(), threads: session.threads, elapsed, earlier };
    (found, how, unwritten)
}

fn bounds_of(found: &Mutex<Analysis>) -> Option<ValueBounds> {
    let found = found.lock().unwrap_or_else(PoisonError::into_inner);
    found.exact().map(ValueBounds::exactly).or(found.bounds)
}

/// Fills the CSV files of a run; the second appears only with values of moves.
fn write_csv(
    [value, of_root]: [NewFile; 2],
    position: &dyn Position,
    document: &PositionDocument,
    found: &Analysis,
    threads: usize,
) -> Result<Vec<String>, Failure> {
    let of = OfRun::new(position, threads);
    let mut written = vec![output::write_table(value, |file| write_exact(file, &of, document))?];
    let empties = position.plies_left().unwrap_or_default() as i32;
    let row = |&(m, Solved { value, nodes }): &(Move, Solved)| RootMove {
        m,
        value: Some(value.into()),
        score: Some(Score(score_of(value, empties) * 100)),
        nodes,
    };
    let moves: Vec<RootMove> = found.moves.iter().map(row).collect();
    if !moves.is_empty() {
        let write = |file: &mut NewFile| write_root_moves(file, &of, position, &moves);
        written.push(output::write_table(of_root, write)?);
    }
    Ok(written)
}

/// The rows of an analysis: the root, its moves and best play with their values, and bounds of the moves tried
/// beside best play, so that a repeated question needs no search.
fn rows(root: &dyn Position, found: &Analysis) -> (Vec<PositionRow>, Vec<BoundRow>) {
    let (mut proved, mut bounded) = (Vec::<PositionRow>::new(), Vec::new());
    let Some(value) = found.exact() else { return (proved, bounded) };
    let mut add = |at: &dyn Position, value: Value, best: Option<MoveSet>| {
        let row = output::row(at, value.into(), best);
        proved.extend(row.filter(|row| proved.iter().all(|other| other.key != row.key)));
    };
    let after = |at: &dyn Position, m: Move| {
        let branch = at.branches().into_iter().find(|branch| branch.bit == u32::from(m.0));
        branch.expect("a move of the position").to
    };
    let at_end = |at: &dyn Position| at.result().map(|_| MoveSet::EMPTY);
    add(root, value, at_end(root).or_else(|| Some(found.best).filter(|best| !best.is_empty())));
    let (mut at, mut value, mut beside) = (root.boxed(), value, Vec::new());
    for (&m, refuted) in found.variation.iter().zip(&found.refuted) {
        beside.extend(refuted.iter().map(|tried| (after(&*at, tried.m), tried.bounds)));
        (at, value) = (after(&*at, m), value.after_best_move());
        add(&*at, value, at_end(&*at));
    }
    for (at, bounds) in beside.into_iter().filter(|(at, _)| at.result().is_none()) {
        match (bounds.value(), at.canonical()) {
            (Some(value), _) => add(&*at, value, None),
            (None, Some((key, _))) => bounded.push(BoundRow { key, ply: at.tier(), bounds }),
            (None, None) => {}
        }
    }
    for (m, solved) in &found.moves {
        let to = after(root, *m);
        add(&*to, solved.value.after_best_move(), at_end(&*to));
    }
    (proved, bounded)
}

fn in_words(
    document: &PositionDocument,
    position: &dyn Position,
    found: &Analysis,
    how: &ExactRun,
) -> String {
    let mut text = format!("{}\n\n{}\n", text::heading(position), text::board_of(position));
    let side = document.to_move.unwrap_or('-');
    let empties = position.plies_left().unwrap_or_default() as i32;
    let (name, value) = match (found.value, found.bounds) {
        (Some(known), _) => ("value", known.words_for(side)),
        (None, Some(bounds)) if !bounds.is_open() => ("proved", format!("{bounds}, for {side}")),
        (None, _) => ("proved", "nothing yet".to_owned()),
    };
    let best = text::joined(&position.texts(found.best), " ");
    let line = best.as_ref().map(|_| position.line_text(&found.variation));
    text += &text::facts([
        (name, Some(value)),
        ("score", found.exact().map(|value| format!("{} (Pons)", score_of(value, empties)))),
        ("best", best),
        ("line", line),
    ]);
    if !found.moves.is_empty() {
        let mut table = Table::new("move,value,score,nodes");
        for (m, Solved { value, nodes }) in &found.moves {
            let score = score_of(*value, empties).to_string();
            table.row([m.number().to_string(), value.to_string(), score, grouped(*nodes)]);
        }
        text += &format!("\n{}\n", table.render());
    }
    let (Some(search), Some(stats)) = (&document.search, &document.stats) else { return text };
    let work = |elapsed, nodes| format!("{}, {}", text::seconds(elapsed), counted(nodes, "node"));
    let rest = found.exact().filter(|_| found.nodes < stats.nodes);
    let table = stats.table_probes.zip(stats.table_hits).zip(stats.table_fill);
    let table = table.map(|((probes, hits), fill)| {
        let (probes, hits) = (counted(probes, "probe"), grouped(hits));
        format!("{probes}, {hits} of them settled a position, {:.0} % full", 100.0 * fill)
    });
    let time = text::time(how.elapsed.as_secs_f64(), how.threads);
    let nodes = counted(stats.nodes, "node");
    text + &text::facts([
        ("time", Some(format!("{time}, {nodes}, table {} MiB", search.table_mib))),
        ("", how.earlier.map(|run| format!("before that {}", work(run.elapsed, run.nodes)))),
        ("", rest.map(|_| format!("of which the value {}", work(found.elapsed, found.nodes)))),
        ("table", table),
    ])
}
