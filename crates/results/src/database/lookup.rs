//! Look-ups and visits of the positions of one game.

use std::collections::VecDeque;

use rusqlite::{Connection, OptionalExtension, Row, Statement, params};

use super::check::{damaged, snapshot};
use super::checksum::Checksum;
use super::error::At;
use super::{BoundRow, Database, DatabaseError, PositionRow};
use everyply_core::game::{GameId, Key, Ply, Symmetric};

/// The most rows held in memory, beside two plies of any size.
const HELD: usize = 1 << 20;

/// The most rows of a ply that are visited at a time.
const PIECE: usize = 1 << 14;

/// The clause for the rows of a game in the order of a table: by key as a signed number.
const ALL: &str = "WHERE game_id = ?1 AND ?2 IS NULL";

/// A row about a position, with a checksum.
pub(super) trait StoredRow: Sized {
    const TABLE: &'static str;
    const COLUMNS: &'static str;

    /// Reads a row. Numbers outside their range and a checksum that fails, which only a damaged file can
    /// hold, are errors.
    fn read(row: &Row<'_>, checksum: Checksum) -> rusqlite::Result<Self>;

    fn key(&self) -> Key;
}

/// Prepares the statement for [`find`].
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
    /// The number of the game; `None` if the database does not hold it.
    game_id: Option<i64>,
    position: Statement<'d>,
    bound: Statement<'d>,
}

impl Lookup<'_> {
    /// Looks up one position by its canonical key.
    pub fn position(&mut self, key: Key) -> Result<Option<PositionRow>, DatabaseError> {
        let Some(game_id) = self.game_id else { return Ok(None) };
        find(&mut self.position, game_id, key, self.checksum).at(&self.database.path)
    }

    /// Looks up a position of the game by any of its images, and maps the best moves to the
    /// position.
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
        let Some(game_id) = self.game_id else { return Ok(None) };
        find(&mut self.bound, game_id, key, self.checksum).at(&self.database.path)
    }
}

impl Database {
    pub fn lookup(&self, game: &GameId) -> Result<Lookup<'_>, DatabaseError> {
        Ok(Lookup {
            database: self,
            checksum: Checksum::new(game),
            game_id: self.number_of(game)?,
            position: select::<PositionRow>(&self.connection).at(&self.path)?,
            bound: select::<BoundRow>(&self.connection).at(&self.path)?,
        })
    }

    /// Looks up one position by its canonical key. For many look-ups [`lookup`](Self::lookup) is
    /// faster.
    pub fn position(&self, game: &GameId, key: Key) -> Result<Option<PositionRow>, DatabaseError> {
        self.lookup(game)?.position(key)
    }

    /// Visits the positions of a game, of one ply or of all, by ply and then by ascending key,
    /// whatever the order of writing. A game that is not stored has none.
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

    /// Visits the positions of a game by ply and ascending key: with `beside` each ply together
    /// with the next plies in memory, at least one; else parts of a ply alone.
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
    pub fn scan<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        visit: impl FnMut(PositionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        self.visit(game, ALL, None, |row: &PositionRow| row.key.0.cast_signed(), visit)
    }

    /// Visits the bounds of a game in the order of the table.
    pub fn bounds(
        &self,
        game: &GameId,
        mut visit: impl FnMut(BoundRow),
    ) -> Result<(), DatabaseError> {
        let visit = |row| {
            visit(row);
            Ok(())
        };
        self.visit(game, ALL, None, |row: &BoundRow| row.key.0.cast_signed(), visit)
    }

    /// Visits rows, whose places must ascend.
    fn visit<T: StoredRow, P: Copy + Ord, E: From<DatabaseError>>(
        &self,
        game: &GameId,
        which: &str,
        ply: Option<Ply>,
        place: impl Fn(&T) -> P,
        mut visit: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(game_id) = self.number_of(game)? else { return Ok(()) };
        let checksum = Checksum::new(game);
        let _snapshot = snapshot(&self.connection).at(&self.path)?;
        let sql = format!("SELECT {} FROM {} {which}", T::COLUMNS, T::TABLE);
        let mut statement = self.connection.prepare(&sql).at(&self.path)?;
        let parameters = params![game_id, ply.map(|ply| ply.0)];
        let mut rows = statement.query(parameters).at(&self.path)?;
        let mut last = None;
        while let Some(row) = rows.next().at(&self.path)? {
            let row = T::read(row, checksum).at(&self.path)?;
            // Swapped or repeated rows of a damaged file pass their own checksums.
            let place = place(&row);
            if last.replace(place).is_some_and(|last| last >= place) {
                let key = row.key().0;
                let reason = format!(
                    "the row of the position with key {key} is there twice, or not in order"
                );
                return Err(DatabaseError::Damaged { path: self.path.clone(), reason }.into());
            }
            visit(row)?;
        }
        Ok(())
    }

    pub(super) fn number_of(&self, game: &GameId) -> Result<Option<i64>, DatabaseError> {
        let mut games = self.numbered_games()?.into_iter();
        Ok(games.find(|(_, of)| of == game).map(|(id, _)| id))
    }
}
