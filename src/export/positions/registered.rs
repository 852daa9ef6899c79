//! Data sets of games of the registry.

use super::super::dataset::{DatasetFormat, DatasetWriter, Schema};
use super::super::manifest::ManifestedFile;
use super::error::ExportError;
use super::job::{Description, Job, RowCounts};
use crate::database::{Database, PositionRow};
use crate::registry::Study;

/// Writes the stored positions of a game, given by its start.
pub(super) fn dataset(
    start: &dyn Study,
    database: &Database,
    job: &Job<'_>,
    format: DatasetFormat,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Description, ExportError> {
    let schema = Schema::of_registered(job.selection.all_moves);
    let columns = Some(schema.names());
    let mut writer = DatasetWriter::new(format, schema, file)?;
    let mut lookup = database.lookup(job.game)?;
    database.positions(job.game, None, |row| {
        job.advance()?;
        if !job.wants_ply(row.ply.0) || !job.wants_value(row.value) {
            return Ok::<(), ExportError>(());
        }
        let study = start.of_key(row.key).filter(|study| study.tier() == row.ply);
        let study = study.ok_or_else(|| job.no_position(database, &row))?;
        let images = if job.selection.mirror {
            study.images()
        } else {
            vec![study.canonical().expect("games of 64-bit keys are stored")]
        };
        for (key, symmetry) in images {
            let image = start.of_key(key).ok_or_else(|| job.no_position(database, &row))?;
            let best = row.best.map(|best| study.image_moves(best, symmetry));
            writer.registered_row(image.as_ref(), &PositionRow { key, best, ..row }, |study| {
                let row = lookup
                    .position(study.canonical().expect("games of 64-bit keys are stored").0)?;
                Ok::<_, ExportError>(row.as_ref().and_then(PositionRow::worth))
            })?;
            counts.count(row.ply.0, row.value.outcome);
        }
        Ok(())
    })?;
    writer.finish()?;
    Ok(Description {
        selection: job.images(),
        complete: None,
        index_base: None,
        order: "ply, then key of the canonical image as an unsigned number",
        columns,
        perspective: "side to move",
    })
}
