//! `analyze sample`: random positions with their exact values, as a data set.

use super::prelude::*;
use super::session::oracle_mib;
use super::values::one_of_those;
use everyply_files::disk::{FileError, all_in_directory};
use everyply_results::database::DatabaseLock;
use everyply_results::export::{
    Draw, ExportError, Manifest, ManifestedFile, PositionFormat, Ranges, Sample, SampleFile,
};

/// Random positions with exact values and best moves, as a data set
///
/// Draws unfinished positions by random games from the start of a game, or from POSITION, each once
/// up to symmetry; values them exactly; and writes them in the columns of `analyze export`, sorted by
/// ply and key. The same seed gives the same bytes, with any number of threads.
///
/// DIR gets the file and its manifest: how it was made, rows by ply and outcome, rules, columns and
/// SHA-256. Values go to the database as they are found, so that the same command continues after
/// Ctrl-C or a kill.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze sample connect4 --plies 8-30 --number 50000
  analyze sample connect4 --plies 16-28 --number 50000 --all-moves --format parquet --split 0.8,0.1
  analyze sample connect4 --plies 8-30 --number 50000 --balance
  analyze sample ttt --number 500 --uniform         every position as likely as any other
  analyze sample dots --number 10 --per-ply --plies 2-8 --seed 7")]
pub(super) struct SampleArgs {
    #[command(flatten)]
    game: GameOptions,
    /// How many positions; their images are not counted
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=Draw::MOST as i64))]
    number: usize,
    /// Draw N positions of each ply
    #[arg(long)]
    per_ply: bool,
    /// Plies to draw from: 8, 0-8 or 4,6-8 [default: all]
    #[arg(long, value_name = "PLIES")]
    plies: Option<Ranges>,
    /// Seed of the draw
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Draw every position with the same chance, instead of by random games: all positions are
    /// solved first, so this is for games that fit memory
    #[arg(long)]
    uniform: bool,
    /// Also write the value of every move
    #[arg(long)]
    all_moves: bool,
    /// Write every image of a position that the symmetries of its game make
    #[arg(long)]
    mirror: bool,
    /// Leave out positions at random until won, drawn and lost ones are equal in number: all N are valued,
    /// and fewer are written
    #[arg(long)]
    balance: bool,
    /// Write this share of the positions, drawn at random, to train, and the rest to test; the second of
    /// two shares, such as 0.8,0.1, goes to validation
    #[arg(long, value_name = "SHARES", value_parser = shares)]
    split: Option<Shares>,
    /// The format
    #[arg(long, value_parser = one_of_those::<PositionFormat>(|format| format.exchange().is_none()),
          default_value = "csv", value_name = "FORMAT")]
    format: PositionFormat,
    /// Write into this directory; made if it is missing [default: GAME-sample]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Database to store values in, and to take stored ones from; made if it is missing
    #[arg(long, value_name = "FILE", default_value = "everyply.db", conflicts_with = "no_db")]
    db: PathBuf,
    /// Keep no values: an interrupted run begins anew
    #[arg(long)]
    no_db: bool,
    #[command(flatten)]
    running: Running,
}

type Shares = Vec<(&'static str, f64)>;

fn shares(text: &str) -> Result<Shares, String> {
    let shares: Option<Vec<f64>> = text.split(',').map(|share| share.trim().parse().ok()).collect();
    let names: &[&'static str] = match shares.as_deref() {
        Some([_]) => &["train", "test"],
        Some([_, _]) => &["train", "validation", "test"],
        _ => &[],
    };
    let mut shares = shares.unwrap_or_default();
    let rest = 1.0 - shares.iter().sum::<f64>();
    // What is left of 0.9 and 0.1 is a rounding error.
    if names.is_empty() || shares.iter().any(|share| *share <= 0.0) || rest.is_nan() || rest < 1e-9
    {
        return Err(
            "shares are one or two numbers above 0, together below 1: 0.9 or 0.8,0.1".to_owned()
        );
    }
    shares.push(rest);
    Ok(names.iter().copied().zip(shares).collect())
}

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Document")]
pub(super) struct SampleFilesDocument<'a> {
    directory: String,
    files: &'a [Manifest],
    /// The values kept, unless there is no database.
    database: Option<WriteSummary>,
}

