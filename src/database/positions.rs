//! Writing to the table `position`: add, fill what is NULL, or find a contradiction.

use rusqlite::{Connection, OptionalExtension, Row, Rows, Statement, params};

use super::checksum::Checksum;
use super::inventory::Inventory;
use super::spans::{Content, damaged};
use super::{GameId, PositionRow, WriteSummary};
use crate::game::{Key, MoveSet, Outcome, Ply, Remoteness};

/// Rows per insert statement. In ascending order 1.7 million rows/s go in by 32, 1.3 million by 8,
/// 0.6 million one by one; in random order it makes no difference.
const ROWS_AT_ONCE: usize = 32;

/// Why positions were not written.
pub(super) enum Rejection {
    /// The stored row contradicts the offered one.
    Conflict { stored: PositionRow, offered: PositionRow },
    /// SQLite's report.
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Rejection {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// The statements that write positions of one game.
pub(super) struct PositionWriter<'c> {
    game_id: i64,
    checksum: Checksum,
    inventory: Inventory<'c>,
    insert: Statement<'c>,
    insert_several: Statement<'c>,
    select: Statement<'c>,
    update: Statement<'c>,
    summary: WriteSummary,
}

impl<'c> PositionWriter<'c> {
    pub(super) fn new(
        connection: &'c Connection,
        game_id: i64,
        game: &GameId,
    ) -> rusqlite::Result<Self> {
        let checksum = Checksum::new(game);
        Ok(Self {
            game_id,
            checksum,
            inventory: Inventory::new(connection, game_id, Content::Positions, checksum)?,
            insert: connection.prepare(&insert_statement(1))?,
            insert_several: connection.prepare(&insert_statement(ROWS_AT_ONCE))?,
            select: connection.prepare(&format!(
                "SELECT {COLUMNS} FROM position WHERE game_id = ?1 AND key = ?2"
            ))?,
            update: connection.prepare(
                "UPDATE position SET remoteness = ?3, best = ?4, sum = ?5
                 WHERE game_id = ?1 AND key = ?2",
            )?,
            summary: WriteSummary::default(),
        })
    }

    /// What became of all rows so far.
    pub(super) fn summary(&self) -> WriteSummary {
        self.summary
    }

    /// Goes back to an earlier summary, after the rows since then were rolled back.
    pub(super) fn take_back(&mut self, summary: WriteSummary) {
        self.summary = summary;
        self.inventory.take_back();
    }

    /// Writes rows inside the caller's transaction. After a conflict the rows before it are
    /// written, in the order of the table; the conflicting one is not.
    pub(super) fn write(&mut self, rows: &mut [PositionRow]) -> Result<(), Rejection> {
        // In the order of the table, neighbours share pages.
        rows.sort_unstable_by_key(|row| row.key.0.cast_signed());
        self.inventory.check(rows.iter().map(|row| row.key.0.cast_signed()))?;
        let written = self.add_all(rows);
        self.inventory.finish()?;
        written
    }

    fn add_all(&mut self, rows: &[PositionRow]) -> Result<(), Rejection> {
        let mut chunks = rows.chunks_exact(ROWS_AT_ONCE);
        for chunk in &mut chunks {
            self.add(chunk)?;
        }
        for row in chunks.remainder() {
            self.add(std::slice::from_ref(row))?;
        }
        Ok(())
    }

    /// Writes one row or [`ROWS_AT_ONCE`]: those that are new by one insert, which skips the
    /// others; then each of the others is compared with what is stored.
    fn add(&mut self, rows: &[PositionRow]) -> Result<(), Rejection> {
        let statement = if rows.len() == 1 { &mut self.insert } else { &mut self.insert_several };
        statement.raw_bind_parameter(1, self.game_id)?;
        for (i, row) in rows.iter().enumerate() {
            let first = 2 + VALUES * i;
            statement.raw_bind_parameter(first, row.key.0.cast_signed())?;
            statement.raw_bind_parameter(first + 1, row.ply.0)?;
            statement.raw_bind_parameter(first + 2, row.outcome.sign())?;
            statement.raw_bind_parameter(first + 3, row.remoteness.map(|r| r.0))?;
            statement.raw_bind_parameter(first + 4, row.best.map(|best| best.0.cast_signed()))?;
            statement.raw_bind_parameter(first + 5, self.checksum.position(row).cast_signed())?;
        }
        // The insert tells the keys it added, in the order of the rows.
        let mut others = [None; ROWS_AT_ONCE];
        let mut added = statement.raw_query();
        let next = |added: &mut Rows<'_>| added.next()?.map(|row| row.get::<_, i64>(0)).transpose();
        let mut next_added = next(&mut added)?;
        for (row, other) in rows.iter().zip(&mut others) {
            let key = row.key.0.cast_signed();
            if next_added == Some(key) {
                next_added = next(&mut added)?;
                self.inventory.added(key, row.ply, self.checksum.position(row))?;
                self.summary.added += 1;
            } else {
                *other = Some(*row);
            }
        }
        drop(added);
        for offered in others.into_iter().flatten() {
            let refined = u64::from(self.refine(offered)?);
            self.summary.refined += refined;
            self.summary.unchanged += 1 - refined;
        }
        Ok(())
    }

