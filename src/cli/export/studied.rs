//! Data sets of games of the registry.

use super::source::{AbortReason, Source, Tally, Traits};
use crate::database::{Database, PositionRow};
use crate::export::{DatasetFormat, DatasetWriter, ManifestedFile, Schema};
use crate::registry::Study;

/// Writes the stored positions of a game, given by its start.
pub(super) fn dataset(
    start: &dyn Study,
    database: &Database,
    source: &Source<'_>,
    format: DatasetFormat,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let schema = Schema::of_registered(source.wanted.all_moves);
    let columns = Some(schema.names());
    let mut writer = DatasetWriter::new(format, schema, file)?;
    let mut lookup = database.lookup(source.id)?;
    database.positions(source.id, None, |row| {
        source.advance()?;
        if !source.wants_ply(row.ply.0) || !source.wants_value(row.value) {
            return Ok::<(), AbortReason>(());
        }
        let study = start.of_key(row.key).filter(|study| study.tier() == row.ply);
        let study = study.ok_or_else(|| source.no_position(&row))?;
        let images = if source.wanted.mirror {
            study.images()
        } else {
            vec![study.canonical().expect("games of 64-bit keys are stored")]
        };
        for (key, symmetry) in images {
            let image = start.of_key(key).ok_or_else(|| source.no_position(&row))?;
            let best = row.best.map(|best| study.image_moves(best, symmetry));
            writer.registered_row(image.as_ref(), &PositionRow { key, best, ..row }, |study| {
                let row = lookup
                    .position(study.canonical().expect("games of 64-bit keys are stored").0)?;
                Ok::<_, AbortReason>(row.as_ref().and_then(PositionRow::worth))
            })?;
            tally.count(row.ply.0, row.value.outcome);
        }
        Ok(())
    })?;
    writer.finish()?;
    Ok(Traits {
        selection: source.images(),
        complete: None,
        index_base: None,
        order: "ply, then key of the canonical image as an unsigned number",
        columns,
        perspective: "side to move",
    })
}
