//! `analyze export`: the content of a database, a solution file or an opening book, in formats of
//! other programs.

mod positions;
mod values;

pub(in crate::cli) use values::Tables;

use std::path::{Path, PathBuf};

use super::failure::{Failure, usage};
use super::game_filter::{Fit, GameFilter};
use super::input;
use super::options::Running;
use crate::cli::values::one_of;
use everyply_core::game::{GameId, Outcome};
use everyply_registry::registry::{Position, Registry};
use everyply_results::export::{PositionFormat, PositionSource, Ranges, Selection};

/// Files from a database, a solution file or an opening book: positions or counts
///
/// With --format: the positions and their values, sorted, in one file, byte for byte the same from
/// the same content; beside it a manifest (FILE.manifest.json) with rows, rules, perspective, index
/// base and SHA-256. Both appear whole or not at all. If the database holds several games, --game
/// chooses one; without it, the game that has the format is taken, and of its boards the usual one. A
/// solution file gives every position that it holds: of a game that numbers its positions also those
/// that no play reaches, which have no moves; an opening book those up to its ply whose game is not over.
///
/// With --csv: how many positions each tier of a solution file has of each value, values.csv; of any
/// game but Connect Four. `analyze sql` writes the tables of a database.
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("what").required(true).args(["csv", "format"]),
    after_help = "Examples:
  analyze export everyply.db --format csv --all-moves      every position, everyply.csv
  analyze export book.db --format parquet --plies 0-8      plies 0 to 8
  analyze export 5x5.solution --format csv --plies 10 --outcome win
  analyze export book.db --format pons --remoteness 20-42  what takes long
  analyze export book.db --format uci --out connect-4.data the rows of UCI's data set
  analyze export ttt.db --format uci --out ttt.data        those of UCI's tic-tac-toe
  analyze export morris.solution --csv tables              positions by tier and value
docs/formats.md describes the formats; `analyze convert` leads from one to another."
)]
pub(super) struct Args {
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    game: GameFilter,
}

/// The options of the content and the files.
#[derive(Debug, clap::Args)]
struct Wanted {
    /// The database, the solution file or the opening book
    file: PathBuf,
    /// Write the positions in this format
    #[arg(long, value_parser = one_of::<PositionFormat>(), value_name = "FORMAT")]
    format: Option<PositionFormat>,
    /// The file to write [default: FILE's name with the format's ending, in the current directory]
    #[arg(long, value_name = "FILE", requires = "format")]
    out: Option<PathBuf>,
    /// Plies to write: 8, 0-8 or 4,6-8 [default: all; uci: 8]
    #[arg(long, value_name = "PLIES", requires = "format")]
    plies: Option<Ranges>,
    /// Outcomes to write, for the side to move: win, draw, loss [default: all]
    #[arg(long, value_name = "OUTCOMES", requires = "format", value_delimiter = ',',
          value_parser = outcome)]
    outcome: Vec<Outcome>,
    /// Distances to the end to write, in plies, as in --plies [default: all, and unknown ones]
    #[arg(long, value_name = "PLIES", requires = "format")]
    remoteness: Option<Ranges>,
    /// Write every image of a position that the symmetries of its game make: in Connect Four the
    /// mirror image
    #[arg(long, requires = "format")]
    mirror: bool,
    /// Also write the value of every move, if it is stored or in the opening book of this program
    /// (csv, jsonl, parquet)
    #[arg(long, requires = "format")]
    all_moves: bool,
    /// Write values.csv into this directory; made if it is missing
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    running: Running,
}

impl Wanted {
    fn selection(&self) -> Selection {
        Selection {
            plies: self.plies.clone(),
            outcomes: self.outcome.clone(),
            remoteness: self.remoteness.clone(),
            mirror: self.mirror,
            all_moves: self.all_moves,
        }
    }
}

fn outcome(text: &str) -> Result<Outcome, String> {
    Outcome::of_word(text).ok_or_else(|| format!("'{text}' is no outcome: write win, draw or loss"))
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let wanted = &args.wanted;
    let file = input::open_values(&wanted.file)?;
    if let (Some(directory), Some(solution)) = (&wanted.csv, file.solution())
        && solution.board().is_none()
    {
        return values::run(args, solution, directory, &registry.with_many_moves());
    }
    let Some(format) = wanted.format else {
        let tables = match file.database() {
            Some(_) => "whose tables `analyze sql` writes; use --format for positions",
            None => "which has no tables; use --format",
        };
        let (path, kind) = (wanted.file.display(), file.kind());
        return Err(usage!("--csv: {path} is {kind}, {tables}"));
    };
    if let Some(database) = file.database() {
        database.check_structure().map_err(Failure::runtime)?;
    }
    let fit = |_: &GameId, start: &dyn Position| match positions::check(wanted, format, start) {
        Err(_) => Ok(Fit::Not),
        Ok(()) => Ok(Fit::of(true)),
    };
    let (_, start) = args.game.choose_for(&wanted.file, &file.games(), registry, fit)?;
    let source = PositionSource::new(start, file).map_err(Failure::runtime)?;
    positions::run(wanted, format, source)
}

/// FILE's name with another ending, in the current directory.
fn default_name(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}
