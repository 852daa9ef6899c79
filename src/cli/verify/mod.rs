//! `analyze verify`: checks of databases, solution files and strategies.

mod document;

pub(in crate::cli) use document::{Documents, VerifyDocument};

use super::game_filter::{self, GameFilter};
use super::options::refused_size;
use super::prelude::*;
use super::work_folder::WorkOptions;
use super::{input, strategy};
use document::{AgainstDocument, SampleDocument, SolutionChecks};
use everyply_connect_four::formats::{InterchangeError, ValueFile, ValueFormat};
use everyply_core::game::Ply;
use everyply_core::games::line::on_board;
use everyply_registry::solutions::SolutionFile;
use everyply_results::verify::{self, Against, RowCounts, Sample, VerifyError};

/// Check of a database, a solution file, an opening book or a strategy
///
/// A database: first the file itself (pages, checksums, counts of rows), whose damage ends the check;
/// then every row, by the rules and against the rows its moves lead to; the rows per ply against exact
/// counts; a random sample solved anew; and, with --against, other people's values. If it holds several
/// games, all are checked unless --game and the options of a game choose.
///
/// A solution file: every checksum, and every value against the values of its children, which proves all
/// of them; for that a Connect Four board is solved once more, and files of other games are read into
/// memory, tier by tier if the game numbers its positions. With --sample, random positions are solved
/// anew instead.
///
/// An opening book: its checksum; that it has every position that a game reaches and no other; every
/// value before the last ply against the values of its moves; and a random sample solved anew.
///
/// A strategy, or a proof of an exact value: every plan is played against every line of the opponent,
/// and every exit must have an answer.
///
/// Exit code 3 if anything disagrees; all disagreements are listed, with both sides.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze verify everyply.db
  analyze verify book.db --sample 2000 --seed 7
  analyze verify book.db --against connect-4.data
  analyze verify ttt.db --against tic-tac-toe.data
  analyze verify book.db --against mine.txt --values-only
  analyze verify 5x5.solution
  analyze verify 6x6.solution --sample 10000
  analyze verify 6x5.book
  analyze verify 7x6.strategy
Files for --against: UCI's connect-4.data, or its tic-tac-toe.data (negative is a loss of X or a draw),
Pons' test lines, BitBully's three books. Images of a position count as one position. Positions that a
BitBully book leaves out are won (with distances: won at once); nothing is known of positions that
other files leave out.")]
pub(super) struct VerifyArgs {
    /// The database, the solution file, the opening book or the strategy
    file: PathBuf,
    /// Positions to solve anew, drawn at random, late ones more often: of a database or an opening
    /// book [default: 100, for at most a minute, or none with --against], or of a solution file,
    /// which is then not checked whole
    ///
    /// The cost: 100 positions of Connect Four 7x6 take seconds, as the built-in opening book has
    /// those of the first plies. Without a book early positions take minutes each. A given number is
    /// solved to the end, whatever the time; 0 solves none.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the draws: the same seed draws the same positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Compare a database with the values of another file
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Compare with that file alone, without the other checks of the database
    #[arg(long, requires = "against", conflicts_with = "sample")]
    values_only: bool,
    /// The format of that file [default: recognized by its content, if possible]
    #[arg(long, value_parser = one_of::<ValueFormat>(), value_name = "FORMAT", requires = "against")]
    against_format: Option<ValueFormat>,
    #[command(flatten)]
    game: GameFilter,
    #[command(flatten)]
    room: WorkOptions,
    #[command(flatten)]
    running: Running,
}

/// The default sample size, and the longest time for it.
const SAMPLE: (usize, Duration) = (100, Duration::from_secs(60));

/// MiB of the engine that solves positions anew.
const ENGINE: u64 = 256;

