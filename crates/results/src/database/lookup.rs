//! Look-ups and visits of the positions of one game.

use std::collections::VecDeque;

use rusqlite::{Connection, OptionalExtension, Row, Statement, params};

use super::check::{Ascending, damaged, in_table, snapshot};
use super::checksum::Checksum;
use super::reader::numbered_games;
use super::{BoundRow, Database, DatabaseError, PositionRow};
use everyply_core::game::{GameId, Key, Ply, Symmetric};

/// Rows of plies that are held in memory, if two plies have fewer.
const HELD: usize = 1 << 20;

/// Rows that are visited at a time, without others.
const PIECE: usize = 1 << 14;

/// A row about a position, which proves itself by its checksum.
pub(super) trait StoredRow: Sized {
    const TABLE: &'static str;
    /// The columns that are read.
    const COLUMNS: &'static str;

    /// Reads a row. Numbers outside their range and a checksum that fails, which only a damaged file can
    /// hold, are errors.
    fn read(row: &Row<'_>, checksum: Checksum) -> rusqlite::Result<Self>;

    fn key(&self) -> Key;
}

/// The statement by which [`find`] looks up a row.
pub(super) fn select<T: StoredRow>(connection: &Connection) -> rusqlite::Result<Statement<'_>> {
    let (columns, table) = (T::COLUMNS, T::TABLE);
    connection.prepare(&format!("SELECT {columns} FROM {table} WHERE game_id = ?1 AND key = ?2"))
}

/// Looks up a row by its key. A row with another key is refused: a damaged index can lead to it, and its
/// own checksum matches.
pub(super) fn find<T: StoredRow>(
    select: &mut Statement<'_>,
    game_id: i64,
    key: Key,
    checksum: Checksum,
) -> rusqlite::Result<Option<T>> {
    let read = |row: &Row<'_>| T::read(row, checksum);
    let row = select.query_row([game_id, key.0.cast_signed()], read).optional()?;
    match row.as_ref().map(T::key).filter(|found| *found != key) {
        Some(Key(other)) => Err(damaged(format!(
            "the row of the position with key {other} is where key {} is",
            key.0
        ))),
        None => Ok(row),
    }
}

/// Look-ups of positions of one game, with statements that are prepared once.
#[derive(Debug)]
pub struct Lookup<'d> {
    database: &'d Database,
    checksum: Checksum,
    /// `None` if the database does not hold the game.
    game: Option<GameFilter<'d>>,
}

#[derive(Debug)]
struct GameFilter<'d> {
    id: i64,
    position: Statement<'d>,
    bound: Statement<'d>,
}

impl Lookup<'_> {
    /// Looks up one position by its canonical key.
    pub fn position(&mut self, key: Key) -> Result<Option<PositionRow>, DatabaseError> {
        let Some(game) = &mut self.game else { return Ok(None) };
        let found = find(&mut game.position, game.id, key, self.checksum);
        found.map_err(|error| self.database.failure(error))
    }

    /// Looks up a position of the game by any of its images: the row, with the best moves of the
    /// position itself.
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

    /// Looks up the bounds of a position without a proven value by its canonical key.
    pub fn bound(&mut self, key: Key) -> Result<Option<BoundRow>, DatabaseError> {
        let Some(game) = &mut self.game else { return Ok(None) };
        let found = find(&mut game.bound, game.id, key, self.checksum);
        found.map_err(|error| self.database.failure(error))
    }
}

