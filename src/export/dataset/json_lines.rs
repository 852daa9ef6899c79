//! Data sets as JSON, an object a line.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

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
        let object = Object { names: &self.names, fields };
        serde_json::to_writer(&mut self.to, &object)?;
        self.to.write_all(b"\n")
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.to.flush()
    }
}

struct Object<'r> {
    names: &'r [String],
    fields: &'r [Field],
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.names.len()))?;
        for (name, field) in self.names.iter().zip(self.fields) {
            match field {
                Field::Key(key) => map.serialize_entry(name, key)?,
                Field::Number(number) => map.serialize_entry(name, number)?,
                Field::Text(text) => map.serialize_entry(name, text)?,
                Field::List(list) => {
                    map.serialize_entry(name, &list.as_ref().map(|list| &list.text))?;
                }
            }
        }
        map.end()
    }
}
