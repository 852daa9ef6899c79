//! `analyze solve`: a strong solution of a whole game, in one file.

mod game;
mod plan;

pub(in crate::cli) use game::{Filled, SolveDocument};
pub(in crate::cli) use plan::Plan;

use super::prelude::*;
use crate::cli::work_folder::WorkOptions;
use everyply_connect_four::profiles::Board;
use everyply_core::game::TierId;
use game::SolveTask;

/// Strong solution of a whole game, in one file
///
/// The file holds outcome and remoteness of every position, compressed, for `analyze query`,
/// `verify`, `export`, `report`, `play` and `serve`. It appears whole or not at all; --out may be a
/// link, but no device or pipe.
///
/// Connect Four: whole boards, larger than memory too with --work. Any number of processes, on machines
/// that share its folder, solve a board together.
///
/// All other games: every position that the start, or POSITION, leads to, up to symmetry. Games that
/// number their positions (--plan lists tiers) take --work too, and their files hold unreachable
/// positions as well; all others are solved in memory, and if play may be endless, their files leave
/// out positions that the rules decide. The result says what the file holds.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze solve connect4 --size 5x5 --out 5x5.solution
  analyze solve connect4 --size 6x5 --out 6x5.solution --work /tmp/6x5
  analyze solve connect4 --size 7x6 --plan
  analyze solve morris --men 3 --out morris-3.solution
  analyze solve morris --men 7 --out morris-7.solution --work /tmp/morris-7
  analyze query 5x5.solution 3342")]
pub(super) struct SolveArgs {
    #[command(flatten)]
    game: GameOptions,
    /// The file to write. With --work it may be left out: the folder then has all that a later run needs
    /// for the file
    #[arg(long, value_name = "FILE", required_unless_present_any = ["plan", "work"])]
    out: Option<PathBuf>,
    /// Solve nothing: print what to expect. For Connect Four: the units that --work cuts the board into,
    /// their bytes, and the time; for other games: positions, memory and the file, and tiers and time if
    /// the game numbers its positions
    #[arg(long)]
    plan: bool,
    /// Solve only this tier of a game that numbers its positions, and the tiers that its moves lead to;
    /// --plan lists them
    #[arg(long, value_name = "NAME")]
    tier: Option<String>,
    #[command(flatten)]
    room: WorkOptions,
    #[command(flatten)]
    running: Running,
}

pub(super) fn run(args: &SolveArgs, registry: &Registry) -> Result<(), Failure> {
    let mut position = args.game.position(registry)?;
    check_keys(position.as_ref())?;
    if let Some(tier) = &args.tier {
        position = first_of(position.as_ref(), tier)?;
    }
    let position = position.as_ref();
    position.check().map_err(Failure::usage)?;
    let board = board_of(position)?;
    let takes_folder = board.is_some() || !position.ranked_tiers().is_empty();
    let memory = if takes_folder { args.room.memory() } else { args.room.memory_alone()? } as u64;
    if args.plan {
        return plan::run(position, board.as_ref(), memory, &args.running);
    }
    let task = SolveTask { position, out: args.out.as_deref(), work: &args.room, memory };
    task.run(board.as_ref(), &args.running)
}

/// The board of a game that the engine of bit arrays solves whole; an error for a later position.
fn board_of(position: &dyn Position) -> Result<Option<Board>, Failure> {
    let Some((_, size)) = position.lines().filter(|(rules, _)| rules.stones_fall()) else {
        return Ok(None);
    };
    if position.identity() != position.start().identity() {
        return Err(usage!(
            "POSITION: Connect Four is solved from the empty board; leave it out, or ask `analyze \
             connect4 POSITION`",
        ));
    }
    Board::new(size).map(Some).map_err(Failure::usage)
}

fn first_of(position: &dyn Position, name: &str) -> Result<Box<dyn Position>, Failure> {
    let refuse = |why: &str| usage!("--tier {name}: {why}");
    let tiers = position.ranked_tiers();
    if tiers.is_empty() {
        return Err(refuse(&format!("{} has no tiers; leave it out", position.info().title)));
    }
    if position.identity() != position.start().identity() {
        return Err(refuse("it takes the place of POSITION: leave one of them out"));
    }
    let found = (0u32..).zip(&tiers).find(|(_, tier)| tier.name == name);
    let (id, tier) = found.ok_or_else(|| {
        refuse(&format!("{} has no such tier: `--plan` lists them", position.info().title))
    })?;
    let first = (0..tier.ranks).find_map(|rank| position.of_rank(TierId(id), rank));
    first.ok_or_else(|| refuse("it has no positions"))
}
