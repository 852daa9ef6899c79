//! The exact value of a position, by the solver made for its game.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::checkpoint::CheckpointFile;
use super::{Question, SolverOptions, learning};
use crate::cli::failure::Failure;
use crate::cli::options::{check_keys, has_solver};
use crate::cli::output::{self, Kept, Run};
use crate::cli::session::{Session, fitting_table};
use crate::cli::text;
use everyply_connect_four::solver::{
    Analysis, Checkpoint, Goal, Solved, Solver, SolverWord, score_of,
};
use everyply_core::control::Control;
use everyply_core::game::{Game, Move, MoveSet, Symmetric, Tiered, Value, ValueBounds};
use everyply_core::games::line::{Size, Stones};
use everyply_core::statistics::{RootMove, Score, counted, grouped};
use everyply_files::disk::NewFile;
use everyply_registry::registry::{Engine, Position};
use everyply_results::database::{BoundRow, PositionRow};
use everyply_results::export::{ExactRun, OfRun, PositionDocument, write_exact, write_root_moves};

/// True if the solver is made for the board of a position.
pub(super) fn serves(study: &dyn Position) -> bool {
    has_solver(study.info().name) && Solver::supports(Size::of_parameters(study.info().parameters))
}

/// A solver with the table asked for.
fn solver<W: SolverWord>(
    question: &Question<'_>,
    options: &SolverOptions,
) -> Result<Solver<W>, Failure> {
    let size = Size::of_parameters(question.study.info().parameters);
    let threads = question.running.threads();
    let mib = question.table(|| fitting_table(Solver::default_table(size, threads)))?;
    let solver = if options.no_book { Solver::without_book } else { Solver::new };
    solver(size, mib).map_err(Failure::usage)
}

/// A solver that has learnt the book asked for.
fn learned(question: &Question<'_>, options: &SolverOptions) -> Result<Solver, Failure> {
    let mut solver = solver(question, options)?;
    if let Some(path) = &options.book {
        learning::read_book(&mut solver, path)?;
    }
    Ok(solver)
}

/// The solver of a game that has one, for many positions.
pub(super) fn engine(
    question: &Question<'_>,
    options: &SolverOptions,
) -> Result<Option<Engine>, Failure> {
    let study = question.study.as_ref();
    Ok(match study.lines() {
        _ if !serves(study) => None,
        Some(_) => Some(Engine::Exact(learned(question, options)?.into())),
        None => Some(Engine::ExactWide(solver(question, options)?.into())),
    })
}

/// Finds the exact value. A board that does not fit 64 bits has no keys, so that nothing of it is looked up or
/// stored.
pub(super) fn run(question: &Question<'_>, options: &SolverOptions) -> Result<(), Failure> {
    let study = question.study.as_ref();
    let Some((_, root)) = study.lines() else {
        let (_, root) = study.wide_lines().expect("games with a solver are of stones and lines");
        for (is_given, option) in
            [(options.book.is_some(), "--book"), (question.output.db.is_some(), "--db")]
        {
            if is_given {
                refuse_large(study, option)?;
            }
        }
        let begin = |_: &mut Solver<u128>, _: &Session| Ok(Run::unkept());
        return solve(
            solver(question, options)?,
            root,
            question,
            options,
            begin,
            |run, _, session| {
                run.finish(session)?;
                let board = Size::of_parameters(study.info().parameters).board();
                let line = format!("database   none: {board} does not fit its keys of 64 bits\n");
                Ok(if question.output.no_db { String::new() } else { line })
            },
        );
    };
    let begin = |solver: &mut Solver, session: &Session| {
        let opened = output::open(question.output)?;
        if let Some(database) = &opened.database {
            learning::learn_around(solver, database, root).map_err(output::failed)?;
        }
        Run::begin(opened, &study.game_id(), question.command, session)
    };
    solve(learned(question, options)?, root, question, options, begin, |run, answer, session| {
        run.send(answer.proved());
        if let Some(writer) = run.writer() {
            // If the writer has failed, the end of the run reports the error.
            let _ = writer.bounds(&answer.bounded());
        }
        run.finish(session).map(|summary| output::summary(summary, question.output))
    })
}

/// Refuses an option on a board that does not fit 64 bits.
pub(super) fn refuse_large(study: &dyn Position, option: &str) -> Result<(), Failure> {
    check_keys(study).map_err(|failure| match failure {
        Failure::Usage(why) => Failure::Usage(format!(
            "{why}; larger ones have an exact value only, of which nothing is kept: leave out {option}"
        )),
        failure => failure,
    })
}

