//! Parts of a report: sections, figures and tables.

use maud::{Markup, html};

use super::colour::INK;
use super::plot::{LETTERS, Plot, WIDTH};
use crate::svg::{Font, picture, text};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataTable {
    pub header: Vec<String>,
    /// Cells as text; empty where a number is unknown.
    pub rows: Vec<Vec<String>>,
}

impl DataTable {
    pub fn new(header: &[&str]) -> Self {
        Self { header: header.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

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

/// A chart with its numbers, or a table alone.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The end of its file name, unique in a section.
    pub kind: &'static str,
    pub title: String,
    /// A note on reading the chart.
    pub note: String,
    /// The chart; `None` if the table is enough.
    pub(super) chart: Option<(Markup, f64)>,
    pub table: DataTable,
}

impl Figure {
    pub(super) fn listed(kind: &'static str, title: &str, note: &str, table: DataTable) -> Self {
        Self { kind, title: title.to_owned(), note: note.to_owned(), chart: None, table }
    }

    pub(super) fn plotted(
        kind: &'static str,
        title: &str,
        note: &str,
        plot: &Plot,
        table: DataTable,
    ) -> Self {
        Self { chart: plot.draw(), ..Self::listed(kind, title, note, table) }
    }

    /// Returns the chart as SVG. Game and title stand above the view: the page shows them itself,
    /// and its script adds them to a chart that is saved.
    pub(super) fn svg(&self, game: &str) -> Option<String> {
        let (chart, height) = self.chart.as_ref()?;
        let start = |size| Font { size, anchor: "start" };
        let inside = html! {
            (text([4.0, -42.0], start(LETTERS), INK, game))
            g font-weight="bold" { (text([4.0, -14.0], start(22), INK, &self.title)) }
            (chart)
        };
        let name = format!("{game}: {}", self.title);
        Some(picture(&name, [0.0, 0.0, WIDTH, *height], &inside))
    }
}

/// The figures of one game of a file.
#[derive(Clone, Debug)]
pub struct Section {
    /// The kind and the name of the file.
    pub source: String,
    /// The beginning of the file names of its figures.
    pub stem: String,
    pub game: String,
    /// The title, which states the result.
    pub title: String,
    /// Counts: names and numbers.
    pub counts: Vec<(String, String)>,
    /// Other facts: names and values.
    pub facts: Vec<(String, String)>,
    pub figures: Vec<Figure>,
}

macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}
pub(super) use cells;

/// Returns the text of a table cell; empty if the value is unknown.
pub(super) fn cell<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
