//! Rows of a query as a table, CSV or JSON, written as they come.

use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde_json::{Number, Value};

use super::Format;

/// Rows whose widths the columns of a table get; later ones that are wider stand out.
const MEASURED: usize = 1000;

/// How long rows may wait for others.
const PATIENCE: Duration = Duration::from_millis(200);

/// Writes rows.
pub(super) struct RowWriter<W: Write> {
    to: BufWriter<W>,
    flushed: Instant,
    names: Vec<String>,
    format: Format,
    /// Rows of a table that wait for its widths.
    waiting: Vec<Vec<Cell>>,
    widths: Option<Vec<Width>>,
    rows: u64,
}

/// A value as text, and whether it is a number.
struct Cell {
    text: String,
    is_number: bool,
}

/// Of a column of a table.
#[derive(Clone, Copy)]
struct Width {
    characters: usize,
    right: bool,
}

impl<W: Write> RowWriter<W> {
    pub fn new(to: W, format: Format, names: Vec<String>) -> Self {
        let (waiting, widths) = (Vec::new(), None);
        let to = BufWriter::new(to);
        Self { to, flushed: Instant::now(), names, format, waiting, widths, rows: 0 }
    }

    pub fn row(&mut self, row: &Row<'_>) -> io::Result<()> {
        let values = (0..self.names.len()).map(|i| row.get_ref(i).unwrap_or(ValueRef::Null));
        match self.format {
            Format::Table => {
                let cells: Vec<Cell> = values.map(Cell::of).collect();
                match &self.widths {
                    Some(widths) => table_row(&mut self.to, &cells, widths)?,
                    None => self.waiting.push(cells),
                }
                if self.waiting.len() == MEASURED {
                    self.begin_table()?;
                }
            }
            Format::Csv => {
                let cells: Vec<String> = values.map(|value| Cell::of(value).text).collect();
                self.csv_header()?;
                csv_row(&mut self.to, &cells)?;
            }
            Format::Json => {
                self.to.write_all(if self.rows == 0 { b"[\n{" } else { b",\n{" })?;
                for (i, (name, value)) in self.names.iter().zip(values).enumerate() {
                    self.to.write_all(if i == 0 { b"" } else { b"," })?;
                    serde_json::to_writer(&mut self.to, name)?;
                    self.to.write_all(b":")?;
                    serde_json::to_writer(&mut self.to, &json(value))?;
                }
                self.to.write_all(b"}")?;
            }
        }
        self.rows += 1;
        if self.flushed.elapsed() > PATIENCE {
            self.to.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    /// Writes what belongs after the last row.
    pub fn finish(&mut self) -> io::Result<()> {
        match self.format {
            Format::Table => self.begin_table()?,
            Format::Csv => self.csv_header()?,
            Format::Json => {
                self.to.write_all(if self.rows == 0 { b"[]\n" } else { b"\n]\n" })?;
            }
        }
        self.to.flush()
    }

    fn csv_header(&mut self) -> io::Result<()> {
        if self.rows == 0 { csv_row(&mut self.to, &self.names) } else { Ok(()) }
    }

    /// Writes the header of a table, and the rows that told its widths.
    fn begin_table(&mut self) -> io::Result<()> {
        if self.widths.is_some() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.waiting);
        let width = |(column, name): (usize, &String)| {
            let cells = || rows.iter().map(|row: &Vec<Cell>| &row[column]);
            let widths =
                cells().flat_map(|cell| cell.text.lines()).map(|line| line.chars().count());
            let widest = widths.max().unwrap_or(0);
            let right = cells().all(|cell| cell.is_number || cell.text.is_empty());
            Width { characters: widest.max(name.chars().count()), right }
        };
        let widths: Vec<Width> = self.names.iter().enumerate().map(width).collect();
        let header: Vec<Cell> = self.names.iter().map(|name| Cell::text(name)).collect();
        table_row(&mut self.to, &header, &widths)?;
        let rule = |width: &Width| Cell::text(&"-".repeat(width.characters));
        let rule: Vec<Cell> = widths.iter().map(rule).collect();
        table_row(&mut self.to, &rule, &widths)?;
        for row in &rows {
            table_row(&mut self.to, row, &widths)?;
        }
        self.widths = Some(widths);
        Ok(())
    }
}

impl Cell {
    fn text(text: &str) -> Self {
        Self { text: text.to_owned(), is_number: false }
    }

    fn of(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::text(""),
            ValueRef::Integer(number) => Self { text: number.to_string(), is_number: true },
            ValueRef::Real(number) => Self { text: number.to_string(), is_number: true },
            ValueRef::Text(bytes) => Self::text(&String::from_utf8_lossy(bytes)),
            ValueRef::Blob(bytes) => Self::text(&hexadecimal(bytes)),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn table_row(to: &mut impl Write, cells: &[Cell], widths: &[Width]) -> io::Result<()> {
    let aligned = cells.iter().zip(widths).map(|(cell, &Width { characters, right })| {
        // A row is a line, unless it is a text alone.
        let text = match widths {
            [_] => cell.text.clone(),
            _ => cell.text.replace('\n', "\\n"),
        };
        if right { format!("{text:>characters$}") } else { format!("{text:<characters$}") }
    });
    writeln!(to, "{}", aligned.collect::<Vec<_>>().join("  ").trim_end())
}

fn csv_row(to: &mut impl Write, cells: &[String]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(cells).map_err(io::Error::from)?;
    to.write_all(&csv.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        // JSON has no infinities.
        ValueRef::Real(number) => Number::from_f64(number).map_or(Value::Null, Value::Number),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into(),
        ValueRef::Blob(bytes) => hexadecimal(bytes).into(),
    }
}
