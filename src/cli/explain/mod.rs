//! `analyze explain`: why a position has its value.

mod connect4;
mod solved;

pub(super) use solved::{Words, explain_solved};

use super::failure::Failure;
use super::options::{BoardOptions, PositionOptions, Running, with_game};
use crate::games::line::Rules;

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
  analyze explain ttt 159                      a forced reply
  analyze explain nim 1,2,4                    a game of another kind
  analyze explain connect4 --board ......./......./......./...X.../...O.../...X...")]
pub(super) struct Args {
    /// The game
    #[arg(value_enum)]
    game: Rules,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    running: Running,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match args.game {
        Rules::ConnectFour => connect4::run(args),
        Rules::Mnk => {
            let game = args.board.game(Rules::Mnk)?;
            let root = with_game!(game, game => args.position.position(&game)?);
            explain_solved(game.study(root).as_ref(), Words::Lines, &args.running)
        }
    }
}
