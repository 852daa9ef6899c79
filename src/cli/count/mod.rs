//! `analyze count`: exact counts per ply.

mod report;

use std::time::Instant;

use super::failure::Failure;
use super::options::{BoardOptions, OutputOptions, PositionOptions, Running, with_game};
use super::output::{self, Run};
use super::session::Session;
use super::text;
use super::work_folder::{WorkOptions, failed_pass};
use crate::connect_four::profiles::{self, Board, Extent, Storage};
use crate::control::{Control, Stopped};
use crate::exhaustive::{Histories, Plies, PositionGraph, Solution, count_plies, walk};
use crate::export::write_plies;
use crate::game::Ply;
use crate::games::line::{GraphEstimate, LineGame, Rules, Stones};
use crate::statistics::PlyCounts;
use report::Document;

/// Exact counts per ply: histories (perft), games, positions
///
/// Counts move sequences (perft), games that end, distinct positions, positions
/// up to symmetry, finished positions.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze count connect4 --plies 11                 perft 0 to 11 and positions
  analyze count connect4 --plies 11 --method walk   the same perft, node by node
  analyze count connect4 --size 5x4 --values        a whole board, with outcomes
  analyze count ttt --size 4x4 --line 4")]
pub(super) struct Args {
    /// The game
    #[arg(value_enum)]
    game: Rules,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    board: BoardOptions,
    /// Plies to count below the position [default: to the end of every game]
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// How to count
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

/// How to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
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

/// Histories are counted beside profiles up to this many positions in two neighbouring plies.
const FEW: f64 = 6e6;

/// The CSV file of a run.
pub(super) const CSV_FILES: [&str; 1] = ["count-plies.csv"];

/// What was counted.
struct Counted {
    plies: Vec<PlyCounts>,
    /// Where histories were counted.
    histories: Option<Histories>,
    /// Where profiles were used.
    profiles: Option<profiles::Counts>,
}

pub(super) fn run(args: &Args, command: &str) -> Result<(), Failure> {
    with_game!(args.board.game(args.game)?, game => run_game(game, args, command))
}

fn run_game<G: LineGame>(game: G, args: &Args, command: &str) -> Result<(), Failure> {
    let root = args.position.position(&game)?;
    let plies = args.plies.unwrap_or(u32::MAX).min(game.plies_left(root));
    let method = choose(&game, root, args)?;
    let storage = prepare(&game, root, plies, method, args)?;
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.output.csv.as_deref(), CSV_FILES)?;
    let (database, unkept) = output::open(&args.output)?;
    let run = Run::begin(database, &game.game_id(), command, &session)?;

    let begun = Instant::now();
    let counted = match storage {
        Some(storage) => {
            let counted = with_profiles(&game, plies, args, storage, &session);
            if let Err(Some(failure)) = counted {
                return Err(failure);
            }
            counted.ok()
        }
        None => count(game, root, plies, method, args, &session).ok(),
    };
    let Some(counted) = counted else {
        return run.finish(&session).map(drop).map_err(|failure| match failure {
            Failure::Interrupted(message) => Failure::Interrupted(message + &args.room.kept()),
            failure => failure,
        });
    };
    let elapsed = begun.elapsed();
    if let Some(writer) = run.writer() {
        // If the writer has failed, ending the run says why.
        let _ = writer.ply_counts(&counted.plies);
    }
    run.finish(&session)?;
    if let Some([file]) = files {
        output::write_file(file, |file| write_plies(file, &counted.plies))?;
    }
    let document = Document::new(&game, root, args, method, &counted, &session, elapsed);
    text::print_result(args.running.json, &document, || document.text(&game, root, &counted))
        .and(unkept)
}

/// The method for a root.
fn choose<G: LineGame>(game: &G, root: Stones, args: &Args) -> Result<Method, Failure> {
    let possible = Board::serves(game) && root == game.initial();
    match args.method {
        Method::Auto if possible => Ok(Method::Profiles),
        Method::Auto => Ok(Method::Positions),
        Method::Profiles if !possible => Err(Failure::usage(
            "--method profiles: only boards in which stones fall have profiles, and only from the \
             empty board; use --method positions",
        )),
        Method::Walk if args.values => Err(Failure::usage(
            "--values: a walk keeps no positions to find the values of; use another --method",
        )),
        method => Ok(method),
    }
}

