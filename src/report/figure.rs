//! Parts of a report: sections, figures and tables.

use maud::{Markup, html};

use super::colour::{GROUND, INK};
use super::drawing::Drawing;
use super::plot::{LETTERS, Plot};
use crate::svg::{Font, decimal, picture, rectangle, text};

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

/// The subject of the figures of a section.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// A file name without ending, unique in a report.
    pub stem: String,
    /// The name of the game.
    pub game: String,
}

/// A picture with its numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// A file name without ending, unique in a report.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The title.
    pub title: String,
    /// A note on how to read the picture.
    pub note: String,
    /// The picture; `None` if the table is enough.
    pub(super) drawing: Option<Drawing>,
    /// The numbers of the picture.
    pub table: DataTable,
}

impl Figure {
    /// Makes a figure of a table alone. The kind is the end of its file name.
    pub(super) fn listed(
        about: &Subject,
        kind: &str,
        title: &str,
        note: &str,
        table: DataTable,
    ) -> Self {
        let id = format!("{}-{kind}", about.stem);
        let [game, title, note] = [&about.game, title, note].map(str::to_owned);
        Self { id, game, title, note, drawing: None, table }
    }

    /// Makes a figure of a plot.
    pub(super) fn plotted(
        about: &Subject,
        kind: &str,
        title: &str,
        note: &str,
        plot: &Plot,
        table: DataTable,
    ) -> Self {
        Self { drawing: plot.draw(), ..Self::listed(about, kind, title, note, table) }
    }

    /// Returns true if the figure has a picture.
    pub fn is_drawn(&self) -> bool {
        self.drawing.is_some()
    }

    /// Returns the picture with its heading, as an SVG file.
    pub fn svg(&self) -> Option<String> {
        let drawing = self.drawing.as_ref()?;
        let view @ [x, y, width, height] = self.whole(drawing);
        let ground = rectangle([x, y], [width, height], GROUND.light);
        Some(picture(&self.name(), view, &html! { (ground) (self.headed(drawing)) }))
    }

    /// Returns the picture for a page that shows its heading itself. The attribute `data-whole` is
    /// the view with the heading.
    pub(super) fn inline(&self) -> Option<String> {
        let drawing = self.drawing.as_ref()?;
        let [width, height] = drawing.size;
        let whole = self.whole(drawing).map(decimal).join(" ");
        let svg = picture(&self.name(), [0.0, 0.0, width, height], &self.headed(drawing));
        Some(svg.replacen("<svg ", &format!("<svg data-whole=\"{whole}\" "), 1))
    }

    fn name(&self) -> String {
        format!("{}: {}", self.game, self.title)
    }

    /// Returns the view of the picture with its heading: left, top, width and height.
    fn whole(&self, drawing: &Drawing) -> [f64; 4] {
        let [small, large] = letters(drawing).map(f64::from);
        let wide = |text: &str, size: f64| text.chars().count() as f64 * size * 0.64;
        let width = drawing.size[0].max(wide(&self.game, small)).max(wide(&self.title, large));
        let above = 3.0 * small + 1.5 * large;
        [-small, -above, width + 2.0 * small, drawing.size[1] + above + small]
    }

    /// Draws the picture, and above it the heading.
    fn headed(&self, drawing: &Drawing) -> Markup {
        let [small, large] = letters(drawing);
        let title = -f64::from(small);
        let game = title - 1.3 * f64::from(large);
        let start = |size| Font { size, anchor: "start" };
        html! {
            (text([4.0, game], start(small), INK, &self.game))
            g font-weight="bold" { (text([4.0, title], start(large), INK, &self.title)) }
            (drawing.inside)
        }
    }
}

/// Returns the sizes of the letters of a heading, which grow with large pictures.
fn letters(drawing: &Drawing) -> [u32; 2] {
    let scale = (drawing.size[0] / 1600.0).max(1.0);
    [f64::from(LETTERS) * scale, 22.0 * scale].map(|size| size as u32)
}

/// The figures of one file.
#[derive(Clone, Debug)]
pub struct Section {
    /// The kind and the name of the file.
    pub source: String,
    /// The title, which states the result.
    pub title: String,
    /// Counts: names and numbers.
    pub counts: Vec<(String, String)>,
    /// Other facts that need no picture: names and values.
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
