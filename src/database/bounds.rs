//! The table `bound`: what is proven of positions whose value is not.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension, Row, Statement, params};

use super::checksum::Checksum;
use super::positions::{check_sum, outcome};
use super::{BoundRow, Database, DatabaseError, GameId};
use crate::game::{Key, Ply, Remoteness, Value};

/// The statements that write bounds of one game.
pub(super) struct BoundWriter<'c> {
    game_id: i64,
    checksum: Checksum,
    select: Statement<'c>,
    replace: Statement<'c>,
}

impl<'c> BoundWriter<'c> {
    pub fn new(connection: &'c Connection, game_id: i64, game: &GameId) -> rusqlite::Result<Self> {
        Ok(Self {
            game_id,
            checksum: Checksum::new(game),
            select: connection.prepare(
                "SELECT key, ply, worst_outcome, worst_remoteness, best_outcome, best_remoteness,
                        sum
                 FROM bound WHERE game_id = ?1 AND key = ?2",
            )?,
            replace: connection.prepare("REPLACE INTO bound VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?,
        })
    }

    /// Writes bounds inside the caller's transaction, each joined to the one that is stored.
    pub fn write(&mut self, rows: &mut [BoundRow]) -> rusqlite::Result<()> {
        rows.sort_unstable_by_key(|row| row.key.0.cast_signed());
        for row in rows {
            let key = row.key.0.cast_signed();
            let stored = self
                .select
                .query_row([self.game_id, key], |stored| bound_row(stored, self.checksum))
                .optional()?;
            if let Some(stored) = stored {
                row.worst = row.worst.max(stored.worst);
                row.best = row.best.min(stored.best);
                if *row == stored {
                    continue;
                }
            }
            self.replace.execute(params![
                self.game_id,
                key,
                row.ply.0,
                row.worst.outcome.sign(),
                row.worst.remoteness.0,
                row.best.outcome.sign(),
                row.best.remoteness.0,
                self.checksum.bound(row).cast_signed(),
            ])?;
        }
        Ok(())
    }
}

/// The row in the columns key, ply, worst outcome and remoteness, best outcome and remoteness,
/// sum.
pub(super) fn bound_row(row: &Row<'_>, checksum: Checksum) -> rusqlite::Result<BoundRow> {
    let value = |column| -> rusqlite::Result<Value> {
        Ok(Value::new(outcome(row.get(column)?, column)?, Remoteness(row.get(column + 1)?)))
    };
    let read = BoundRow {
        key: Key(row.get::<_, i64>(0)?.cast_unsigned()),
        ply: Ply(row.get(1)?),
        worst: value(2)?,
        best: value(4)?,
    };
    check_sum(row, 6, read.key, checksum.bound(&read))?;
    Ok(read)
}

impl Database {
    /// Visits the bounds of a game in the order of the table, until the visitor has enough.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn bounds(
        &self,
        game: &GameId,
        mut visit: impl FnMut(BoundRow) -> ControlFlow<()>,
    ) -> Result<(), DatabaseError> {
        let Some(game_id) = self.number_of(game)? else { return Ok(()) };
        let checksum = Checksum::new(game);
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(
                "SELECT key, ply, worst_outcome, worst_remoteness, best_outcome, best_remoteness,
                        sum
                 FROM bound WHERE game_id = ?1",
            )?;
            let mut rows = statement.query([game_id])?;
            while let Some(row) = rows.next()? {
                if visit(bound_row(row, checksum)?).is_break() {
                    break;
                }
            }
            Ok(())
        };
        read().map_err(|error| self.failure(error))
    }
}
