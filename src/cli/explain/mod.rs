//! `analyze explain`: why a position has its value.

mod solved;

pub(super) use solved::explain_solved;

use super::failure::Failure;
use super::options::{BoardOptions, PositionOptions, Running, with_game};
use super::session::Session;
use crate::export::Words;
use crate::games::line::{GraphEstimate, LineGame, Rules};
use crate::registry::study_of;

/// Why a position has its value: plans in words, and drawn on the board
///
/// Connect Four: the exact value, best play until a plan holds, and the plan: where its follower
/// answers each stone of the other side, which cells each side gets, the threat it waits for. A
/// plan needs no search, and what is said of it was played through against every line. Boards
/// larger than 64 bits have no plans.
///
/// Tic-tac-toe and the other games: forks, forced replies, and the shortest win as a tree, from
/// the solution of all positions below.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze explain connect4 44444326            a position, by the columns played so far
  analyze explain connect4 --size 5x6          why the second player draws this board
  analyze explain connect4 444443265 --json    all that is known of the plan, as data
  analyze explain ttt 152                      a forced reply
  analyze explain nim 1,2,4                    a game of another kind
  analyze explain connect4 --board ......./......./......./...X.../...O.../...X...")]
pub(super) struct Args {
    /// The game
    #[arg(value_enum)]
    game: Rules,
    #[command(flatten)]
    pub position: PositionOptions,
    #[command(flatten)]
    pub board: BoardOptions,
    #[command(flatten)]
    pub running: Running,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.game.stones_fall() {
        return super::explain_by_plans(args);
    }
    let game = args.board.game(args.game)?;
    let root = with_game!(game, game => {
        let root = args.position.position(&game)?;
        let what = format!("the tree of {}", game.size());
        let remedy = "Take a smaller board or a later POSITION";
        Session::check_memory(&what, GraphEstimate::of_graph(&game, root), remedy)?;
        root
    });
    explain_solved(study_of(&game, root).as_ref(), Words::Lines, &args.running)
}
