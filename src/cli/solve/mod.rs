//! `analyze solve`: a strong solution of a whole game, in one file.

mod game;
mod plan;

pub(in crate::cli) use {
    game::Document, game::Plan as GamePlanDocument, plan::Document as PlanDocument,
};

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::failure::{Failure, usage};
use crate::cli::game_options::GameOptions;
use crate::cli::options::{Running, check_keys};
use crate::cli::text;
use crate::cli::work_folder::WorkOptions;
use everyply_core::game::TierId;
use everyply_core::statistics::counted;
use everyply_registry::registry::{Position, Registry};

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
/// number their positions (--plan lists tiers) take --work too, and their files hold positions that no
/// play reaches as well; all others are solved in memory, and files of those whose play may be endless
/// leave out what the rules decide. The result says what the file holds.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze solve connect4 --size 5x5 --out 5x5.solution
  analyze solve connect4 --size 6x5 --out 6x5.solution --work /tmp/6x5
  analyze solve connect4 --size 7x6 --plan
  analyze solve morris --men 3 --out morris-3.solution
  analyze solve morris --men 7 --out morris-7.solution --work /tmp/morris-7
  analyze query 5x5.solution 3342")]
pub(super) struct Args {
    #[command(flatten)]
    game: GameOptions,
    /// The file to write. With --work it may be left out: the folder then has all that a later run needs
    /// for the file
    #[arg(long, value_name = "FILE", required_unless_present_any = ["plan", "work"])]
    out: Option<PathBuf>,
    /// Solve nothing: print what to expect. Of Connect Four, the units that --work cuts the board into,
    /// their bytes, and the time; of other games positions, memory and the file, and tiers and time if
    /// the game numbers its positions
    #[arg(long)]
    plan: bool,
    /// Solve only this tier of a game that numbers its positions, and those that its moves lead to;
    /// --plan lists them
    #[arg(long, value_name = "NAME")]
    tier: Option<String>,
    #[command(flatten)]
    room: WorkOptions,
    #[command(flatten)]
    running: Running,
}

/// A work folder that has all of a game, so that a later run only writes the file.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Filled {
    work: String,
}

impl Args {
    /// Prints the result of a run without a file.
    fn print_filled(&self, study: &dyn Position) -> Result<(), Failure> {
        let work = self.room.folder().map_or_else(String::new, |work| work.display().to_string());
        text::print_result(self.running.json, &Filled { work: work.clone() }, || {
            format!(
                "{}\n\nfolder     {work} has all values: --out FILE writes them\n",
                study.info().title
            )
        })
    }
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let study = args.game.study(&registry.with_many_moves())?;
    check_keys(study.as_ref())?;
    match &args.tier {
        Some(tier) => game::run(args, first_of(study.as_ref(), tier)?.as_ref()),
        None => game::run(args, study.as_ref()),
    }
}

/// The first position of a tier.
fn first_of(study: &dyn Position, name: &str) -> Result<Box<dyn Position>, Failure> {
    let refuse = |why: &str| usage!("--tier {name}: {why}");
    let tiers = study.ranked_tiers();
    if tiers.is_empty() {
        return Err(refuse(&format!("{} has no tiers; leave it out", study.info().title)));
    }
    if study.identity() != study.start().identity() {
        return Err(refuse("it takes the place of POSITION: leave one of them out"));
    }
    let found = (0u32..).zip(&tiers).find(|(_, tier)| tier.name == name);
    let (id, tier) = found.ok_or_else(|| {
        refuse(&format!("{} has no such tier: `--plan` lists them", study.info().title))
    })?;
    let first = (0..tier.ranks).find_map(|rank| study.of_rank(TierId(id), rank));
    first.ok_or_else(|| refuse("it has no positions"))
}

/// The last lines about a written file.
fn last_lines(out: &Path, bytes: u64, bits_per_position: f64, time: &str) -> String {
    let (out, bytes) = (out.display(), counted(bytes, "byte"));
    format!("file       {out}: {bytes}, {bits_per_position:.3} bits a position\n{time}\n")
}
