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
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

const STREAM: &CStr = c"arrow_array_stream";

/// A table: rows under named columns. It is exported as Arrow without a copy, so that
/// `pyarrow.table(t)`, `polars.DataFrame(t)` and DuckDB read it, and as NumPy arrays.
///
/// len(t) is the number of rows, t["column"] an array, t[0] a row as a dict, and iteration gives
/// the rows.
#[pyclass(frozen, sequence, module = "everyply")]
pub struct Table {
    batch: RecordBatch,
}

/// The data of a column. Unknown values are null.
pub enum Column {
    Key(Vec<u64>),
    Count(Vec<Option<u64>>),
    Small(Vec<u8>),
    Sign(Vec<Option<i8>>),
    Plies(Vec<Option<i16>>),
    Number(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
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
        let batch = RecordBatch::try_new(schema, arrays).expect("columns of one length");
        Self { batch }
    }

    /// Canonical positions with their values, as databases and solutions have them: key, ply, outcome,
    /// remoteness and best moves as bits.
    pub fn of_positions(rows: &[PositionRow]) -> Self {
        let remoteness = |row: &PositionRow| row.value.remoteness.map(|plies| plies.0.into());
        let outcome = |row: &PositionRow| Some(row.value.outcome.sign());
        Self::new([
            ("key", Column::Key(rows.iter().map(|row| row.key.0).collect())),
            ("ply", Column::Small(rows.iter().map(|row| row.ply.0).collect())),
            ("outcome", Column::Sign(rows.iter().map(outcome).collect())),
            ("remoteness", Column::Plies(rows.iter().map(remoteness).collect())),
            ("best", Column::Count(rows.iter().map(|row| row.best.map(|best| best.0)).collect())),
        ])
    }

    /// A value as Python has it; None for null.
    fn item(&self, py: Python<'_>, column: usize, row: usize) -> PyResult<Py<PyAny>> {
        let array = self.batch.column(column);
        if array.is_null(row) {
            return Ok(py.None());
        }
        Ok(match array.data_type() {
            DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into_py_any(py)?,
            DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).into_py_any(py)?,
            DataType::Int8 => array.as_primitive::<Int8Type>().value(row).into_py_any(py)?,
            DataType::Int16 => array.as_primitive::<Int16Type>().value(row).into_py_any(py)?,
            DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into_py_any(py)?,
            _ => array.as_string::<i32>().value(row).into_py_any(py)?,
        })
    }

    /// The first rows as texts, and the number of the others.
    fn shown(&self, py: Python<'_>) -> PyResult<(impl Iterator<Item = Vec<String>>, usize)> {
        const MOST: usize = 60;
        let text =
            |item: Py<PyAny>| if item.is_none(py) { String::new() } else { item.to_string() };
        let columns = 0..self.batch.num_columns();
        let row = |row| columns.clone().map(|c| Ok(text(self.item(py, c, row)?))).collect();
        let rows = (0..self.batch.num_rows().min(MOST)).map(row);
        let rows: Vec<Vec<String>> = rows.collect::<PyResult<_>>()?;
        Ok((rows.into_iter(), self.batch.num_rows().saturating_sub(MOST)))
    }

    fn row<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (column, field) in self.batch.schema_ref().fields().iter().enumerate() {
            dict.set_item(field.name(), self.item(py, column, row)?)?;
        }
        Ok(dict)
    }

    /// A column as an array: of the table's own memory, read-only; masked if something is null.
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
                let rows = 0..array.len();
                let texts: Vec<_> =
                    rows.map(|row| slf.get().item(py, column, row)).collect::<PyResult<_>>()?;
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
}

/// A column's memory as an array that keeps the table alive.
fn view<'py, T>(table: &Bound<'py, Table>, array: &ArrayRef) -> PyResult<Bound<'py, PyAny>>
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

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, of: Which) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.get();
        match of {
            Which::Column(name) => match this.batch.schema_ref().index_of(&name) {
                Ok(column) => Self::array(slf, column),
                Err(_) => Err(PyKeyError::new_err(format!(
                    "no column '{name}': the columns are {}",
                    this.columns().join(", ")
                ))),
            },
            Which::Row(row) => {
                let rows = this.batch.num_rows() as i64;
                let at = if row < 0 { row + rows } else { row };
                if !(0..rows).contains(&at) {
                    return Err(PyIndexError::new_err(format!("row {row} of {rows}")));
                }
                Ok(this.row(slf.py(), at as usize)?.into_any())
            }
        }
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let builtins = slf.py().import("builtins")?;
        let rows = builtins.getattr("range")?.call1((slf.len()?,))?;
        builtins.getattr("map")?.call1((slf.getattr("__getitem__")?, rows))
    }

    /// The columns as NumPy arrays, by name. They are the table's own memory, read-only; masked
    /// arrays if something is unknown.
    fn to_numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(slf.py());
        for (column, name) in slf.get().columns().into_iter().enumerate() {
            arrays.set_item(name, Self::array(slf, column)?)?;
        }
        Ok(arrays)
    }

    /// The rows, in the form of Arrow's PyCapsule interface. A requested schema is ignored, as the
    /// interface allows.
    #[pyo3(signature = (requested_schema=None))]
    pub fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let rows = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(rows));
        PyCapsule::new_with_value(py, stream, STREAM)
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows: {}>", self.batch.num_rows(), self.columns().join(", "))
    }

    /// The rows as text, the first sixty of them.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let (rows, more) = self.shown(py)?;
        let rows: Vec<Vec<String>> = std::iter::once(self.columns()).chain(rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..rows[0].len()).filter_map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let more = (more > 0).then(|| format!("and {more} more"));
        Ok(rows.iter().map(line).chain(more).collect::<Vec<_>>().join("\n"))
    }

    /// The rows as a pandas.DataFrame. Needs pandas.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let frame = slf.py().import("pandas")?.getattr("DataFrame")?;
        frame.call1((Self::to_numpy(slf)?,))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let (rows, more) = self.shown(py)?;
        let cells = |tag: &str, row: Vec<String>| -> String {
            row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect()
        };
        let head = cells("th", self.columns());
        let rows: String = rows.map(|row| format!("<tr>{}</tr>", cells("td", row))).collect();
        let more = if more > 0 { format!("<p>and {more} more</p>") } else { String::new() };
        Ok(format!("<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"))
    }
}

/// An index of a table: a column, a row or rows.
#[derive(FromPyObject)]
enum Which {
    Column(String),
    Row(i64),
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
