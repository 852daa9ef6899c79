//! Databases and solution files, asked for single positions.

use crate::oracle::OracleError;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::{Origin, SourcedValue};
use crate::connect_four::profiles::SolutionFile;
use crate::database::{Database, DatabaseError, PositionRow, is_database};
use crate::game::GameId;
use crate::game::{Key, MoveSet};
use crate::games::line::LineGame;
use crate::registry::Study;

/// Databases and solution files, open for reading.
#[derive(Debug, Default)]
pub struct OracleFiles {
    databases: Vec<OpenDatabase>,
    solutions: Vec<SolutionFile>,
    paths: Vec<PathBuf>,
}

#[derive(Debug)]
struct OpenDatabase {
    games: Vec<GameId>,
    database: Mutex<Database>,
}

impl OracleFiles {
    /// Opens databases and solution files, told apart by their first bytes.
    ///
    /// # Errors
    /// If one of them is neither, or cannot be read.
    pub fn open(paths: &[PathBuf]) -> Result<Self, OracleError> {
        let mut files = Self { paths: paths.to_vec(), ..Self::default() };
        for path in paths {
            let database = is_database(path).map_err(|source| OracleError::Unreadable {
                path: path.display().to_string(),
                source,
            })?;
            if database {
                let database = Database::open(path)?;
                let games = database.games()?;
                files.databases.push(OpenDatabase { games, database: Mutex::new(database) });
            } else {
                files.solutions.push(SolutionFile::open(path)?);
            }
        }
        Ok(files)
    }

    /// The files, as they were given.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The games that the databases hold.
    pub fn games(&self) -> impl Iterator<Item = &GameId> {
        self.databases.iter().flat_map(|source| &source.games)
    }

    /// The row of a position in the first database that has it with its distance, else in the
    /// first that has it.
    pub(super) fn row(&self, id: &GameId, key: Key) -> Result<Option<PositionRow>, DatabaseError> {
        let mut outcome_only = None;
        for source in self.databases.iter().filter(|source| source.games.contains(id)) {
            let database = source.database.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(row) = database.position(id, key)? else { continue };
            if row.value.is_exact() {
                return Ok(Some(row));
            }
            outcome_only = outcome_only.or(Some(row));
        }
        Ok(outcome_only)
    }

    /// The value of a position as the files have it; a value in full is preferred to an outcome.
    pub(super) fn find(&self, study: &dyn Study) -> Result<Option<SourcedValue>, OracleError> {
        let (id, Some((key, _))) = (study.game_id(), study.canonical()) else { return Ok(None) };
        let row = self.row(&id, key)?;
        let mut outcome_only = row.map(|row| Origin::Database.says(row.value));
        if outcome_only.is_some_and(|known| known.value.is_exact()) {
            return Ok(outcome_only);
        }
        for solution in self.solutions.iter().filter(|s| s.board().game().game_id() == id) {
            let Some(&position) = study.position().downcast_ref() else { continue };
            let Some(value) = solution.partial_value(position)? else { continue };
            let known = Origin::SolutionFile.says(value);
            if value.is_exact() {
                return Ok(Some(known));
            }
            outcome_only = Some(known);
        }
        Ok(outcome_only)
    }

    /// The bits of the best moves of a position as a database has them.
    pub(super) fn best_moves(&self, study: &dyn Study) -> Result<Option<MoveSet>, OracleError> {
        let Some((key, symmetry)) = study.canonical() else { return Ok(None) };
        let best = self.row(&study.game_id(), key)?.and_then(|row| row.best);
        Ok(best.map(|images| study.moves_of_image(images, symmetry)))
    }
}
