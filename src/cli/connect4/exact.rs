//! `analyze connect4` without a depth: the exact value, by the solver.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::checkpoint::CheckpointFile;
use super::{Args, CSV_FILES, batch, write_csv};
use crate::cli::failure::Failure;
use crate::cli::output::{self, Kept, Run};
use crate::cli::session::{Session, check_table, fitting_table};
use crate::cli::{learning, options, text};
use crate::connect_four::book::{TableEntry, Tier, TierError, collect_table_entries, tiers};
use crate::connect_four::solver::{
    Analysis, Checkpoint, Goal, Solved, Solver, SolverWord, score_of,
};
use crate::control::{Control, Stopped};
use crate::database::{BoundRow, PositionRow};
use crate::disk::NewFile;
use crate::export::{ExactDocument, ExactRun};
use crate::game::{Game, Move, MoveSet, PartialValue, Symmetric, Tiered, Value, ValueBounds};
use crate::games::line::{ConnectFour, LineGame, Size, Stones, Word};
use crate::statistics::{RootMove, Score, counted, grouped};

fn table_mib(size: Size, args: &Args) -> u64 {
    args.table_size
        .unwrap_or_else(|| fitting_table(Solver::default_table(size, args.running.threads())))
}

/// A solver with the table asked for.
fn solver<W: SolverWord>(size: Size, args: &Args) -> Result<Solver<W>, Failure> {
    let solver = if args.no_book { Solver::without_book } else { Solver::new };
    solver(size, table_mib(size, args)).map_err(Failure::usage)
}

impl Args {
    fn goal(&self) -> Goal {
        match (self.outcome_only, self.value_only, self.all_moves) {
            (true, ..) => Goal::Outcome,
            (_, true, _) => Goal::Value,
            (.., true) => Goal::AllMoves,
            _ => Goal::BestMoves,
        }
    }
}

pub(super) fn run(size: Size, args: &Args, command: &str) -> Result<(), Failure> {
    let mut solver = solver(size, args)?;
    if let Some(path) = &args.book {
        learning::read_book(&mut solver, path)?;
    }
    if let Some(path) = &args.input {
        return batch::run(&solver, path, args);
    }
    solver.count_work();
    let game = *solver.game();
    let root = args.position.position(&game)?;
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.output.csv.as_deref(), CSV_FILES)?;
    let opened = output::open(&args.output)?;
    let tiers = tiers_below(&game, root, args, &session)?;
    if let Some(database) = &opened.database {
        learning::learn_around(&mut solver, database, root).map_err(output::failed)?;
    }
    let checkpoint = CheckpointFile::open(&args.checkpoint, &mut solver, root)?;
    let run = Run::begin(opened, &game.game_id(), command, &session)?;

    let (answer, beside) = analyze(&solver, root, args, &session, checkpoint, |control| {
        collect_table_entries(&solver, &tiers, control)
    });
    let beside = beside.unwrap_or_default();
    let (proved, bounded) = (answer.proved(args), answer.bounded(args));
    answer.present(args, files, || {
        run.send(proved);
        run.send(beside.iter().filter_map(position_row));
        if let Some(writer) = run.writer() {
            // If the writer has failed, the end of the run reports the error.
            let mut bounds: Vec<BoundRow> = beside.iter().filter_map(bound_row).collect();
            bounds.extend(bounded);
            let _ = writer.bounds(&bounds);
        }
        run.finish(&session).map(|summary| output::summary(summary, &args.output))
    })
}

/// The exact value on a board that does not fit 64 bits, by the solver in a word of 128. Keys of 64
/// bits do not reach that far, so nothing is looked up or stored.
pub(super) fn run_wide(size: Size, args: &Args) -> Result<(), Failure> {
    let board = size.board();
    options::wide(size)?;
    if let (Some(option), Err(error)) = (only_on_smaller_boards(args), ConnectFour::new(size)) {
        return Err(Failure::Usage(format!(
            "--size {board} with {option}: {error}; larger ones have an exact value only, of \
             which nothing is kept: leave out {option}"
        )));
    }
    check_table(table_mib(size, args))?;
    let mut solver = solver::<u128>(size, args)?;
    if let Some(path) = &args.input {
        return batch::run(&solver, path, args);
    }
    solver.count_work();
    let root = args.position.position(solver.game())?;
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.output.csv.as_deref(), CSV_FILES)?;
    let checkpoint = CheckpointFile::open(&args.checkpoint, &mut solver, root)?;
    let (answer, _) = analyze(&solver, root, args, &session, checkpoint, |_| Ok(()));
    let kept = if args.output.no_db {
        String::new()
    } else {
        format!("database   none: {board} does not fit its keys of 64 bits\n")
    };
    answer.present(args, files, || Run::unkept().finish(&session).map(|_| kept))
}

