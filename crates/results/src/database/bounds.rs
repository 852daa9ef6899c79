//! The table `bound`: proven bounds of positions without a proven value.

use rusqlite::{Connection, OptionalExtension, Row, Statement, params};

use super::check::{Ascending, in_table, snapshot};
use super::checksum::Checksum;
use super::positions::{check_sum, of_key, outcome};
use super::{BoundRow, Database, DatabaseError};
use everyply_core::game::{GameId, Key, Ply, Remoteness, Value, ValueBounds};

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
            select: connection
                .prepare(&format!("SELECT {COLUMNS} FROM bound WHERE game_id = ?1 AND key = ?2"))?,
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
                .query_row([self.game_id, key], |stored| {
                    of_key(row.key, bound_row(stored, self.checksum), |stored| stored.key)
                })
                .optional()?;
            if let Some(stored) = stored {
                row.bounds.worst = row.bounds.worst.max(stored.bounds.worst);
                row.bounds.best = row.bounds.best.min(stored.bounds.best);
                if *row == stored {
                    continue;
                }
            }
            self.replace.execute(params![
                self.game_id,
                key,
                row.ply.0,
                row.bounds.worst.outcome.sign(),
                row.bounds.worst.remoteness.0,
                row.bounds.best.outcome.sign(),
                row.bounds.best.remoteness.0,
                self.checksum.bound(row).cast_signed(),
            ])?;
        }
        Ok(())
    }
}

/// The columns that [`bound_row`] reads.
pub(super) const COLUMNS: &str =
    "key, ply, worst_outcome, worst_remoteness, best_outcome, best_remoteness, sum";

pub(super) fn bound_row(row: &Row<'_>, checksum: Checksum) -> rusqlite::Result<BoundRow> {
    let value = |column| -> rusqlite::Result<Value> {
        Ok(Value::new(outcome(row.get(column)?, column)?, Remoteness(row.get(column + 1)?)))
    };
    let read = BoundRow {
        key: Key(row.get::<_, i64>(0)?.cast_unsigned()),
        ply: Ply(row.get(1)?),
        bounds: ValueBounds { worst: value(2)?, best: value(4)? },
    };
    check_sum(row, 6, read.key, checksum.bound(&read))?;
    Ok(read)
}

impl Database {
    /// Visits the bounds of a game in the order of the table.
    pub fn bounds(
        &self,
        game: &GameId,
        mut visit: impl FnMut(BoundRow),
    ) -> Result<(), DatabaseError> {
        let Some(game_id) = self.number_of(game)? else { return Ok(()) };
        let checksum = Checksum::new(game);
        let mut read = || -> rusqlite::Result<()> {
            let _snapshot = snapshot(&self.connection)?;
            let sql = format!("SELECT {COLUMNS} FROM bound WHERE game_id = ?1");
            let mut statement = self.connection.prepare(&sql)?;
            let mut rows = statement.query([game_id])?;
            let mut order = Ascending::default();
            while let Some(row) = rows.next()? {
                let row = bound_row(row, checksum)?;
                order.check(in_table(row.key), row.key)?;
                visit(row);
            }
            Ok(())
        };
        read().map_err(|error| self.failure(error))
    }
}
