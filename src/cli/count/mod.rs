//! `analyze count`: exact counts per ply.

mod report;

use super::prelude::*;
use super::work_folder::{WorkOptions, failed_pass};
use everyply_connect_four::profiles::{self, Board, Extent, Storage};
use everyply_core::exhaustive::{Histories, Plies};
use everyply_core::game::Ply;
use everyply_registry::registry::Branch;
use everyply_results::export::write_plies;
pub(super) use report::CountDocument;

/// Exact counts per ply: histories (perft), games, positions
///
/// Counts move sequences (perft), games that end, distinct positions, positions up to symmetry, and
/// finished positions.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze count connect4 --plies 11                 perft 0 to 11 and positions
  analyze count connect4 --plies 11 --method walk   the same perft, node by node
  analyze count connect4 --size 5x4 --values        a whole board, with outcomes
  analyze count connect4 4453 --plies 8 --divide    the nodes below each move
  analyze count ttt --size 4x4 --line 4")]
pub(super) struct CountArgs {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Method {
    /// Profiles for Connect Four from the empty board, with histories as well if they take seconds;
    /// positions for everything else
    Auto,
    /// Find the distinct positions ply by ply; histories are the paths that lead to them
    Positions,
    /// Walk every history: no memory, no position counts, and much slower on larger trees
    Walk,
    /// Whole Connect Four boards on bit arrays: positions without histories, by far the fastest
    Profiles,
}

/// The most positions in two neighbouring plies for which histories are counted beside profiles.
const FEW: f64 = 6e6;

/// The most plies that a database keeps counts of.
const MOST: u32 = 64;

/// The count that a command line asks for.
struct CountTask<'a> {
    args: &'a CountArgs,
    position: Box<dyn Position>,
    plies: u32,
    method: Method,
    /// Bytes that may be used.
    memory: u64,
}

/// The counts of a position, by one of the methods.
#[derive(Default)]
struct Counted {
    plies: Vec<PlyCounts>,
    histories: Option<Histories>,
    profiles: Option<profiles::Counts>,
    /// True if every game ends within the plies counted.
    complete: bool,
    /// The nodes of the last ply below each move, with `--divide`.
    divided: Option<Vec<Divided>>,
}

#[derive(Clone, Debug, JsonSchema, Serialize)]
struct Divided {
    #[serde(rename = "move")]
    text: String,
    nodes: u64,
}

pub(super) fn run(args: &CountArgs, command: &str, registry: &Registry) -> Result<(), Failure> {
    let position = args.game.position(registry)?;
    let plies = plies_to_count(position.as_ref(), args.plies)?;
    let method = choose(position.as_ref(), args.method, args.values)?;
    let task = CountTask { args, position, plies, method, memory: args.room.memory() as u64 };
    let storage = task.prepare()?;
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.output.csv.as_deref(), ["count-plies.csv"])?;
    let id = task.position.game_id();
    let run = Run::begin(&args.output, &id, (command, &session), |_| Ok(()))?;

    let begun = Instant::now();
    let found = match task.counted(storage, &session) {
        Ok(found) => found,
        Err(Failure::Interrupted(_)) => {
            return run.finish(&session, &args.room.kept()).map(drop);
        }
        Err(failure) => return Err(failure),
    };
    let document = CountDocument::new(&task, &found, &session, begun.elapsed());
    let kept = Kept::after(args.running.json, &document, || document.text(&task, &found));
    run.write(|writer| writer.ply_counts(&found.plies));
    let database = run.finish(&session, "").map(|summary| {
        let path = summary.and(args.output.database()).map(Path::display);
        let plies = counted(found.plies.len() as u64, "ply");
        path.map_or_else(String::new, |path| format!("database   {path}: counts of {plies}\n"))
    });
    let of = OfRun::new(task.position.as_ref(), session.threads);
    let tables = |[file]: [NewFile; 1]| {
        Ok(vec![output::write_table(file, |file| write_plies(file, &of, &found.plies))?])
    };
    kept.and(database).tables(files, tables).end()
}

/// The number of plies to count: to the end of every game unless --plies is less.
fn plies_to_count(position: &dyn Position, asked: Option<u32>) -> Result<u32, Failure> {
    let info = position.info();
    match (asked, asked.into_iter().chain(position.plies_left()).min()) {
        (_, None) => Err(usage!(
            "play of {} may be endless: say with --plies N how many plies to count",
            info.name
        )),
        (None, _) if !info.has_keys => Err(usage!(
            "positions of {} are not kept, so that every history is walked: say with --plies N how many \
             plies to count",
            info.title
        )),
        (_, Some(plies @ ..=MOST)) => Ok(plies),
        (Some(_), Some(plies)) => Err(usage!("--plies {plies}: at most {MOST} are counted")),
        (None, Some(plies)) => Err(usage!(
            "play may take {plies} plies: say with --plies N how many to count, {MOST} at most"
        )),
    }
}

