//! Exports of solved positions, of a database or a solution file, in one file with its manifest.

mod error;
mod exchange;
mod job;
mod ranges;
mod registered;
mod selection;
mod source;

use super::dataset::{DatasetFormat, DatasetWriter, Schema};
use super::manifest::{Manifest, ManifestedFile, SCHEMA, rules};
use crate::control::Control;
use crate::games::line::{LineGame, with_game};

pub use error::ExportError;
pub use job::holds;
use job::{Description, Job, RowCounts};
pub use ranges::Ranges;
pub use selection::{PositionFormat, Selection};
pub use source::{PositionSource, PositionStore};

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
    let described = match (source, format) {
        (PositionSource::Registered(start, database), format) => {
            let format = format.dataset();
            registered::dataset(start.as_ref(), database, &job, format, file, &mut counts)?
        }
        (PositionSource::Lines(game, store), PositionFormat::Uci) => {
            exchange::uci(game, store, &job, file, &mut counts)?
        }
        (PositionSource::Lines(game, store), PositionFormat::Pons) => {
            exchange::pons(game, store, &job, file, &mut counts)?
        }
        (PositionSource::Lines(game, store), PositionFormat::Boeck) => {
            exchange::boeck(game, store, &job, file, &mut counts)?
        }
        (PositionSource::Lines(game, store), format) => with_game!(*game, game => {
            dataset(&game, store, &job, format.dataset(), file, &mut counts)?
        }),
    };
    let (board, line, parameters, rules) = match source {
        PositionSource::Lines(game, _) => {
            let size = game.size();
            (Some(size.board()), Some(size.line), None, rules(&game.game_id()))
        }
        PositionSource::Registered(start, _) => {
            (None, None, Some(start.parameters()), start.title())
        }
    };
    let left_out = counts.reason.take();
    let manifest = Manifest {
        schema: SCHEMA,
        file: String::new(),
        format: format.name(),
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        game: game.name.clone(),
        board,
        line,
        parameters,
        rules,
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

/// Writes a data set of a board of stones and lines.
fn dataset<G: LineGame>(
    game: &G,
    store: &PositionStore,
    job: &Job<'_>,
    format: DatasetFormat,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Description, ExportError> {
    let schema = Schema::new(game, job.selection.all_moves);
    let columns = Some(schema.names());
    let mut writer = DatasetWriter::new(format, schema, file)?;
    store.positions(job, game, |known| {
        writer.row(game, known)?;
        counts.count(known.position.ply().0, known.value.outcome);
        Ok(())
    })?;
    writer.finish()?;
    Ok(Description {
        selection: job.images(),
        complete: None,
        index_base: Some(1),
        order: store.order(),
        columns,
        perspective: "side to move",
    })
}
