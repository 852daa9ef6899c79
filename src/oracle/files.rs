//! Databases and solution files, asked for single positions.

use crate::game::Symmetric;
use crate::oracle::OracleError;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{Known, Origin};
use crate::connect_four::profiles::{Detail, Solution};
use crate::database::{Database, DatabaseError, GameId, PositionRow};
use crate::game::Key;
use crate::games::line::{AnyGame, LineGame, Stones};
use crate::reading::open_regular;

/// Databases and solution files, open for reading.
#[derive(Debug, Default)]
pub struct OracleFiles {
    databases: Vec<OpenDatabase>,
    solutions: Vec<Solution>,
    paths: Vec<PathBuf>,
}

#[derive(Debug)]
struct OpenDatabase {
    games: Vec<GameId>,
    database: Mutex<Database>,
}

/// The first bytes of every SQLite file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// True if a file is a database, by its first bytes. Pipes and devices are errors.
pub(crate) fn is_database(path: &Path) -> std::io::Result<bool> {
    let mut first = Vec::new();
    open_regular(path)?.take(SQLITE.len() as u64).read_to_end(&mut first)?;
    Ok(first == SQLITE)
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
                files.solutions.push(Solution::open(path)?);
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
            if row.remoteness.is_some() {
                return Ok(Some(row));
            }
            outcome_only = outcome_only.or(Some(row));
        }
        Ok(outcome_only)
    }

    /// What the files say of a position; a value in full is preferred to an outcome.
    pub(super) fn look_up(
        &self,
        game: &AnyGame,
        position: Stones,
    ) -> Result<Option<Known>, OracleError> {
        let row = self.row(&GameId::of(game), game.canonical(position).0)?;
        let mut outcome_only = row.map(|row| Known {
            outcome: row.outcome,
            remoteness: row.remoteness,
            origin: Origin::Database,
        });
        if outcome_only.is_some_and(|known| known.remoteness.is_some()) {
            return Ok(outcome_only);
        }
        let of_board = |solution: &&Solution| {
            let of_file = solution.board().game();
            of_file.rules() == game.rules() && of_file.size() == game.size()
        };
        for solution in self.solutions.iter().filter(of_board) {
            let origin = Origin::SolutionFile;
            if solution.detail() == Detail::Remoteness {
                if let Some(value) = solution.value(position)? {
                    return Ok(Some(Known::exactly(value, origin)));
                }
            } else if let Some(outcome) = solution.outcome(position)? {
                outcome_only = Some(Known { outcome, remoteness: None, origin });
            }
        }
        Ok(outcome_only)
    }
}
