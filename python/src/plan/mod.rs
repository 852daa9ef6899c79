//! The plan of a solution file and the store of its units, for the processes of a cluster.
//!
//! Units are numbers, each higher than those of its inputs. Their data stay between the store and
//! the process that makes or reads them.

mod board;
mod tiers;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use everyply::connect_four::profiles::{Folder, SCHEDULED_UNIT_BYTES};
use everyply::control::Control;
use everyply::game::{Chosen, ParameterKind};
use everyply::games::line::{Rules as LineRules, Size};
use everyply::registry::{Entry, Study};
use everyply::solutions::TierPlan;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;

use crate::choice::called;
use crate::errors::{os_error, write_error};
use crate::run::{Pool, Progress};
use board::BoardUnits;

/// The units of a solution file, and their store. Numbers are below `len`.
trait Units: Send + Sync {
    fn len(&self) -> usize;
    fn name(&self, unit: usize) -> String;
    fn bytes(&self, unit: usize) -> u64;
    fn inputs(&self, unit: usize) -> Vec<usize>;
    fn is_result(&self, unit: usize) -> bool;
    fn made(&self) -> PyResult<Vec<usize>>;
    fn exists(&self, unit: usize) -> PyResult<bool>;
    fn make(&self, unit: usize, control: &Control) -> PyResult<Option<usize>>;
    fn discard(&self, unit: usize) -> PyResult<()>;
    fn forget(&self, unit: usize) -> PyResult<()>;
    fn finish(&self, out: &Path, control: &Arc<Control>) -> PyResult<Finished>;
}

/// The value of the start in words, positions and bytes of a file; or a unit that is missing or
/// damaged.
type Finished = (Option<(String, u64, u64)>, Option<usize>);

/// The plan of a solution file: the units of a whole Connect Four board, or the tiers of a game that
/// numbers its positions, and their store.
#[pyclass(frozen, module = "everyply._everyply", name = "_Plan")]
pub struct Plan {
    title: String,
    units: Box<dyn Units>,
    pool: Pool,
    has_tiers: bool,
}

#[pymethods]
impl Plan {
    /// game: its name. options: those of the game by their names, each with its text, "5x4" for "size", or
    /// None for a rule. work: a folder.
    /// unit_bytes: the most bytes of a unit of a board, for one of the bits of a value; a store keeps
    /// the number that it was begun with. threads: the number of threads of a unit; all of the machine
    /// for None.
    ///
    /// Raises TypeError for a game without units, or with an option that does not fit it.
    #[new]
    #[pyo3(signature = (game, options, work, *, unit_bytes=None, outcome_only=false, threads=None))]
    fn new(
        py: Python<'_>,
        game: &str,
        options: Vec<Choice>,
        work: PathBuf,
        unit_bytes: Option<u64>,
        outcome_only: bool,
        threads: Option<i64>,
    ) -> PyResult<Self> {
        let start = chosen(game, &options)?;
        let pool = Pool::new(threads)?;
        let refuse = |why: String| Err(PyTypeError::new_err(why));
        let falls = LineRules::of(start.name()).is_some_and(LineRules::stones_fall);
        if !falls && start.ranked_tiers().is_empty() {
            return refuse(format!(
                "{} has no tiers that workers could share: `analyze solve {game}{} --out FILE` solves it \
                 in memory",
                start.title(),
                words(&options)
            ));
        }
        if !falls && unit_bytes.is_some() {
            return refuse(format!("--unit-size: the units of {game} are its tiers; leave it out"));
        }
        if !falls && outcome_only {
            return refuse(format!(
                "--outcome-only: the values of {game} are kept whole, since they prove each other; leave \
                 it out"
            ));
        }
        let store = Folder::open(&work).map_err(|error| os_error(&error, error.to_string()))?;
        let store = Arc::new(store);
        let units: Box<dyn Units> = if falls {
            let size = Size::of_parameters(start.parameters());
            let bytes = unit_bytes.unwrap_or(SCHEDULED_UNIT_BYTES);
            Box::new(py.detach(|| BoardUnits::open(size, store, bytes, outcome_only))?)
        } else {
            let start = start.boxed().into();
            let opened = py.detach(|| TierPlan::open(start, store));
            Box::new(opened.map_err(write_error)?)
        };
        Ok(Self { title: start.title(), units, pool, has_tiers: !falls })
    }

    /// The name of the game, with its options.
    #[getter]
    fn title(&self) -> &str {
        &self.title
    }

