//! `analyze count`: exact counts per ply.

use std::fmt::Write;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::failure::Failure;
use super::options::{BoardOptions, GameName, Keeping, PositionOptions, Running, with_game};
use super::session::Session;
use super::store::{self, Run};
use super::text;
use super::ttt::ply_table;
use crate::control::{Control, Stopped};
use crate::database::GameId;
use crate::exhaustive::{FullBoard, Games, Histories, Solution, Tree, walk};
use crate::export::{PlyRow, write_plies};
use crate::game::notation::picture;
use crate::game::{Game, Ply, Stones};
use crate::statistics::PlyCounts;

/// Counts per ply, exactly: move sequences (perft), games that end, distinct positions, positions
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
    game: GameName,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    board: BoardOptions,
    /// Plies to count below the position [default: to the end of every game]
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// How to count
    #[arg(long, value_enum, default_value_t = Method::Positions, value_name = "M")]
    method: Method,
    /// Also count wins, draws and losses for the side to move; needs the whole tree
    #[arg(long, conflicts_with_all = ["plies", "method"])]
    values: bool,
    #[command(flatten)]
    keeping: Keeping,
    #[command(flatten)]
    running: Running,
}

/// How histories are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Find the distinct positions ply by ply; histories are the paths that lead to them
    Positions,
    /// Walk every history: no memory, no position counts, and much slower on larger trees
    Walk,
}

/// The CSV file of a run.
pub(super) const CSV_FILES: [&str; 1] = ["count-plies.csv"];

pub(super) fn run(args: &Args, command: &str) -> Result<(), Failure> {
    with_game!(args.board.game(args.game)?, game => run_game(game, args, command))
}

fn run_game<G: Game>(game: G, args: &Args, command: &str) -> Result<(), Failure> {
    let root = args.position.position(&game)?;
    let plies = args.plies.unwrap_or(u32::MAX).min(game.plies_left(root));
    if args.method == Method::Positions {
        let what = format!("{} to ply {}", game.size(), u32::from(root.ply().0) + plies);
        let estimate = if args.values {
            Tree::estimate_build(&game, root)
        } else {
            Tree::estimate_count(&game, root, plies)
        };
        let remedy = "Ask for fewer --plies, or for histories alone with --method walk";
        Session::check_memory(&what, estimate, remedy)?;
    }
    // Listens for Ctrl-C before any file is begun.
    let session = Session::start(&args.running)?;
    let files = store::csv_files(args.keeping.csv.as_deref(), CSV_FILES)?;
    let database = store::open(&args.keeping)?;
    let run = Run::begin(database, &GameId::of(&game), command, &session)?;

    let begun = Instant::now();
    let Ok((counts, histories)) = count(game, root, plies, args, &session) else {
        return run.finish(&session).map(drop);
    };
    let elapsed = begun.elapsed();
    if let Some(writer) = run.writer() {
        // If the writer has failed, ending the run says why.
        let _ = writer.ply_counts(&counts);
    }
    run.finish(&session)?;
    if let Some([file]) = files {
        store::write_file(file, |file| write_plies(file, &counts))?;
    }
    let whole = histories.plies().len() > game.plies_left(root) as usize || args.plies.is_none();
    let document = Document::new(&game, root, args, &counts, &histories, whole, &session, elapsed);
    if args.running.json {
        text::print_json(&document)
    } else {
        text::print(&document.text(&game, root, args, &counts))
    }
}

fn count<G: Game>(
    game: G,
    root: Stones,
    plies: u32,
    args: &Args,
    session: &Session,
) -> Result<(Vec<PlyCounts>, Histories), Stopped> {
    if args.method == Method::Walk {
        let histories = session
            .work("walking the tree", "parts", |control| walk(&game, root, plies, control))?;
        return Ok((walked_counts(root, &histories), histories));
    }
    let tree = session.work("finding positions", "positions", |control: &Control| {
        if args.values {
            Tree::build(game, root, control)
        } else {
            Tree::count(game, root, plies, control)
        }
    })?;
    if !args.values {
        return Ok((tree.counts().to_vec(), tree.histories().clone()));
    }
    let solution =
        session.work("solving backwards", "positions", |control| Solution::of(tree, control))?;
    Ok((solution.counts().to_vec(), solution.histories().clone()))
}

