//! Data sets as JSON, an object a line.

use std::io::{self, Write};

use serde::Serializer;

use super::{Field, RowWriter, Schema};

pub(super) struct Writer<W> {
    names: Vec<String>,
    to: W,
}

impl<W: Write> Writer<W> {
    pub fn new(schema: &Schema, to: W) -> Self {
        Self { names: schema.names(), to }
    }
}

impl<W: Write> RowWriter for Writer<W> {
    fn row(&mut self, fields: &[Field]) -> io::Result<()> {
        let mut json = serde_json::Serializer::new(&mut self.to);
        json.collect_map(self.names.iter().zip(fields))?;
        self.to.write_all(b"\n")
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.to.flush()
    }
}
