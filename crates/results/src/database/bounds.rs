//! The table `bound`: proven bounds of positions without a proven value.

use rusqlite::{Connection, Row, params};

use super::BoundRow;
use super::checksum::Checksum;
use super::lookup::{StoredRow, find, select};
use super::positions::{check_sum, outcome};
use everyply_core::game::{GameId, Key, Ply, Remoteness, Value, ValueBounds};

/// Writes bounds of a game inside the caller's transaction, each intersected with the stored one.
pub(super) fn write_bounds(
    connection: &Connection,
    game_id: i64,
    game: &GameId,
    rows: &mut [BoundRow],
) -> rusqlite::Result<()> {
    let checksum = Checksum::new(game);
    let mut select = select::<BoundRow>(connection)?;
    let mut replace = connection.prepare("REPLACE INTO bound VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
    rows.sort_unstable_by_key(|row| row.key.0.cast_signed());
    for row in rows {
        let stored = find(&mut select, game_id, row.key, checksum)?;
        if let Some(BoundRow { bounds, .. }) = stored {
            row.bounds.worst = row.bounds.worst.max(bounds.worst);
            row.bounds.best = row.bounds.best.min(bounds.best);
            if stored == Some(*row) {
                continue;
            }
        }
        replace.execute(params![
            game_id,
            row.key.0.cast_signed(),
            row.ply.0,
            row.bounds.worst.outcome.sign(),
            row.bounds.worst.remoteness.0,
            row.bounds.best.outcome.sign(),
            row.bounds.best.remoteness.0,
            checksum.bound(row).cast_signed(),
        ])?;
    }
    Ok(())
}

impl StoredRow for BoundRow {
    const TABLE: &'static str = "bound";
    const COLUMNS: &'static str =
        "key, ply, worst_outcome, worst_remoteness, best_outcome, best_remoteness, sum";

    fn read(row: &Row<'_>, checksum: Checksum) -> rusqlite::Result<Self> {
        let value = |column| -> rusqlite::Result<Value> {
            Ok(Value::new(outcome(row.get(column)?, column)?, Remoteness(row.get(column + 1)?)))
        };
        let read = Self {
            key: Key(row.get::<_, i64>(0)?.cast_unsigned()),
            ply: Ply(row.get(1)?),
            bounds: ValueBounds { worst: value(2)?, best: value(4)? },
        };
        check_sum(row, 6, read.key, checksum.bound(&read))?;
        Ok(read)
    }

    fn key(&self) -> Key {
        self.key
    }
}
