//! Data sets as Parquet, after the format's specification
//! (<https://parquet.apache.org/docs/file-format/>).
//!
//! A file is `PAR1`, groups of rows with one chunk of bytes per column, the description of all that,
//! its length in four bytes, and `PAR1`. The columns are flat, nothing is compressed, and each chunk
//! has one page of values, before it a dictionary where that is smaller: repeated texts and small
//! numbers are most of what a codec would save. That is a small part of the format, so it is written
//! here: the crate of the whole format would bring sixteen more into every build. The tests read the
//! files back with that crate.

mod chunk;
mod metadata;

use std::io::{self, Write};

use super::{Column, Field, RowWriter, Schema};
use chunk::Chunk;
use metadata::{ColumnChunk, RowGroup};

/// Rows of a group: what is in memory at a time.
const GROUP: usize = 1 << 17;

/// The first and the last bytes of a file.
const MAGIC: &[u8; 4] = b"PAR1";

pub(super) struct Writer<W: Write> {
    columns: Vec<Column>,
    /// The rows of the group, column by column.
    group: Vec<Chunk>,
    groups: Vec<RowGroup>,
    /// Bytes written.
    at: u64,
    to: W,
}

impl<W: Write> Writer<W> {
    pub fn new(schema: &Schema, mut to: W) -> io::Result<Self> {
        to.write_all(MAGIC)?;
        let columns = schema.columns.clone();
        let group = columns.iter().map(|column| Chunk::new(column.nullable)).collect();
        Ok(Self { columns, group, groups: Vec::new(), at: MAGIC.len() as u64, to })
    }

    fn write_group(&mut self) -> io::Result<()> {
        let rows = self.group.first().map_or(0, Chunk::rows);
        if rows == 0 {
            return Ok(());
        }
        let mut columns = Vec::with_capacity(self.group.len());
        for chunk in &mut self.group {
            let pages = chunk.pages();
            self.to.write_all(&pages.dictionary)?;
            self.to.write_all(&pages.values)?;
            columns.push(ColumnChunk {
                at: self.at,
                dictionary_bytes: pages.dictionary.len() as u64,
                bytes: (pages.dictionary.len() + pages.values.len()) as u64,
            });
            self.at += (pages.dictionary.len() + pages.values.len()) as u64;
            chunk.clear();
        }
        self.groups.push(RowGroup { rows: rows as u64, columns });
        Ok(())
    }
}

impl<W: Write> RowWriter for Writer<W> {
    fn row(&mut self, fields: &[Field]) -> io::Result<()> {
        for (chunk, field) in self.group.iter_mut().zip(fields) {
            match field {
                Field::Key(key) => chunk.push(Some(&key.to_le_bytes())),
                Field::Number(number) => {
                    chunk.push(number.map(i32::to_le_bytes).as_ref().map(|bytes| &bytes[..]));
                }
                Field::Text(_) | Field::Moves(_) => match field.text() {
                    Some(text) => chunk.push_text(&text),
                    None => chunk.push(None),
                },
            }
        }
        if self.group.first().is_some_and(|chunk| chunk.rows() >= GROUP) {
            self.write_group()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write_group()?;
        let description = metadata::file(&self.columns, &self.groups);
        self.to.write_all(&description)?;
        self.to.write_all(&(description.len() as u32).to_le_bytes())?;
        self.to.write_all(MAGIC)?;
        self.to.flush()
    }
}
