//! Visits of stored positions ply by ply, each ply beside the next one.

use super::{Database, DatabaseError, Lookup, PositionRow};
use everyply_core::game::{GameId, Key, Ply};

/// The stored positions of one ply, by ascending key.
type PlyRows = Vec<PositionRow>;

/// The rows of a ply and of the next one in memory, and all others by look-up.
#[derive(Debug)]
pub struct Neighbours<'l, 'd> {
    rows: &'l [PositionRow],
    next: &'l [PositionRow],
    lookup: &'l mut Lookup<'d>,
}

impl Neighbours<'_, '_> {
    /// The row of a canonical key, of a position of this ply.
    pub fn row(&mut self, key: Key, ply: Ply) -> Result<Option<PositionRow>, DatabaseError> {
        let is_of = |rows: &[PositionRow]| rows.first().is_some_and(|row| row.ply == ply);
        match [self.rows, self.next].into_iter().find(|rows| is_of(rows)) {
            Some(rows) => {
                Ok(rows.binary_search_by_key(&key, |row| row.key).ok().map(|at| rows[at]))
            }
            None => self.lookup.position(key),
        }
    }
}

impl Database {
    /// Visits the positions of a game by ply and key, with the rows around them. Two plies are in memory
    /// at a time.
    ///
    /// # Errors
    /// The first error of `visit`, which ends the visit; or if the file is damaged or cannot be
    /// read.
    pub fn plies<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        mut visit: impl FnMut(&PositionRow, &mut Neighbours<'_, '_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut lookup = self.lookup(game)?;
        let mut visit_ply = |rows: &PlyRows, next: &PlyRows| {
            let mut near = Neighbours { rows, next, lookup: &mut lookup };
            rows.iter().try_for_each(|row| visit(row, &mut near))
        };
        let (mut before, mut current) = (PlyRows::new(), PlyRows::new());
        self.positions(game, None, |row| {
            if current.last().is_some_and(|last| last.ply != row.ply) {
                visit_ply(&before, &current)?;
                before = std::mem::take(&mut current);
            }
            current.push(row);
            Ok::<(), E>(())
        })?;
        visit_ply(&before, &current)?;
        visit_ply(&current, &PlyRows::new())
    }
}
