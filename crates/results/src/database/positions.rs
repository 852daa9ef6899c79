//! Writing to the table `position`: rows are added, fill NULL, or contradict a stored row.

use std::slice::from_ref;

use rusqlite::{Connection, Row, Statement, ffi, params};

use super::check::damaged;
use super::checksum::Checksum;
use super::deadline::Deadline;
use super::lookup::{StoredRow, find, select};
use super::{PositionRow, WriteSummary};
use everyply_core::game::{GameId, Key, MoveSet, Outcome, PartialValue, Ply, Remoteness};

/// Rows per insert statement. In ascending order 1.7 million rows/s go in by 32, 1.3 million by 8,
/// 0.6 million one by one; in random order it makes no difference.
const ROWS_AT_ONCE: usize = 32;

/// The reason why positions were not written.
pub(super) enum Rejection {
    Conflict { stored: PositionRow, offered: PositionRow },
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Rejection {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// The statements that write positions of one game.
pub(super) struct PositionWriter<'c> {
    connection: &'c Connection,
    game_id: i64,
    checksum: Checksum,
    insert: Statement<'c>,
    insert_several: Statement<'c>,
    select: Statement<'c>,
    update: Statement<'c>,
    deadline: Deadline,
    /// True if any of the last rows was stored already: then others may be, too.
    met_stored: bool,
    summary: WriteSummary,
}

impl<'c> PositionWriter<'c> {
    pub(super) fn new(
        connection: &'c Connection,
        game_id: i64,
        game: &GameId,
        deadline: Deadline,
    ) -> rusqlite::Result<Self> {
        let checksum = Checksum::new(game);
        Ok(Self {
            connection,
            game_id,
            checksum,
            insert: connection.prepare(&insert_statement(1))?,
            insert_several: connection.prepare(&insert_statement(ROWS_AT_ONCE))?,
            select: select::<PositionRow>(connection)?,
            update: connection.prepare(
                "UPDATE position SET remoteness = ?3, best = ?4, sum = ?5
                 WHERE game_id = ?1 AND key = ?2",
            )?,
            deadline,
            met_stored: false,
            summary: WriteSummary::default(),
        })
    }

    pub(super) fn summary(&self) -> WriteSummary {
        self.summary
    }

    /// Writes rows inside the caller's transaction, or the first of them if the deadline passes.
    pub(super) fn write(&mut self, rows: &mut [PositionRow]) -> Result<(), Rejection> {
        for row in rows.iter_mut() {
            // The column has 64 bits; NULL says that the best moves are not stored.
            row.best = row.best.filter(|best| u64::try_from(best.0).is_ok());
        }
        // In the order of the table, neighbours share pages. The rows arrive in ascending parts,
        // which a stable sort exploits.
        rows.sort_by_key(|row| row.key.0.cast_signed());
        for chunk in rows.chunks(ROWS_AT_ONCE) {
            if self.deadline.has_passed() {
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

    /// Writes one row: adds it, or compares it with the stored one.
    fn add(&mut self, row: &PositionRow, sum: &u32) -> Result<(), Rejection> {
        match find(&mut self.select, self.game_id, row.key, self.checksum)? {
            Some(stored) => {
                self.met_stored = true;
                self.refine(stored, *row)
            }
            None => Ok(self.insert(from_ref(row), from_ref(sum)).map(drop)?),
        }
    }

    /// Inserts one row or [`ROWS_AT_ONCE`], up to the first that is stored already, and returns
    /// the number inserted.
    ///
    /// `OR FAIL` keeps the rows that a statement inserted before it failed, and SQLite reports how
    /// many. The usual `OR ABORT` would roll them back, for which SQLite keeps a copy of every
    /// page as it was before the statement.
    fn insert(&mut self, rows: &[PositionRow], sums: &[u32]) -> rusqlite::Result<usize> {
        let statement = if rows.len() == 1 { &mut self.insert } else { &mut self.insert_several };
        statement.raw_bind_parameter(1, self.game_id)?;
        for (i, (row, sum)) in rows.iter().zip(sums).enumerate() {
            let first = 2 + VALUES * i;
            statement.raw_bind_parameter(first, row.key.0.cast_signed())?;
            statement.raw_bind_parameter(first + 1, row.ply.0)?;
            statement.raw_bind_parameter(first + 2, row.value.outcome.sign())?;
            statement.raw_bind_parameter(first + 3, row.value.remoteness.map(|r| r.0))?;
            statement.raw_bind_parameter(first + 4, row.best.map(stored_moves))?;
            statement.raw_bind_parameter(first + 5, sum.cast_signed())?;
        }
        let inserted = match statement.raw_execute() {
            Err(error) if is_stored(&error) => self.connection.changes() as usize,
            inserted => inserted?,
        };
        self.summary.added += inserted as u64;
        Ok(inserted)
    }

    /// Fills the NULL columns of the stored row from the offered one.
    fn refine(&mut self, stored: PositionRow, offered: PositionRow) -> Result<(), Rejection> {
        let merged = merge(stored, offered)
            .map_err(|Contradiction| Rejection::Conflict { stored, offered })?;
        if merged == stored {
            self.summary.unchanged += 1;
            return Ok(());
        }
        self.update.execute(params![
            self.game_id,
            merged.key.0.cast_signed(),
            merged.value.remoteness.map(|r| r.0),
            merged.best.map(stored_moves),
            self.checksum.position(&merged).cast_signed(),
        ])?;
        self.summary.refined += 1;
        Ok(())
    }
}

/// Returns the moves of a set below the 64th, as the database stores them.
const fn stored_moves(MoveSet(moves): MoveSet) -> i64 {
    moves as i64
}

/// True if SQLite refused a row because its key is there.
fn is_stored(error: &rusqlite::Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|error| error.extended_code == ffi::SQLITE_CONSTRAINT_PRIMARYKEY)
}

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
        "INSERT OR FAIL INTO position (game_id, {}) VALUES {}",
        PositionRow::COLUMNS,
        values.join(", ")
    )
}

struct Contradiction;

fn merge(stored: PositionRow, offered: PositionRow) -> Result<PositionRow, Contradiction> {
    if (stored.ply, stored.value.outcome) != (offered.ply, offered.value.outcome) {
        return Err(Contradiction);
    }
    let remoteness = merge_known(stored.value.remoteness, offered.value.remoteness)?;
    let value = PartialValue { remoteness, ..stored.value };
    Ok(PositionRow { value, best: merge_best(stored, offered)?, ..stored })
}

/// The best moves that belong to the remoteness of both rows together.
fn merge_best(stored: PositionRow, offered: PositionRow) -> Result<Option<MoveSet>, Contradiction> {
    let (exact, outcome_only) = match (stored.value.remoteness, offered.value.remoteness) {
        (Some(_), None) => (stored, offered),
        (None, Some(_)) => (offered, stored),
        _ => return merge_known(stored.best, offered.best),
    };
    match (exact.best, outcome_only.best) {
        // A move that attains the value also attains the outcome.
        (Some(best), Some(attaining)) if !best.without(attaining).is_empty() => Err(Contradiction),
        (best, _) => Ok(best),
    }
}

fn merge_known<T: PartialEq>(
    stored: Option<T>,
    offered: Option<T>,
) -> Result<Option<T>, Contradiction> {
    match (stored, offered) {
        (Some(a), Some(b)) if a != b => Err(Contradiction),
        (a, b) => Ok(a.or(b)),
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

/// The outcome with this sign, from a column counted from 0.
pub(super) fn outcome(sign: i64, column: usize) -> rusqlite::Result<Outcome> {
    Outcome::from_sign(sign).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, sign))
}