fn walked_counts(root: Stones, histories: &Histories) -> Vec<PlyCounts> {
    (root.ply().0..)
        .zip(histories.plies())
        .map(|(ply, counted)| PlyCounts {
            ply: Ply(ply),
            nodes: Some(counted.nodes),
            games: Some(counted.lines + counted.draws),
            ..PlyCounts::default()
        })
        .collect()
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    board: String,
    line: u8,
    position: String,
    threads: usize,
    elapsed_s: f64,
    method: &'static str,
    plies: Vec<PlyRow>,
    totals: Totals,
}

#[derive(Serialize)]
struct Totals {
    nodes: Option<u64>,
    games: Option<u64>,
    first_player_wins: Option<u64>,
    second_player_wins: Option<u64>,
    /// Drawn games (histories), as in the counts of `ttt`.
    drawn_games: Option<u64>,
    positions: Option<u64>,
    canonical: Option<u64>,
    terminal: Option<u64>,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    /// Orderings that fill the board, and their nodes, if wins did not stop play; whole trees.
    full_board_leaves: Option<u64>,
    full_board_nodes: Option<u64>,
}

impl Document {
    #[expect(clippy::too_many_arguments, reason = "the facts of one run, put together once")]
    fn new<G: Game>(
        game: &G,
        root: Stones,
        args: &Args,
        counts: &[PlyCounts],
        histories: &Histories,
        whole: bool,
        session: &Session,
        elapsed: Duration,
    ) -> Self {
        let known = |n: u64| (n != u64::MAX).then_some(n);
        let total = |f: fn(&PlyCounts) -> Option<u64>| {
            counts.iter().try_fold(0u64, |sum, c| sum.checked_add(f(c)?))
        };
        let Games { games, first_player_wins, second_player_wins, draws } = histories.games();
        let full = whole.then(|| FullBoard::count(game, root));
        Self {
            game: game.name(),
            board: game.size().board(),
            line: game.size().line,
            position: picture(game, root),
            threads: session.threads,
            elapsed_s: elapsed.as_secs_f64(),
            method: match args.method {
                Method::Positions => "positions",
                Method::Walk => "walk",
            },
            plies: counts.iter().map(PlyRow::from).collect(),
            totals: Totals {
                nodes: known(histories.nodes()),
                games: known(games),
                first_player_wins: known(first_player_wins),
                second_player_wins: known(second_player_wins),
                drawn_games: known(draws),
                positions: total(|c| c.positions),
                canonical: total(|c| c.canonical),
                terminal: total(|c| c.terminal),
                wins: total(|c| c.wins),
                draws: total(|c| c.draws),
                losses: total(|c| c.losses),
                full_board_leaves: full.and_then(|f| f.leaves),
                full_board_nodes: full.and_then(|f| f.nodes),
            },
        }
    }

    fn text<G: Game>(&self, game: &G, root: Stones, args: &Args, counts: &[PlyCounts]) -> String {
        let mut text = format!("{}, {}\n\n", text::title(game), text::situation(game, root));
        text.push_str(&ply_table(counts));
        let t = &self.totals;
        let _ = writeln!(
            text,
            "\ngames      {}: X wins {}, O wins {}, draws {}",
            text::count(t.games),
            text::count(t.first_player_wins),
            text::count(t.second_player_wins),
            text::count(t.drawn_games)
        );
        if t.full_board_nodes.is_some() || t.full_board_leaves.is_some() {
            let _ = writeln!(
                text,
                "if wins did not stop play: {} orderings fill the board, {} nodes",
                text::count(t.full_board_leaves),
                text::count(t.full_board_nodes)
            );
        }
        let time = text::seconds(Duration::from_secs_f64(self.elapsed_s));
        let _ = writeln!(text, "time       {time} on {} threads", self.threads);
        if args.method == Method::Walk {
            let leaves = counts.last().and_then(|c| c.nodes).unwrap_or(0) as f64;
            let rate = |n: f64| text::magnitude(n / self.elapsed_s.max(1e-9));
            let _ = writeln!(
                text,
                "rate       {} leaves/s, {} histories/s (the last two plies are counted on \
                 their parents' masks without being visited)",
                rate(leaves),
                rate(t.nodes.unwrap_or(0) as f64)
            );
        }
        text
    }
}