/// The first option given that needs a board of at most 64 bits.
fn only_on_smaller_boards(args: &Args) -> Option<&'static str> {
    let options = [
        (args.depth.is_some(), "--depth"),
        (args.book.is_some(), "--book"),
        (args.output.db.is_some(), "--db"),
        (args.db_plies.is_some(), "--db-plies"),
    ];
    options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
}

/// Analyzes a position, and then runs `after`, whose result is `None` if the time was too short.
fn analyze<'s, W: SolverWord, T: Send>(
    solver: &'s Solver<W>,
    root: Stones<W>,
    args: &Args,
    session: &Session,
    checkpoint: Option<CheckpointFile<'_>>,
    after: impl FnOnce(&Control) -> Result<T, Stopped> + Send,
) -> (Answer<'s, W>, Option<T>) {
    session.control.limit(args.timeout.map(Duration::from_secs_f64));
    let begun = Instant::now();
    let found = Mutex::new(Analysis::default());
    let goal = args.goal();
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
    let work = || {
        session.work_with_message(&tell, "nodes", |control| {
            solver.analyze(root, goal, &found, control)?;
            after(control)
        })
    };
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
    (Answer { solver, root, found, how, goes_on, unwritten }, result.ok())
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
    /// done. `keep` ends the run in the database and gives the line about it.
    fn present(
        self,
        args: &Args,
        files: Option<[NewFile; 2]>,
        keep: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let moves = self.root_moves();
        let Self { solver, root, found, how, goes_on, unwritten } = self;
        let asked = args.position.asked_moves();
        let document = ExactDocument::new(solver, root, asked, &found, &how);
        let stopped = how.stopped;
        let limit = args.timeout.unwrap_or_default();
        let text = || in_words(&document, solver.game(), root, &found);
        let kept = Kept::after(args.running.json, &document, text);
        let database = keep().map_err(|failure| match failure {
            Failure::Interrupted(message) => Failure::Interrupted(message + &goes_on),
            failure => failure,
        });
        let mut kept = kept.and(unwritten.map(|()| String::new())).and(database);
        if stopped {
            let message = format!("stopped after --timeout {limit} s{goes_on}");
            kept = kept.and(Err(Failure::TimedOut(message)));
        } else if let Some(files) = kept.files(files) {
            kept = kept.and(write_csv(files, &[], &moves));
        }
        kept.end()
    }
}

