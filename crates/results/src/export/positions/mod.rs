//! Exports of solved positions, of a database or a solution file, in one file with its manifest.

mod error;
mod exchange;
mod job;
mod ranges;
mod selection;
mod source;
mod ways;

use super::dataset::{DatasetWriter, Schema};
use super::format::PositionFormat;
use super::known::KnownPosition;
use super::manifest::{Manifest, ManifestedFile};
use everyply_core::control::Control;
use everyply_core::games::line::on_board;

pub use error::ExportError;
use job::Job;
pub(super) use job::{RowCounts, manifest};
pub use ranges::Ranges;
pub use selection::{Misfit, Selection};
pub use source::PositionSource;

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
/// or the control stops it. The file must then not be committed.
pub fn write_positions(
    source: &PositionSource,
    selection: &Selection,
    format: PositionFormat,
    file: &mut ManifestedFile,
    control: &Control,
) -> Result<Exported, ExportError> {
    let misfit = selection.check(format, source.start()).err();
    if let Some(Misfit { why, .. }) = misfit {
        return Err(ExportError::Unsuitable(why));
    }
    let plies = selection.plies.clone().or(format.usual_plies(source.start()));
    let job = Job { selection, plies, control };
    let mut counts = RowCounts::default();
    let mut manifest = match source.start().lines() {
        Some((rules, size)) if format.exchange().is_some() => {
            let written = on_board!(rules, size, |game| {
                exchange::write(source, &game, &job, format, file, &mut counts)
            });
            written.expect("the board was made before")?
        }
        _ => dataset(source, &job, format, file, &mut counts)?,
    };
    let left_out = counts.reason.take();
    counts.fill(&mut manifest);
    Ok(Exported { manifest, left_out })
}

fn dataset(
    source: &PositionSource,
    job: &Job<'_>,
    format: PositionFormat,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Manifest, ExportError> {
    let schema = Schema::new(source.start(), job.selection.all_moves);
    let (columns, index_base) = (Some(schema.names()), schema.index_base);
    let mut writer = DatasetWriter::new(format, &schema, file)?;
    // Moves that lead to a position prove that a game can reach it.
    let make = |known: KnownPosition| {
        let reached = known.way.as_ref().map_or_else(|| known.position.check_reached(), |_| Ok(()));
        reached.map(|()| (known.position.tier().0, known.value.outcome, schema.row(&known)))
    };
    source.positions(job, &make, &mut |made| {
        match made {
            Ok((ply, outcome, row)) => {
                writer.row(&row)?;
                counts.count(ply, outcome);
            }
            Err(why) => counts.skip(|| why.to_string()),
        }
        Ok(())
    })?;
    writer.finish()?;
    Ok(Manifest { index_base, columns, holds: source.holds(), ..source.manifest(job, format) })
}
