//! `analyze units`: a whole board as units of work, for clusters that have a scheduler of their own.

mod make;
mod plan;

use clap::Subcommand;

use super::connect4::{self, board_of_64_bits};
use super::failure::Failure;
use super::options::BoardOptions;
use crate::connect_four::profiles::Board;

/// A whole board as units of work, for job arrays and schedulers of any kind
///
/// Every tier of the board, the positions with as many stones, is cut into units. Each is made from
/// units of the tier next to it, by any process that reaches the folder or bucket they are kept in;
/// to make one twice, or at the same time, does no harm. `python -m everyply.cluster` does all of
/// this by itself.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze units plan connect4 --size 7x6
  analyze units make connect4 --size 5x5 --work /shared/5x5 --tier alive-00
  analyze units make connect4 --size 5x5 --work /shared/5x5 --tier alive-12 --share 3/16
  analyze units discard connect4 --size 5x5 --work /shared/5x5 --tier values-13
  analyze units finish connect4 --size 5x5 --work /shared/5x5 --out 5x5.solution")]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Plan(plan::Args),
    Make(make::Make),
    Discard(make::Discard),
    Finish(make::Finish),
}

/// The board of a plan.
#[derive(Debug, clap::Args)]
struct PlanOptions {
    /// The game
    #[arg(value_enum)]
    game: connect4::Only,
    #[command(flatten)]
    board: BoardOptions,
    /// Most MiB of a unit, for one of the bits that a value has; what a folder was begun with stays
    /// [default: 128]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    unit_size: Option<u64>,
}

/// MiB of a unit where nothing else is asked for.
const UNIT_MIB: u64 = crate::connect_four::profiles::UNIT_BYTES >> 20;

impl PlanOptions {
    fn board(&self) -> Result<Board, Failure> {
        let size = board_of_64_bits(&self.board)?;
        Board::new(size).map_err(Failure::usage)
    }

    fn unit_bytes(&self) -> u64 {
        self.unit_size.unwrap_or(UNIT_MIB) << 20
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match &args.action {
        Action::Plan(args) => plan::run(args),
        Action::Make(args) => make::make(args),
        Action::Discard(args) => make::discard(args),
        Action::Finish(args) => make::finish(args),
    }
}
