//! Visits of stored positions ply by ply, each ply beside the next one.

use super::{Database, DatabaseError, PositionRow};
use everyply_core::game::{GameId, Key, Ply};

/// The stored positions of one ply, by ascending key.
#[derive(Clone, Debug, Default)]
pub struct PlyRows {
    rows: Vec<PositionRow>,
}

impl PlyRows {
    pub fn rows(&self) -> &[PositionRow] {
        &self.rows
    }

    /// The ply; `None` if there is no row.
    pub fn ply(&self) -> Option<Ply> {
        self.rows.first().map(|row| row.ply)
    }

    pub fn get(&self, key: Key) -> Option<&PositionRow> {
        self.rows.binary_search_by_key(&key, |row| row.key).ok().map(|index| &self.rows[index])
    }
}

impl Database {
    /// Visits the positions of a game ply by ply, each ply with the next one, which is empty if it
    /// is not stored. Two plies are in memory at a time.
    ///
    /// # Errors
    /// The first error of `visit`, which ends the visit; or if the file is damaged or cannot be
    /// read.
    pub fn plies<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        mut visit: impl FnMut(&PlyRows, &PlyRows) -> Result<(), E>,
    ) -> Result<(), E> {
        let empty = PlyRows::default();
        let mut before: Option<PlyRows> = None;
        let mut current = PlyRows::default();
        let mut visit = |before: Option<&PlyRows>, next: &PlyRows| match before {
            Some(rows) if follows(rows, next) => visit(rows, next),
            Some(rows) => visit(rows, &empty),
            None => Ok(()),
        };
        self.positions(game, None, |row| {
            if current.ply().is_some_and(|ply| ply != row.ply) {
                visit(before.as_ref(), &current)?;
                before = Some(std::mem::take(&mut current));
            }
            current.rows.push(row);
            Ok::<(), E>(())
        })?;
        visit(before.as_ref(), &current)?;
        if current.rows.is_empty() { Ok(()) } else { visit(Some(&current), &empty) }
    }
}

fn follows(rows: &PlyRows, next: &PlyRows) -> bool {
    rows.ply().zip(next.ply()).is_some_and(|(ply, next)| next.0 == ply.0 + 1)
}
