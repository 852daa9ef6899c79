//! The plan of a solution file and the store of its units, for the processes of a cluster.
//!
//! The data of units stay between the store and the process that makes or reads them.

mod board;

use std::path::PathBuf;
use std::sync::Arc;

use everyply::connect_four::profiles::SCHEDULED_UNIT_BYTES;
use everyply::game::Chosen;
use everyply::games::line::{Rules as LineRules, Size};
use everyply::registry::{Entry, Position as Study};
use everyply::solutions::{FinishedPlan, TierPlan, Units};
use everyply::store::Folder;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::choice::called;
use crate::errors::{os_error, write_error};
use crate::run::{Pool, Progress};
use board::BoardUnits;

/// The [`Units`] of a whole Connect Four board, or of a game that numbers its positions.
#[pyclass(frozen, module = "everyply._everyply", name = "_Plan")]
pub struct Plan {
    /// The name of the game, with its options.
    #[pyo3(get)]
    title: String,
    units: Box<dyn Units>,
    pool: Pool,
    /// True if units are tiers, each of which may take most of the memory.
    #[pyo3(get)]
    has_tiers: bool,
}

/// The value of the start in words, positions and bytes of a file; or a unit that is missing or
/// damaged.
type Finished = (Option<(String, u64, u64)>, Option<usize>);

#[pymethods]
impl Plan {
    /// game: its name. options: those of the game by their names, each with its text, "5x4" for
    /// "size", or None for a rule. work: a folder. unit_bytes: the most bytes of a unit of a board,
    /// for one of the bits of a value; a store keeps the number that it was begun with.
    /// threads: the number of threads of a unit; all of the machine for None.
    ///
    /// Raises TypeError for a game without units, or with an option that does not fit it.
    #[new]
    #[pyo3(signature = (game, options, work, *, unit_bytes=None, threads=None))]
    fn new(
        py: Python<'_>,
        game: &str,
        options: Vec<(String, Option<String>)>,
        work: PathBuf,
        unit_bytes: Option<u64>,
        threads: Option<i64>,
    ) -> PyResult<Self> {
        let start = chosen(game, &options)?;
        let pool = Pool::new(threads)?;
        let falls = LineRules::of(start.info().name).is_some_and(LineRules::stones_fall);
        let refusal = if !falls && start.ranked_tiers().is_empty() {
            Some(format!(
                "{} has no tiers that workers could share: `analyze solve {game}{} --out FILE` solves it \
                 in memory",
                start.info().title,
                words(&options)
            ))
        } else if !falls && unit_bytes.is_some() {
            Some(format!("--unit-size: the units of {game} are its tiers; leave it out"))
        } else {
            None
        };
        if let Some(why) = refusal {
            return Err(PyTypeError::new_err(why));
        }
        let store = Folder::open(&work).map_err(|error| os_error(&error, error.to_string()))?;
        let store = Arc::new(store);
        let units: Box<dyn Units> = if falls {
            let size = Size::of_parameters(start.info().parameters);
            let bytes = unit_bytes.unwrap_or(SCHEDULED_UNIT_BYTES);
            Box::new(py.detach(|| BoardUnits::open(size, store, bytes))?)
        } else {
            let start = start.boxed().into();
            let opened = py.detach(|| TierPlan::open(start, store));
            Box::new(opened.map_err(write_error)?)
        };
        Ok(Self { title: start.info().title.clone(), units, pool, has_tiers: !falls })
    }

    /// All units: the name, the bytes before they are compressed (of a tier the memory in which it is
    /// made), the units it is made from, and whether it is a part of the file.
    fn units(&self, py: Python<'_>) -> Vec<(String, u64, Vec<usize>, bool)> {
        let units = py.detach(|| self.units.units()).into_iter();
        units.map(|unit| (unit.name, unit.bytes, unit.inputs, unit.is_result)).collect()
    }

    fn made(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        py.detach(|| self.units.made()).map_err(write_error)
    }

    fn exists(&self, py: Python<'_>, unit: usize) -> PyResult<bool> {
        py.detach(|| self.units.exists(unit)).map_err(write_error)
    }

    /// progress: a function that is called ten times a second, whose exception ends the work.
    #[pyo3(signature = (unit, *, progress=None))]
    fn make(
        &self,
        py: Python<'_>,
        unit: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<usize>> {
        let progress = Progress::of(progress, 0, "profiles")?;
        self.pool.run(py, progress.as_ref(), |control| {
            self.units.make(unit, control).map_err(write_error)
        })
    }

    fn discard(&self, py: Python<'_>, unit: usize) -> PyResult<()> {
        py.detach(|| self.units.discard(unit)).map_err(write_error)
    }

    fn forget(&self, py: Python<'_>, unit: usize) -> PyResult<()> {
        py.detach(|| self.units.forget(unit)).map_err(write_error)
    }

    fn finish(&self, py: Python<'_>, out: PathBuf) -> PyResult<Finished> {
        let finished = self
            .pool
            .run(py, None, |control| self.units.finish(&out, control).map_err(write_error))?;
        Ok(match finished {
            FinishedPlan::Missing(unit) => (None, Some(unit)),
            FinishedPlan::Written { value, positions, bytes } => {
                (Some((value, positions, bytes)), None)
            }
        })
    }
}

/// The start of the game that these options choose.
fn chosen(game: &str, options: &[(String, Option<String>)]) -> PyResult<Box<dyn Study>> {
    let refuse = |why: String| PyTypeError::new_err(why);
    let games = everyply::registry::builtin().with_many_moves();
    let entry = called(&games, game).map_err(refuse)?;
    let mut chosen = Chosen::default();
    for (name, text) in options {
        let parameter = entry.parameters.iter().find(|there| there.name == name);
        let parameter = parameter
            .ok_or_else(|| refuse(format!("--{name}: {} has no such option", entry.name)))?;
        let text = text.as_deref().unwrap_or("true");
        Entry::read_choice(&mut chosen, parameter, text)
            .map_err(|possible| refuse(format!("--{name} {text}: {possible}")))?;
    }
    let start = entry.choose(&chosen);
    let start = start.map_err(|error| refuse(format!("{game}{}: {error}", words(options))))?;
    start.check().map_err(|error| refuse(error.to_string()))?;
    Ok(start)
}

/// Options as words of a command line.
fn words(options: &[(String, Option<String>)]) -> String {
    let word = |(name, text): &(String, Option<String>)| match text {
        Some(text) => format!(" --{name} {text}"),
        None => format!(" --{name}"),
    };
    options.iter().map(word).collect()
}
