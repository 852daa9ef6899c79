//! Databases as sources of values.

use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::OracleError;
use super::store::Store;
use crate::database::{Database, DatabaseError, is_database};
use everyply_core::game::ValueWithBest;
use everyply_core::game::{GameId, ValueBounds};
use everyply_registry::registry::Position;

/// A database that many ask, one at a time.
#[derive(Debug)]
struct OpenDatabase {
    games: Vec<GameId>,
    database: Mutex<Database>,
}

/// Opens a file if it is a database.
///
/// # Errors
/// If the file cannot be read: the outer error says that even its kind is unknown.
pub(super) fn open(path: &Path) -> io::Result<Option<Result<Box<dyn Store>, OracleError>>> {
    let opened = || -> Result<Box<dyn Store>, OracleError> {
        let database = Database::open(path)?;
        let games = database.games()?;
        Ok(Box::new(OpenDatabase { games, database: Mutex::new(database) }))
    };
    Ok(is_database(path)?.then(opened))
}

impl OpenDatabase {
    fn database(&self) -> MutexGuard<'_, Database> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for OpenDatabase {
    fn games(&self) -> &[GameId] {
        &self.games
    }

    fn row(&self, study: &dyn Position) -> Result<Option<ValueWithBest>, OracleError> {
        let (id, Some((key, _))) = (study.game_id(), study.canonical()) else { return Ok(None) };
        let database = self.database();
        let Some(row) = database.position(&id, key)? else { return Ok(None) };
        if row.ply != study.tier() {
            let error = DatabaseError::OtherRules {
                path: database.path().to_owned(),
                game: id,
                position: study.picture(),
                plies: [row.ply, study.tier()],
            };
            return Err(error.into());
        }
        Ok(Some(ValueWithBest { value: row.value, best: row.best }))
    }

    fn bounds(&self, study: &dyn Position) -> Result<Option<ValueBounds>, OracleError> {
        let (id, Some((key, _))) = (study.game_id(), study.canonical()) else { return Ok(None) };
        Ok(self.database().lookup(&id)?.bound(key)?.map(|row| row.bounds))
    }
}
