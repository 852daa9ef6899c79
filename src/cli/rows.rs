//! Rows of a database query as a text table, CSV or JSON, written as they come.

use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use rusqlite::Statement;
use rusqlite::types::ValueRef;
use serde_json::{Number, Value};

use super::text::Table;
use crate::control::Control;
use crate::export::Object;

/// Rows of a text table that get common column widths, under a header of their own.
const PAGE: usize = 1000;

/// Formats of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RowFormat {
    /// Columns side by side, for people
    Table,
    /// Comma-separated values with a header; NULL is empty
    Csv,
    /// One array of an object a row
    Json,
}

/// An error of the query or of the output.
pub(super) enum RowError {
    Query(rusqlite::Error),
    Output(io::Error),
}

impl From<rusqlite::Error> for RowError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Query(error)
    }
}

impl From<io::Error> for RowError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Writes the rows of a statement, up to the one at which a stop is asked for.
pub(super) fn write_rows(
    statement: &mut Statement<'_>,
    format: RowFormat,
    to: impl Write,
    control: &Control,
) -> Result<(), RowError> {
    let names: Vec<String> = statement.column_names().map(String::from).collect();
    let mut rows = statement.query([])?;
    let values = std::iter::from_fn(|| match rows.next() {
        Ok(Some(_)) if control.is_asked_to_stop() => None,
        Ok(row) => row.map(|row| (0..names.len()).map(|i| Ok(value(row.get_ref(i)?))).collect()),
        Err(error) => Some(Err(error)),
    });
    match format {
        RowFormat::Table => text(&names, values, to),
        RowFormat::Csv => csv(&names, values, to),
        RowFormat::Json => json(&names, values, to),
    }
}

type Values = rusqlite::Result<Vec<Value>>;

fn text(
    names: &[String],
    rows: impl Iterator<Item = Values>,
    mut to: impl Write,
) -> Result<(), RowError> {
    let header: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut rows = rows.peekable();
    loop {
        let mut page = Table::new(&header);
        for row in rows.by_ref().take(PAGE) {
            // A row is a line, unless it is a text alone.
            let line =
                |cell: String| if names.len() > 1 { cell.replace('\n', "\\n") } else { cell };
            page.row(row?.into_iter().map(plain).map(line));
        }
        to.write_all(page.render().as_bytes())?;
        if rows.peek().is_none() {
            return Ok(to.flush()?);
        }
    }
}

fn csv(
    names: &[String],
    rows: impl Iterator<Item = Values>,
    to: impl Write,
) -> Result<(), RowError> {
    let mut csv = csv::Writer::from_writer(to);
    csv.write_record(names).map_err(io::Error::from)?;
    for row in rows {
        csv.write_record(row?.into_iter().map(plain)).map_err(io::Error::from)?;
    }
    Ok(csv.flush()?)
}

fn json(
    names: &[String],
    rows: impl Iterator<Item = Values>,
    to: impl Write,
) -> Result<(), RowError> {
    let mut to = BufWriter::new(to);
    let mut before = "[\n";
    for row in rows {
        to.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut to, &Object(names, &row?)).map_err(io::Error::from)?;
        before = ",\n";
    }
    to.write_all(if before == "[\n" { b"[]\n" } else { b"\n]\n" })?;
    Ok(to.flush()?)
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        // JSON has no infinities.
        ValueRef::Real(number) => Number::from_f64(number).map_or(Value::Null, Value::Number),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into(),
        ValueRef::Blob(bytes) => {
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
        }
    }
}

/// A value as text; NULL is empty.
fn plain(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}
