//! Parts of a report: sections, figures and tables.

use super::ReportError;
use super::plot::{Plot, draw};

/// A table of texts and numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataTable {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Cells as text; empty where a number is unknown.
    pub rows: Vec<Vec<String>>,
}

impl DataTable {
    /// A table without rows.
    pub fn new(header: &[&str]) -> Self {
        Self { header: header.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// Returns the table as CSV.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail, and all rows are as long as the header.
        let written = writer
            .write_record(&self.header)
            .and_then(|()| self.rows.iter().try_for_each(|row| writer.write_record(row)));
        debug_assert!(written.is_ok());
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// A picture with its numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// A file name without ending, unique in a report.
    pub id: String,
    /// The title.
    pub title: String,
    /// A note on how to read the picture.
    pub note: String,
    /// The picture, as SVG; `None` if the table is enough.
    pub svg: Option<String>,
    /// The numbers of the picture.
    pub table: DataTable,
}

impl Figure {
    /// Makes a figure of a table alone.
    pub(super) fn listed(id: String, title: String, note: &str, table: DataTable) -> Self {
        Self { id, title, note: note.to_owned(), svg: None, table }
    }

    /// Makes a figure of a plot.
    pub(super) fn plotted(
        id: String,
        title: &str,
        note: &str,
        plot: &Plot,
        table: DataTable,
    ) -> Result<Self, ReportError> {
        let svg = if plot.is_empty() {
            None
        } else {
            let failed = |reason| ReportError::Picture { title: title.to_owned(), reason };
            Some(draw(title, plot).map_err(failed)?)
        };
        Ok(Self { id, title: title.to_owned(), note: note.to_owned(), svg, table })
    }
}

/// The figures of one file.
#[derive(Clone, Debug)]
pub struct Section {
    /// The title.
    pub title: String,
    /// Facts that need no picture: names and values.
    pub facts: Vec<(String, String)>,
    /// The figures.
    pub figures: Vec<Figure>,
}

/// The cells of a row as text.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}
pub(super) use cells;

/// Returns the text of a table cell; empty if the value is unknown.
pub(super) fn cell<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
