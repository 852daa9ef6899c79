//! What a Parquet file says of itself, in Thrift's compact protocol
//! (<https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>).
//!
//! Field and enumeration numbers are those of the format's definition, `parquet.thrift`.

use super::super::{Column, Kind};

/// `Encoding`: values one after the other.
pub(super) const PLAIN: i64 = 0;
/// `Encoding`: repeated values once, and groups of eight packed.
pub(super) const RLE: i64 = 3;
/// `Encoding`: places in the dictionary, encoded as [`RLE`].
pub(super) const RLE_DICTIONARY: i64 = 8;

/// `PageType`.
const DATA_PAGE: i64 = 0;
const DICTIONARY_PAGE: i64 = 2;

/// The rows that were written together.
pub(super) struct RowGroup {
    pub rows: u64,
    pub columns: Vec<ColumnChunk>,
}

/// Where the pages of a column are: the dictionary first, if there is one.
pub(super) struct ColumnChunk {
    pub at: u64,
    /// Zero if there is no dictionary.
    pub dictionary_bytes: u64,
    pub bytes: u64,
}

/// The header of a dictionary of so many values in so many bytes.
pub(super) fn dictionary_header(values: usize, bytes: usize) -> Vec<u8> {
    page_header(DICTIONARY_PAGE, bytes, 7, |header| {
        header.number(1, Wide::I32, values as i64);
        header.number(2, Wide::I32, PLAIN);
    })
}

/// The header of a page of values, nulls counted.
pub(super) fn values_header(values: usize, encoding: i64, bytes: usize) -> Vec<u8> {
    page_header(DATA_PAGE, bytes, 5, |header| {
        header.number(1, Wide::I32, values as i64);
        header.number(2, Wide::I32, encoding);
        header.number(3, Wide::I32, RLE);
        header.number(4, Wide::I32, RLE);
    })
}

/// `PageHeader`, with the part for the kind of page in the field of that number.
fn page_header(kind: i64, bytes: usize, field: i16, part: impl FnOnce(&mut Struct<'_>)) -> Vec<u8> {
    let mut header = Vec::new();
    Struct::write(&mut header, |page| {
        page.number(1, Wide::I32, kind);
        page.number(2, Wide::I32, bytes as i64);
        page.number(3, Wide::I32, bytes as i64);
        page.structure(field, part);
    });
    header
}

/// `FileMetaData`.
pub(super) fn file(columns: &[Column], groups: &[RowGroup]) -> Vec<u8> {
    let mut description = Vec::new();
    Struct::write(&mut description, |file| {
        file.number(1, Wide::I32, 1);
        file.list(2, columns.len() + 1, STRUCT, |list| {
            Struct::write(list, |root| {
                root.text(4, "position");
                root.number(5, Wide::I32, columns.len() as i64);
            });
            for column in columns {
                Struct::write(list, |element| schema_element(element, column));
            }
        });
        file.number(3, Wide::I64, groups.iter().map(|group| group.rows as i64).sum());
        file.list(4, groups.len(), STRUCT, |list| {
            for group in groups {
                Struct::write(list, |element| row_group(element, columns, group));
            }
        });
        file.text(6, concat!("everyply ", env!("CARGO_PKG_VERSION")));
    });
    description
}

/// `Type` and `ConvertedType`.
fn types(kind: Kind) -> (i64, i64) {
    const INT32: i64 = 1;
    const INT64: i64 = 2;
    const BYTE_ARRAY: i64 = 6;
    const UTF8: i64 = 0;
    const UINT_64: i64 = 14;
    const INT_8: i64 = 15;
    match kind {
        Kind::Key => (INT64, UINT_64),
        Kind::Number => (INT32, INT_8),
        Kind::Text | Kind::Moves => (BYTE_ARRAY, UTF8),
    }
}

fn schema_element(element: &mut Struct<'_>, column: &Column) {
    let (physical, converted) = types(column.kind);
    element.number(1, Wide::I32, physical);
    // `FieldRepetitionType`: required or optional.
    element.number(3, Wide::I32, i64::from(column.nullable));
    element.text(4, &column.name);
    element.number(6, Wide::I32, converted);
}

fn row_group(element: &mut Struct<'_>, columns: &[Column], group: &RowGroup) {
    element.list(1, columns.len(), STRUCT, |list| {
        for (column, chunk) in columns.iter().zip(&group.columns) {
            Struct::write(list, |element| {
                // The description stands here and nowhere else.
                element.number(2, Wide::I64, 0);
                element.structure(3, |part| column_chunk(part, column, chunk, group.rows));
            });
        }
    });
    element.number(2, Wide::I64, group.columns.iter().map(|chunk| chunk.bytes as i64).sum());
    element.number(3, Wide::I64, group.rows as i64);
}

/// `ColumnMetaData`.
fn column_chunk(part: &mut Struct<'_>, column: &Column, chunk: &ColumnChunk, rows: u64) {
    let in_dictionary = chunk.dictionary_bytes > 0;
    let encodings: &[i64] =
        if in_dictionary { &[PLAIN, RLE, RLE_DICTIONARY] } else { &[PLAIN, RLE] };
    part.number(1, Wide::I32, types(column.kind).0);
    part.list(2, encodings.len(), Wide::I32 as u8, |list| {
        for &encoding in encodings {
            varint(list, zigzag(encoding));
        }
    });
    part.list(3, 1, BINARY, |list| binary(list, column.name.as_bytes()));
    // `CompressionCodec`: none.
    part.number(4, Wide::I32, 0);
    part.number(5, Wide::I64, rows as i64);
    part.number(6, Wide::I64, chunk.bytes as i64);
    part.number(7, Wide::I64, chunk.bytes as i64);
    part.number(9, Wide::I64, (chunk.at + chunk.dictionary_bytes) as i64);
    if in_dictionary {
        part.number(11, Wide::I64, chunk.at as i64);
    }
}

/// How wide a number is; the protocol's type numbers.
#[derive(Clone, Copy)]
enum Wide {
    I32 = 5,
    I64 = 6,
}
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure in the making: fields in ascending order, each named by its distance from the last.
struct Struct<'b> {
    bytes: &'b mut Vec<u8>,
    last: i16,
}

impl Struct<'_> {
    fn write(bytes: &mut Vec<u8>, fields: impl FnOnce(&mut Struct<'_>)) {
        fields(&mut Struct { bytes, last: 0 });
        bytes.push(0);
    }

    fn field(&mut self, number: i16, kind: u8) {
        let distance = number - self.last;
        debug_assert!((1..=15).contains(&distance), "fields come in order");
        self.bytes.push((distance as u8) << 4 | kind);
        self.last = number;
    }

    fn number(&mut self, number: i16, wide: Wide, value: i64) {
        self.field(number, wide as u8);
        varint(self.bytes, zigzag(value));
    }

    fn text(&mut self, number: i16, text: &str) {
        self.field(number, BINARY);
        binary(self.bytes, text.as_bytes());
    }

    fn structure(&mut self, number: i16, fields: impl FnOnce(&mut Struct<'_>)) {
        self.field(number, STRUCT);
        Struct::write(self.bytes, fields);
    }

    fn list(&mut self, number: i16, len: usize, kind: u8, elements: impl FnOnce(&mut Vec<u8>)) {
        self.field(number, LIST);
        if len < 15 {
            self.bytes.push((len as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            varint(self.bytes, len as u64);
        }
        elements(self.bytes);
    }
}

fn binary(bytes: &mut Vec<u8>, text: &[u8]) {
    varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text);
}

/// Small numbers of either sign as small numbers: 0, -1, 1, -2 as 0, 1, 2, 3.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
pub(super) fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
