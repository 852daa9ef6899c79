//! `analyze connect4` without a depth: the exact value, by the solver.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Args, harvested, pons_score};
use crate::cli::book;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::store::{self, Run};
use crate::cli::text;
use crate::control::{Control, Stopped};
use crate::database::{BoundRow, GameId, PositionRow};
use crate::export::{ValueRow, write_iterations, write_root_moves};
use crate::game::notation::{picture, side_to_move, write_moves};
use crate::game::{Game, Move, MoveSet, Outcome, Ply, Size, Stones, Value};
use crate::search::book::{Harvested, Tier, harvest};
use crate::search::solver::{Solved, Solver, ValueBounds};
use crate::statistics::{RootMove, Score, grouped};

/// Line lengths the solver's rules are made for.
const LINES: std::ops::RangeInclusive<u8> = 3..=6;

/// True if the solver takes this board; others are searched to the end by alpha-beta.
pub(in crate::cli) fn takes(size: Size) -> bool {
    LINES.contains(&size.line)
}

/// The table that measured best on boards of this size, in MiB: the smaller it is, the more of
/// it stays in the processor's caches.
pub(in crate::cli) fn default_table(size: Size) -> u64 {
    match size.cells() {
        ..=42 => 8,
        43..=49 => 64,
        _ => 256,
    }
}

/// A solver with the table asked for.
pub(super) fn solver(size: Size, args: &Args) -> Result<Solver, Failure> {
    let mib = args.table_size.unwrap_or(default_table(size));
    let mut solver = Solver::new(size, mib).map_err(Failure::usage)?;
    if let Some(path) = &args.book {
        book::read(&mut solver, path)?;
    }
    Ok(solver)
}

/// A solver with the table that measured best.
pub(in crate::cli) fn default_solver(size: Size) -> Result<Solver, Failure> {
    Solver::new(size, default_table(size)).map_err(Failure::usage)
}

/// What was found out of a position.
#[derive(Default)]
struct Found {
    bounds: Option<ValueBounds>,
    value: Option<Value>,
    outcome: Option<Outcome>,
    best: MoveSet,
    variation: Vec<Move>,
    moves: Vec<(Move, Solved)>,
    nodes: u64,
    /// What is known beside all this of positions not far below.
    harvest: Vec<Harvested>,
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    board: String,
    line: u8,
    moves: Option<String>,
    position: String,
    to_move: char,
    /// Plies left to the end of the longest game: the solver proves all of them.
    depth: u32,
    exact: bool,
    interrupted: bool,
    threads: usize,
    table_mib: f64,
    elapsed_s: f64,
    nodes_per_s: f64,
    value: Option<PartialValue>,
    /// What is proved so far, if the run was stopped.
    bounds: Option<Bounds>,
    score: Option<i32>,
    best: Vec<u32>,
    pv: String,
    root_moves: Vec<MoveRow>,
    stats: Stats,
    iterations: [(); 0],
}

/// A value whose distance may be unknown.
#[derive(Serialize)]
struct PartialValue {
    outcome: &'static str,
    remoteness: Option<u8>,
}

#[derive(Serialize)]
struct Bounds {
    worst: ValueRow,
    best: ValueRow,
}

#[derive(Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    m: u32,
    outcome: Option<&'static str>,
    remoteness: Option<u8>,
    score: Option<i32>,
    nodes: Option<u64>,
}

/// The counters of a search; the solver counts nodes alone.
#[derive(Serialize)]
struct Stats {
    nodes: u64,
    leaf_evaluations: Option<u64>,
    table_probes: Option<u64>,
    table_hits: Option<u64>,
    table_stores: Option<u64>,
    cutoffs: Option<u64>,
    first_move_cutoffs: Option<u64>,
}

