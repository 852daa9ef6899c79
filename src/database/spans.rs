//! Ranges of keys, each with the number of its rows and their checksum: what proves that a
//! position is *not* stored, and that none was lost before rows are added.
//!
//! A row that is found proves itself by its own checksum. But a bit that flips in an inner page
//! of the tree, or a page that is lost, hides rows, which SQLite reports as if they had never
//! been there. The ranges of a game cover all keys without a gap; a look-up that finds nothing
//! reads the range of the key, some thousand rows, however large the file is. SQLite's own check
//! would read all of it: 25 s of processor time for 20 million rows (`docs/databases.md`).
//!
//! Rejected: checksums of whole pages, by a layer below SQLite. They cost less still, but any
//! other program that merely reads, and is the last to close the file while a log is left,
//! writes pages without them, and the sound file would be refused from then on.

use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::bounds::{self, bound_row};
use super::checksum::Checksum;
use super::positions::{self, position_row};
use crate::game::Ply;

/// Rows in a range made new.
const TARGET: u64 = 1024;

/// Rows that split a range.
const MOST: u64 = 4096;

/// The table that ranges are of: the number in their column `content`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// `position`
    Positions = 0,
    /// `bound`
    Bounds = 1,
}

impl Content {
    pub const ALL: [Self; 2] = [Self::Positions, Self::Bounds];

    /// The table and its columns.
    const fn table(self) -> (&'static str, &'static str) {
        match self {
            Self::Positions => ("position", positions::COLUMNS),
            Self::Bounds => ("bound", bounds::COLUMNS),
        }
    }

    /// The plural of what a row is.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Bounds => "bounds",
        }
    }
}

/// All keys from `first` to `last`, in the order of SQLite's signed integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub first: i64,
    pub last: i64,
    pub sums: Sums,
}

/// How many rows there are, and their checksums, each exclusive-or the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub rows: u64,
    pub sum: u32,
}

impl Sums {
    pub fn add(&mut self, rows: u64, sum: u32) {
        self.rows += rows;
        self.sum ^= sum;
    }
}

impl Span {
    /// All keys, none of them stored.
    pub const ALL: Self = Self { first: i64::MIN, last: i64::MAX, sums: Sums { rows: 0, sum: 0 } };

    const fn contains(&self, key: i64) -> bool {
        self.first <= key && key <= self.last
    }

    /// What its checksum is about.
    pub fn bytes(&self, content: Content) -> [u8; 29] {
        let mut bytes = [content as u8; 29];
        bytes[1..9].copy_from_slice(&self.first.to_le_bytes());
        bytes[9..17].copy_from_slice(&self.last.to_le_bytes());
        bytes[17..25].copy_from_slice(&self.sums.rows.to_le_bytes());
        bytes[25..].copy_from_slice(&self.sums.sum.to_le_bytes());
        bytes
    }
}

/// Reads the ranges of one table of one game.
#[derive(Debug)]
pub(super) struct Spans<'c> {
    game_id: i64,
    content: Content,
    checksum: Checksum,
    connection: &'c Connection,
    rows: Statement<'c>,
}

impl<'c> Spans<'c> {
    pub fn new(
        connection: &'c Connection,
        game_id: i64,
        content: Content,
        checksum: Checksum,
    ) -> rusqlite::Result<Self> {
        let (table, columns) = content.table();
        Ok(Self {
            game_id,
            content,
            checksum,
            connection,
            rows: connection.prepare(&format!(
                "SELECT {columns} FROM {table} WHERE game_id = ?1 AND key BETWEEN ?2 AND ?3"
            ))?,
        })
    }

    /// The range of a key.
    pub fn of(&mut self, key: i64) -> rusqlite::Result<Span> {
        let Self { game_id, content, checksum, connection, .. } = self;
        // Prepared here, because files of version 2 have rows to visit but no ranges.
        let mut find = connection.prepare(
            "SELECT first, last, rows, rows_sum, sum FROM span
             WHERE game_id = ?1 AND content = ?2 AND first <= ?3 ORDER BY first DESC LIMIT 1",
        )?;
        let found = find.query_row(params![*game_id, *content as u8, key], |row| {
            let sums = Sums { rows: row.get(2)?, sum: row.get::<_, i32>(3)?.cast_unsigned() };
            let span = Span { first: row.get(0)?, last: row.get(1)?, sums };
            Ok((span, row.get::<_, i64>(4)?))
        });
        match found.optional()? {
            Some((span, sum))
                if span.contains(key)
                    && sum == i64::from(checksum.span(*content, &span).cast_signed()) =>
            {
                Ok(span)
            }
            _ => Err(damaged(format!(
                "the range of keys around {} is missing or changed",
                key.cast_unsigned()
            ))),
        }
    }

    /// Visits the rows with keys in a range: key, ply and checksum.
    pub fn visit(
        &mut self,
        first: i64,
        last: i64,
        mut visit: impl FnMut(i64, Ply, u32) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let Self { game_id, content, checksum, rows, .. } = self;
        let mut rows = rows.query([*game_id, first, last])?;
        while let Some(row) = rows.next()? {
            let (key, ply, sum) = match content {
                Content::Positions => {
                    let row = position_row(row, *checksum)?;
                    (row.key, row.ply, checksum.position(&row))
                }
                Content::Bounds => {
                    let row = bound_row(row, *checksum)?;
                    (row.key, row.ply, checksum.bound(&row))
                }
            };
            visit(key.0.cast_signed(), ply, sum)?;
        }
        Ok(())
    }

