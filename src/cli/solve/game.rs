//! `analyze solve`: the file, or the plan.

use std::collections::HashSet;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Args, last_lines};
use crate::cli::failure::{Failure, usage};
use crate::cli::session::Session;
use crate::cli::text::{self, Table};
use crate::cli::work_folder::failed_solution;
use everyply_connect_four::profiles::{Board, Storage};
use everyply_core::control::Control;
use everyply_core::exhaustive::{RankedCost, SolveError, TierCost};
use everyply_core::game::ValueRow;
use everyply_core::games::line::LineGame;
use everyply_core::statistics::{PlyCounts, counted, grouped};
use everyply_files::disk::NewFile;
use everyply_files::store::Folder;
use everyply_registry::registry::Position;
use everyply_registry::solutions::{self, Tier, WriteError};
use everyply_results::export::{GameFields, value_row};

#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Document {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    value: ValueRow,
    /// Missing if the file could not be finished.
    #[serde(flatten)]
    file: Option<FileDocument>,
    threads: usize,
    elapsed_s: f64,
}

#[derive(JsonSchema, Serialize)]
struct FileDocument {
    positions: u64,
    /// The positions that the file holds, in words.
    holds: &'static str,
    tiers: Vec<Tier>,
    /// The exact counts of a Connect Four board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    plies: Vec<PlyCounts>,
    bytes: u64,
    bits_per_position: f64,
}

/// Where a game is solved.
enum Room<'b> {
    Board(&'b Board, Box<dyn Storage>),
    Tiers(Option<Folder>),
}

/// The board of a position that is solved whole, by the engine of bit arrays.
fn board_of(study: &dyn Position) -> Result<Option<Board>, Failure> {
    let Some((game, _)) = study.lines().filter(|(game, _)| Board::serves(game)) else {
        return Ok(None);
    };
    if study.identity() != study.start().identity() {
        return Err(usage!(
            "POSITION: Connect Four is solved from the empty board; leave it out, or ask `analyze \
             connect4 POSITION`",
        ));
    }
    Board::new(game.size()).map(Some).map_err(Failure::usage)
}

pub(super) fn run(args: &Args, study: &dyn Position) -> Result<(), Failure> {
    study.check().map_err(Failure::usage)?;
    let board = board_of(study)?;
    let takes_folder = board.is_some() || !study.ranked_tiers().is_empty();
    let memory = if takes_folder { args.room.memory() } else { args.room.memory_alone()? } as u64;
    let room = match &board {
        Some(board) if args.plan => return super::plan::print(board, args.running.json),
        None if args.plan => return plan(args, study, memory),
        Some(board) => {
            let need = board.estimate(usize::MAX);
            Room::Board(board, args.room.storage(board.size(), need.solve, &need)?)
        }
        None => {
            Session::check_graph(study, "Take a smaller board or a later POSITION")?;
            Room::Tiers(args.room.tiers()?)
        }
    };
    // The file is created before any work, so that an unwritable path is refused at once.
    let file = args.out.as_deref().map(NewFile::create).transpose().map_err(Failure::runtime)?;
    let session = Session::start(&args.running)?;
    let interrupted = || session.interrupted(&args.room.kept());
    let refused = |error| match error {
        WriteError::Solve(SolveError::Stopped(_)) => interrupted(),
        WriteError::Solve(error) => failed(study, &session, error),
        WriteError::File(error) | WriteError::Unfinished { source: error, .. } => {
            failed_solution(error).unwrap_or_else(interrupted)
        }
    };
    let counted = if board.is_some() { "profiles" } else { "positions" };
    let (Some(file), Some(out)) = (file, &args.out) else {
        let fill = |control: &Control| match &room {
            Room::Board(board, storage) => solutions::fill_board(board, &**storage, control),
            Room::Tiers(store) => {
                let store = store.as_ref().expect("the parser asks for --out or --work");
                solutions::fill(study, memory, store, control)
            }
        };
        session.work("solving", counted, fill).map_err(refused)?;
        return args.print_filled(study);
    };
    let written = session.work("solving", counted, |control| match &room {
        Room::Board(board, storage) => solutions::solve_board(board, &**storage, file, control),
        Room::Tiers(store) => {
            let store = store.as_ref().map(|folder| folder as _);
            solutions::solve(study, memory, store, file, control)
        }
    });
    let (value, written, unfinished) = match written {
        Ok(written) => (written.value, Some(written), None),
        Err(WriteError::Unfinished { value, source }) => (value, None, Some(source)),
        Err(error) => return Err(refused(error)),
    };
    let document = Document {
        game: GameFields::of(study),
        position: study.picture(),
        value: value_row(study, value),
        file: written.map(|written| {
            let positions = written.tiers.iter().map(Tier::positions).sum();
            FileDocument {
                positions,
                holds: written.holds,
                tiers: written.tiers,
                plies: written.counts.map_or_else(Vec::new, |counts| counts.plies),
                bytes: written.bytes,
                bits_per_position: 8.0 * written.bytes as f64 / positions as f64,
            }
        }),
        threads: session.threads,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    };
    text::print_result(args.running.json, &document, || {
        let mut text = format!("{}\n\n", study.info().title);
        if let Some(file) = &document.file {
            text += &match &file.plies[..] {
                [] => table_of(&file.tiers, study.lead().is_some()),
                plies => text::ply_table(plies),
            };
            text.push('\n');
        }
        let _ = writeln!(text, "value      {}", study.value_for_mover(value));
        if let Some(FileDocument { positions, holds, .. }) = &document.file {
            let _ = writeln!(text, "positions  {}: {holds}", grouped(*positions));
        }
        let time = text::time(document.elapsed_s, document.threads);
        text + &document.file.as_ref().map_or(format!("{time}\n"), |file| {
            last_lines(out, file.bytes, file.bits_per_position, &time)
        })
    })?;
    unfinished.map_or(Ok(()), |source| Err(failed_solution(source).unwrap_or_else(interrupted)))
}

