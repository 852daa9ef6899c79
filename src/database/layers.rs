//! Stored positions ply by ply, each ply beside the one that its moves lead to.

use super::{Database, DatabaseError, PositionRow};
use crate::game::GameId;
use crate::game::{Key, Move, PartialValue, Ply, Value};
use crate::games::line::{LineGame, Stones};

/// The stored positions of one ply, by ascending key.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    rows: Vec<PositionRow>,
}

impl Layer {
    /// The rows, by ascending key.
    #[must_use]
    pub fn rows(&self) -> &[PositionRow] {
        &self.rows
    }

    /// The ply; `None` if there is no row.
    #[must_use]
    pub fn ply(&self) -> Option<Ply> {
        self.rows.first().map(|row| row.ply)
    }

    /// The row with this key.
    #[must_use]
    pub fn get(&self, key: Key) -> Option<&PositionRow> {
        self.rows.binary_search_by_key(&key, |row| row.key).ok().map(|index| &self.rows[index])
    }

    /// What a move is worth to the side that makes it, from the rules or, if this is the layer of
    /// the ply after it, from the row of the position it leads to; `None` where neither tells.
    #[must_use]
    pub fn value_of_move<G: LineGame>(
        &self,
        game: &G,
        position: Stones,
        m: Move,
    ) -> Option<PartialValue> {
        let next = game.play(position, m);
        let value = match game.result(next) {
            Some(outcome) => Value::over(outcome).into(),
            None => self.get(game.canonical(next).0)?.value,
        };
        Some(value.for_parent())
    }
}

impl Database {
    /// Visits the positions of a game ply by ply, each ply with the next one. Two plies are in
    /// memory at a time. The next layer is empty where the ply after is not stored.
    ///
    /// # Errors
    /// The first error of `visit`, which ends the visit; or if the file is damaged or cannot be
    /// read.
    pub fn layers<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        mut visit: impl FnMut(&Layer, &Layer) -> Result<(), E>,
    ) -> Result<(), E> {
        let nothing = Layer::default();
        let mut before: Option<Layer> = None;
        let mut current = Layer::default();
        let mut handed_on = |before: Option<&Layer>, next: &Layer| match before {
            Some(layer) if follows(layer, next) => visit(layer, next),
            Some(layer) => visit(layer, &nothing),
            None => Ok(()),
        };
        self.positions(game, None, |row| {
            if current.ply().is_some_and(|ply| ply != row.ply) {
                handed_on(before.as_ref(), &current)?;
                before = Some(std::mem::take(&mut current));
            }
            current.rows.push(row);
            Ok::<(), E>(())
        })?;
        handed_on(before.as_ref(), &current)?;
        if current.rows.is_empty() { Ok(()) } else { handed_on(Some(&current), &Layer::default()) }
    }
}

fn follows(layer: &Layer, next: &Layer) -> bool {
    layer.ply().zip(next.ply()).is_some_and(|(ply, next)| next.0 == ply.0 + 1)
}