pub(super) fn run(args: &VerifyArgs, registry: &Registry) -> Result<(), Failure> {
    let file = StoredFile::open(&args.file).map_err(|error| match error {
        // Damage inside is a mismatch, an unreadable file is not.
        error if error.is_damage() => Failure::Mismatch(error.to_string()),
        error => input::failed_open(&error),
    })?;
    if args.against.is_some() && file.database().is_none() {
        return Err(usage!(
            "--against: {} is no database; of another file all values are checked, or a --sample",
            args.file.display()
        ));
    }
    let file = match file.into_strategies() {
        Ok(strategies) => return strategy::verify(&args.file, &strategies, &args.running),
        Err(file) => file,
    };
    let session = Session::start(&args.running)?;
    if let Some(database) = file.database() {
        let checked = if args.values_only { database.check_structure() } else { database.check() };
        checked.map_err(|error| failed(StoredError::from(error).into(), &session, ""))?;
    }
    let games = args.game.fitting(&args.file, &file.games(), registry)?;
    let several = games.len() > 1;
    if args.against.is_some() && several {
        // The other file is about one board.
        return Err(game_filter::ambiguous(&args.file, &games, registry));
    }
    let mut documents = Vec::new();
    for (i, id) in games.iter().enumerate() {
        let start = game_filter::stored(id, registry)?;
        let document = Check { args, start: &*start, file: &file, session: &session }.document()?;
        if !args.running.json {
            text::print(if i == 0 { "" } else { "\n" })?;
            text::print(&document.text(&*start, &session))?;
        }
        documents.push(document);
    }
    let wrong: Vec<Failure> = documents.iter().filter_map(|found| found.outcome().err()).collect();
    if args.running.json && several {
        let file = args.file.display().to_string();
        text::print_json(&Documents { file, games: documents })?;
    } else if args.running.json {
        text::print_json(&documents[0])?;
    }
    match wrong.len() {
        0 => Ok(()),
        n if several => {
            let (wrong, all) = (grouped(n as u64), games.len());
            Err(mismatch!("disagreements in {wrong} of {all} games"))
        }
        _ => wrong.into_iter().next().map_or(Ok(()), Err),
    }
}

/// The check of a game of a file.
struct Check<'a> {
    args: &'a VerifyArgs,
    start: &'a dyn Position,
    file: &'a StoredFile,
    session: &'a Session,
}

