//! What is stored of a game, counted in the transaction that stores it: by range of keys
//! (`spans.rs`), and by ply.

use std::collections::BTreeMap;

use rusqlite::{Connection, Statement, params};

use super::checksum::Checksum;
use super::digest;
use super::reader::numbered_games;
use super::spans::{Content, Span, SpanWriter, Spans, Sums, damaged};
use crate::game::Ply;

/// Rows by ply.
pub(super) type Tally = BTreeMap<Ply, Sums>;

/// Keeps the counts of one table of one game up to date, within the caller's transactions.
pub(super) struct Inventory<'c> {
    connection: &'c Connection,
    game_id: i64,
    content: Content,
    spans: SpanWriter<'c>,
    tally: Statement<'c>,
    changes: Tally,
}

impl<'c> Inventory<'c> {
    pub fn new(
        connection: &'c Connection,
        game_id: i64,
        content: Content,
        checksum: Checksum,
    ) -> rusqlite::Result<Self> {
        Ok(Self {
            connection,
            game_id,
            content,
            spans: SpanWriter::new(connection, game_id, content, checksum)?,
            tally: connection.prepare("REPLACE INTO tally VALUES (?, ?, ?, ?, ?)")?,
            changes: Tally::new(),
        })
    }

    /// Fails if the rows around these ascending keys are not those that were written.
    pub fn check(&mut self, keys: impl Iterator<Item = i64>) -> rusqlite::Result<()> {
        self.spans.check(keys)
    }

    /// A row was added.
    pub fn added(&mut self, key: i64, ply: Ply, sum: u32) -> rusqlite::Result<()> {
        self.changes.entry(ply).or_default().add(1, sum);
        self.spans.record(key, 1, sum)
    }

    /// A row was changed that had the checksum `from`.
    pub fn changed(&mut self, key: i64, ply: Ply, from: u32, to: u32) -> rusqlite::Result<()> {
        self.changes.entry(ply).or_default().add(0, from ^ to);
        self.spans.record(key, 0, from ^ to)
    }

    /// Forgets what was done, after it was rolled back.
    pub fn take_back(&mut self) {
        self.changes.clear();
        self.spans.take_back();
    }

    /// Writes all counts: before the transaction ends.
    pub fn finish(&mut self) -> rusqlite::Result<()> {
        self.spans.finish()?;
        if self.changes.is_empty() {
            return Ok(());
        }
        let mut tally = stored_tally(self.connection, self.game_id, self.content)?;
        for (ply, change) in std::mem::take(&mut self.changes) {
            let sums = tally.entry(ply).or_default();
            sums.add(change.rows, change.sum);
            self.tally.execute(params![
                self.game_id,
                self.content as u8,
                ply.0,
                sums.rows,
                sums.sum.cast_signed()
            ])?;
        }
        digest::seal(self.connection, &["tally"])
    }
}

/// Begins the counts of a game that was just added.
pub(super) fn begin(
    connection: &Connection,
    game_id: i64,
    checksum: Checksum,
) -> rusqlite::Result<()> {
    for content in Content::ALL {
        SpanWriter::new(connection, game_id, content, checksum)?.cover()?;
    }
    Ok(())
}

/// Counts all rows of a file that has no counts yet.
pub(super) fn count_anew(connection: &Connection) -> rusqlite::Result<()> {
    for (game_id, game) in numbered_games(connection)? {
        let checksum = Checksum::new(&game);
        begin(connection, game_id, checksum)?;
        for content in Content::ALL {
            let mut inventory = Inventory::new(connection, game_id, content, checksum)?;
            let mut spans = Spans::new(connection, game_id, content, checksum)?;
            spans.visit(i64::MIN, i64::MAX, |key, ply, sum| inventory.added(key, ply, sum))?;
            inventory.finish()?;
        }
    }
    Ok(())
}

/// Compares every range of a game, and the counts by ply, with the rows.
pub(super) fn check(
    connection: &Connection,
    game_id: i64,
    content: Content,
    checksum: Checksum,
) -> rusqlite::Result<()> {
    let mut spans = Spans::new(connection, game_id, content, checksum)?;
    let mut tally = Tally::new();
    let mut next = Some(Span::ALL.first);
    while let Some(key) = next {
        let span = spans.of(key)?;
        spans.check(&span, |_, ply, sum| tally.entry(ply).or_default().add(1, sum))?;
        next = span.last.checked_add(1);
    }
    compare(connection, game_id, content, None, &tally)
}

/// Fails if these are not the rows by ply that were written, of all plies or of one.
pub(super) fn compare(
    connection: &Connection,
    game_id: i64,
    content: Content,
    ply: Option<Ply>,
    found: &Tally,
) -> rusqlite::Result<()> {
    let mut stored = stored_tally(connection, game_id, content)?;
    stored.retain(|&of, sums| sums.rows > 0 && ply.is_none_or(|ply| ply == of));
    if stored == *found {
        return Ok(());
    }
    let differs = |ply: &&Ply| stored.get(ply) != found.get(ply);
    let ply = stored.keys().chain(found.keys()).find(differs).copied().unwrap_or_default();
    let rows = |tally: &Tally| tally.get(&ply).map_or(0, |sums| sums.rows);
    let (written, read) = (rows(&stored), rows(found));
    let word = content.word();
    Err(damaged(match written == read {
        true => format!("the {word} of ply {ply} are not those that were written"),
        false => format!("of {written} {word} of ply {ply} it has {read}"),
    }))
}

fn stored_tally(
    connection: &Connection,
    game_id: i64,
    content: Content,
) -> rusqlite::Result<Tally> {
    connection
        .prepare("SELECT ply, rows, rows_sum FROM tally WHERE game_id = ?1 AND content = ?2")?
        .query_map(params![game_id, content as u8], |row| {
            let sums = Sums { rows: row.get(1)?, sum: row.get::<_, i32>(2)?.cast_unsigned() };
            Ok((Ply(row.get(0)?), sums))
        })?
        .collect()
}
