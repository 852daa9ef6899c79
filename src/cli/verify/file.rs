//! `analyze verify` on a solution file or an opening book.

use std::fmt::Write;
use std::io::ErrorKind;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::document::{SampleDocument, verdict};
use super::{Args, SAMPLE, solved_anew, verifier};
use crate::cli::failure::Failure;
use crate::cli::session::{Session, available_memory};
use crate::cli::work_folder::failed_solution;
use crate::cli::{game_filter, input, text};
use everyply_connect_four::OpeningBook;
use everyply_connect_four::profiles::{SolutionError, SolutionFile};
use everyply_core::control::Control;
use everyply_core::game::{Game, Keyed};
use everyply_core::games::line::{AnyGame, LineGame, Stones};
use everyply_core::statistics::{counted, grouped};
use everyply_registry::registry::{Position, Registry, study_of};
use everyply_registry::solutions::{AnySolution, GameSolution};
use everyply_results::database::PositionRow;
use everyply_results::export::GameFields;
use everyply_results::oracle::OracleError;
use everyply_results::verify::{self, Disagreement, Sample};

#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct FileDocument {
    #[serde(flatten)]
    game: GameFields,
    /// The last ply of an opening book.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u8>,
    /// Parts of a solution file, each with a checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    chunks: Option<u64>,
    /// Positions of the file; absent with --sample of a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    /// Positions whose values are proved; absent with --sample of a solution file.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<u64>,
    /// Positions solved anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleDocument>,
    disagreements: Vec<Disagreement>,
    elapsed_s: f64,
}

impl FileDocument {
    fn new(start: &dyn Position) -> Self {
        Self {
            game: GameFields::of(start),
            plies: None,
            chunks: None,
            positions: None,
            proved: None,
            sample: None,
            disagreements: Vec::new(),
            elapsed_s: 0.0,
        }
    }

    /// Solves a sample anew.
    fn solve(
        &mut self,
        rows: &[PositionRow],
        start: &dyn Position,
        limit: Option<Duration>,
        args: &Args,
        session: &Session,
    ) -> Result<(), Failure> {
        let oracle = verifier();
        let resolved = solved_anew(session, "solving the sample", rows.len(), limit, |controls| {
            verify::resolve(start, rows, &oracle, controls)
        });
        let resolved = resolved.map_err(|error| match error {
            OracleError::Stopped(_) => session.interrupted(""),
            error => Failure::runtime(error),
        })?;
        self.sample = Some(SampleDocument::new(args.seed, &resolved));
        self.disagreements.extend(resolved.disagreements);
        Ok(())
    }

    /// Prints the findings, those in words first, and fails if anything disagrees.
    fn conclude(
        mut self,
        findings: &str,
        start: &dyn Position,
        args: &Args,
        session: &Session,
    ) -> Result<(), Failure> {
        self.elapsed_s = session.started.elapsed().as_secs_f64();
        text::print_result(args.running.json, &self, || {
            let mut text = format!("{}: {}{findings}\n", args.file.display(), start.info().title);
            text += &self.sample.as_ref().map_or_else(String::new, SampleDocument::line);
            for wrong in &self.disagreements {
                let _ = writeln!(text, "{wrong}");
            }
            text + &text::time(self.elapsed_s, session.threads) + "\n"
        })?;
        verdict(&self.disagreements)
    }
}

/// Checks an opening book.
pub(super) fn book(args: &Args) -> Result<(), Failure> {
    let book = OpeningBook::open(&args.file).map_err(|error| {
        let message = format!("{}: {error}", args.file.display());
        // Damage inside is a mismatch, an unreadable file is not.
        match error.kind() {
            ErrorKind::InvalidData => Failure::Mismatch(message),
            _ => Failure::Runtime(anyhow::anyhow!(message)),
        }
    })?;
    let game = AnyGame::from(*book.board().game());
    let start = study_of(&game, game.initial());
    let session = Session::start(&args.running)?;
    let (size, limit) = args.sample.map_or((SAMPLE.0, Some(SAMPLE.1)), |size| (size, None));
    let mut sample = Sample::new(size, args.seed);
    let found = session.work("checking the book", "positions", |control| {
        verify::check_book(&book, &mut sample, control)
    });
    let found = found.map_err(|_| session.interrupted(""))?;
    let last = book.plies().0;
    let mut document = FileDocument::new(&*start);
    (document.plies, document.disagreements) = (Some(last), found.disagreements);
    (document.positions, document.proved) = (Some(found.positions), Some(found.proved));
    document.solve(&sample.drawn(), &*start, limit, args, &session)?;
    let findings = format!(
        ", opening book to ply {last}\n\
         checksum   as it was written\n\
         positions  {}, up to symmetry, whose game goes on\n\
         values     {} follow from those of their moves; ply {last} is the last one",
        grouped(found.positions),
        grouped(found.proved),
    );
    document.conclude(&findings, &*start, args, &session)
}

/// Checks a solution file.
pub(super) fn solution(args: &Args, registry: &Registry) -> Result<(), Failure> {
    // A file that is no solution is a failure; damage inside is a mismatch.
    match AnySolution::open(&args.file).map_err(of_damage)? {
        AnySolution::Board(board) => of_board(args, &board),
        AnySolution::Game(file) => of_game(args, &file, registry),
    }
}

