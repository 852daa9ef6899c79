//! `analyze export`: the content of a database, a solution file or an opening book, in formats of
//! other programs.

use super::game_filter::{Fit, GameFilter};
use super::input;
use super::prelude::*;
use super::work_folder::failed_solution;
use everyply_registry::solutions::SolutionFile;
use everyply_results::export::{
    ExportError, Exported, ManifestedFile, Misfit, PositionFormat, PositionSource, Ranges,
    Selection, write_positions, write_value_counts,
};

/// Files from a database, a solution file or an opening book: positions or counts
///
/// With --format: the positions and their values, sorted, in one file, byte for byte the same for the
/// same content, and beside it a manifest (FILE.manifest.json) with rows, rules, perspective, index
/// base and SHA-256. Both appear whole or not at all. If the database holds several games, --game
/// chooses one; without it, the game that has the format is taken, on its usual board. A solution
/// file gives every position that it holds: if the game numbers its positions, unreachable ones too,
/// which have no moves; an opening book gives the unfinished positions up to its ply.
///
/// With --csv: values.csv, the number of positions by tier and value in a solution file of any game but
/// Connect Four. `analyze sql` writes the tables of a database.
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
pub(super) struct ExportArgs {
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
    game: GameFilter,
    #[command(flatten)]
    running: Running,
}

fn outcome(text: &str) -> Result<Outcome, String> {
    Outcome::of_word(text).ok_or_else(|| format!("'{text}' is no outcome: write win, draw or loss"))
}

pub(super) fn run(args: &ExportArgs, registry: &Registry) -> Result<(), Failure> {
    let ExportArgs { file: path, running, .. } = args;
    let file = input::open_values(path)?;
    if let (Some(directory), Some(solution)) = (&args.csv, file.solution())
        && solution.board().is_none()
    {
        let games = [solution.game_id().clone()];
        let (_, start) = args.game.choose_for(path, &games, registry, |_, _| Ok(Fit::Held))?;
        return count_values(&*start, solution, directory, running);
    }
    let Some(format) = args.format else {
        let tables = match file.database() {
            Some(_) => "whose tables `analyze sql` writes; use --format for positions",
            None => "which has no tables; use --format",
        };
        let (path, kind) = (path.display(), file.kind());
        return Err(usage!("--csv: {path} is {kind}, {tables}"));
    };
    if let Some(database) = file.database() {
        database.check_structure()?;
    }
    let selection = Selection {
        plies: args.plies.clone(),
        outcomes: args.outcome.clone(),
        remoteness: args.remoteness.clone(),
        mirror: args.mirror,
        all_moves: args.all_moves,
    };
    // Choices that a format does not have are refused before any work.
    let check = |game: &dyn Position| {
        selection.check(format, game).map_err(|Misfit { choice, why }| {
            let option = choice.map_or_else(String::new, |choice| format!("--{choice}: "));
            usage!("{option}--format {why}")
        })
    };
    let fit = |_: &GameId, start: &dyn Position| match check(start) {
        Err(_) => Ok(Fit::Not),
        Ok(()) => Ok(Fit::of(true)),
    };
    let (_, start) = args.game.choose_for(path, &file.games(), registry, fit)?;
    let source = PositionSource::new(start, file)?;
    check(source.start())?;
    let mut usual = path.file_stem().unwrap_or_default().to_owned();
    usual.push(format!(".{}", format.ending()));
    let out = args.out.clone().unwrap_or_else(|| usual.into());
    write(source, &selection, format, (path, &out), running)
}

fn write(
    source: PositionSource,
    selection: &Selection,
    format: PositionFormat,
    (from, out): (&Path, &Path),
    running: &Running,
) -> Result<(), Failure> {
    let id = source.game_id();
    let session = Session::start(running)?;
    let mut file = ManifestedFile::create(out)?;
    let to = &mut file;
    // A database cannot be shared by threads, so the work takes it.
    let written = session.work("exporting", "positions", move |control| {
        control.start(0);
        write_positions(&source, selection, format, to, control)
    });
    let Exported { mut manifest, left_out } = written.map_err(|error| match error {
        ExportError::File(error) => Failure::Runtime(
            anyhow::Error::from(error).context(format!("{} was not written", out.display())),
        ),
        ExportError::Stopped(_) => session.interrupted("; nothing was written"),
        error @ ExportError::NoPosition { .. } => mismatch!("{error}"),
        ExportError::Unsuitable(why) => Failure::Usage(why),
        error => error.into(),
    })?;
    let left_out = left_out.map(|reason| {
        let verb = if manifest.skipped == 1 { "was" } else { "were" };
        format!("{} {verb} left out: {reason}", counted(manifest.skipped, "position"))
    });
    if manifest.rows == 0 {
        let why = match &left_out {
            Some(left_out) => format!(" in this format ({left_out})"),
            None if manifest.filter.is_some() => " that the options choose".to_owned(),
            None => String::new(),
        };
        let from = from.display();
        return Err(usage!("{from} holds no position of {id} to write{why}: nothing was written"));
    }
    if session.control.is_asked_to_stop() {
        return Err(session.interrupted("; nothing was written"));
    }
    file.commit(&mut manifest)?;
    if let Some(left_out) = left_out {
        warn(&left_out);
    }
    text::print_result(running.json, &manifest, || {
        let rest = match manifest.complete {
            Some(false) => "not all of the data set: the rest is not stored, or not chosen\n",
            _ => "",
        };
        text::written(out, &manifest) + rest
    })
}

/// The table written.
#[derive(JsonSchema, Serialize)]
pub(super) struct Tables {
    files: [String; 1],
}

/// Writes the table of a solution file: its positions counted by tier and value.
fn count_values(
    start: &dyn Position,
    file: &SolutionFile,
    directory: &Path,
    running: &Running,
) -> Result<(), Failure> {
    let session = Session::start(running)?;
    let [out] = in_directory(directory, ["values.csv"])?;
    let counted =
        session.work("counting", "positions", |control| file.count_values(start, control));
    let counted = counted.map_err(|error| failed_solution(error, || session.interrupted("")))?;
    let path = out.path().display().to_string();
    output::write_file(out, |to| write_value_counts(to, &counted, file.is_scored()))?;
    let written = Tables { files: [path] };
    text::print_result(running.json, &written, || format!("{}\n", written.files[0]))
}
