//! Exports of solved positions, of a database or a solution file, in one file with its manifest.

mod error;
mod exchange;
mod job;
mod ranges;
mod selection;
mod source;

use super::dataset::{DatasetFormat, DatasetWriter, Schema};
use super::manifest::{Manifest, ManifestedFile, SCHEMA};
use crate::control::Control;
use crate::games::line::LineGame;

pub use error::ExportError;
pub use job::holds;
use job::{Description, Job, RowCounts};
pub use ranges::Ranges;
pub use selection::{PositionFormat, Selection};
pub use source::PositionSource;

/// An export of positions.
#[derive(Debug)]
pub struct Exported {
    /// The manifest, without name, length and hash of the file.
    pub manifest: Manifest,
    /// The reason why positions were left out, if any were.
    pub left_out: Option<String>,
}

/// Writes the selected positions of a game, in order, to a file.
///
/// # Errors
/// If the source cannot be read, the file cannot be written, the format does not fit a position,
/// or the control stops it. The file is then not to be committed.
pub fn write_positions(
    source: &PositionSource,
    selection: &Selection,
    format: PositionFormat,
    file: &mut ManifestedFile,
    control: &Control,
) -> Result<Exported, ExportError> {
    let game = source.game_id();
    let job = Job::new(&game, selection, format, control);
    let mut counts = RowCounts::default();
    let described = match format.dataset() {
        Some(format) => dataset(source, &job, format, file, &mut counts)?,
        None => exchange::write(source, &job, format, file, &mut counts)?,
    };
    let start = source.start();
    let lines = start.lines().map(|(game, _)| (game.rules(), game.size()));
    let left_out = counts.reason.take();
    let manifest = Manifest {
        schema: SCHEMA,
        file: String::new(),
        format: format.name(),
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        game: game.name.clone(),
        board: lines.map(|(_, size)| size.board()),
        line: lines.map(|(_, size)| size.line),
        parameters: lines.is_none().then(|| start.parameters()),
        rules: lines.map_or_else(|| start.title(), |(rules, size)| rules.sentence(size.line)),
        rows: counts.rows(),
        skipped: counts.skipped(),
        plies: counts.into_plies(),
        filter: selection.filter(),
        mirror: selection.mirror,
        selection: described.selection,
        complete: described.complete,
        perspective: described.perspective,
        index_base: described.index_base,
        order: described.order,
        columns: described.columns,
        bytes: 0,
        sha256: String::new(),
    };
    Ok(Exported { manifest, left_out })
}

/// Writes a data set.
fn dataset(
    source: &PositionSource,
    job: &Job<'_>,
    format: DatasetFormat,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Description, ExportError> {
    let schema = Schema::new(source.start(), job.selection.all_moves);
    let (columns, index_base) = (Some(schema.names()), schema.index_base());
    let mut writer = DatasetWriter::new(format, schema, file)?;
    source.positions(job, &mut |known| {
        writer.row(known)?;
        counts.count(known.study.tier().0, known.value.outcome);
        Ok(())
    })?;
    writer.finish()?;
    Ok(Description { index_base, columns, ..Description::usual(source, job) })
}