impl Database {
    /// Prepares to look up positions of a game.
    pub fn lookup(&self, game: &GameId) -> Result<Lookup<'_>, DatabaseError> {
        let checksum = Checksum::new(game);
        let prepare = |id| -> rusqlite::Result<GameFilter<'_>> {
            Ok(GameFilter {
                id,
                position: select::<PositionRow>(&self.connection)?,
                bound: select::<BoundRow>(&self.connection)?,
            })
        };
        let game = self.number_of(game)?.map(prepare).transpose();
        let game = game.map_err(|error| self.failure(error))?;
        Ok(Lookup { database: self, checksum, game })
    }

    /// Looks up one position by its canonical key. For many look-ups [`lookup`](Self::lookup) is
    /// faster.
    pub fn position(&self, game: &GameId, key: Key) -> Result<Option<PositionRow>, DatabaseError> {
        self.lookup(game)?.position(key)
    }

    /// Visits the positions of a game, of one ply or of all, by ply and then by ascending key,
    /// whatever the order of writing. A game that is not stored has none.
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
            |row: &PositionRow| (row.ply.0, row.key.0),
            visit,
        )
    }

    /// Visits the positions of a game by ply and ascending key, a ply at a time with the plies after it that are
    /// in memory, at least one; or, without `beside`, many of a ply at a time with no others.
    ///
    /// # Errors
    /// The first error of `visit`, which ends the visit; or if the file is damaged or cannot be
    /// read.
    pub fn plies<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        beside: bool,
        mut visit: impl FnMut(&[Vec<PositionRow>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut plies = VecDeque::<Vec<PositionRow>>::new();
        self.positions(game, None, |row| {
            let is_full = |last: &Vec<PositionRow>| !beside && last.len() == PIECE;
            if plies.back().is_none_or(|last| last[0].ply != row.ply || is_full(last)) {
                let (fewest, most) = if beside { (2, HELD) } else { (1, 0) };
                while plies.len() >= fewest && plies.iter().map(Vec::len).sum::<usize>() > most {
                    visit(plies.make_contiguous())?;
                    plies.pop_front();
                }
                plies.push_back(Vec::new());
            }
            plies.back_mut().expect("just made").push(row);
            Ok::<(), E>(())
        })?;
        while !plies.is_empty() {
            visit(plies.make_contiguous())?;
            plies.pop_front();
        }
        Ok(())
    }

    /// Visits all positions of a game in the order of the table, which is the fastest.
    ///
    /// # Errors
    /// The first error of `visit`, which ends the visit; or if the file is damaged or cannot be
    /// read.
    pub fn scan<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        visit: impl FnMut(PositionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let which = "WHERE game_id = ?1 AND ?2 IS NULL";
        self.visit(game, which, None, |row: &PositionRow| in_table(row.key), visit)
    }

    /// Visits the bounds of a game in the order of the table.
    pub fn bounds(
        &self,
        game: &GameId,
        mut visit: impl FnMut(BoundRow),
    ) -> Result<(), DatabaseError> {
        let which = "WHERE game_id = ?1 AND ?2 IS NULL";
        let visit = |row| {
            visit(row);
            Ok(())
        };
        self.visit(game, which, None, |row: &BoundRow| in_table(row.key), visit)
    }

    fn visit<T: StoredRow, E: From<DatabaseError>>(
        &self,
        game: &GameId,
        which: &str,
        ply: Option<Ply>,
        place: impl Fn(&T) -> (u8, u64),
        mut visit: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(game_id) = self.number_of(game)? else { return Ok(()) };
        let fail = |error| E::from(self.failure(error));
        let checksum = Checksum::new(game);
        let _snapshot = snapshot(&self.connection).map_err(fail)?;
        let sql = format!("SELECT {} FROM {} {which}", T::COLUMNS, T::TABLE);
        let mut statement = self.connection.prepare(&sql).map_err(fail)?;
        let mut rows = statement.query(params![game_id, ply.map(|ply| ply.0)]).map_err(fail)?;
        let mut order = Ascending::default();
        while let Some(row) = rows.next().map_err(fail)? {
            let row = T::read(row, checksum).map_err(fail)?;
            order.check(place(&row), row.key()).map_err(fail)?;
            visit(row)?;
        }
        Ok(())
    }

    /// The number of a game in this file, if it is stored.
    pub(super) fn number_of(&self, game: &GameId) -> Result<Option<i64>, DatabaseError> {
        let games = numbered_games(&self.connection).map_err(|error| self.failure(error))?;
        Ok(games.into_iter().find(|(_, of)| of == game).map(|(id, _)| id))
    }
}