/// Checks a solution file of a Connect Four board.
fn of_board(args: &Args, solution: &SolutionFile) -> Result<(), Failure> {
    let game = *solution.board().game();
    let start = study_of(&game.into(), game.initial());
    let mut document = FileDocument::new(&*start);
    let need = solution.board().estimate(usize::MAX);
    let storage = match args.sample {
        Some(_) => None,
        None => Some(args.room.storage(game.size(), need.solve, &need)?),
    };
    let session = Session::start(&args.running)?;
    let Some(storage) = storage else {
        let chunks = session.work("checking blocks", "blocks", |control| {
            control.start(0);
            solution.check(control)
        });
        let chunks = chunks.map_err(|error| failed(error, &session, ""))?;
        document.chunks = Some(chunks);
        let row = |position: Stones| {
            let value = solution.value(position)?.expect("a position that a game leads to").into();
            Ok(PositionRow { key: game.key(position), ply: position.ply(), value, best: None })
        };
        let drawn = Sample::of_games(&game, args.sample.unwrap_or_default(), args.seed);
        let rows: Result<Vec<_>, _> = drawn.into_iter().map(row).collect();
        let rows = rows.map_err(|error| failed(error, &session, ""))?;
        document.solve(&rows, &*start, None, args, &session)?;
        return document.conclude(&checksums(chunks, "block"), &*start, args, &session);
    };
    let verified =
        session.work("verifying", "profiles", |control| solution.verify(&*storage, control));
    let verified = verified.map_err(|error| failed(error, &session, &args.room.kept()))?;
    document.chunks = Some(verified.blocks);
    (document.positions, document.proved) = (Some(verified.positions), Some(verified.positions));
    let findings = format!(
        "{}\nvalues     {} have the value that follows from their children",
        checksums(verified.blocks, "block"),
        counted(verified.positions, "position"),
    );
    document.conclude(&findings, &*start, args, &session)
}

/// Checks a solution file of any other game.
fn of_game(args: &Args, file: &GameSolution, registry: &Registry) -> Result<(), Failure> {
    let start = game_filter::stored(file.game_id(), registry)?;
    let start = start.as_ref();
    let root = file.root(start).map_err(of_damage)?;
    let session = Session::start(&args.running)?;
    let mut document = FileDocument::new(start);
    let chunks = file.chunks() as u64;
    (document.chunks, document.positions) = (Some(chunks), Some(file.positions()));
    let mut findings = checksums(chunks, "chunk");
    findings += &format!("\npositions  {}: {}", grouped(file.positions()), file.holds());
    if let Some(size) = args.sample {
        let mut sample = Sample::new(size, args.seed);
        let drawn = session.work("checking chunks", "positions", |control| {
            draw(file, root.as_ref(), &mut sample, control)
        });
        drawn.map_err(|error| failed(error, &session, ""))?;
        document.solve(&sample.drawn(), root.as_ref(), None, args, &session)?;
    } else {
        check_memory(args, file, start)?;
        let proved = session.work("verifying", "positions", |control| file.verify(start, control));
        let proved = proved.map_err(|error| failed(error, &session, ""))?.positions;
        document.proved = Some(proved);
        let how = match file.is_scored() {
            true => "have the points that solving them anew finds",
            false => "proved by their children",
        };
        findings += &format!("\nvalues     {} {how}", counted(proved, "position"));
    }
    document.conclude(&findings, start, args, &session)
}

fn checksums(parts: u64, word: &str) -> String {
    format!("\nchecksums  {} are as they were written", counted(parts, word))
}

/// Refuses a file that does not fit memory.
fn check_memory(args: &Args, file: &GameSolution, game: &dyn Position) -> Result<(), Failure> {
    let need = file.bytes_to_verify(game) as f64;
    let allowed = args.room.memory_alone()?;
    if need <= allowed {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{}: {} of memory are needed, and {} are allowed: check a --sample",
        args.file.display(),
        text::bytes(need),
        text::bytes(allowed.min(available_memory())),
    )))
}

/// Checks every chunk, and offers all positions to a sample.
fn draw(
    file: &GameSolution,
    root: &dyn Position,
    sample: &mut Sample,
    control: &Control,
) -> Result<(), SolutionError> {
    file.check(control)?;
    let tier = root.tiers();
    for chunk in 0..file.chunks() {
        control.check().map_err(|stopped| SolutionError::Pass(stopped.into()))?;
        for (key, value) in file.values(root, chunk)? {
            let ply = tier(key).ok_or_else(|| file.no_position(key))?;
            sample.offer(PositionRow { key, ply, value, best: None });
        }
    }
    Ok(())
}

/// The failure of a check; `kept` ends the message if it was stopped.
fn failed(error: SolutionError, session: &Session, kept: &str) -> Failure {
    match error {
        error @ SolutionError::Damaged { .. } => of_damage(error),
        error => failed_solution(error).unwrap_or_else(|| session.interrupted(kept)),
    }
}

fn of_damage(error: SolutionError) -> Failure {
    match error {
        SolutionError::Damaged { .. } => Failure::Mismatch(error.to_string()),
        SolutionError::NotASolution(path) => input::of_no_kind(
            &path,
            "a database nor a solution file nor a strategy nor an opening book",
        ),
        error => Failure::runtime(error),
    }
}
