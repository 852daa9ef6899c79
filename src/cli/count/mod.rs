//! `analyze count`: exact counts per ply.

mod report;

use super::prelude::*;
use super::work_folder::{WorkOptions, failed_pass};
use everyply_connect_four::profiles::{self, Board, Extent, Storage};
use everyply_core::exhaustive::{Histories, Plies};
use everyply_core::game::Ply;
use everyply_registry::registry::Branch;
use everyply_results::export::write_plies;
pub(super) use report::Document;

/// Exact counts per ply: histories (perft), games, positions
///
/// Counts move sequences (perft), games that end, distinct positions, positions
/// up to symmetry, finished positions.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze count connect4 --plies 11                 perft 0 to 11 and positions
  analyze count connect4 --plies 11 --method walk   the same perft, node by node
  analyze count connect4 --size 5x4 --values        a whole board, with outcomes
  analyze count connect4 4453 --plies 8 --divide    the nodes below each move
  analyze count ttt --size 4x4 --line 4")]
pub(super) struct Args {
    #[command(flatten)]
    game: GameOptions,
    /// Plies to count below the position [default: to the end of every game]
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// Also count the nodes of the last ply below each move, to find the move where another
    /// program's counts differ
    #[arg(long, requires = "plies")]
    divide: bool,
    /// The method
    #[arg(long, value_enum, default_value_t = Method::Auto, value_name = "M")]
    method: Method,
    /// Also count wins, draws and losses for the side to move; needs the whole tree
    #[arg(long, conflicts_with = "plies")]
    values: bool,
    #[command(flatten)]
    room: WorkOptions,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    running: Running,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, schemars::JsonSchema, serde::Serialize,
)]
#[serde(rename_all = "kebab-case")]
enum Method {
    /// Profiles for Connect Four from the empty board, with histories as well where they take
    /// seconds; positions for everything else
    Auto,
    /// Find the distinct positions ply by ply; histories are the paths that lead to them
    Positions,
    /// Walk every history: no memory, no position counts, and much slower on larger trees
    Walk,
    /// Whole Connect Four boards on bit arrays: positions without histories, by far the fastest
    Profiles,
}

/// Histories are counted beside profiles up to this number of positions in two neighbouring plies.
const FEW: f64 = 6e6;

/// The most plies that a database keeps counts of.
const MOST: u32 = 64;

/// The counts of a position, by one of the methods.
#[derive(Default)]
struct Counted {
    plies: Vec<PlyCounts>,
    /// Histories, if they were counted.
    histories: Option<Histories>,
    /// The counts on profiles, if those were used.
    profiles: Option<profiles::Counts>,
    /// True if every game ends within the plies counted.
    complete: bool,
    /// The nodes of the last ply below each move, if they were asked for.
    divided: Option<Vec<Divided>>,
}

#[derive(Clone, Debug, schemars::JsonSchema, serde::Serialize)]
struct Divided {
    #[serde(rename = "move")]
    text: String,
    nodes: u64,
}

/// What is to be counted, once the command line is read.
struct CountTask {
    position: Box<dyn Position>,
    plies: u32,
    /// True if no number of plies was given.
    is_whole: bool,
    method: Method,
    /// True if histories are counted beside profiles where they are few.
    with_few_histories: bool,
    values: bool,
    divide: bool,
    /// Bytes that may be used.
    memory: u64,
}

impl CountTask {
    /// The tables for the board, if it is one with profiles.
    fn board(&self) -> Result<Board, Failure> {
        Board::new(Size::of_parameters(self.position.info().parameters)).map_err(Failure::usage)
    }
}

/// The failure of a count that was stopped, or does not fit.
fn failed(error: SolveError, session: &Session) -> Failure {
    match error {
        SolveError::Stopped(_) => session.interrupted(""),
        SolveError::Plies(most) => {
            usage!("{error} (--plies {most}), or histories alone with --method walk")
        }
        error => Failure::usage(error),
    }
}

