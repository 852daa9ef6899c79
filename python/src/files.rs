//! Files made of databases and solutions, and checks of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use everyply::cli::available_memory;
use everyply::connect_four::formats::{InterchangeError, ValueFile, ValueFormat};
use everyply::connect_four::profiles::{Memory, SolutionError};
use everyply::control::Control;
use everyply::database::Database;
use everyply::export::{
    ExportError, ManifestedFile, Misfit, PositionFormat, PositionSource, Ranges, Selection,
    write_positions,
};
use everyply::game::{Outcome, Ply};
use everyply::games::line::{ConnectFour, LineGame};
use everyply::oracle::{Oracle, OracleFiles};
use everyply::registry::Study;
use everyply::solutions::AnySolution;
use everyply::verify::{self, Against, RowFindings, Sample, VerifyError};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::board_solution::check_memory;
use crate::choice::of_id;
use crate::errors::{database_error, oracle_error, os_error, solution_error, stopped, value_error};
use crate::game::BuiltinGame;
use crate::run::{Pool, Progress};
use crate::solution::Store;

/// A file of solved positions.
enum Solved {
    Database(Box<dyn Study>, Database),
    Solution(AnySolution),
}

/// A solution in memory, or the path of a database or a solution file.
#[derive(FromPyObject)]
pub enum Source<'py> {
    Store(Bound<'py, Store>),
    Path(PathBuf),
}

/// The file of a source. A solution in memory is written to a database in `folder`.
fn open(
    py: Python<'_>,
    source: Source<'_>,
    game: Option<&Bound<'_, BuiltinGame>>,
    folder: &tempfile::TempDir,
) -> PyResult<Solved> {
    let solution = |path: &Path| match py.detach(|| AnySolution::open(path)) {
        Ok(solution) => Ok(Some(Solved::Solution(solution))),
        Err(SolutionError::NotASolution(_)) => Ok(None),
        Err(error) => Err(solution_error(&error)),
    };
    let (path, start) = match source {
        Source::Store(store) => {
            let store = store.get();
            if let Some(solution) = store.file().map(solution).transpose()?.flatten() {
                return Ok(solution);
            }
            let path = folder.path().join("solution.db");
            store.write(py, &path, "everyply")?;
            (path, Some(store.root().state().start()))
        }
        Source::Path(path) => match solution(&path)? {
            Some(solution) => return Ok(solution),
            None => (path, game.map(|game| game.get().rules.start().start())),
        },
    };
    let database = py.detach(|| Database::open(&path)).map_err(|error| database_error(&error))?;
    if let Some(start) = start {
        return Ok(Solved::Database(start, database));
    }
    match &database.games().map_err(|error| database_error(&error))?[..] {
        [only] => Ok(Solved::Database(of_id(only)?.start().start(), database)),
        games => {
            let games: Vec<String> = games.iter().map(ToString::to_string).collect();
            let held = if games.is_empty() { "no game".into() } else { games.join("; ") };
            Err(PyValueError::new_err(format!(
                "game: {} holds {held}: say which game is meant",
                path.display()
            )))
        }
    }
}

/// One of several values, by its name.
pub(crate) fn named<T: Copy>(argument: &str, name: &str, all: &[(&'static str, T)]) -> PyResult<T> {
    let found = all.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        PyValueError::new_err(format!("{argument} '{name}': choose one of {}", names.join(", ")))
    })
}

