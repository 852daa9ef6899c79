//! Verification of stored values: rows against the rules and against each other, against exact
//! counts, against a new search, and against files of other programs.
//!
//! [`check`] reads a game once, two plies in memory at a time; [`resolve`] solves a sample anew. No
//! check relies on a part of a row that is not checked itself; every disagreement is reported with
//! both sides.

mod against;
mod counts;
mod range;
mod rows;
mod sample;
mod solving;

use std::fmt;

use crate::database::PositionRow;
use crate::oracle::OracleError;
use crate::stored::{StoredError, StoredFile};
use everyply_connect_four::formats::InterchangeError;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::Key;
use everyply_registry::registry::Position;

pub use against::{Against, AgainstCounts, AgainstFindings};
pub use counts::{PlyCheck, compare_counts};
use rows::RowChecks;
pub use rows::RowCounts;
pub use sample::Sample;
pub use solving::{Resolved, resolve};

/// A disagreement between the database and another side.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Disagreement {
    /// The check that found it: `row`, `children`, `count`, `sample` or `against`.
    pub check: &'static str,
    /// The subject: a position by moves and picture, or a ply.
    pub subject: String,
    /// The value in the database; `None` if the database has no part in it.
    pub stored: Option<String>,
    /// The value of the other side, and its name; without a stored value, both sides.
    pub other: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { check, subject, stored, other } = self;
        match stored {
            Some(stored) => write!(f, "{check}: {subject}: stored {stored}; {other}"),
            None => write!(f, "{check}: {subject}: {other}"),
        }
    }
}

/// The reason why a verification ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    #[error(transparent)]
    File(#[from] StoredError),
    #[error(transparent)]
    Oracle(#[from] OracleError),
    #[error(transparent)]
    OtherFile(#[from] InterchangeError),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The result of a check of all rows.
#[derive(Debug, Default)]
pub struct RowFindings {
    /// Counts of rows by the extent of their check.
    pub rows: RowCounts,
    /// Every ply with a row.
    pub plies: Vec<PlyCheck>,
    /// The rows drawn to be solved anew.
    pub sample: Vec<PositionRow>,
    /// All disagreements, by ply and key.
    pub disagreements: Vec<Disagreement>,
}

/// Checks every row of a game, given by its start, by the rules and against its children, counts
/// the rows of every ply, and draws a sample. Counts work in positions.
///
/// # Errors
/// If the file cannot be read or the control asks to stop.
pub fn check(
    file: &StoredFile,
    start: &dyn Position,
    sample: &mut Sample,
    control: &Control,
) -> Result<RowFindings, StoredError> {
    let mut checks = RowChecks::new(start, file.whole_to());
    if file.row(start)?.is_none() {
        checks.miss(start.tier(), start.canonical().map(|(key, _)| key));
    }
    let mut plies: Vec<PlyCheck> = Vec::new();
    file.visit(start, control, &mut |row, below| {
        control.advance(1);
        control.check()?;
        if plies.last().is_none_or(|last| last.ply != row.ply.0) {
            plies.push(PlyCheck { ply: row.ply.0, ..PlyCheck::default() });
        }
        let ply = plies.last_mut().expect("just made");
        ply.stored += 1;
        if let Some(position) = checks.check(row, below)? {
            ply.count(&position, row);
            sample.offer(*row);
        }
        Ok(())
    })?;
    Ok(RowFindings { plies, sample: sample.drawn(), ..checks.findings })
}

/// Names a position by moves that lead to it and its picture.
fn name(position: &dyn Position) -> String {
    match position.moves_to() {
        Ok(moves) if !moves.is_empty() => format!("{moves} ({})", position.picture()),
        _ => position.picture(),
    }
}

fn name_of(start: &dyn Position, key: Key) -> String {
    start.of_key(key).map_or_else(|| format!("key {}", key.0), |position| name(&*position))
}