pub(super) fn run(size: Size, args: &Args, command: &str) -> Result<(), Failure> {
    let solver = solver(size, args)?;
    let game = *solver.game();
    let root = args.position.position(&game)?;
    let session = Session::start(&args.running)?;
    let files = store::csv_files(args.keeping.csv.as_deref(), super::CSV_FILES)?;
    let database = store::open(&args.keeping)?;
    let tiers = harvested::tiers_below(&game, root, args, &session)?;
    let run = Run::begin(database, &GameId::of(&game), command, &session)?;

    session.control.limit(args.timeout.map(Duration::from_secs_f64));
    let begun = Instant::now();
    let found = Mutex::new(Found::default());
    let result = session
        .work("solving", "nodes", |control| find(&solver, root, args, &tiers, control, &found));
    session.control.limit(None);
    let elapsed = begun.elapsed();
    let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);

    run.send(proved(&game, root, &found, args));
    run.send(found.harvest.iter().filter_map(harvested::position_row));
    let moves: Vec<RootMove> = found
        .moves
        .iter()
        .map(|(m, solved)| {
            let Value { outcome, remoteness } = solved.value;
            let score = pons_score(solved.value, size.cells(), u32::from(root.ply().0));
            RootMove {
                m: *m,
                outcome: Some(outcome),
                remoteness: Some(remoteness),
                score: Some(Score(score * 100)),
                nodes: solved.nodes,
            }
        })
        .collect();
    if let Some(writer) = run.writer() {
        // If the writer has failed, ending the run says why.
        let _ = writer.root_moves(&moves);
        let bounds: Vec<BoundRow> = found.harvest.iter().filter_map(harvested::bound_row).collect();
        let _ = writer.bounds(&bounds);
    }
    let document = Document::new(&solver, root, args, &found, result.is_err(), &session, elapsed);
    let show = |kept: &str| {
        if args.running.json {
            text::print_json(&document)
        } else {
            text::print(&(document.text(&game, root, &found) + kept))
        }
    };
    let summary = match run.finish(&session) {
        Err(failure @ Failure::Interrupted(_)) => {
            // What is proved until now is true all the same.
            show("")?;
            return Err(failure);
        }
        summary => summary?,
    };
    if result.is_err() {
        show(&store::summary(summary, &args.keeping))?;
        let limit = args.timeout.unwrap_or_default();
        return Err(Failure::Interrupted(format!("stopped after --timeout {limit} s")));
    }
    if let Some([iterations, root_moves]) = files {
        store::write_file(iterations, |file| write_iterations(file, &[]))?;
        store::write_file(root_moves, |file| write_root_moves(file, &moves))?;
    }
    show(&store::summary(summary, &args.keeping))
}