/// Writes positions with their values to a file, and its manifest beside it.
#[pyfunction]
#[pyo3(signature = (source, path, format, game, plies, outcomes, remoteness, mirror, all_moves, progress))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python")]
pub fn _export(
    py: Python<'_>,
    source: Source<'_>,
    path: PathBuf,
    format: &str,
    game: Option<&Bound<'_, BuiltinGame>>,
    plies: Option<&str>,
    outcomes: Vec<String>,
    remoteness: Option<&str>,
    mirror: bool,
    all_moves: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let formats: Vec<_> =
        PositionFormat::ALL.iter().map(|&format| (format.name(), format)).collect();
    let format = named("format", format, &formats)?;
    let ranges = |argument: &str, text: Option<&str>| {
        let read = |text: &str| {
            text.parse::<Ranges>()
                .map_err(|why| PyValueError::new_err(format!("{argument} '{text}': {why}")))
        };
        text.map(read).transpose()
    };
    let outcome = |text: &String| {
        let all = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|o| (o.word(), o));
        named("outcome", text, &all)
    };
    let selection = Selection {
        plies: ranges("plies", plies)?,
        outcomes: outcomes.iter().map(outcome).collect::<PyResult<_>>()?,
        remoteness: ranges("remoteness", remoteness)?,
        mirror,
        all_moves,
    };
    let progress = Progress::of(progress, 0, "positions")?;
    let folder = tempfile::tempdir()?;
    let source = match open(py, source, game, &folder)? {
        Solved::Database(start, database) => PositionSource::of_database(start, database),
        Solved::Solution(AnySolution::Board(board)) => PositionSource::of_board(board),
        Solved::Solution(AnySolution::Game(solution)) => {
            let start = of_id(solution.game_id())?.start().start();
            PositionSource::of_game(start, solution)
        }
    };
    selection.check(format, source.start()).map_err(|Misfit { choice, why }| {
        let argument = choice.map_or_else(String::new, |choice| format!("{choice}: "));
        let argument = argument.replace('-', "_");
        PyValueError::new_err(format!("{argument}format '{}' {why}", format.name()))
    })?;
    let mut file = ManifestedFile::create(&path).map_err(|e| PyOSError::new_err(e.to_string()))?;
    let to = &mut file;
    let exported = Pool::new(None)?.run(py, progress.as_ref(), move |control| {
        let written = write_positions(&source, &selection, format, to, control);
        written.map_err(|error| match error {
            ExportError::Database(error) => database_error(&error),
            ExportError::Solution(error) => solution_error(&error),
            ExportError::File(source) => os_error(&source, source.to_string()),
            ExportError::Stopped(error) => stopped(error),
            error => value_error(error),
        })
    })?;
    let mut manifest = exported.manifest;
    if manifest.rows == 0 {
        let why = exported.left_out.unwrap_or_else(|| "none is asked for".to_owned());
        return Err(PyValueError::new_err(format!("there is no position to write: {why}")));
    }
    file.commit(&mut manifest).map_err(|error| PyOSError::new_err(error.to_string()))
}

/// Positions checked, positions solved anew, those of them that agree and those left out, and all
/// that disagrees.
type Verified = (u64, u64, u64, u64, Vec<String>);

