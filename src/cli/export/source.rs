//! What every format of positions is written from, and what it says of its file.

use std::io;

use super::positions::files;
use super::ranges::Ranges;
use super::{Format, Wanted};
use crate::cli::failure::Failure;
use crate::connect_four::profiles::SolutionError;
use crate::control::{Control, Stopped};
use crate::database::{Database, DatabaseError, PositionRow};
use crate::export::ManifestPly;
use crate::game::{GameId, Outcome, PartialValue};

/// Why an export ended early.
pub(in crate::cli) enum AbortReason {
    Database(DatabaseError),
    Solution(SolutionError),
    File(io::Error),
    Stopped,
    Refused(Failure),
}

impl From<DatabaseError> for AbortReason {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

impl From<SolutionError> for AbortReason {
    fn from(error: SolutionError) -> Self {
        Self::Solution(error)
    }
}

impl From<Stopped> for AbortReason {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<io::Error> for AbortReason {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// Rows written so far, by ply and outcome, and those left out.
#[derive(Debug, Default)]
pub(in crate::cli) struct Tally {
    plies: Vec<ManifestPly>,
    skipped: u64,
    /// Why the first of those left out has no place in the format.
    pub reason: Option<String>,
}

impl Tally {
    pub fn count(&mut self, ply: u8, outcome: Outcome) {
        if self.plies.last().is_none_or(|last| last.ply != ply) {
            self.plies.push(ManifestPly { ply, ..ManifestPly::default() });
        }
        let last = self.plies.last_mut().expect("just made");
        last.rows += 1;
        match outcome {
            Outcome::Win => last.wins += 1,
            Outcome::Draw => last.draws += 1,
            Outcome::Loss => last.losses += 1,
        }
    }

    /// Counts a position that the format has no place for.
    pub fn skip(&mut self, reason: impl FnOnce() -> String) {
        self.skipped += 1;
        self.reason.get_or_insert_with(reason);
    }

    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    pub fn into_plies(self) -> Vec<ManifestPly> {
        self.plies
    }

    pub fn rows(&self) -> u64 {
        self.plies.iter().map(|ply| ply.rows).sum()
    }
}

/// What a format says of its file besides the rows.
pub(in crate::cli) struct Traits {
    pub selection: &'static str,
    pub complete: Option<bool>,
    pub index_base: Option<u8>,
    pub order: &'static str,
    pub columns: Option<Vec<String>>,
    pub perspective: &'static str,
}

/// What is wanted of which game.
pub(in crate::cli) struct Source<'s> {
    pub id: &'s GameId,
    pub wanted: &'s Wanted,
    /// The plies, where not all are written.
    pub plies: Option<Ranges>,
    pub control: &'s Control,
}

/// The plies to write, where not all are: those asked for, or those of the format.
pub(in crate::cli) fn plies(wanted: &Wanted, format: Format) -> Option<Ranges> {
    wanted.plies.clone().or_else(|| files::usual_plies(format))
}

/// True if a database holds a position of a game that is to be written.
pub(super) fn holds(
    database: &Database,
    id: &GameId,
    wanted: &Wanted,
    format: Format,
) -> Result<bool, Failure> {
    let source = Source { id, wanted, plies: plies(wanted, format), control: &Control::default() };
    let searched = database.scan(id, |row| {
        if source.wants_ply(row.ply.0) && source.wants_value(row.value) {
            return Err(AbortReason::Stopped);
        }
        Ok(())
    });
    match searched {
        Ok(()) => Ok(false),
        Err(AbortReason::Database(error)) => Err(Failure::runtime(error)),
        Err(_) => Ok(true),
    }
}

impl Source<'_> {
    pub fn wants_ply(&self, ply: u8) -> bool {
        self.plies.as_ref().is_none_or(|plies| plies.contains(ply))
    }

    /// True if neither outcome nor distance is asked against; a distance that is not known is
    /// not one that was asked for.
    pub fn wants_value(&self, value: PartialValue) -> bool {
        let Wanted { outcome, remoteness, .. } = self.wanted;
        (outcome.is_empty() || outcome.contains(&value.outcome))
            && remoteness.as_ref().is_none_or(|wanted| {
                value.remoteness.is_some_and(|remoteness| wanted.contains(remoteness.0))
            })
    }

    /// In which images positions are written.
    pub const fn images(&self) -> &'static str {
        if self.wanted.mirror {
            "stored positions, each in all of its images, by ascending key"
        } else {
            "stored positions, each in its canonical image: the one with the lowest key"
        }
    }

    /// Counts a row that was read, and stops if that is asked for.
    pub fn advance(&self) -> Result<(), AbortReason> {
        self.control.advance(1);
        Ok(self.control.check()?)
    }

    pub fn no_position(&self, row: &PositionRow) -> AbortReason {
        AbortReason::Refused(Failure::Mismatch(format!(
            "{}: key {} at ply {} is no position of {}; `analyze verify` lists what is wrong",
            self.wanted.file.display(),
            row.key.0,
            row.ply,
            self.id
        )))
    }
}
