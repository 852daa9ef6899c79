//! Data sets as JSON, an object a line.

use std::io::{self, Write};

use super::{Field, RowWriter, Schema};
use crate::export::Object;

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
        serde_json::to_writer(&mut self.to, &Object(&self.names, fields))?;
        self.to.write_all(b"\n")
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.to.flush()
    }
}