pub(super) fn run(args: &Args, command: &str, registry: &Registry) -> Result<(), Failure> {
    let position = args.game.position(registry)?;
    let plies = plies_to_count(position.as_ref(), args.plies)?;
    let method = choose(position.as_ref(), args.method, args.values)?;
    let task = CountTask {
        position,
        plies,
        is_whole: args.plies.is_none(),
        method,
        with_few_histories: args.method == Method::Auto,
        values: args.values,
        divide: args.divide,
        memory: args.room.memory() as u64,
    };
    let storage = prepare(&task, &args.room)?;
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.output.csv.as_deref(), ["count-plies.csv"])?;
    let (id, command) = (task.position.game_id(), (command, &session));
    let run = Run::begin(&args.output, &id, command, |_| Ok(()))?;

    let begun = Instant::now();
    let counted = match storage {
        Some(storage) => with_profiles(&task, storage, &session),
        None => count(&task, &session),
    };
    let counted = match counted.and_then(|counted| divided(&task, counted, &session)) {
        Ok(counted) => counted,
        Err(Failure::Interrupted(_)) => {
            return run.finish(&session, &args.room.kept()).map(drop);
        }
        Err(failure) => return Err(failure),
    };
    let elapsed = begun.elapsed();
    let document = Document::new(&task, &counted, &session, elapsed);
    let kept = Kept::after(args.running.json, &document, || document.text(&task, &counted));
    if let Some(writer) = run.writer() {
        // If the writer has failed, the end of the run reports the error.
        let _ = writer.ply_counts(&counted.plies);
    }
    let summary = run.finish(&session, "");
    let plies = counted.plies.len() as u64;
    let database = summary.map(|summary| summary.and(args.output.database()));
    let line = |database: Option<&Path>| {
        database.map_or_else(String::new, |path| counts_line(plies, path))
    };
    let kept = kept.and(database.map(line));
    let of = OfRun::new(task.position.as_ref(), session.threads);
    let tables = |[file]: [NewFile; 1]| {
        Ok(vec![output::write_table(file, |file| write_plies(file, &of, &counted.plies))?])
    };
    kept.tables(files, tables).end()
}

/// The line about the counts of plies sent to a database.
fn counts_line(plies: u64, database: &Path) -> String {
    format!("database   {}: counts of {}\n", database.display(), counted(plies, "ply"))
}

/// The number of plies to count: to the end of every game unless --plies is less.
fn plies_to_count(position: &dyn Position, asked: Option<u32>) -> Result<u32, Failure> {
    let left = position.plies_left();
    let Some(plies) = asked.into_iter().chain(left).min() else {
        return Err(usage!(
            "play of {} may be endless: say with --plies N how many plies to count",
            position.info().name
        ));
    };
    if asked.is_none() && !position.info().has_keys {
        return Err(usage!(
            "positions of {} are not kept, so that every history is walked: say with --plies N how many \
             plies to count",
            position.info().title
        ));
    }
    if plies > MOST {
        return Err(match asked {
            Some(_) => usage!("--plies {plies}: at most {MOST} are counted"),
            None => usage!(
                "play may take {plies} plies: say with --plies N how many to count, {MOST} at most"
            ),
        });
    }
    Ok(plies)
}

fn choose(position: &dyn Position, asked: Method, values: bool) -> Result<Method, Failure> {
    let asked = match asked {
        // Keys that do not fit 64 bits name no positions that are kept.
        Method::Auto if !position.info().has_keys && !values => Method::Walk,
        asked => asked,
    };
    let possible = position.lines().is_some_and(|(rules, _)| rules.stones_fall())
        && position.identity() == position.start().identity();
    match asked {
        Method::Auto if possible => Ok(Method::Profiles),
        Method::Auto | Method::Positions => check_keys(position).map(|()| Method::Positions),
        Method::Profiles if !possible => Err(usage!(
            "--method profiles: only boards in which stones fall have profiles, and only from the \
             empty board; use --method positions",
        )),
        Method::Walk if values => Err(usage!(
            "--values: a walk keeps no positions to find the values of; use another --method",
        )),
        method => Ok(method),
    }
}

/// Checks that the work fits, and gives the storage for profiles.
fn prepare(task: &CountTask, room: &WorkOptions) -> Result<Option<Box<dyn Storage>>, Failure> {
    if task.method == Method::Profiles {
        let board = task.board()?;
        let need = board.estimate(task.plies as usize);
        let in_memory = if task.values { need.solve } else { need.count };
        return room.storage(board.size(), in_memory, &need).map(Some);
    }
    if task.method == Method::Positions {
        room.memory_alone()?;
        if task.values {
            let remedy = "Count without --values, or take a smaller board";
            Session::check_graph(task.position.as_ref(), remedy)?;
        }
    }
    Ok(None)
}

