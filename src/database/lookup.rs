//! The positions of one game, one by one or all of them.

use std::ops::ControlFlow;

use rusqlite::{OptionalExtension, Statement, params};

use super::bounds::bound_row;
use super::checksum::Checksum;
use super::positions::position_row;
use super::{BoundRow, Database, DatabaseError, GameId, PositionRow};
use crate::game::{Key, Ply};

/// Looks up positions of one game: for many of them, since it is prepared once.
#[derive(Debug)]
pub struct Lookup<'d> {
    database: &'d Database,
    checksum: Checksum,
    /// `None` if the database has nothing of the game.
    game_id: Option<i64>,
    position: Statement<'d>,
    bound: Statement<'d>,
}

impl Lookup<'_> {
    /// One position, by its canonical key.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn position(&mut self, key: Key) -> Result<Option<PositionRow>, DatabaseError> {
        let Some(game_id) = self.game_id else { return Ok(None) };
        self.position
            .query_row([game_id, key.0.cast_signed()], |row| position_row(row, self.checksum))
            .optional()
            .map_err(|error| self.database.failure(error))
    }

    /// What is proven of one position without a value, by its canonical key.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn bound(&mut self, key: Key) -> Result<Option<BoundRow>, DatabaseError> {
        let Some(game_id) = self.game_id else { return Ok(None) };
        self.bound
            .query_row([game_id, key.0.cast_signed()], |row| bound_row(row, self.checksum))
            .optional()
            .map_err(|error| self.database.failure(error))
    }
}

impl Database {
    /// Prepares to look up positions of a game.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn lookup(&self, game: &GameId) -> Result<Lookup<'_>, DatabaseError> {
        let prepare = |sql| self.connection.prepare(sql).map_err(|error| self.failure(error));
        Ok(Lookup {
            database: self,
            checksum: Checksum::new(game),
            game_id: self.number_of(game)?,
            position: prepare(
                "SELECT key, ply, outcome, remoteness, best, sum FROM position
                 WHERE game_id = ?1 AND key = ?2",
            )?,
            bound: prepare(
                "SELECT key, ply, worst_outcome, worst_remoteness, best_outcome, best_remoteness,
                        sum
                 FROM bound WHERE game_id = ?1 AND key = ?2",
            )?,
        })
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
            "SELECT key, ply, outcome, remoteness, best, sum FROM position
             WHERE game_id = ?1 AND (?2 IS NULL OR ply = ?2)
             ORDER BY ply, key < 0, key",
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
        self.visit(
            game,
            "SELECT key, ply, outcome, remoteness, best, sum FROM position
             WHERE game_id = ?1 AND ?2 IS NULL",
            None,
            visit,
        )
    }

    /// Checks that the file is whole: its pages, their order, and the checksum of every position
    /// and bound of every game. Worth it before believing that a position is not there.
    ///
    /// # Errors
    /// [`DatabaseError::Damaged`] with what is wrong; or if the file cannot be read.
    pub fn check(&self) -> Result<(), DatabaseError> {
        let damaged = |reason| Err(DatabaseError::Damaged { path: self.path.clone(), reason });
        let mut finding = String::new();
        self.connection
            .pragma(None, "integrity_check", 1, |row| {
                finding = row.get(0)?;
                Ok(())
            })
            .map_err(|error| self.failure(error))?;
        if finding != "ok" {
            return damaged(finding);
        }
        for game in self.games()? {
            self.scan(&game, |_| Ok::<_, DatabaseError>(()))?;
            self.bounds(&game, |_| ControlFlow::Continue(()))?;
        }
        let orphans: i64 = self
            .connection
            .query_row(
                "SELECT (SELECT count(*) FROM position WHERE game_id NOT IN (SELECT id FROM game))
                      + (SELECT count(*) FROM bound WHERE game_id NOT IN (SELECT id FROM game))",
                [],
                |row| row.get(0),
            )
            .map_err(|error| self.failure(error))?;
        if orphans > 0 { damaged(format!("{orphans} positions are of no game")) } else { Ok(()) }
    }

    fn visit<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        sql: &str,
        ply: Option<Ply>,
        mut visit: impl FnMut(PositionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(game_id) = self.number_of(game)? else { return Ok(()) };
        let fail = |error| E::from(self.failure(error));
        let checksum = Checksum::new(game);
        let mut statement = self.connection.prepare(sql).map_err(fail)?;
        let mut rows = statement.query(params![game_id, ply.map(|ply| ply.0)]).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            visit(position_row(row, checksum).map_err(fail)?)?;
        }
        Ok(())
    }

    /// The number of a game in this file, if it has any of it.
    pub(super) fn number_of(&self, game: &GameId) -> Result<Option<i64>, DatabaseError> {
        let size = game.size;
        self.connection
            .query_row(
                "SELECT id FROM game WHERE name = ?1 AND width = ?2 AND height = ?3 AND line = ?4",
                params![game.name, size.width, size.height, size.line],
                |row| row.get(0),
            )
            .optional()
            .map_err(|error| self.failure(error))
    }
}
