//! Writing to the table `position`: rows are added, fill NULL, or contradict a stored row.

use std::slice::from_ref;
use std::time::{Duration, Instant};

use rusqlite::{Row, Statement, ffi, params};

use super::check::damaged;
use super::checksum::Checksum;
use super::error::At;
use super::lookup::{StoredRow, find, select};
use super::run_file::{RunFile, StopControl};
use super::{Conflict, DatabaseError, PositionRow, WriteSummary};
use everyply_core::game::{Key, MoveSet, Outcome, PartialValue, Ply, Remoteness};

/// Rows per insert statement. In ascending order 1.7 million rows/s go in by 32, 1.3 million by 8,
/// 0.6 million one by one; in random order it makes no difference.
const ROWS_AT_ONCE: usize = 32;

/// The time for which a stopped run still writes positions. Then the transaction is committed and
/// the file closed, within a second of the stop.
const LONGEST: Duration = Duration::from_millis(300);

pub(super) struct PositionWriter<'c> {
    file: &'c RunFile,
    checksum: Checksum,
    insert: Statement<'c>,
    insert_several: Statement<'c>,
    select: Statement<'c>,
    update: Statement<'c>,
    control: StopControl,
    /// The time when a stop was first seen.
    stopped: Option<Instant>,
    /// True if any of the last rows was stored already: then others may be, too.
    met_stored: bool,
    pub summary: WriteSummary,
}

impl<'c> PositionWriter<'c> {
    pub fn new(file: &'c RunFile, control: StopControl) -> rusqlite::Result<Self> {
        let connection = &file.connection;
        Ok(Self {
            file,
            checksum: Checksum::new(&file.game),
            insert: connection.prepare(&insert_statement(1))?,
            insert_several: connection.prepare(&insert_statement(ROWS_AT_ONCE))?,
            select: select::<PositionRow>(connection)?,
            update: connection.prepare(
                "UPDATE position SET remoteness = ?3, best = ?4, sum = ?5
                 WHERE game_id = ?1 AND key = ?2",
            )?,
            control,
            stopped: None,
            met_stored: false,
            summary: WriteSummary::default(),
        })
    }

    /// Writes rows inside the caller's transaction; some time after a stop, only the first of them.
    pub fn write(&mut self, rows: &mut [PositionRow]) -> Result<(), DatabaseError> {
        for row in rows.iter_mut() {
            // The column has 64 bits; NULL says that the best moves are not stored.
            row.best = row.best.filter(|best| u64::try_from(best.0).is_ok());
        }
        // In the order of the table, neighbours share pages. The rows arrive in ascending parts,
        // which a stable sort exploits.
        rows.sort_by_key(|row| row.key.0.cast_signed());
        for chunk in rows.chunks(ROWS_AT_ONCE) {
            if self.is_late() {
                self.summary.left_out = true;
                break;
            }
            let mut sums = [0; ROWS_AT_ONCE];
            for (sum, row) in sums.iter_mut().zip(chunk) {
                *sum = self.checksum.position(row);
            }
            let at_once = chunk.len() == ROWS_AT_ONCE && !self.met_stored;
            let inserted = if at_once { self.insert(chunk, &sums)? } else { 0 };
            self.met_stored = at_once && inserted < chunk.len();
            for (row, sum) in chunk.iter().zip(&sums).skip(inserted) {
                self.add(row, sum)?;
            }
        }
        Ok(())
    }

    /// Returns true if the control asked to stop at least [`LONGEST`] ago.
    fn is_late(&mut self) -> bool {
        self.control.get().is_some_and(|control| control.is_asked_to_stop())
            && self.stopped.get_or_insert_with(Instant::now).elapsed() >= LONGEST
    }

    /// Writes one row: adds it, or fills the NULL columns of the stored row.
    fn add(&mut self, row: &PositionRow, sum: &u32) -> Result<(), DatabaseError> {
        let RunFile { path, game, game_id, .. } = self.file;
        let stored = find(&mut self.select, *game_id, row.key, self.checksum).at(path)?;
        let Some(stored) = stored else {
            return self.insert(from_ref(row), from_ref(sum)).map(drop);
        };
        self.met_stored = true;
        let merged = merge(stored, *row).ok_or_else(|| {
            let (path, game, offered) = (path.clone(), game.clone(), *row);
            DatabaseError::Conflict(Box::new(Conflict { path, game, stored, offered }))
        })?;
        if merged == stored {
            self.summary.unchanged += 1;
            return Ok(());
        }
        let columns = params![
            game_id,
            merged.key.0.cast_signed(),
            merged.value.remoteness.map(|r| r.0),
            merged.best.map(stored_moves),
            self.checksum.position(&merged).cast_signed(),
        ];
        self.update.execute(columns).at(path)?;
        self.summary.refined += 1;
        Ok(())
    }

