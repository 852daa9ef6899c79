//! Data sets as CSV.

use std::io::{self, Write};

use super::{Field, RowWriter, Schema};

pub(super) struct Writer<W: Write> {
    csv: csv::Writer<W>,
    record: csv::StringRecord,
}

impl<W: Write> Writer<W> {
    pub fn new(schema: &Schema, to: W) -> io::Result<Self> {
        let mut csv = csv::Writer::from_writer(to);
        csv.write_record(schema.names())?;
        Ok(Self { csv, record: csv::StringRecord::new() })
    }
}

impl<W: Write> RowWriter for Writer<W> {
    fn row(&mut self, fields: &[Field]) -> io::Result<()> {
        self.record.clear();
        for field in fields {
            self.record.push_field(&match field {
                Field::List(Some(list)) => list.in_csv().into(),
                field => field.text().unwrap_or_default(),
            });
        }
        Ok(self.csv.write_record(&self.record)?)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.csv.flush()
    }
}