/// Checks that the work fits, and gives the storage for profiles.
fn prepare<G: LineGame>(
    game: &G,
    root: Stones,
    plies: u32,
    method: Method,
    args: &Args,
) -> Result<Option<Box<dyn Storage>>, Failure> {
    match method {
        Method::Profiles => {
            let board = Board::new(game.size()).map_err(Failure::usage)?;
            let need = board.estimate(plies as usize);
            let in_memory = if args.values { need.solve } else { need.count };
            args.room.storage(game.size(), in_memory, need.folder).map(Some)
        }
        Method::Positions | Method::Auto => {
            let what = format!("{} to ply {}", game.size(), u32::from(root.ply().0) + plies);
            let estimate = if args.values {
                GraphEstimate::of_graph(game, root)
            } else {
                GraphEstimate::of_count(game, root, plies)
            };
            let remedy = "Ask for fewer --plies, or for histories alone with --method walk";
            Session::check_memory(&what, estimate, remedy).map(|()| None)
        }
        Method::Walk => Ok(None),
    }
}

/// Counts on profiles, and histories beside them where they are few. No failure means stopped.
fn with_profiles<G: LineGame>(
    game: &G,
    plies: u32,
    args: &Args,
    storage: Box<dyn Storage>,
    session: &Session,
) -> Result<Counted, Option<Failure>> {
    let board = Board::new(game.size()).map_err(|error| Some(Failure::usage(error)))?;
    let extent = match (args.values, args.plies) {
        (true, _) => Extent::WholeWithValues,
        (false, Some(_)) => Extent::Plies(plies as u8),
        (false, None) => Extent::Whole,
    };
    let counts = session.work("counting profiles", "profiles", |control| {
        profiles::count(&board, extent, &*storage, control)
    });
    let counts = counts.map_err(failed_pass)?;
    drop(storage);
    let few = GraphEstimate::of_count(game, game.initial(), plies).positions <= FEW;
    let wanted = few && args.method == Method::Auto;
    let mut merged = counts.plies.clone();
    let histories = wanted.then(|| {
        session.work("counting histories", "positions", |control| {
            count_plies(game, game.initial(), Ply(0), plies, |_| None, control)
        })
    });
    let histories = match histories {
        None => None,
        Some(Err(Stopped)) => return Err(None),
        Some(Ok(Plies { counts, histories, .. })) => {
            for (ply, of_tree) in merged.iter_mut().zip(&counts) {
                let same = |c: &PlyCounts| (c.positions, c.canonical, c.terminal);
                if same(ply) != same(of_tree) {
                    return Err(Some(Failure::Mismatch(format!(
                        "ply {}: profiles count {:?} and paths {:?}: please report this as a bug",
                        ply.ply,
                        same(ply),
                        same(of_tree)
                    ))));
                }
                (ply.nodes, ply.games) = (of_tree.nodes, of_tree.games);
            }
            Some(histories)
        }
    };
    Ok(Counted { plies: merged, histories, profiles: Some(counts) })
}

fn count<G: LineGame>(
    game: G,
    root: Stones,
    plies: u32,
    method: Method,
    args: &Args,
    session: &Session,
) -> Result<Counted, Stopped> {
    let counted = |plies: Vec<PlyCounts>, histories: Histories| Counted {
        plies,
        histories: Some(histories),
        profiles: None,
    };
    if method == Method::Walk {
        let histories = session
            .work("walking the tree", "parts", |control| walk(&game, root, plies, control))?;
        return Ok(counted(walked_counts(root, &histories), histories));
    }
    if !args.values {
        let Plies { counts, histories, .. } =
            session.work("finding positions", "positions", |control: &Control| {
                count_plies(&game, root, root.ply(), plies, |_| None, control)
            })?;
        return Ok(counted(counts, histories));
    }
    let graph = session.work("finding positions", "positions", |control: &Control| {
        PositionGraph::build(game, root, control)
    })?;
    let solution =
        session.work("solving backwards", "positions", |control| Solution::of(graph, control))?;
    Ok(counted(solution.counts().to_vec(), solution.histories().clone()))
}

fn walked_counts(root: Stones, histories: &Histories) -> Vec<PlyCounts> {
    (root.ply().0..)
        .zip(histories.plies())
        .map(|(ply, counted)| PlyCounts {
            ply: Ply(ply),
            nodes: Some(counted.nodes),
            games: Some(counted.games.games),
            ..PlyCounts::default()
        })
        .collect()
}