    /// Inserts one row or [`ROWS_AT_ONCE`], up to the first that is stored already, and returns
    /// the number inserted.
    ///
    /// `OR FAIL` keeps the rows that a statement inserted before it failed, and SQLite reports how
    /// many. The usual `OR ABORT` would roll them back, for which SQLite keeps a copy of every
    /// page as it was before the statement.
    fn insert(&mut self, rows: &[PositionRow], sums: &[u32]) -> Result<usize, DatabaseError> {
        let statement = if rows.len() == 1 { &mut self.insert } else { &mut self.insert_several };
        bind(statement, self.file.game_id, rows, sums).at(&self.file.path)?;
        let inserted = match statement.raw_execute() {
            Err(error) if is_stored(&error) => self.file.connection.changes() as usize,
            inserted => inserted.at(&self.file.path)?,
        };
        self.summary.added += inserted as u64;
        Ok(inserted)
    }
}

fn bind(
    statement: &mut Statement<'_>,
    game_id: i64,
    rows: &[PositionRow],
    sums: &[u32],
) -> rusqlite::Result<()> {
    statement.raw_bind_parameter(1, game_id)?;
    for (i, (row, sum)) in rows.iter().zip(sums).enumerate() {
        let first = 2 + VALUES * i;
        statement.raw_bind_parameter(first, row.key.0.cast_signed())?;
        statement.raw_bind_parameter(first + 1, row.ply.0)?;
        statement.raw_bind_parameter(first + 2, row.value.outcome.sign())?;
        statement.raw_bind_parameter(first + 3, row.value.remoteness.map(|r| r.0))?;
        statement.raw_bind_parameter(first + 4, row.best.map(stored_moves))?;
        statement.raw_bind_parameter(first + 5, sum.cast_signed())?;
    }
    Ok(())
}

/// Returns the moves of a set below the 64th, as the database stores them.
const fn stored_moves(MoveSet(moves): MoveSet) -> i64 {
    moves as i64
}

/// Returns true if SQLite refused a row because its key is stored.
fn is_stored(error: &rusqlite::Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|error| error.extended_code == ffi::SQLITE_CONSTRAINT_PRIMARYKEY)
}

const VALUES: usize = 6;

fn insert_statement(rows: usize) -> String {
    // SQLite gives each `?` the next number after the highest before it.
    let values = vec!["(?1, ?, ?, ?, ?, ?, ?)"; rows].join(", ");
    format!("INSERT OR FAIL INTO position (game_id, {}) VALUES {values}", PositionRow::COLUMNS)
}

/// Merges two rows of a position; `None` if they contradict each other.
fn merge(stored: PositionRow, offered: PositionRow) -> Option<PositionRow> {
    if (stored.ply, stored.value.outcome) != (offered.ply, offered.value.outcome) {
        return None;
    }
    let remoteness = merge_known(stored.value.remoteness, offered.value.remoteness)?;
    // The best moves belong to the remoteness.
    let best = match (stored.value.remoteness, offered.value.remoteness) {
        (Some(_), None) => narrow(stored.best, offered.best)?,
        (None, Some(_)) => narrow(offered.best, stored.best)?,
        _ => merge_known(stored.best, offered.best)?,
    };
    Some(PositionRow { value: PartialValue { remoteness, ..stored.value }, best, ..stored })
}

/// Returns the moves that attain a value; `None` if not all of them attain its outcome.
fn narrow(best: Option<MoveSet>, attaining: Option<MoveSet>) -> Option<Option<MoveSet>> {
    let fits = best.zip(attaining).is_none_or(|(best, all)| best.without(all).is_empty());
    fits.then_some(best)
}

fn merge_known<T: PartialEq>(stored: Option<T>, offered: Option<T>) -> Option<Option<T>> {
    match (stored, offered) {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => Some(a.or(b)),
    }
}

impl StoredRow for PositionRow {
    const TABLE: &'static str = "position";
    const COLUMNS: &'static str = "key, ply, outcome, remoteness, best, sum";

    fn read(row: &Row<'_>, checksum: Checksum) -> rusqlite::Result<Self> {
        let best: Option<i64> = row.get(4)?;
        let read = Self {
            key: Key(row.get::<_, i64>(0)?.cast_unsigned()),
            ply: Ply(row.get(1)?),
            value: PartialValue {
                outcome: outcome(row.get(2)?, 2)?,
                remoteness: row.get::<_, Option<u8>>(3)?.map(Remoteness),
            },
            best: best.map(|bits| MoveSet(bits.cast_unsigned().into())),
        };
        check_sum(row, 5, read.key, checksum.position(&read))?;
        Ok(read)
    }

    fn key(&self) -> Key {
        self.key
    }
}

/// Refuses a row if the checksum in this column does not match its content.
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

/// Returns the outcome of a sign, from a column counted from 0.
pub(super) fn outcome(sign: i64, column: usize) -> rusqlite::Result<Outcome> {
    Outcome::from_sign(sign).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, sign))
}