/// The tiers of a file as a table.
fn table_of(tiers: &[Tier], has_points: bool) -> String {
    let longest = if has_points { "points" } else { "longest" };
    let mut table =
        Table::new(&["tier", "positions", "wins", "draws", "endless", "losses", longest]);
    for tier in tiers {
        let Tier { wins, draws, endless, losses, longest, .. } = *tier;
        let numbers = [tier.positions(), wins, draws, endless, losses, longest].map(grouped);
        let [positions, wins, draws, endless, losses, longest] = numbers;
        table.row([tier.name.clone(), positions, wins, draws, endless, losses, longest]);
    }
    table.render()
}

/// Positions that are solved for a plan.
const LISTED: u64 = 1 << 20;

/// Bytes of a position in a file with keys and without, of the games measured in `benches/ranked.md`.
const IN_FILE: [f64; 2] = [0.6, 0.5];

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "GamePlan")]
pub(in crate::cli) struct Plan {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    /// Positions up to symmetry, as the file lists them, or those that were listed before the listing ended; the
    /// ranks of a game that numbers its positions.
    positions: u64,
    /// True if there are no others.
    complete: bool,
    /// How the positions grow, if there are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth>,
    /// The tiers of a game that numbers its positions, in the order in which they are solved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiers: Vec<PlannedTier>,
    /// Bytes of memory while they are solved, about.
    memory: u64,
    /// The same with --work, for a game that numbers its positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_with_work: Option<u64>,
    /// Bytes of the file, about.
    file: u64,
    /// Seconds of processor time, about, for a game that numbers its positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    core_seconds: Option<f64>,
}

/// The positions of the first plies, up to symmetry.
#[derive(JsonSchema, Serialize)]
struct Growth {
    /// Moves from the position, at most.
    plies: u32,
    positions: u64,
    /// Positions that the last of these plies adds, over those that the ply before it adds.
    factor: f64,
}

impl Growth {
    /// Positions that are looked at.
    const MOST: usize = 1 << 15;

    fn of(study: &dyn Position) -> Option<Self> {
        let mut seen = HashSet::from([study.canonical()?.0]);
        let mut frontier = study.branches();
        let (mut added, mut growth) = (1, None);
        for plies in 1.. {
            let (before, mut next) = (seen.len(), Vec::new());
            for to in frontier.into_iter().map(|branch| branch.to) {
                if seen.insert(to.canonical()?.0) && to.result().is_none() {
                    next.extend(to.branches());
                }
                if seen.len() > Self::MOST {
                    return growth;
                }
            }
            let factor = (seen.len() - before) as f64 / f64::from(added);
            growth = Some(Self { plies, positions: seen.len() as u64, factor });
            added = (seen.len() - before) as u32;
            frontier = next;
        }
        growth
    }
}