impl Check<'_> {
    fn document(&self) -> Result<VerifyDocument, Failure> {
        let Self { args, start, file, session } = *self;
        let mut document = VerifyDocument::new(start, args);
        let solution = file.solution();
        let (size, limit) = match (args.sample, solution.is_some() || args.against.is_some()) {
            (Some(size), _) => (size, None),
            (None, false) => (SAMPLE.0, Some(SAMPLE.1)),
            (None, true) => (0, None),
        };
        let mut sample = Sample::new(size, args.seed);
        // First, so that a file that cannot be read is refused before the other checks.
        if let Some(path) = &args.against {
            self.compare(path, &mut document)?;
        }
        let mut rows = Vec::new();
        if let Some(solution) = solution {
            rows = self.solution(solution, sample, &mut document)?;
        } else if !args.values_only {
            let found = session.work("checking rows", "positions", |control| {
                verify::check(file, start, &mut sample, control)
            });
            let mut found = found.map_err(|error| failed(error.into(), session, ""))?;
            let last = found.plies.last().map(|ply| Ply(ply.ply));
            let count = |last| {
                session.work("counting", "profiles", |control| start.count_tiers(last, control))
            };
            let exact = last.map(count).transpose().map_err(|_| session.interrupted(""))?;
            let exact = exact.unwrap_or_default();
            document.disagreements.append(&mut found.disagreements);
            verify::compare_counts(start, &mut found.plies, &exact, &mut document.disagreements);
            (document.rows, document.plies, rows) = (Some(found.rows), found.plies, found.sample);
        }
        if solution.is_none() || args.sample.is_some() {
            let oracle = Oracle::new(OracleFiles::default(), ENGINE);
            let searching = Control::part_of(&session.control);
            let resolved = session.work("solving the sample", "positions", |control| {
                control.start(rows.len() as u64);
                searching.limit(limit);
                verify::resolve(start, &rows, &oracle, [control, &searching])
            });
            let resolved = resolved.map_err(|error| failed(error.into(), session, ""))?;
            document.sample = Some(SampleDocument::new(args.seed, &resolved));
            document.disagreements.extend(resolved.disagreements);
        }
        document.elapsed_s = session.started.elapsed().as_secs_f64();
        Ok(document)
    }

    /// Compares the rows of a database with the values of another program.
    fn compare(&self, path: &Path, document: &mut VerifyDocument) -> Result<(), Failure> {
        let Self { args, start, file, session } = *self;
        let Some(board @ (rules, size)) = start.lines() else {
            return Err(usage!(
                "--against: the files of other programs are about Connect Four and tic-tac-toe"
            ));
        };
        let other =
            on_board!(rules, size, |game| ValueFile::open(path, args.against_format, &game));
        let other = other.map_err(refused_size)?.map_err(failed_other)?;
        let other = Against { file: other, name: path.display().to_string(), board };
        let compared = session.work("comparing", "records and positions", |control| {
            other.compare(file, start, control)
        });
        let compared = compared.map_err(|error| failed(error, session, ""))?;
        document.disagreements = compared.disagreements;
        document.rows = Some(RowCounts { positions: compared.stored, ..RowCounts::default() });
        let (format, counts) = (other.file.format().name(), compared.counts);
        document.against = Some(AgainstDocument { file: other.name, format, counts });
        Ok(())
    }

    /// Checks every checksum of a solution, and proves every value or draws a sample; returns the rows to be
    /// solved anew.
    fn solution(
        &self,
        solution: &SolutionFile,
        mut sample: Sample,
        document: &mut VerifyDocument,
    ) -> Result<Vec<PositionRow>, Failure> {
        let Self { args, start, file, session } = *self;
        let failed = |error: StoredError, kept: &str| failed(error.into(), session, kept);
        let (chunks, positions) = (solution.chunks() as u64, solution.positions());
        let mut checks = SolutionChecks { chunks, positions: Some(positions), proved: None };
        document.findings = format!(
            "checksums  {} are as they were written\npositions  {}: {}\n",
            counted(chunks, "chunk"),
            grouped(positions),
            solution.holds()
        );
        let mut drawn = Vec::new();
        if args.sample.is_some() {
            let sampled = session.work("checking chunks", "positions", |control| {
                solution.check(control)?;
                if solution.board().is_some() {
                    drawn = sample.of_games(file, start, control)?;
                    return Ok(());
                }
                file.visit(start, control, &mut |row, _| {
                    sample.offer(*row);
                    Ok(())
                })
            });
            sampled.map_err(|error| failed(error, ""))?;
        } else {
            let verified = match solution.board() {
                Some(board) => {
                    let need = board.estimate(usize::MAX);
                    let storage = args.room.storage(board.size(), need.solve, &need)?;
                    session.work("verifying", "profiles", |control| {
                        solution.verify_board(&*storage, control)
                    })
                }
                None => {
                    self.check_memory(solution.bytes_to_verify(start) as f64)?;
                    session
                        .work("verifying", "positions", |control| solution.verify(start, control))
                }
            };
            verified.map_err(|error| failed(error.into(), &args.room.kept()))?;
            let how = match solution.is_scored() {
                true => "have the points that solving them anew finds",
                false => "proved by their children",
            };
            document.findings += &format!("values     {} {how}\n", counted(positions, "position"));
            checks.proved = Some(positions);
        }
        document.solution = Some(checks);
        drawn.extend(sample.drawn());
        Ok(drawn)
    }

    fn check_memory(&self, need: f64) -> Result<(), Failure> {
        let allowed = self.args.room.memory_alone()?;
        if need <= allowed {
            return Ok(());
        }
        Err(usage!(
            "{}: {} of memory are needed, and {} are allowed: check a --sample",
            self.args.file.display(),
            text::bytes(need),
            text::bytes(allowed.min(available_memory())),
        ))
    }
}

/// The failure of a check; `kept` ends the message if it was stopped.
fn failed(error: VerifyError, session: &Session, kept: &str) -> Failure {
    match error {
        _ if session.control.is_asked_to_stop() => session.interrupted(kept),
        VerifyError::File(error) if error.is_damage() => Failure::Mismatch(error.to_string()),
        VerifyError::OtherFile(error) => failed_other(error),
        error => error.into(),
    }
}

fn failed_other(error: InterchangeError) -> Failure {
    let option = match error {
        error @ InterchangeError::Io { .. } => return error.into(),
        InterchangeError::Ambiguous(..) => " (--against-format FORMAT)",
        _ => "",
    };
    usage!("--against: {error}{option}")
}