/// Solves the position. `begin` opens the database before the search, and `keep` stores the answer and returns
/// the line about it.
fn solve<W: SolverWord>(
    mut solver: Solver<W>,
    root: Stones<W>,
    question: &Question<'_>,
    options: &SolverOptions,
    begin: impl FnOnce(&mut Solver<W>, &Session) -> Result<Run, Failure>,
    keep: impl FnOnce(Run, &Answer<'_, W>, &Session) -> Result<String, Failure>,
) -> Result<(), Failure> {
    solver.count_work();
    let session = Session::start(question.running)?;
    let files = question.csv_files(["value", "root-moves"])?;
    let checkpoint = CheckpointFile::open(&options.checkpoint, &mut solver, root)?;
    let run = begin(&mut solver, &session)?;
    let answer = analyze(&solver, root, question, &session, checkpoint);
    answer.present(question, &session, files, |answer| keep(run, answer, &session))
}

fn analyze<'s, W: SolverWord>(
    solver: &'s Solver<W>,
    root: Stones<W>,
    question: &Question<'_>,
    session: &Session,
    checkpoint: Option<CheckpointFile<'_>>,
) -> Answer<'s, W> {
    session.control.limit(question.timeout.map(Duration::from_secs_f64));
    let begun = Instant::now();
    let found = Mutex::new(Analysis::default());
    let goal = question.goal;
    let tell = || {
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
    let work = || session.work_with_message(&tell, "nodes", analyze);
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
    let earlier = checkpoint.as_ref().and_then(|checkpoint| checkpoint.earlier);
    let goes_on = checkpoint.map_or_else(String::new, |checkpoint| {
        format!("; the same command continues from {}", checkpoint.path.display())
    });
    let how = ExactRun { stopped: result.is_err(), threads: session.threads, elapsed, earlier };
    Answer { solver, root, found, how, goes_on, unwritten }
}

/// The bounds proved of the root.
fn bounds_of(found: &Mutex<Analysis>) -> Option<ValueBounds> {
    let found = found.lock().unwrap_or_else(PoisonError::into_inner);
    found.exact().map(ValueBounds::exactly).or(found.bounds)
}

/// The result of a run.
struct Answer<'s, W: SolverWord> {
    solver: &'s Solver<W>,
    root: Stones<W>,
    found: Analysis,
    how: ExactRun,
    /// The end of the message about a stopped run.
    goes_on: String,
    /// The failure to end with if the last checkpoint could not be written.
    unwritten: Result<(), Failure>,
}

impl<W: SolverWord> Answer<'_, W> {
    /// The moves whose exact values were asked for.
    fn root_moves(&self) -> Vec<RootMove> {
        let empties = self.solver.game().plies_left(self.root) as i32;
        let row = |&(m, Solved { value, nodes }): &(Move, Solved)| RootMove {
            m,
            value: Some(value.into()),
            score: Some(Score(score_of(value, empties) * 100)),
            nodes,
        };
        self.found.moves.iter().map(row).collect()
    }

    /// Prints the result, which as far as it was proved is true, and fills the files if the work was
    /// done. `keep` ends the run in the database and returns the line about it.
    fn present(
        self,
        question: &Question<'_>,
        session: &Session,
        files: Option<[NewFile; 2]>,
        keep: impl FnOnce(&Self) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let (solver, root, found, how) = (self.solver, self.root, &self.found, &self.how);
        let study = question.study.as_ref();
        let moves = question.moves.clone();
        let document = PositionDocument::of_analysis(solver, root, moves, found, how);
        let text = || in_words(&document, study, found, how);
        let kept = Kept::after(question.running.json, &document, text);
        let database = keep(&self).map_err(|failure| match failure {
            Failure::Interrupted(message) => Failure::Interrupted(message + &self.goes_on),
            failure => failure,
        });
        let moves = self.root_moves();
        let mut kept = kept.and(self.unwritten.map(|()| String::new())).and(database);
        if self.how.stopped {
            kept = kept.and(Err(session.stopped(question.timeout, &self.goes_on)));
        } else if let Some(files) = kept.files(files) {
            let of = OfRun::new(study, how.threads);
            let written = write_csv(files, &of, study, &document, &moves);
            kept = kept.and(written.map(|tables| output::csv_line(&tables)));
        }
        kept.end()
    }
}

/// Fills the CSV files of a run; without moves the second one does not appear.
fn write_csv(
    [value, of_root]: [NewFile; 2],
    of: &OfRun,
    study: &dyn Position,
    document: &PositionDocument,
    moves: &[RootMove],
) -> Result<Vec<String>, Failure> {
    let mut written = vec![output::write_table(value, |file| write_exact(file, of, document))?];
    if !moves.is_empty() {
        written
            .push(output::write_table(of_root, |file| write_root_moves(file, of, study, moves))?);
    }
    Ok(written)
}