/// Counts on profiles, and histories beside them where they are few.
fn with_profiles(
    task: &CountTask,
    storage: Box<dyn Storage>,
    session: &Session,
) -> Result<Counted, Failure> {
    let plies = task.plies;
    let board = task.board()?;
    let extent = match (task.values, task.is_whole) {
        (true, _) => Extent::WholeWithValues,
        (false, false) => Extent::Plies(plies as u8),
        (false, true) => Extent::Whole,
    };
    let counts = session.work("counting profiles", "profiles", |control| {
        profiles::count(&board, extent, &*storage, control)
    });
    let counts = counts.map_err(|error| failed_pass(error, || session.interrupted("")))?;
    drop(storage);
    let estimate = task.position.count_estimate(plies);
    let few = estimate.is_some_and(|estimate| estimate.positions <= FEW);
    let complete = task.position.plies_left() == Some(plies);
    let mut counted = Counted { plies: counts.plies.clone(), complete, ..Counted::default() };
    if few && task.with_few_histories {
        let of_tree = by_positions(task, session, "counting histories")?;
        for (ply, of_tree) in counted.plies.iter_mut().zip(&of_tree.counts) {
            let same = |c: &PlyCounts| (c.positions, c.canonical, c.terminal);
            if same(ply) != same(of_tree) {
                return Err(mismatch!(
                    "ply {}: profiles count {:?} and paths {:?}: please report this as a bug",
                    ply.ply,
                    same(ply),
                    same(of_tree)
                ));
            }
            (ply.nodes, ply.games) = (of_tree.nodes, of_tree.games);
        }
        counted.histories = Some(of_tree.histories);
    }
    Ok(Counted { profiles: Some(counts), ..counted })
}

fn by_positions(task: &CountTask, session: &Session, label: &str) -> Result<Plies, Failure> {
    let count = |control: &Control| task.position.count(task.plies, task.memory, control);
    session.work(label, "positions", count).map_err(|error| failed(error, session))
}

/// Counts by positions, or by a walk.
fn count(task: &CountTask, session: &Session) -> Result<Counted, Failure> {
    let CountTask { position, plies, method, .. } = task;
    // On a board of stones, plies are counted from the empty one.
    let first = position.lines().map_or(0, |_| position.tier().0);
    let complete = position.plies_left().is_some_and(|left| *plies >= left);
    let stopped = |_: Stopped| session.interrupted("");
    let Plies { counts, histories, complete, .. } = if *method == Method::Walk {
        let walk = |control: &Control| position.walk(*plies, control);
        let histories = session.work("walking the tree", "parts", walk).map_err(stopped)?;
        let walked = (first..).zip(histories.plies()).map(|(ply, counted)| PlyCounts {
            ply: Ply(ply),
            nodes: Some(counted.nodes),
            games: Some(counted.games.games),
            ..PlyCounts::default()
        });
        Plies { counts: walked.collect(), histories, complete, ..Plies::default() }
    } else if task.values {
        let most = task.memory / position.bytes(false);
        let solve = |control: &Control| position.solve(most, control);
        let solved = session.work("solving", "positions", solve);
        let solved = solved.map_err(|error| failed(error, session))?;
        let count = |control: &Control| solved.plies(*plies, control);
        session.work("counting plies", "positions", count).map_err(stopped)?
    } else {
        let mut counted = by_positions(task, session, "finding positions")?;
        counted.counts.iter_mut().for_each(|counts| counts.ply.0 += first);
        counted
    };
    Ok(Counted { plies: counts, histories: Some(histories), complete, ..Counted::default() })
}

/// Adds the nodes of the last ply below each move, if they are asked for.
fn divided(task: &CountTask, mut counted: Counted, session: &Session) -> Result<Counted, Failure> {
    let CountTask { position, plies, method, .. } = task;
    if let (true, Some(below)) = (task.divide, plies.checked_sub(1)) {
        let nodes = |position: &dyn Position, control: &Control| -> Result<u64, SolveError> {
            let histories = match method {
                Method::Positions => position.count(below, task.memory, control)?.histories,
                // In little memory, as the methods themselves.
                _ => position.walk(below, control)?,
            };
            Ok(histories.plies().get(below as usize).map_or(0, |ply| ply.nodes))
        };
        let moves = session.work("dividing", "positions", |control| {
            let divided = |branch: Branch| {
                Ok(Divided { nodes: nodes(branch.to.as_ref(), control)?, text: branch.text })
            };
            position.branches().into_iter().map(divided).collect::<Result<_, SolveError>>()
        });
        counted.divided = Some(moves.map_err(|error| failed(error, session))?);
    }
    Ok(counted)
}
