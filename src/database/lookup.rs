//! The positions of one game, one by one or all of them.

use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::bounds::{self, bound_row};
use super::check::snapshot;
use super::checksum::Checksum;
use super::inventory::{self, Tally};
use super::positions::{self, of_key, position_row};
use super::reader::numbered_games;
use super::spans::{Content, Spans};
use super::{BoundRow, Database, DatabaseError, PositionRow, schema};
use crate::game::GameId;
use crate::game::{Key, Ply, Symmetric};

/// Looks up positions of one game: for many of them, since it is prepared once.
#[derive(Debug)]
pub struct Lookup<'d> {
    database: &'d Database,
    checksum: Checksum,
    /// `None` if the database has nothing of the game.
    game: Option<GameFilter<'d>>,
}

#[derive(Debug)]
struct GameFilter<'d> {
    id: i64,
    position: Statement<'d>,
    bound: Statement<'d>,
    /// What proves that one is not there; `None` in files without counts.
    positions: Option<Spans<'d>>,
    bounds: Option<Spans<'d>>,
}

impl Lookup<'_> {
    /// One position, by its canonical key.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn position(&mut self, key: Key) -> Result<Option<PositionRow>, DatabaseError> {
        let Some(game) = &mut self.game else { return Ok(None) };
        let checksum = self.checksum;
        let find = &mut game.position;
        let find = || {
            find.query_row([game.id, key.0.cast_signed()], |row| {
                of_key(key, position_row(row, checksum), |row| row.key)
            })
            .optional()
        };
        or_prove_absent(&self.database.connection, find, game.positions.as_mut(), key)
            .map_err(|error| self.database.failure(error))
    }

    /// What is stored of a position of the game, whichever of its images that is: the row, with
    /// the best moves of the position itself.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn find<G: Symmetric<Key = Key>>(
        &mut self,
        game: &G,
        position: G::Position,
    ) -> Result<Option<PositionRow>, DatabaseError> {
        let (key, symmetry) = game.canonical(position);
        let row = self.position(key)?;
        Ok(row.map(|row| PositionRow {
            best: row.best.map(|best| game.moves_of_image(position, best, symmetry)),
            ..row
        }))
    }

    /// What is proven of one position without a value, by its canonical key.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn bound(&mut self, key: Key) -> Result<Option<BoundRow>, DatabaseError> {
        let Some(game) = &mut self.game else { return Ok(None) };
        let checksum = self.checksum;
        let find = &mut game.bound;
        let find = || {
            find.query_row([game.id, key.0.cast_signed()], |row| {
                of_key(key, bound_row(row, checksum), |row| row.key)
            })
            .optional()
        };
        or_prove_absent(&self.database.connection, find, game.bounds.as_mut(), key)
            .map_err(|error| self.database.failure(error))
    }
}

/// What `find` finds, or proof that it is not there.
fn or_prove_absent<T>(
    connection: &Connection,
    mut find: impl FnMut() -> rusqlite::Result<Option<T>>,
    spans: Option<&mut Spans<'_>>,
    key: Key,
) -> rusqlite::Result<Option<T>> {
    let found = find()?;
    let Some(spans) = spans.filter(|_| found.is_none()) else { return Ok(found) };
    // Both in one view: another process may be adding it.
    let _snapshot = snapshot(connection)?;
    let found = find()?;
    if found.is_none() {
        spans.prove_absent(key.0.cast_signed())?;
    }
    Ok(found)
}

impl Database {
    /// Prepares to look up positions of a game.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn lookup(&self, game: &GameId) -> Result<Lookup<'_>, DatabaseError> {
        let checksum = Checksum::new(game);
        let prepare = |id| -> rusqlite::Result<GameFilter<'_>> {
            let prepare = |table, columns| {
                self.connection.prepare(&format!(
                    "SELECT {columns} FROM {table} WHERE game_id = ?1 AND key = ?2"
                ))
            };
            let spans = |content| {
                let spans = || Spans::new(&self.connection, id, content, checksum);
                self.is_counted().then(spans).transpose()
            };
            Ok(GameFilter {
                id,
                position: prepare("position", positions::COLUMNS)?,
                bound: prepare("bound", bounds::COLUMNS)?,
                positions: spans(Content::Positions)?,
                bounds: spans(Content::Bounds)?,
            })
        };
        let game = self.number_of(game)?.map(prepare).transpose();
        let game = game.map_err(|error| self.failure(error))?;
        Ok(Lookup { database: self, checksum, game })
    }

    /// One position, by its canonical key. For many of them, [`lookup`](Self::lookup) is faster.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn position(&self, game: &GameId, key: Key) -> Result<Option<PositionRow>, DatabaseError> {
        self.lookup(game)?.position(key)
    }

    /// Visits the positions of a game, of one ply or of all, by ply and then by ascending key,
    /// the same order whatever wrote them. A game that is not there has none.
    ///
    /// # Errors
    /// The first error of `visit`, which ends the visit; or if the file is damaged or cannot be
    /// read.
    pub fn positions<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        ply: Option<Ply>,
        visit: impl FnMut(PositionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        self.visit(
            game,
            "WHERE game_id = ?1 AND (?2 IS NULL OR ply = ?2) ORDER BY ply, key < 0, key",
            ply,
            visit,
        )
    }

    /// Visits all positions of a game in the order of the table, which costs least.
    ///
    /// # Errors
    /// The first error of `visit`, which ends the visit; or if the file is damaged or cannot be
    /// read.
    pub fn scan<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        visit: impl FnMut(PositionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        self.visit(game, "WHERE game_id = ?1 AND ?2 IS NULL", None, visit)
    }

    fn visit<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        which: &str,
        ply: Option<Ply>,
        mut visit: impl FnMut(PositionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(game_id) = self.number_of(game)? else { return Ok(()) };
        let fail = |error| E::from(self.failure(error));
        let checksum = Checksum::new(game);
        let _snapshot = snapshot(&self.connection).map_err(fail)?;
        let sql = format!("SELECT {} FROM position {which}", positions::COLUMNS);
        let mut statement = self.connection.prepare(&sql).map_err(fail)?;
        let mut rows = statement.query(params![game_id, ply.map(|ply| ply.0)]).map_err(fail)?;
        let mut tally = Tally::new();
        while let Some(row) = rows.next().map_err(fail)? {
            let row = position_row(row, checksum).map_err(fail)?;
            tally.entry(row.ply).or_default().add(1, checksum.position(&row));
            visit(row)?;
        }
        if !self.is_counted() {
            return Ok(());
        }
        inventory::compare(&self.connection, game_id, Content::Positions, ply, &tally).map_err(fail)
    }

    /// True if the file has counts of its rows. Those without were read whole when opened.
    pub(super) fn is_counted(&self) -> bool {
        self.version >= schema::WITH_COUNTS
    }

    /// The number of a game in this file, if it has any of it.
    pub(super) fn number_of(&self, game: &GameId) -> Result<Option<i64>, DatabaseError> {
        let games = numbered_games(&self.connection).map_err(|error| self.failure(error))?;
        Ok(games.into_iter().find(|(_, of)| of == game).map(|(id, _)| id))
    }
}