    /// True if units are tiers, each of which may take most of the memory.
    #[getter]
    const fn has_tiers(&self) -> bool {
        self.has_tiers
    }

    fn __len__(&self) -> usize {
        self.units.len()
    }

    /// The name of a unit: alive-07-00012 of a board, 3-2+0-0 of a tier.
    fn name(&self, unit: usize) -> PyResult<String> {
        Ok(self.units.name(self.checked(unit)?))
    }

    /// The bytes of a unit, before it is compressed; of a tier the memory in which it is made.
    fn bytes(&self, unit: usize) -> PyResult<u64> {
        Ok(self.units.bytes(self.checked(unit)?))
    }

    /// The units that a unit is made from, ascending.
    fn inputs(&self, unit: usize) -> PyResult<Vec<usize>> {
        Ok(self.units.inputs(self.checked(unit)?))
    }

    /// True if a unit is a part of the file.
    fn is_result(&self, unit: usize) -> PyResult<bool> {
        Ok(self.units.is_result(self.checked(unit)?))
    }

    /// The units that the store has a summary of, whether or not their data still exist.
    fn made(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        py.detach(|| self.units.made())
    }

    /// True if the data of a unit exist.
    fn exists(&self, py: Python<'_>, unit: usize) -> PyResult<bool> {
        let unit = self.checked(unit)?;
        py.detach(|| self.units.exists(unit))
    }

    /// Makes a unit, unless it has a summary. Gives None, or the unit that is missing or damaged.
    ///
    /// progress: a function that is called ten times a second, whose exception ends the work.
    #[pyo3(signature = (unit, *, progress=None))]
    fn make(
        &self,
        py: Python<'_>,
        unit: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<usize>> {
        let unit = self.checked(unit)?;
        let progress = Progress::of(progress, 0, "profiles")?;
        self.pool.run(py, progress.as_ref(), |control| self.units.make(unit, control))
    }

    /// Removes the data of a unit that is no part of the file; its summary stays.
    fn discard(&self, py: Python<'_>, unit: usize) -> PyResult<()> {
        let unit = self.checked(unit)?;
        py.detach(|| self.units.discard(unit))
    }

    /// Removes a unit and its summary, so that it can be made again.
    fn forget(&self, py: Python<'_>, unit: usize) -> PyResult<()> {
        let unit = self.checked(unit)?;
        py.detach(|| self.units.forget(unit))
    }

    /// Writes the solution file of a plan whose units are made. Gives the value of the start in
    /// words, the positions and the bytes of the file; or None for these and the unit that is
    /// missing or damaged.
    fn finish(&self, py: Python<'_>, out: PathBuf) -> PyResult<Finished> {
        self.pool.run(py, None, |control| self.units.finish(&out, control))
    }
}

impl Plan {
    fn checked(&self, unit: usize) -> PyResult<usize> {
        match self.units.len() {
            len if unit < len => Ok(unit),
            len => Err(PyIndexError::new_err(format!("unit {unit}: the plan has {len}"))),
        }
    }
}

/// An option of a game: its name, and its text, which a rule does not have.
type Choice = (String, Option<String>);

/// The start of the game that these options choose.
fn chosen(game: &str, options: &[Choice]) -> PyResult<Box<dyn Study>> {
    let refuse = |why: String| PyTypeError::new_err(why);
    let games = everyply::registry::builtin().with_many_moves();
    let entry = called(&games, game).map_err(|error| refuse(error.to_string()))?;
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
fn words(options: &[Choice]) -> String {
    let word = |(name, text): &Choice| match text {
        Some(text) => format!(" --{name} {text}"),
        None => format!(" --{name}"),
    };
    options.iter().map(word).collect()
}

/// The options of all games: name, the kind of its text or None for a rule, and help.
#[pyfunction]
pub fn _options() -> Vec<(&'static str, Option<&'static str>, String)> {
    let mut all: Vec<(_, _, String)> = Vec::new();
    for parameter in everyply::registry::builtin().entries().iter().flat_map(|e| e.parameters) {
        let kind = match parameter.kind {
            ParameterKind::Size(..) => Some("WxH"),
            ParameterKind::Number { .. } => Some("N"),
            ParameterKind::Rule => None,
        };
        match all.iter_mut().find(|(name, ..)| *name == parameter.name) {
            None => all.push((parameter.name, kind, parameter.help.to_owned())),
            Some((_, _, help)) if help.contains(parameter.help) => {}
            Some((_, _, help)) => *help = format!("{help}. {}", parameter.help),
        }
    }
    all
}
