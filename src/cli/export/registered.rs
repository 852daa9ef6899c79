//! Data sets of games of the registry.

use super::source::{AbortReason, Source, Tally, Traits};
use crate::export::{DatasetFormat, DatasetWriter, ManifestedFile, Schema};
use crate::registry::{Study, worth_of_row};

/// Writes the stored positions of a game, given by its start.
pub(super) fn dataset(
    start: &dyn Study,
    source: &Source<'_>,
    format: DatasetFormat,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let schema = Schema::of_registered(source.wanted.all_moves);
    let columns = Some(schema.names());
    let mut writer = DatasetWriter::new(format, schema, file)?;
    let mut lookup = source.database.lookup(source.id)?;
    source.database.positions(source.id, None, |row| {
        if !source.wants(row.ply.0) {
            return Ok(());
        }
        let study = start.of_key(row.key).filter(|study| study.tier() == row.ply);
        let study = study.ok_or_else(|| source.no_position(&row))?;
        writer.registered_row(study.as_ref(), &row, |study| {
            let row = lookup.position(study.canonical().0)?;
            Ok::<_, AbortReason>(row.as_ref().and_then(worth_of_row))
        })?;
        tally.count(row.ply.0, row.value.outcome);
        source.advance()
    })?;
    writer.finish()?;
    Ok(Traits {
        selection: "stored positions, each in its canonical image: the one with the lowest key",
        complete: None,
        index_base: None,
        order: "ply, then key as an unsigned number",
        columns,
        perspective: "side to move",
    })
}
