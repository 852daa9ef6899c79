//! What every format of positions is written from, and what it says of its file.

use std::io;

use super::Wanted;
use crate::cli::failure::Failure;
use crate::control::{Control, Stopped};
use crate::database::{Database, DatabaseError, GameId, PositionRow};
use crate::export::ManifestPly;
use crate::game::Outcome;
use crate::games::line::{LineGame, Stones};

/// Why an export ended early.
pub(in crate::cli) enum AbortReason {
    Database(DatabaseError),
    File(io::Error),
    Stopped,
    Refused(Failure),
}

impl From<DatabaseError> for AbortReason {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
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

/// Rows written so far, by ply and outcome.
#[derive(Debug, Default)]
pub(in crate::cli) struct Tally(Vec<ManifestPly>);

impl Tally {
    pub fn count(&mut self, ply: u8, outcome: Outcome) {
        if self.0.last().is_none_or(|last| last.ply != ply) {
            self.0.push(ManifestPly { ply, ..ManifestPly::default() });
        }
        let last = self.0.last_mut().expect("just made");
        last.rows += 1;
        match outcome {
            Outcome::Win => last.wins += 1,
            Outcome::Draw => last.draws += 1,
            Outcome::Loss => last.losses += 1,
        }
    }

    pub fn into_plies(self) -> Vec<ManifestPly> {
        self.0
    }

    pub fn rows(&self) -> u64 {
        self.0.iter().map(|ply| ply.rows).sum()
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

/// Where the rows come from.
pub(in crate::cli) struct Source<'s> {
    pub database: Database,
    pub id: &'s GameId,
    pub wanted: &'s Wanted,
    pub control: &'s Control,
}

impl Source<'_> {
    pub fn wants(&self, ply: u8) -> bool {
        self.wanted.plies.as_ref().is_none_or(|plies| plies.contains(ply))
    }

    /// The position of a row.
    pub fn position<G: LineGame>(
        &self,
        game: &G,
        row: &PositionRow,
    ) -> Result<Stones, AbortReason> {
        let position = game.position_of(row.key).filter(|position| position.ply() == row.ply);
        position.ok_or_else(|| self.no_position(row))
    }

    pub fn no_position(&self, row: &PositionRow) -> AbortReason {
        AbortReason::Refused(Failure::Mismatch(format!(
            "{}: key {} at ply {} is no position of {}; `analyze verify` lists what is wrong",
            self.database.path().display(),
            row.key.0,
            row.ply,
            self.id
        )))
    }

    /// Counts a row, and stops if that is asked for.
    pub fn advance(&self) -> Result<(), AbortReason> {
        self.control.advance(1);
        Ok(self.control.check()?)
    }
}
