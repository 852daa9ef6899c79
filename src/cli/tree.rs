//! `analyze tree`: the tree that a search visits, as a picture.

use super::options::threads;
use super::prelude::*;
use super::session::oracle_mib;
use everyply_core::search::MoveOrder;
use everyply_results::export::{Scoring, SearchTree, SearchTreeError, TreeSettings};

/// The tree that minimax or alpha-beta visits, node by node, as a picture for a slide
///
/// Searches N plies below a position. Positions at that depth have their exact values, which the
/// search backs up. Scores are for the first player throughout, nodes stand in the order of the search,
/// and branches that alpha-beta cuts off are crossed out, with the window [alpha, beta] at that moment.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze tree ttt --plies 3 --up-to-symmetry --format svg --out tree.svg
  analyze tree ttt --board XOX/O.O/..X --plies 3 --prune alpha-beta
  analyze tree nim 1,2 --plies 3 --prune alpha-beta --order best
  analyze tree connect4 44444 --plies 2 --format dot | dot -Tpng > tree.png")]
pub(super) struct TreeArgs {
    #[command(flatten)]
    game: GameOptions,
    /// Plies below the position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    plies: u32,
    /// The search
    #[arg(long, value_enum, default_value = "none", value_name = "PRUNE")]
    prune: Prune,
    /// The order in which the moves of a node are searched, by their exact values
    #[arg(long, value_parser = one_of::<MoveOrder>(), default_value = "natural", value_name = "ORDER")]
    order: MoveOrder,
    /// Search only one of the moves that lead to images of one position
    #[arg(long)]
    up_to_symmetry: bool,
    /// The scores, which count plies from the position searched
    #[arg(long, value_parser = one_of::<Scoring>(), default_value = Scoring::default().name(), value_name = "S")]
    scoring: Scoring,
    /// The form of the tree
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    format: TreeFormat,
    /// Write to this file [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Worker threads [default: all]
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<usize>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// The pruning of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Prune {
    /// Minimax
    None,
    /// Alpha-beta
    AlphaBeta,
}

/// The forms of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TreeFormat {
    /// A node a line, moves below each other
    Text,
    /// A picture for a slide
    #[cfg(feature = "report")]
    Svg,
    /// The language of Graphviz
    Dot,
}

pub(super) fn run(args: &TreeArgs, registry: &Registry) -> Result<(), Failure> {
    let position = args.game.position(registry)?;
    let position = position.as_ref();
    check_keys(position)?;
    let file = args.out.as_deref().map(NewFile::create).transpose()?;
    let TreeArgs { threads, quiet, .. } = *args;
    let session = Session::start(&Running { threads, quiet, ..Running::default() })?;
    let oracle = Oracle::new(OracleFiles::default(), oracle_mib());
    let settings = TreeSettings {
        plies: args.plies,
        prune: args.prune == Prune::AlphaBeta,
        order: args.order,
        up_to_symmetry: args.up_to_symmetry,
        scoring: args.scoring,
    };
    let tree = session.work("searching", "nodes", |control| {
        SearchTree::search(position, settings, &oracle, control)
    });
    let tree = tree.map_err(|error| match error {
        SearchTreeError::TooLarge => usage!(
            "--plies {}: {error}; take fewer, --up-to-symmetry, --prune alpha-beta, or a later \
             POSITION",
            args.plies
        ),
        SearchTreeError::NoValue(_) if session.control.is_asked_to_stop() => {
            session.interrupted("")
        }
        error @ SearchTreeError::NoValue(_) => Failure::usage(error),
    })?;
    let written = match args.format {
        TreeFormat::Text => tree.text(args.prune == Prune::AlphaBeta),
        #[cfg(feature = "report")]
        TreeFormat::Svg => super::tree_picture::search_tree(&tree, position.start().as_ref()),
        TreeFormat::Dot => tree.dot(),
    };
    match file {
        None => text::print(&written),
        Some(file) => output::write_file(file, |file| Ok(file.write_all(written.as_bytes())?)),
    }
}
