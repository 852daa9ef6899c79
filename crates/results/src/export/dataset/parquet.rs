//! Data sets as Parquet.
//!
//! Texts are dictionary-encoded where few of them differ, and every page is compressed by zstd, which
//! the program has for its other files.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{Column, Field, Kind, List, RowWriter, Schema};

/// Rows of a row group, which are in memory at a time.
const GROUP: usize = 1 << 17;

pub(super) struct Writer<W: Write + Send> {
    columns: Vec<Column>,
    /// The fields of the row group, column by column.
    group: Vec<Vec<Field>>,
    file: SerializedFileWriter<W>,
}

impl<W: Write + Send> Writer<W> {
    pub fn new(schema: &Schema, to: W) -> io::Result<Self> {
        let fields = schema.columns.iter().map(|column| of_column(column).map(Arc::new));
        let fields = fields.collect::<Result<_, _>>().map_err(of_parquet)?;
        let root = Type::group_type_builder("position").with_fields(fields).build();
        let properties = WriterProperties::builder()
            .set_created_by(concat!("everyply ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let file = SerializedFileWriter::new(
            to,
            Arc::new(root.map_err(of_parquet)?),
            Arc::new(properties),
        );
        Ok(Self {
            group: vec![Vec::new(); schema.columns.len()],
            columns: schema.columns.clone(),
            file: file.map_err(of_parquet)?,
        })
    }

    fn flush_group(&mut self) -> Result<(), ParquetError> {
        if self.group.first().is_none_or(Vec::is_empty) {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for (column, fields) in self.columns.iter().zip(&mut self.group) {
            let mut writer = group.next_column()?.expect("as many columns as fields");
            // A definition level of 1 says that there is a value.
            let levels: Vec<i16> = fields.iter().map(|f| i16::from(!is_null(f))).collect();
            let levels = column.nullable.then_some(&levels[..]);
            match column.kind {
                Kind::Key => {
                    let keys: Vec<i64> = fields.iter().filter_map(key).collect();
                    writer.typed::<Int64Type>().write_batch(&keys, levels, None)?;
                }
                Kind::Number => {
                    let numbers: Vec<i32> = fields.iter().filter_map(number).collect();
                    writer.typed::<Int32Type>().write_batch(&numbers, levels, None)?;
                }
                Kind::List => {
                    let Levels { texts, defined, repeated } = Levels::of(column, fields);
                    let typed = writer.typed::<ByteArrayType>();
                    typed.write_batch(&texts, Some(&defined), Some(&repeated))?;
                }
                Kind::Text => {
                    let texts = fields.iter().filter_map(Field::text);
                    let texts: Vec<ByteArray> =
                        texts.map(|text| ByteArray::from(text.into_owned().into_bytes())).collect();
                    writer.typed::<ByteArrayType>().write_batch(&texts, levels, None)?;
                }
            }
            writer.close()?;
            fields.clear();
        }
        group.close().map(drop)
    }
}

/// The type of a column.
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

/// The texts of a column of lists, with the levels that say where a list begins and which are empty or unknown.
struct Levels {
    texts: Vec<ByteArray>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
}

impl Levels {
    fn of(column: &Column, fields: &[Field]) -> Self {
        let mut levels = Self { texts: Vec::new(), defined: Vec::new(), repeated: Vec::new() };
        let empty = i16::from(column.nullable);
        for field in fields {
            let Field::List(list) = field else { unreachable!("a field is of its column's kind") };
            let items = list.as_ref().map(List::items);
            let without_texts = if items.is_some() { empty } else { 0 };
            let items = items.unwrap_or_default();
            if items.is_empty() {
                levels.defined.push(without_texts);
                levels.repeated.push(0);
            }
            for (place, item) in items.into_iter().enumerate() {
                levels.texts.push(ByteArray::from(item));
                levels.defined.push(empty + 1);
                levels.repeated.push(i16::from(place > 0));
            }
        }
        levels
    }
}

impl<W: Write + Send> RowWriter for Writer<W> {
    fn row(&mut self, fields: &[Field]) -> io::Result<()> {
        for (column, field) in self.group.iter_mut().zip(fields) {
            column.push(field.clone());
        }
        if self.group.first().is_some_and(|column| column.len() >= GROUP) {
            self.flush_group().map_err(of_parquet)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush_group().map_err(of_parquet)?;
        self.file.close().map(drop).map_err(of_parquet)
    }
}

fn is_null(field: &Field) -> bool {
    match field {
        Field::Key(_) => false,
        Field::Number(number) => number.is_none(),
        Field::Text(text) => text.is_none(),
        Field::List(list) => list.is_none(),
    }
}

fn key(field: &Field) -> Option<i64> {
    if let Field::Key(key) = field { Some(key.cast_signed()) } else { None }
}

fn number(field: &Field) -> Option<i32> {
    if let Field::Number(number) = field { *number } else { None }
}

/// The error of the file, if it was one.
fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(cause) => io::Error::other(cause),
        },
        error => io::Error::other(error),
    }
}