pub(super) fn run(args: &SampleArgs, command: &str, registry: &Registry) -> Result<(), Failure> {
    let position = args.game.position(registry)?;
    let root = position.as_ref();
    check(root, args.plies.as_ref())?;
    let session = Session::start(&args.running)?;
    let out = args.out.clone().unwrap_or_else(|| format!("{}-sample", root.info().name).into());
    check_folder(&out)?;
    let mut draw = Draw {
        number: args.number,
        per_ply: args.per_ply,
        plies: args.plies.clone(),
        seed: args.seed,
        uniform: None,
    };
    if args.uniform {
        root.check().map_err(Failure::usage)?;
        let remedy = "Leave out --uniform, or take a smaller board";
        let most = Session::check_graph(root, remedy)? / root.bytes(false) as f64;
        draw.uniform = Some(most as u64);
    }
    let drawn = session.work("drawing", "positions", |control| {
        Sample::draw(root, &draw, (args.all_moves, args.mirror), control)
    });
    let failed = |error, kept: &str| failure(error, args.number, &session, kept);
    let mut sample = drawn.map_err(|error| failed(error, "; nothing was written"))?;
    let ending = args.format.ending();
    let mut files = begin(&out, args.split.as_deref(), ending)?;
    let mut known = OracleFiles::default();
    let mut lock = None;
    let mut kept = Run::unkept();
    if !args.no_db {
        let database = Database::create_or_open(&args.db).map_err(output::failed)?;
        lock = Some(DatabaseLock::take(&args.db).map_err(output::failed)?);
        if database.games().map_err(output::failed)?.contains(&root.game_id()) {
            known = OracleFiles::open(std::slice::from_ref(&args.db))?;
        }
        let (file, id) = ((database, &*args.db), root.game_id());
        kept = Run::begin_in_file(file, &id, (command, &session), output::failed)?;
    }
    let oracle = Oracle::new(known.with_whole_values_only(), oracle_mib());
    let written = session.work("solving", "positions", |control| {
        let keep = &mut |rows| kept.send(rows);
        if args.balance {
            sample.balance(&oracle, session.threads, control, keep)?;
        }
        sample.write(args.format, &mut files, &oracle, session.threads, control, keep)
    });
    let more = match args.no_db {
        true => "; nothing was written",
        false => ", and the same command continues from there",
    };
    let mut database = None;
    if let Err(ExportError::Stopped(_)) | Ok(_) = &written {
        // A database that takes no more has stopped the work: its error comes first.
        database = kept.finish(&session, more)?;
    }
    let mut manifests = written.map_err(|error| failed(error, more))?;
    drop((oracle, lock));
    for (SampleFile { file, .. }, manifest) in files.into_iter().zip(&mut manifests) {
        file.commit(manifest)?;
    }
    let directory = out.display().to_string();
    let document = SampleFilesDocument { directory, files: &manifests, database };
    text::print_result(args.running.json, &document, || {
        let lines = manifests.iter().map(|m| text::written(&out.join(&m.file), m));
        let database = database.map(|summary| output::added(summary, &args.db));
        lines.collect::<String>() + &database.unwrap_or_default()
    })
}

/// Refuses choices that a game or a format does not have, before any work.
fn check(root: &dyn Position, plies: Option<&Ranges>) -> Result<(), Failure> {
    check_keys(root)?;
    if root.result().is_some() {
        return Err(usage!("POSITION: the game is over, so that no position follows"));
    }
    if !root.info().has_tiers && plies.is_some() {
        return Err(usage!(
            "--plies: play of {} may be endless or too long for its positions to have plies: leave it out",
            root.info().name
        ));
    }
    if let (Some(plies), Some(left)) = (plies, root.plies_left()) {
        let first = u32::from(root.tier().0);
        let last = first + left - 1;
        if !(first..=last).any(|ply| u8::try_from(ply).is_ok_and(|ply| plies.contains(ply))) {
            return Err(usage!(
                "--plies {plies}: positions from here on that are not over have plies {first} to {last}"
            ));
        }
    }
    Ok(())
}

/// Refuses a folder with the files of another sample: files that this one does not replace would be
/// taken for its own.
fn check_folder(out: &Path) -> Result<(), Failure> {
    let files = out.read_dir().into_iter().flatten().flatten().map(|entry| entry.file_name());
    let of_a_sample = |name: &std::ffi::OsString| {
        let stem = name.to_str().and_then(|name| name.split('.').next());
        matches!(stem, Some("positions" | "train" | "validation" | "test"))
    };
    files.filter(of_a_sample).min().map_or(Ok(()), |name| {
        Err(usage!(
            "{}: a sample is there already ({}); choose another directory (--out DIR), or remove it",
            out.display(),
            name.display()
        ))
    })
}

/// Creates the files of a sample, so that a place that cannot be written is refused before the work.
fn begin(
    out: &Path,
    split: Option<&[(&'static str, f64)]>,
    ending: &str,
) -> Result<Vec<SampleFile>, FileError> {
    let parts: Vec<Option<(&'static str, f64)>> = match split {
        Some(parts) => parts.iter().copied().map(Some).collect(),
        None => vec![None],
    };
    let name =
        |part: &Option<_>| format!("{}.{ending}", part.map_or("positions", |(name, _)| name));
    let names: Vec<String> = parts.iter().map(name).collect();
    let files = all_in_directory(out, &names.iter().map(String::as_str).collect::<Vec<_>>())?;
    let begin = |(file, part)| Ok(SampleFile { file: ManifestedFile::of(file)?, part });
    files.into_iter().zip(parts).map(begin).collect()
}

fn failure(error: ExportError, number: usize, session: &Session, kept: &str) -> Failure {
    match error {
        ExportError::Stopped(_)
        | ExportError::NoValue(OracleError::Stopped(_))
        | ExportError::Unsolved(SolveError::Stopped(_)) => session.interrupted(kept),
        ExportError::TooFew { are_all, .. } => {
            let remedy = match are_all {
                true => "ask for fewer, or for more plies",
                false => "ask for fewer, for more plies, or with --uniform",
            };
            usage!("--number {number}: {error}; {remedy}")
        }
        ExportError::Unsolved(error) => usage!("--uniform: {error}"),
        ExportError::NoValue(OracleError::Engine { .. }) => Failure::usage(error),
        error @ ExportError::NoPosition { .. } => Failure::Mismatch(error.to_string()),
        error => error.into(),
    }
}