/// Finds out what is asked for, step by step, so that a run that is stopped has something to show.
fn find(
    solver: &Solver,
    root: Stones,
    args: &Args,
    tiers: &[Tier],
    control: &Control,
    found: &Mutex<Found>,
) -> Result<(), Stopped> {
    let note = |write: &mut dyn FnMut(&mut Found)| {
        write(&mut found.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    };
    if args.outcome_only {
        let (outcome, nodes) = solver.outcome_only(root, control)?;
        note(&mut |found| (found.outcome, found.nodes) = (Some(outcome), nodes));
        let known = harvest(solver, tiers, control)?;
        note(&mut |found| found.harvest.clone_from(&known));
        return Ok(());
    }
    let watch = |bounds| note(&mut |found| found.bounds = Some(bounds));
    let Solved { value, nodes } = solver.value_watched(root, control, watch)?;
    note(&mut |found| {
        (found.value, found.outcome, found.nodes) = (Some(value), Some(value.outcome), nodes);
    });
    if args.all_moves {
        for m in solver.game().moves(root) {
            if solver.game().terminal(root).is_none() {
                let below = solver.value(solver.game().play(root, m), control)?;
                let solved = Solved { value: below.value.for_parent(), ..below };
                note(&mut |found| found.moves.push((m, solved)));
            }
        }
    }
    let best = solver.best_moves(root, value, control)?;
    note(&mut |found| found.best = best);
    let variation = solver.principal_variation(root, value, control)?;
    note(&mut |found| found.variation.clone_from(&variation));
    let known = harvest(solver, tiers, control)?;
    note(&mut |found| found.harvest.clone_from(&known));
    Ok(())
}

/// The positions proved: root, its moves, and best play, as far as they are wanted.
fn proved<G: Game>(game: &G, root: Stones, found: &Found, args: &Args) -> Vec<PositionRow> {
    let deepest = Ply(root.ply().0.saturating_add(args.db_plies.unwrap_or(u8::MAX)));
    let mut rows: Vec<PositionRow> = Vec::new();
    let mut add = |position: Stones, value: Value, best: Option<MoveSet>| {
        let (key, symmetry) = game.canonical(position);
        let row = PositionRow {
            key,
            ply: position.ply(),
            outcome: value.outcome,
            remoteness: Some(value.remoteness),
            best: best.map(|best| game.image_moves(best, symmetry)),
        };
        if position.ply() <= deepest && rows.iter().all(|other| other.key != key) {
            rows.push(row);
        }
    };
    let Some(value) = found.value else { return rows };
    let over = game.terminal(root).is_some();
    add(root, value, (over || !found.best.is_empty()).then_some(found.best));
    let (mut position, mut value) = (root, value);
    for &m in &found.variation {
        position = game.play(position, m);
        value = Value::new(-value.outcome, crate::game::Remoteness(value.remoteness.0 - 1));
        let over = game.terminal(position).is_some();
        add(position, value, over.then_some(MoveSet::EMPTY));
    }
    for (m, solved) in &found.moves {
        let Value { outcome, remoteness } = solved.value;
        let child = Value::new(-outcome, crate::game::Remoteness(remoteness.0 - 1));
        let next = game.play(root, *m);
        add(next, child, game.terminal(next).map(|_| MoveSet::EMPTY));
    }
    rows
}

impl Document {
    fn new(
        solver: &Solver,
        root: Stones,
        args: &Args,
        found: &Found,
        stopped: bool,
        session: &Session,
        elapsed: Duration,
    ) -> Self {
        let game = solver.game();
        let size = game.size();
        let stones = u32::from(root.ply().0);
        let moves = game.moves(root).into_iter().filter(|_| game.terminal(root).is_none());
        let root_moves = moves.map(|m| {
            let exact = found.moves.iter().find(|(other, _)| *other == m);
            let value = exact.map(|(_, solved)| solved.value);
            let value = value.or(found.value.filter(|_| found.best.contains(m)));
            MoveRow {
                m: m.number(),
                outcome: value.map(|v| v.outcome.word()),
                remoteness: value.map(|v| v.remoteness.0),
                score: value.map(|v| pons_score(v, size.cells(), stones)),
                nodes: exact.map(|(_, solved)| solved.nodes),
            }
        });
        let nodes = found.nodes + found.moves.iter().map(|(_, solved)| solved.nodes).sum::<u64>();
        Self {
            game: game.name(),
            board: size.board(),
            line: size.line,
            moves: match &args.position.board {
                None => Some(args.position.moves.clone().unwrap_or_default()),
                Some(_) => None,
            },
            position: picture(game, root),
            to_move: side_to_move(root),
            depth: game.plies_left(root),
            exact: found.value.is_some() || found.outcome.is_some(),
            interrupted: stopped,
            threads: session.threads,
            table_mib: solver.table_bytes() as f64 / f64::from(1 << 20),
            elapsed_s: elapsed.as_secs_f64(),
            nodes_per_s: nodes as f64 / elapsed.as_secs_f64().max(1e-9),
            value: found.outcome.map(|outcome| PartialValue {
                outcome: outcome.word(),
                remoteness: found.value.map(|value| value.remoteness.0),
            }),
            bounds: found
                .bounds
                .filter(|_| found.value.is_none())
                .map(|bounds| Bounds { worst: bounds.worst.into(), best: bounds.best.into() }),
            score: found.value.map(|value| pons_score(value, size.cells(), stones)),
            best: found.best.into_iter().map(Move::number).collect(),
            pv: write_moves(game, &found.variation),
            root_moves: root_moves.collect(),
            stats: Stats {
                nodes,
                leaf_evaluations: None,
                table_probes: None,
                table_hits: None,
                table_stores: None,
                cutoffs: None,
                first_move_cutoffs: None,
            },
            iterations: [],
        }
    }

    fn text<G: Game>(&self, game: &G, root: Stones, found: &Found) -> String {
        let mut text = format!("{}, {}\n\n", text::title(game), text::situation(game, root));
        text.push_str(&text::columns_board(game, root));
        text.push('\n');
        let side = self.to_move;
        let _ = match (found.value, found.outcome, &found.bounds) {
            (Some(value), ..) if value.remoteness.0 == 0 && value.outcome == Outcome::Draw => {
                writeln!(text, "value      draw: the board is full")
            }
            (Some(value), ..) if value.remoteness.0 == 0 => {
                writeln!(text, "value      loss for {side}: the game is over")
            }
            (Some(Value { outcome, remoteness }), ..) => {
                writeln!(text, "value      {outcome} for {side}, {remoteness} plies from here")
            }
            (None, Some(outcome), _) => writeln!(text, "value      {outcome} for {side}"),
            (None, None, Some(bounds)) => {
                writeln!(text, "proved     between {} and {} for {side}", bounds.worst, bounds.best)
            }
            (None, None, None) => writeln!(text, "proved     nothing yet"),
        };
        if let Some(score) = self.score {
            let _ = writeln!(text, "score      {score} (Pons)");
        }
        if !self.best.is_empty() {
            let best: Vec<String> = self.best.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "best       {}", best.join(" "));
            let _ = writeln!(text, "line       {}", self.pv);
        }
        if !found.moves.is_empty() {
            let mut table = text::Table::new(&["move", "value", "score", "nodes"]);
            for row in self.root_moves.iter().filter(|row| row.nodes.is_some()) {
                let value = row.outcome.zip(row.remoteness);
                table.row([
                    row.m.to_string(),
                    value.map_or_else(String::new, |(outcome, r)| format!("{outcome} in {r}")),
                    row.score.map_or_else(String::new, |score| score.to_string()),
                    row.nodes.map_or_else(String::new, grouped),
                ]);
            }
            let _ = write!(text, "\n{}\n", table.render());
        }
        let _ = writeln!(
            text,
            "time       {} on {} threads, {} nodes, table {} MiB",
            text::seconds(Duration::from_secs_f64(self.elapsed_s)),
            self.threads,
            grouped(self.stats.nodes),
            self.table_mib
        );
        text
    }
}