impl Answer<'_, u64> {
    /// The proved positions: root, its moves, and best play.
    fn proved(&self) -> Vec<PositionRow> {
        let (game, root, found) = (self.solver.game(), self.root, &self.found);
        let mut rows: Vec<PositionRow> = Vec::new();
        let mut add = |position: Stones, value: Value, best: Option<MoveSet>| {
            let (key, symmetry) = game.canonical(position);
            let row = PositionRow {
                key,
                ply: position.ply(),
                value: value.into(),
                best: best.map(|best| game.image_moves(position, best, symmetry)),
            };
            if rows.iter().all(|other| other.key != key) {
                rows.push(row);
            }
        };
        let Some(value) = found.exact() else { return rows };
        let over = game.result(root).is_some();
        add(root, value, (over || !found.best.is_empty()).then_some(found.best));
        let (mut position, mut value) = (root, value);
        for &m in &found.variation {
            position = game.play(position, m);
            value = value.after_best_move();
            let over = game.result(position).is_some();
            add(position, value, over.then_some(MoveSet::EMPTY));
        }
        for (position, bounds) in self.beside_best_play() {
            if let Some(value) = bounds.value() {
                add(position, value, None);
            }
        }
        for (m, solved) in &found.moves {
            let next = game.play(root, *m);
            add(next, solved.value.after_best_move(), game.result(next).map(|_| MoveSet::EMPTY));
        }
        rows
    }

    /// The positions after moves beside best play, with their bounds: with these rows the same question
    /// need not be searched again.
    fn beside_best_play(&self) -> Vec<(Stones, ValueBounds)> {
        let (game, found) = (self.solver.game(), &self.found);
        let (mut beside, mut position) = (Vec::new(), self.root);
        for (&played, refuted) in found.variation.iter().zip(&found.refuted) {
            beside.extend(refuted.iter().map(|tried| (game.play(position, tried.m), tried.bounds)));
            position = game.play(position, played);
        }
        beside.retain(|(position, _)| game.result(*position).is_none());
        beside
    }

    /// The bounds of positions without a proved value.
    fn bounded(&self) -> Vec<BoundRow> {
        let open = self.beside_best_play().into_iter().filter(|(_, known)| known.value().is_none());
        let row = |(position, bounds): (Stones, _)| BoundRow {
            key: self.solver.game().canonical(position).0,
            ply: position.ply(),
            bounds,
        };
        open.map(row).collect()
    }
}

fn in_words(
    document: &PositionDocument,
    study: &dyn Position,
    found: &Analysis,
    how: &ExactRun,
) -> String {
    let mut text = format!("{}\n\n{}\n", text::heading(study), text::board_of(study));
    let side = document.to_move.unwrap_or('-');
    let empties = study.plies_left().unwrap_or_default() as i32;
    let _ = match (found.value, found.bounds) {
        (Some(known), _) => {
            writeln!(text, "value      {}", known.words_for(side))
        }
        (None, Some(bounds)) if !bounds.is_open() => {
            writeln!(text, "proved     {bounds}, for {side}")
        }
        (None, _) => writeln!(text, "proved     nothing yet"),
    };
    if let Some(value) = found.exact() {
        let _ = writeln!(text, "score      {} (Pons)", score_of(value, empties));
    }
    if !found.best.is_empty() {
        let best: Vec<String> = found.best.into_iter().map(|m| m.number().to_string()).collect();
        let _ = writeln!(text, "best       {}", best.join(" "));
        let _ = writeln!(text, "line       {}", study.line_text(&found.variation));
    }
    if !found.moves.is_empty() {
        let mut table = text::Table::new(&["move", "value", "score", "nodes"]);
        for (m, Solved { value, nodes }) in &found.moves {
            table.row([
                m.number().to_string(),
                value.to_string(),
                score_of(*value, empties).to_string(),
                grouped(*nodes),
            ]);
        }
        let _ = write!(text, "\n{}\n", table.render());
    }
    let (Some(search), Some(stats)) = (&document.search, &document.stats) else { return text };
    let _ = writeln!(
        text,
        "{}, {}, table {} MiB",
        text::time(how.elapsed.as_secs_f64(), how.threads),
        counted(stats.nodes, "node"),
        search.table_mib
    );
    if let Some(earlier) = how.earlier {
        let _ = writeln!(
            text,
            "           before that {}, {}",
            text::seconds(earlier.elapsed),
            counted(earlier.nodes, "node")
        );
    }
    if found.exact().is_some() && found.nodes < stats.nodes {
        let _ = writeln!(
            text,
            "           of which the value {}, {}",
            text::seconds(found.elapsed),
            counted(found.nodes, "node")
        );
    }
    if let (Some(probes), Some(hits), Some(fill)) =
        (stats.table_probes, stats.table_hits, stats.table_fill)
    {
        let _ = writeln!(
            text,
            "table      {}, {} of them settled a position, {:.0} % full",
            counted(probes, "probe"),
            grouped(hits),
            100.0 * fill
        );
    }
    text
}