    /// Compares a range with its rows, and visits each.
    pub fn check(
        &mut self,
        span: &Span,
        mut visit: impl FnMut(i64, Ply, u32),
    ) -> rusqlite::Result<()> {
        let mut sums = Sums::default();
        self.visit(span.first, span.last, |key, ply, sum| {
            sums.add(1, sum);
            visit(key, ply, sum);
            Ok(())
        })?;
        if sums == span.sums {
            return Ok(());
        }
        let (written, found, word) = (span.sums.rows, sums.rows, self.content.word());
        let [first, last] = [span.first, span.last].map(i64::cast_unsigned);
        Err(damaged(if written == found {
            format!("the {word} with keys from {first} to {last} are not those that were written")
        } else {
            format!("of {written} {word} with keys from {first} to {last} it has {found}")
        }))
    }

    /// Fails unless what is in the range of a key is all that was written there.
    pub fn prove_absent(&mut self, key: i64) -> rusqlite::Result<()> {
        let span = self.of(key)?;
        self.check(&span, |_, _, _| ())
    }
}

/// Keeps the ranges of one table of one game up to date, within the caller's transactions.
pub(super) struct SpanWriter<'c> {
    spans: Spans<'c>,
    replace: Statement<'c>,
    /// The first keys of ranges found sound, or made, since this was.
    checked: rustc_hash::FxHashSet<i64>,
    current: Option<Current>,
}

/// The range being written to.
struct Current {
    span: Span,
    /// The highest key so far, in a range that was empty: as long as keys ascend, no rows need
    /// to be read again to divide it.
    ascending: Option<i64>,
}

impl<'c> SpanWriter<'c> {
    pub fn new(
        connection: &'c Connection,
        game_id: i64,
        content: Content,
        checksum: Checksum,
    ) -> rusqlite::Result<Self> {
        Ok(Self {
            spans: Spans::new(connection, game_id, content, checksum)?,
            replace: connection.prepare("REPLACE INTO span VALUES (?, ?, ?, ?, ?, ?, ?)")?,
            checked: rustc_hash::FxHashSet::default(),
            current: None,
        })
    }

    /// Covers all keys of a game that has no rows yet.
    pub fn cover(&mut self) -> rusqlite::Result<()> {
        self.write(&Span::ALL)
    }

    /// Forgets what was done, after it was rolled back.
    pub fn take_back(&mut self) {
        self.checked.clear();
        self.current = None;
    }

    /// Fails if the rows around these ascending keys are not those that were written: nothing may
    /// be added to a file that has lost some, or they would be there twice.
    pub fn check(&mut self, keys: impl Iterator<Item = i64>) -> rusqlite::Result<()> {
        let mut last: Option<Span> = None;
        for key in keys {
            if last.is_some_and(|span| span.contains(key)) {
                continue;
            }
            let span = self.spans.of(key)?;
            if !self.checked.contains(&span.first) {
                self.spans.check(&span, |_, _, _| ())?;
                self.checked.insert(span.first);
            }
            last = Some(span);
        }
        Ok(())
    }

    /// A row was added, or its checksum changed: then `added` is 0, and `sum` the old one
    /// exclusive-or the new one.
    pub fn record(&mut self, key: i64, added: u64, sum: u32) -> rusqlite::Result<()> {
        if self.current.as_ref().is_none_or(|current| !current.span.contains(key)) {
            self.finish()?;
            let span = self.spans.of(key)?;
            self.current =
                Some(Current { span, ascending: (span.sums.rows == 0).then_some(i64::MIN) });
        }
        let Some(Current { span, ascending }) = &mut self.current else { return Ok(()) };
        span.sums.add(added, sum);
        *ascending = ascending.filter(|&highest| added == 1 && highest <= key).map(|_| key);
        if ascending.is_some() && span.sums.rows == TARGET && key < span.last {
            let full = Span { last: key, ..*span };
            *span = Span { first: key + 1, last: span.last, sums: Sums::default() };
            self.write(&full)?;
        }
        Ok(())
    }

    /// Writes the range that is being written to.
    pub fn finish(&mut self) -> rusqlite::Result<()> {
        let Some(Current { span, .. }) = self.current.take() else { return Ok(()) };
        if span.sums.rows <= MOST {
            return self.write(&span);
        }
        // The pieces that the rows of the range make.
        let mut pieces = Vec::new();
        let mut piece = Span { sums: Sums::default(), ..span };
        self.spans.check(&span, |key, _, sum| {
            piece.sums.add(1, sum);
            if piece.sums.rows == TARGET && key < span.last {
                pieces.push(Span { last: key, ..piece });
                piece = Span { first: key + 1, last: span.last, sums: Sums::default() };
            }
        })?;
        pieces.push(piece);
        pieces.iter().try_for_each(|piece| self.write(piece))
    }

    fn write(&mut self, span: &Span) -> rusqlite::Result<()> {
        let Spans { game_id, content, checksum, .. } = self.spans;
        self.checked.insert(span.first);
        self.replace
            .execute(params![
                game_id,
                content as u8,
                span.first,
                span.last,
                span.sums.rows,
                span.sums.sum.cast_signed(),
                checksum.span(content, span).cast_signed(),
            ])
            .map(drop)
    }
}

/// What only a damaged file can lead to, as an error of SQLite's reader.
pub(super) fn damaged(reason: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Null, reason.into())
}