#[derive(JsonSchema, Serialize)]
struct PlannedTier {
    name: String,
    ranks: u64,
    /// Bytes of memory while it is solved, with the tiers that its moves lead to.
    memory: u64,
    core_seconds: f64,
}

/// Prints the expected size of a solution.
fn plan(args: &Args, study: &dyn Position, memory: u64) -> Result<(), Failure> {
    let document = match study.ranked_cost() {
        Some(cost) => ranked_plan(study, &cost),
        None => listed_plan(args, study)?,
    };
    text::print_result(args.running.json, &document, || document.text(study, memory))
}

fn ranked_plan(study: &dyn Position, cost: &RankedCost) -> Plan {
    let planned = |tier: &TierCost| PlannedTier {
        name: tier.name.clone(),
        ranks: tier.ranks,
        memory: tier.bytes,
        core_seconds: tier.seconds,
    };
    let positions = cost.ranks();
    Plan {
        game: GameFields::of(study),
        position: study.picture(),
        positions,
        complete: true,
        growth: None,
        tiers: cost.tiers.iter().map(planned).collect(),
        memory: cost.in_memory,
        memory_with_work: Some(cost.in_folder()),
        file: (positions as f64 * IN_FILE[1]) as u64,
        core_seconds: Some(cost.seconds()),
    }
}

fn listed_plan(args: &Args, study: &dyn Position) -> Result<Plan, Failure> {
    let session = Session::start(&args.running)?;
    let mut listed = 0;
    let solved = session.work("listing", "positions", |control| {
        study.solve_listed(LISTED, control, &mut |part| listed += part.len() as u64)
    });
    let (positions, complete) = match solved {
        Ok(_) => (listed, true),
        Err(SolveError::Positions(most)) => (most, false),
        Err(error) => return Err(failed(study, &session, error)),
    };
    Ok(Plan {
        game: GameFields::of(study),
        position: study.picture(),
        positions,
        complete,
        growth: if complete { None } else { Growth::of(study) },
        tiers: Vec::new(),
        memory: positions * study.bytes(true),
        memory_with_work: None,
        file: (positions as f64 * IN_FILE[0]) as u64,
        core_seconds: None,
    })
}

impl Plan {
    fn text(&self, study: &dyn Position, memory: u64) -> String {
        let bytes = |bytes: u64| text::bytes(bytes as f64);
        let positions = grouped(self.positions);
        let least = if self.complete { "" } else { "more than " };
        let mut text = format!("{}\n\n", study.info().title);
        if self.tiers.is_empty() {
            let _ = writeln!(text, "positions  {least}{positions} up to symmetry");
            if let Some(Growth { plies, positions, factor }) = &self.growth {
                let _ = writeln!(
                    text,
                    "growth     {} within {}; the last of them adds {factor:.1} times as many as the one \
                     before",
                    grouped(*positions),
                    counted(u64::from(*plies), "ply"),
                );
            }
        } else {
            let mut table = Table::new(&["tier", "ranks", "memory", "core-seconds"]);
            for PlannedTier { name, ranks, memory, core_seconds } in &self.tiers {
                let seconds = format!("{core_seconds:.1}");
                table.row([name.clone(), grouped(*ranks), bytes(*memory), seconds]);
            }
            text.push_str(&table.render());
            let tiers = counted(self.tiers.len() as u64, "tier");
            let _ = writeln!(text, "\npositions  {positions} by rank in {tiers}");
        }
        let with_work = self.memory_with_work.map(|need| format!(", with --work {}", bytes(need)));
        let _ = writeln!(
            text,
            "memory     {least}{}{}; {} are allowed",
            bytes(self.memory),
            with_work.unwrap_or_default(),
            bytes(memory)
        );
        if let Some(time) = self.core_seconds.map(text::brief_time) {
            let _ = writeln!(
                text,
                "work       {time} of one core (extrapolated from games that were solved)"
            );
        }
        let _ = writeln!(text, "file       about {least}{}", bytes(self.file));
        text
    }
}

/// The failure of a game that is not solved.
fn failed(study: &dyn Position, session: &Session, error: SolveError) -> Failure {
    match error {
        SolveError::Stopped(_) => session.interrupted(""),
        error => usage!("{}: {error}", study.info().title),
    }
}
