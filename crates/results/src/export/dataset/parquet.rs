//! Data sets as Parquet.
//!
//! Texts are dictionary-encoded if few of them differ, and zstd, which the program has for its
//! other files, compresses every page.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::{Column, Field, Kind, Schema};

/// The rows of a row group, which is in memory.
const GROUP: usize = 1 << 17;

pub struct Writer<W: Write + Send> {
    /// The rows of the row group, column by column.
    group: Vec<Batch>,
    rows: usize,
    file: SerializedFileWriter<W>,
}

/// The rows of a column: its values, the definition levels of unknown and empty ones, and the
/// repetition levels of lists.
#[derive(Default)]
struct Batch {
    nullable: bool,
    is_list: bool,
    keys: Vec<i64>,
    numbers: Vec<i32>,
    texts: Vec<ByteArray>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
}

impl Batch {
    fn push(&mut self, field: &Field) {
        let known = i16::from(self.nullable);
        let level = match field {
            Field::Key(key) => {
                self.keys.push(key.cast_signed());
                known
            }
            Field::Number(number) => {
                self.numbers.extend(number);
                i16::from(number.is_some())
            }
            Field::Text(text) => {
                self.texts.extend(text.as_deref().map(ByteArray::from));
                i16::from(text.is_some())
            }
            Field::List(Some(list)) => {
                let items = list.text.split(list.separator).filter(|item| !item.is_empty());
                let first = self.texts.len();
                self.texts.extend(items.map(ByteArray::from));
                let count = self.texts.len() - first;
                self.defined.extend((0..count).map(|_| known + 1));
                self.repeated.extend((0..count).map(|place| i16::from(place > 0)));
                if count > 0 {
                    return;
                }
                known
            }
            Field::List(None) => 0,
        };
        self.defined.push(level);
        self.repeated.push(0);
    }

    fn write(&mut self, mut column: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let Self { nullable, is_list, .. } = *self;
        let defined = (nullable || is_list).then_some(&self.defined[..]);
        let repeated = is_list.then_some(&self.repeated[..]);
        match column.untyped() {
            ColumnWriter::Int64ColumnWriter(to) => to.write_batch(&self.keys, defined, repeated)?,
            ColumnWriter::Int32ColumnWriter(to) => {
                to.write_batch(&self.numbers, defined, repeated)?
            }
            ColumnWriter::ByteArrayColumnWriter(to) => {
                to.write_batch(&self.texts, defined, repeated)?
            }
            _ => unreachable!("columns are of three types"),
        };
        column.close()?;
        *self = Self { nullable, is_list, ..Self::default() };
        Ok(())
    }
}

impl<W: Write + Send> Writer<W> {
    pub fn new(schema: &Schema, to: W) -> io::Result<Self> {
        let open = || {
            let fields = schema.columns.iter().map(|column| of_column(column).map(Arc::new));
            let fields = fields.collect::<Result<_, _>>()?;
            let root = Type::group_type_builder("position").with_fields(fields).build()?;
            let properties = WriterProperties::builder()
                .set_created_by(concat!("everyply ", env!("CARGO_PKG_VERSION")).to_owned())
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .build();
            SerializedFileWriter::new(to, Arc::new(root), Arc::new(properties))
        };
        let batch = |column: &Column| Batch {
            nullable: column.nullable,
            is_list: column.kind == Kind::List,
            ..Batch::default()
        };
        let group = schema.columns.iter().map(batch).collect();
        Ok(Self { group, rows: 0, file: open().map_err(of_parquet)? })
    }

    pub fn row(&mut self, fields: &[Field]) -> io::Result<()> {
        for (column, field) in self.group.iter_mut().zip(fields) {
            column.push(field);
        }
        self.rows += 1;
        if self.rows == GROUP {
            self.write_group().map_err(of_parquet)?;
        }
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.write_group().and_then(|()| self.file.close()).map(drop).map_err(of_parquet)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        self.rows = 0;
        let mut group = self.file.next_row_group()?;
        for column in &mut self.group {
            column.write(group.next_column()?.expect("as many columns as fields"))?;
        }
        group.close().map(drop)
    }
}

fn of_column(column: &Column) -> Result<Type, ParquetError> {
    let primitive = |name: &str, physical, converted, repetition| {
        let builder = Type::primitive_type_builder(name, physical);
        builder.with_converted_type(converted).with_repetition(repetition).build()
    };
    let repetition = if column.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let (physical, converted) = match column.kind {
        Kind::Key => (Physical::INT64, ConvertedType::UINT_64),
        Kind::Number => (Physical::INT32, ConvertedType::INT_16),
        Kind::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        Kind::List => {
            let required = Repetition::REQUIRED;
            let text = primitive("element", Physical::BYTE_ARRAY, ConvertedType::UTF8, required)?;
            let texts = Type::group_type_builder("list")
                .with_repetition(Repetition::REPEATED)
                .with_fields(vec![Arc::new(text)])
                .build()?;
            return Type::group_type_builder(&column.name)
                .with_converted_type(ConvertedType::LIST)
                .with_repetition(repetition)
                .with_fields(vec![Arc::new(texts)])
                .build();
        }
    };
    primitive(&column.name, physical, converted, repetition)
}

/// Returns the I/O error that caused an error, if there is one.
fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(cause) => io::Error::other(cause),
        },
        error => io::Error::other(error),
    }
}