impl Answer<'_, u64> {
    /// The proved positions: root, its moves, and best play, down to the last ply to store.
    fn proved(&self, args: &Args) -> Vec<PositionRow> {
        let (game, root, found) = (self.solver.game(), self.root, &self.found);
        let deepest = super::deepest(root.ply(), args);
        let mut rows: Vec<PositionRow> = Vec::new();
        let mut add = |position: Stones, value: Value, best: Option<MoveSet>| {
            let (key, symmetry) = game.canonical(position);
            let row = PositionRow {
                key,
                ply: position.ply(),
                value: value.into(),
                best: best.map(|best| game.image_moves(position, best, symmetry)),
            };
            if position.ply() <= deepest && rows.iter().all(|other| other.key != key) {
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
    fn bounded(&self, args: &Args) -> Vec<BoundRow> {
        let deepest = super::deepest(self.root.ply(), args);
        let beside = self.beside_best_play().into_iter();
        let open = beside.filter(|(p, bounds)| p.ply() <= deepest && bounds.value().is_none());
        let row = |(position, bounds): (Stones, _)| BoundRow {
            key: self.solver.game().canonical(position).0,
            ply: position.ply(),
            bounds,
        };
        open.map(row).collect()
    }
}

fn in_words<W: Word, G: LineGame<W>>(
    document: &ExactDocument,
    game: &G,
    root: Stones<W>,
    found: &Analysis,
) -> String {
    let mut text = format!("{}, {}\n\n", text::title(game), text::situation(game, root));
    text.push_str(&text::columns_board(game, root));
    text.push('\n');
    let side = document.to_move;
    let _ = match (found.value, &found.bounds) {
        (Some(known), _) => {
            writeln!(text, "value      {}", known.words_for(side))
        }
        (None, Some(bounds)) if !bounds.is_open() => {
            writeln!(text, "proved     {bounds}, for {side}")
        }
        (None, _) => writeln!(text, "proved     nothing yet"),
    };
    if let Some(score) = document.score {
        let _ = writeln!(text, "score      {score} (Pons)");
    }
    if !document.best.is_empty() {
        let best: Vec<String> = document.best.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "best       {}", best.join(" "));
        let _ = writeln!(text, "line       {}", document.pv);
    }
    if !found.moves.is_empty() {
        let mut table = text::Table::new(&["move", "value", "score", "nodes"]);
        let empties = game.plies_left(root) as i32;
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
    let _ = writeln!(
        text,
        "{}, {}, table {} MiB",
        text::time(document.elapsed_s, document.threads),
        counted(document.stats.nodes, "node"),
        document.table_mib
    );
    if let Some(earlier) = &document.earlier {
        let _ = writeln!(
            text,
            "           before that {}, {}",
            text::seconds(Duration::from_secs_f64(earlier.elapsed_s)),
            counted(earlier.nodes, "node")
        );
    }
    if let Some((value, seconds)) =
        found.exact().and(document.stats.nodes_of_value.zip(document.value_elapsed_s))
        && value < document.stats.nodes
    {
        let _ = writeln!(
            text,
            "           of which the value {}, {}",
            text::seconds(Duration::from_secs_f64(seconds)),
            counted(value, "node")
        );
    }
    let stats = &document.stats;
    if stats.per_thread.len() > 1 {
        let threads: Vec<String> = stats
            .per_thread
            .iter()
            .map(|t| format!("{} and {:.1} % idle", counted(t.nodes, "node"), 100.0 * t.idle))
            .collect();
        let _ = writeln!(text, "threads    {}", threads.join("; "));
    }
    if let (Some(probes), Some(hits)) = (stats.table_probes, stats.table_hits) {
        let _ = writeln!(
            text,
            "table      {}, {} of them settled a position, {:.0} % full",
            counted(probes, "probe"),
            grouped(hits),
            100.0 * stats.table_fill
        );
    }
    text
}

/// The tiers below the root that --db-plies asks for.
pub(super) fn tiers_below(
    game: &ConnectFour,
    root: Stones,
    args: &Args,
    session: &Session,
) -> Result<Vec<Tier>, Failure> {
    let Some(plies) = args.db_plies.filter(|_| args.output.database().is_some()) else {
        return Ok(Vec::new());
    };
    session
        .work("listing positions", "positions", |control| {
            tiers(game, root, plies, MOST_OF_A_TIER, control)
        })
        .map_err(|error| match error {
            TierError::Stopped(_) => session.interrupted(""),
            error => Failure::Usage(format!("--db-plies {plies}: {error}; choose fewer plies")),
        })
}

/// Positions of a ply that --db-plies looks at.
const MOST_OF_A_TIER: usize = 4_000_000;

/// The row of a position whose outcome, at least, is proved.
pub(super) fn position_row(found: &TableEntry) -> Option<PositionRow> {
    let TableEntry { key, ply, bounds, best } = *found;
    let known = bounds.value().map(PartialValue::from);
    let value = known.or(bounds.outcome().map(PartialValue::of_outcome))?;
    Some(PositionRow { key, ply, value, best })
}

/// The bounds of a position without a proved value.
pub(super) fn bound_row(found: &TableEntry) -> Option<BoundRow> {
    let TableEntry { key, ply, bounds, .. } = *found;
    bounds.value().is_none().then_some(BoundRow { key, ply, bounds })
}