fn choose(position: &dyn Position, asked: Method, values: bool) -> Result<Method, Failure> {
    let possible = position.lines().is_some_and(|(rules, _)| rules.stones_fall())
        && position.identity() == position.start().identity();
    match asked {
        // Positions whose keys do not fit 64 bits cannot be kept.
        Method::Auto if !position.info().has_keys && !values => Ok(Method::Walk),
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

/// The failure of a count that was stopped, or does not fit memory.
fn failed(error: SolveError, session: &Session) -> Failure {
    match error {
        SolveError::Stopped(_) => session.interrupted(""),
        SolveError::Plies(most) => {
            usage!("{error} (--plies {most}), or histories alone with --method walk")
        }
        error => Failure::usage(error),
    }
}

impl CountTask<'_> {
    /// The tables for a board that has profiles.
    fn board(&self) -> Result<Board, Failure> {
        Board::new(Size::of_parameters(self.position.info().parameters)).map_err(Failure::usage)
    }

    /// Checks that the work fits, and returns the storage for profiles.
    fn prepare(&self) -> Result<Option<Box<dyn Storage>>, Failure> {
        let CountArgs { room, values, .. } = self.args;
        if self.method == Method::Profiles {
            let board = self.board()?;
            let need = board.estimate(self.plies as usize);
            let in_memory = if *values { need.solve } else { need.count };
            return room.storage(board.size(), in_memory, &need).map(Some);
        }
        if self.method == Method::Positions {
            room.memory_alone()?;
            if *values {
                let remedy = "Count without --values, or take a smaller board";
                Session::check_graph(self.position.as_ref(), remedy)?;
            }
        }
        Ok(None)
    }

    fn counted(
        &self,
        storage: Option<Box<dyn Storage>>,
        session: &Session,
    ) -> Result<Counted, Failure> {
        let counted = match storage {
            Some(storage) => self.by_profiles(storage, session),
            None => self.one_by_one(session),
        };
        let divided = self.args.divide.then_some(self.plies.checked_sub(1)).flatten();
        let divided = |_: &Counted| divided.map(|below| self.divided(below, session)).transpose();
        counted.and_then(|counted| Ok(Counted { divided: divided(&counted)?, ..counted }))
    }

    /// Counts by profiles, and histories as well if they are few.
    fn by_profiles(
        &self,
        storage: Box<dyn Storage>,
        session: &Session,
    ) -> Result<Counted, Failure> {
        let (plies, board) = (self.plies, self.board()?);
        let extent = match (self.args.values, self.args.plies) {
            (true, _) => Extent::WholeWithValues,
            (false, Some(_)) => Extent::Plies(plies as u8),
            (false, None) => Extent::Whole,
        };
        let counts = session.work("counting profiles", "profiles", |control| {
            profiles::count(&board, extent, &*storage, control)
        });
        let counts = counts.map_err(|error| failed_pass(error, || session.interrupted("")))?;
        drop(storage);
        let estimate = self.position.count_estimate(plies);
        let are_few = estimate.is_some_and(|estimate| estimate.positions <= FEW);
        let complete = self.position.plies_left() == Some(plies);
        let (mut plies, mut histories) = (counts.plies.clone(), None);
        if are_few && self.args.method == Method::Auto {
            let of_tree = self.by_positions(session, "counting histories")?;
            for (ply, of_tree) in plies.iter_mut().zip(&of_tree.counts) {
                let [profiles, paths] =
                    [&*ply, of_tree].map(|c| (c.positions, c.canonical, c.terminal));
                if profiles != paths {
                    return Err(mismatch!(
                        "ply {}: profiles count {profiles:?} and paths {paths:?}: please report this as a bug",
                        ply.ply
                    ));
                }
                (ply.nodes, ply.games) = (of_tree.nodes, of_tree.games);
            }
            histories = Some(of_tree.histories);
        }
        Ok(Counted { plies, histories, profiles: Some(counts), complete, divided: None })
    }

    fn by_positions(&self, session: &Session, label: &str) -> Result<Plies, Failure> {
        let count = |control: &Control| self.position.count(self.plies, self.memory, control);
        session.work(label, "positions", count).map_err(|error| failed(error, session))
    }

    fn one_by_one(&self, session: &Session) -> Result<Counted, Failure> {
        let Self { position, plies, .. } = self;
        // On a board of stones, plies are counted from the empty one.
        let first = position.lines().map_or(0, |_| position.tier().0);
        let stopped = |_: Stopped| session.interrupted("");
        let counted = if self.method == Method::Walk {
            let walk = |control: &Control| position.walk(*plies, control);
            let histories = session.work("walking the tree", "parts", walk).map_err(stopped)?;
            let walked = (first..).zip(histories.plies()).map(|(ply, counted)| PlyCounts {
                ply: Ply(ply),
                nodes: Some(counted.nodes),
                games: Some(counted.games.games),
                ..PlyCounts::default()
            });
            let complete = position.plies_left().is_some_and(|left| *plies >= left);
            Plies { counts: walked.collect(), histories, complete, ..Plies::default() }
        } else if self.args.values {
            let most = self.memory / position.bytes(false);
            let solve = |control: &Control| position.solve(most, control);
            let solved = session.work("solving", "positions", solve);
            let solved = solved.map_err(|error| failed(error, session))?;
            let count = |control: &Control| solved.plies(*plies, control);
            session.work("counting plies", "positions", count).map_err(stopped)?
        } else {
            let mut counted = self.by_positions(session, "finding positions")?;
            counted.counts.iter_mut().for_each(|counts| counts.ply.0 += first);
            counted
        };
        let Plies { counts, histories, complete, .. } = counted;
        Ok(Counted { plies: counts, histories: Some(histories), complete, ..Counted::default() })
    }

    /// The nodes below each move, `below` plies deeper.
    fn divided(&self, below: u32, session: &Session) -> Result<Vec<Divided>, Failure> {
        let divided = |branch: Branch, control: &Control| -> Result<Divided, SolveError> {
            let histories = match self.method {
                Method::Positions => branch.to.count(below, self.memory, control)?.histories,
                // Needs little memory, like the methods themselves.
                _ => branch.to.walk(below, control)?,
            };
            let nodes = histories.plies().get(below as usize).map_or(0, |ply| ply.nodes);
            Ok(Divided { nodes, text: branch.text })
        };
        let moves = session.work("dividing", "positions", |control| {
            let branches = self.position.branches().into_iter();
            branches.map(|branch| divided(branch, control)).collect::<Result<_, _>>()
        });
        moves.map_err(|error| failed(error, session))
    }
}