    /// Fills what the stored row lacks and the offered one has; true if that was anything.
    fn refine(&mut self, offered: PositionRow) -> Result<bool, Rejection> {
        let key = offered.key.0.cast_signed();
        let stored = self
            .select
            .query_row([self.game_id, key], |row| position_row(row, self.checksum))
            .optional()?
            .ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let merged = merge(stored, offered).ok_or(Rejection::Conflict { stored, offered })?;
        if merged == stored {
            return Ok(false);
        }
        let [from, to] = [stored, merged].map(|row| self.checksum.position(&row));
        self.update.execute(params![
            self.game_id,
            key,
            merged.remoteness.map(|r| r.0),
            merged.best.map(|best| best.0.cast_signed()),
            to.cast_signed(),
        ])?;
        self.inventory.changed(key, merged.ply, from, to)?;
        Ok(true)
    }
}

/// The columns that [`position_row`] reads.
pub(super) const COLUMNS: &str = "key, ply, outcome, remoteness, best, sum";

/// How many they are.
const VALUES: usize = 6;

fn insert_statement(rows: usize) -> String {
    let values: Vec<String> = (0..rows)
        .map(|i| {
            let n = 2 + VALUES * i;
            let [a, b, c, d, e] = [n + 1, n + 2, n + 3, n + 4, n + 5];
            format!("(?1, ?{n}, ?{a}, ?{b}, ?{c}, ?{d}, ?{e})")
        })
        .collect();
    format!(
        "INSERT INTO position (game_id, {COLUMNS}) VALUES {}
         ON CONFLICT (game_id, key) DO NOTHING RETURNING key",
        values.join(", ")
    )
}

/// What both rows together say of one position; `None` if they contradict each other.
fn merge(stored: PositionRow, offered: PositionRow) -> Option<PositionRow> {
    let agree = (stored.ply, stored.outcome) == (offered.ply, offered.outcome);
    agree.then_some(())?;
    Some(PositionRow {
        remoteness: merge_known(stored.remoteness, offered.remoteness)?,
        best: merge_best(stored, offered)?,
        ..stored
    })
}

/// The best moves that belong to the remoteness of both rows together.
fn merge_best(stored: PositionRow, offered: PositionRow) -> Option<Option<MoveSet>> {
    let (exact, outcome_only) = match (stored.remoteness, offered.remoteness) {
        (Some(_), None) => (stored, offered),
        (None, Some(_)) => (offered, stored),
        _ => return merge_known(stored.best, offered.best),
    };
    match (exact.best, outcome_only.best) {
        // What attains the value attains the outcome.
        (Some(best), Some(attaining)) if !best.without(attaining).is_empty() => None,
        (best, _) => Some(best),
    }
}

fn merge_known<T: PartialEq>(stored: Option<T>, offered: Option<T>) -> Option<Option<T>> {
    match (stored, offered) {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => Some(a.or(b)),
    }
}

/// The row in these [`COLUMNS`].
///
/// Numbers outside their range and a checksum that fails, which only a damaged file can hold, are
/// errors.
pub(super) fn position_row(row: &Row<'_>, checksum: Checksum) -> rusqlite::Result<PositionRow> {
    let best: Option<i64> = row.get(4)?;
    let read = PositionRow {
        key: Key(row.get::<_, i64>(0)?.cast_unsigned()),
        ply: Ply(row.get(1)?),
        outcome: outcome(row.get(2)?, 2)?,
        remoteness: row.get::<_, Option<u8>>(3)?.map(Remoteness),
        best: best.map(|bits| MoveSet(bits.cast_unsigned())),
    };
    check_sum(row, 5, read.key, checksum.position(&read))?;
    Ok(read)
}

/// Refuses a row whose checksum, in this column, is not what its content gives.
pub(super) fn check_sum(
    row: &Row<'_>,
    column: usize,
    key: Key,
    expected: u32,
) -> rusqlite::Result<()> {
    if row.get::<_, i64>(column)? == i64::from(expected.cast_signed()) {
        return Ok(());
    }
    Err(damaged(format!("the row of the position with key {} fails its checksum", key.0)))
}

/// The outcome with this sign, from a column counted from 0.
pub(super) fn outcome(sign: i64, column: usize) -> rusqlite::Result<Outcome> {
    Outcome::from_sign(sign).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, sign))
}