/// Checks a database or a solution file.
#[pyfunction]
#[pyo3(signature = (source, game, sample, seed, seconds, against, against_format, values_only, progress))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python")]
pub fn _verify(
    py: Python<'_>,
    source: Source<'_>,
    game: Option<&Bound<'_, BuiltinGame>>,
    sample: usize,
    seed: u64,
    seconds: Option<f64>,
    against: Option<PathBuf>,
    against_format: Option<&str>,
    values_only: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Verified> {
    let formats = ValueFormat::ALL.map(|format| (format.name(), format));
    let of_format = |name: &str| named("against_format", name, &formats);
    let against_format = against_format.map(of_format).transpose()?;
    let limit = seconds.map(Duration::try_from_secs_f64).transpose().map_err(value_error)?;
    let progress = Progress::of(progress, 0, "positions")?;
    let folder = tempfile::tempdir()?;
    let pool = Pool::new(None)?;
    match open(py, source, game, &folder)? {
        Solved::Solution(solution) if against.is_none() => {
            let start = of_id(&solution.game_id())?.start().start();
            let available = available_memory();
            match &solution {
                AnySolution::Board(board) => check_memory(board.board(), available, "verifying")?,
                AnySolution::Game(file) if file.bytes_to_verify(&*start) as f64 > available => {
                    return Err(PyMemoryError::new_err(
                        "verifying all values takes more memory than there is: check a sample, with \
                         `analyze verify FILE --sample N`",
                    ));
                }
                AnySolution::Game(_) => {}
            }
            pool.run(py, progress.as_ref(), |control| {
                let verified = match &solution {
                    AnySolution::Board(board) => {
                        board.verify(&Memory::new(), control).map(|verified| verified.positions)
                    }
                    AnySolution::Game(file) => {
                        file.verify(&*start, control).map(|proved| proved.positions)
                    }
                };
                match verified {
                    Ok(positions) => Ok((positions, 0, 0, 0, Vec::new())),
                    Err(error @ SolutionError::Damaged { .. }) => {
                        Ok((0, 0, 0, 0, vec![error.to_string()]))
                    }
                    Err(error) => Err(solution_error(&error)),
                }
            })
        }
        Solved::Solution(_) => Err(PyValueError::new_err(
            "against: a database is compared with other files; of a solution file all values are \
             checked",
        )),
        Solved::Database(start, database) => {
            let other = against.map(|path| other(&*start, path, against_format)).transpose()?;
            let questions = Questions { sample, seed, limit, values_only };
            pool.run(py, progress.as_ref(), move |control| {
                of_database(&*start, &database, other, questions, control)
            })
        }
    }
}

fn other(start: &dyn Study, path: PathBuf, format: Option<ValueFormat>) -> PyResult<Against> {
    let Some((game, _)) = start.lines().filter(|(game, _)| game.rules().stones_fall()) else {
        let title = start.title();
        return Err(PyValueError::new_err(format!("against: no other file is about {title}")));
    };
    let game = ConnectFour::new(game.size()).map_err(value_error)?;
    let file = ValueFile::open(&path, format, &game).map_err(of_other_file)?;
    Ok(Against { file, name: path.display().to_string(), game })
}

fn of_other_file(error: InterchangeError) -> PyErr {
    let text = format!("against: {error}");
    match error {
        InterchangeError::Io(_, source) => os_error(&source, text),
        InterchangeError::Stopped(error) => stopped(error),
        _ => PyValueError::new_err(text),
    }
}

/// The questions to a database.
struct Questions {
    sample: usize,
    seed: u64,
    limit: Option<Duration>,
    values_only: bool,
}

fn of_database(
    start: &dyn Study,
    database: &Database,
    other: Option<Against>,
    Questions { sample, seed, limit, values_only }: Questions,
    control: &Arc<Control>,
) -> PyResult<Verified> {
    let failed = |error| match error {
        VerifyError::Database(error) => database_error(&error),
        VerifyError::Oracle(error) => oracle_error(error),
        VerifyError::OtherFile(error) => of_other_file(error),
        VerifyError::Stopped(error) => stopped(error),
        error => value_error(error),
    };
    let (mut found, mut disagreements) = (RowFindings::default(), Vec::new());
    if let Some(other) = other {
        let against = other.compare(database, start, control).map_err(failed)?;
        disagreements = against.disagreements;
        found.rows.positions = against.stored;
    }
    if !values_only {
        let mut drawn = Sample::new(sample, seed);
        found = verify::check(database, start, &mut drawn, control).map_err(failed)?;
    }
    disagreements.append(&mut found.disagreements);
    if let Some(last) = found.plies.last() {
        let exact = start.count_tiers(Ply(last.ply), control).map_err(stopped)?;
        verify::compare_counts(start, &mut found.plies, &exact, &mut disagreements);
    }
    /// MiB of the engine that solves positions anew.
    const ENGINE: u64 = 256;
    let oracle = Oracle::new(OracleFiles::default(), ENGINE);
    let searching = Control::part_of(control);
    searching.limit(limit);
    let solved = verify::resolve(start, &found.sample, &oracle, [control, &searching]);
    let solved = solved.map_err(oracle_error)?;
    disagreements.extend(solved.disagreements);
    let texts = disagreements.iter().map(ToString::to_string).collect();
    Ok((found.rows.positions, solved.solved, solved.agreements, solved.unsolved, texts))
}
