//! Tables: named columns, exported as Arrow or NumPy.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int8Type, Int16Type, UInt8Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, Float64Array, Int8Array, Int16Array, RecordBatch, RecordBatchIterator,
    StringArray, UInt8Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use everyply::database::PositionRow;
use everyply::export::ColumnData;
use numpy::PyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

const STREAM: &CStr = c"arrow_array_stream";

/// Rows under named columns; in Python the class `everyply.Table`.
pub struct Table(RecordBatch);

/// The data of a column. Unknown values are null.
#[derive(FromPyObject)]
pub enum Column {
    Text(Vec<Option<String>>),
    Key(Vec<u64>),
    Number(Vec<Option<f64>>),
    Count(Vec<Option<u64>>),
    Small(Vec<u8>),
    Sign(Vec<Option<i8>>),
    Plies(Vec<Option<i16>>),
}

impl From<Column> for ArrayRef {
    fn from(column: Column) -> Self {
        match column {
            Column::Key(values) => Arc::new(UInt64Array::from(values)),
            Column::Count(values) => Arc::new(UInt64Array::from(values)),
            Column::Small(values) => Arc::new(UInt8Array::from(values)),
            Column::Sign(values) => Arc::new(Int8Array::from(values)),
            Column::Plies(values) => Arc::new(Int16Array::from(values)),
            Column::Number(values) => Arc::new(Float64Array::from(values)),
            Column::Text(values) => Arc::new(StringArray::from(values)),
        }
    }
}

impl From<ColumnData> for Column {
    fn from(data: ColumnData) -> Self {
        match data {
            ColumnData::Key(keys) => Self::Key(keys),
            ColumnData::Number(numbers) => Self::Sign(numbers),
            ColumnData::Text(texts) => Self::Text(texts),
        }
    }
}

impl Table {
    pub fn new<N: Into<String>>(columns: impl IntoIterator<Item = (N, Column)>) -> Self {
        let columns = columns.into_iter().map(|(name, column)| {
            let nullable = !matches!(column, Column::Key(_) | Column::Small(_));
            let array = ArrayRef::from(column);
            (Field::new(name, array.data_type().clone(), nullable), array)
        });
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.unzip();
        let schema = Arc::new(Schema::new(fields));
        Self(RecordBatch::try_new(schema, arrays).expect("columns of one length"))
    }

    /// Makes a table of canonical positions with their values: key, ply, outcome, remoteness and
    /// best moves as bits.
    pub fn of_positions(rows: &[PositionRow]) -> Self {
        let remoteness = |row: &PositionRow| row.value.remoteness.map(|plies| plies.0.into());
        let outcome = |row: &PositionRow| Some(row.value.outcome.sign());
        let best = |row: &PositionRow| row.best.and_then(|best| u64::try_from(best.0).ok());
        Self::new([
            ("key", Column::Key(rows.iter().map(|row| row.key.0).collect())),
            ("ply", Column::Small(rows.iter().map(|row| row.ply.0).collect())),
            ("outcome", Column::Sign(rows.iter().map(outcome).collect())),
            ("remoteness", Column::Plies(rows.iter().map(remoteness).collect())),
            ("best", Column::Count(rows.iter().map(best).collect())),
        ])
    }
}

impl<'py> IntoPyObject<'py> for Table {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let columns = Columns { batch: self.0 };
        py.import("everyply._table")?.getattr("Table")?.call1((columns,))
    }
}

/// The columns of an `everyply.Table`.
#[pyclass(frozen, module = "everyply._everyply", name = "_Columns")]
pub struct Columns {
    batch: RecordBatch,
}

#[pymethods]
impl Columns {
    /// Creates columns of texts, of whole numbers, or of numbers.
    #[new]
    fn new(columns: Vec<(String, Column)>) -> Self {
        Self { batch: Table::new(columns).0 }
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Returns a column as a read-only array in the table's own memory, masked if one is null.
    fn array<'py>(slf: &Bound<'py, Self>, column: usize) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let array = slf.get().batch.column(column);
        let values = match array.data_type() {
            DataType::UInt64 => view::<UInt64Type>(slf, array),
            DataType::UInt8 => view::<UInt8Type>(slf, array),
            DataType::Int8 => view::<Int8Type>(slf, array),
            DataType::Int16 => view::<Int16Type>(slf, array),
            DataType::Float64 => view::<Float64Type>(slf, array),
            _ => {
                let texts = PyList::new(py, array.as_string::<i32>().iter())?;
                let kind = PyDict::new(py);
                kind.set_item("dtype", "object")?;
                return py.import("numpy")?.getattr("array")?.call((texts,), Some(&kind));
            }
        }?;
        if array.null_count() == 0 {
            return Ok(values);
        }
        let null: Vec<bool> = (0..array.len()).map(|row| array.is_null(row)).collect();
        let mask = PyArray1::from_vec(py, null);
        py.import("numpy.ma")?.getattr("MaskedArray")?.call1((values, mask))
    }

    /// Returns the rows, in the form of Arrow's PyCapsule interface.
    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let rows = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(rows));
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

/// Returns a column's memory as an array that keeps the table alive.
fn view<'py, T>(table: &Bound<'py, Columns>, array: &ArrayRef) -> PyResult<Bound<'py, PyAny>>
where
    T: ArrowPrimitiveType<Native: numpy::Element>,
{
    let values = ArrayView1::from(array.as_primitive::<T>().values().as_ref());
    // SAFETY: the table owns the values, never changes or moves them, and lives as long as the
    // array, which is its container; the flag below keeps others from changing them.
    let values = unsafe { PyArray1::borrow_from_array(&values, table.clone().into_any()) };
    values.getattr("flags")?.setattr("writeable", false)?;
    Ok(values.into_any())
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
