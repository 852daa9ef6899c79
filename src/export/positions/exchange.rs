//! Exchange formats of Connect Four: UCI's rows, Pons' lines, Böck's book.

use std::io::Write;

use super::super::manifest::ManifestedFile;
use super::error::ExportError;
use super::job::{Description, Job, RowCounts};
use super::source::PositionStore;
use crate::connect_four::formats::{LineFormat, Record, RecordError, boeck_key, uci};
use crate::game::{Game, Keyed, Outcome, PartialValue, Symmetric, images};
use crate::games::line::notation::{picture, some_moves_to};
use crate::games::line::{AnyGame, ConnectFour, LineGame, Stones};

fn connect_four(game: &AnyGame) -> Result<ConnectFour, ExportError> {
    ConnectFour::new(game.size()).map_err(|error| ExportError::Unsuitable(error.to_string()))
}

/// Writes UCI's rows, in the order and in the images of the published file.
pub(super) fn uci(
    game: &AnyGame,
    store: &PositionStore,
    job: &Job<'_>,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Description, ExportError> {
    let game = connect_four(game)?;
    let mut complete = true;
    let mut write = |value_of: &mut dyn FnMut(Stones) -> Result<_, ExportError>| {
        for position in uci::positions() {
            let value: Option<PartialValue> = value_of(position)?;
            let Some(value) = value.filter(|value| job.wants_value(*value)) else {
                complete = false;
                continue;
            };
            let record = Record { position, moves: Vec::new(), value: Some(value) };
            if let Some(line) = line(&game, LineFormat::Uci, &record, counts)? {
                writeln!(file, "{line}")?;
                counts.count(uci::PLY.0, value.outcome);
            }
            job.advance()?;
        }
        Ok::<(), ExportError>(())
    };
    match store {
        PositionStore::Database(database) => database.plies(job.game, |layer, _| {
            if layer.ply() != Some(uci::PLY) {
                return Ok(());
            }
            write(&mut |at| Ok(layer.get(game.canonical(at).0).map(|row| row.value)))
        })?,
        PositionStore::Solution(solution) => write(&mut |at| Ok(solution.partial_value(at)?))?,
    }
    Ok(Description {
        selection: "positions of ply 8 in which nobody has won and neither side could complete \
                    a line with the next stone, one of each mirrored pair",
        complete: Some(complete),
        index_base: None,
        order: "as the positions come up first when games are played with columns in the order \
                d, c, e, b, f, a, g",
        columns: Some(cell_names()),
        perspective: "first player",
    })
}

fn cell_names() -> Vec<String> {
    let column = |c: char| (1..=uci::SIZE.height).map(move |row| format!("{c}{row}"));
    ('a'..='g').flat_map(column).chain(["class".to_owned()]).collect()
}

/// Writes Pons' lines of all positions that are not over.
pub(super) fn pons(
    game: &AnyGame,
    store: &PositionStore,
    job: &Job<'_>,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Description, ExportError> {
    let game = connect_four(game)?;
    store.positions(job, &game, |known| {
        if game.result(known.position).is_some() {
            return Ok(());
        }
        let record = record(&game, known.position, known.value)?;
        if let Some(line) = line(&game, LineFormat::Pons, &record, counts)? {
            writeln!(file, "{line}")?;
            counts.count(known.position.ply().0, known.value.outcome);
        }
        Ok(())
    })?;
    let selection = if job.selection.mirror {
        "stored positions that are not over, both images of each, by the lowest order of moves that \
         leads to it"
    } else {
        "stored positions that are not over, each in its canonical image, by the lowest order of \
         moves that leads to it"
    };
    Ok(Description {
        selection,
        complete: None,
        index_base: Some(1),
        order: store.order(),
        columns: None,
        perspective: "side to move",
    })
}

/// Writes Böck's book: both images of all positions of a ply that are no draws, by ascending key.
/// All of them are in memory.
pub(super) fn boeck(
    game: &AnyGame,
    store: &PositionStore,
    job: &Job<'_>,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Description, ExportError> {
    let game = connect_four(game)?;
    let mut book = Vec::new();
    store.positions(job, &game, |known| {
        if known.value.outcome == Outcome::Draw {
            return Ok(());
        }
        for image in images(&game, known.position).into_iter().map(|(key, _)| key) {
            let position = game.position_of(image).expect("an image is a position");
            let record = record(&game, position, known.value)?;
            // Both images lack the same, so the position counts once.
            let Some(line) = line(&game, LineFormat::Boeck, &record, counts)? else { break };
            book.push((boeck_key(&game, position), line, position.ply().0, known.value.outcome));
        }
        Ok(())
    })?;
    book.sort_unstable_by_key(|(key, ..)| *key);
    for (_, line, ply, outcome) in &book {
        writeln!(file, "{line}")?;
        counts.count(*ply, *outcome);
        job.control.check()?;
    }
    Ok(Description {
        selection: "stored positions of one ply that are no draws, both images of each",
        complete: None,
        index_base: None,
        order: "key",
        columns: None,
        perspective: "side to move",
    })
}

fn record(
    game: &ConnectFour,
    position: Stones,
    value: PartialValue,
) -> Result<Record, ExportError> {
    let moves = some_moves_to(game, position)
        .map_err(|error| refused(game, position, &error.to_string()))?;
    Ok(Record { position, moves, value: Some(value) })
}

/// The line of a position; `None`, and counted, if the format needs more than is known of it.
fn line(
    game: &ConnectFour,
    format: LineFormat,
    record: &Record,
    counts: &mut RowCounts,
) -> Result<Option<String>, ExportError> {
    match format.write(game, record) {
        Ok(line) => Ok(Some(line)),
        Err(RecordError::NoValue { needs, has, .. }) => {
            counts.skip(|| format!("{needs}, {has}"));
            Ok(None)
        }
        Err(error) => Err(refused(game, record.position, &error.to_string())),
    }
}

/// The error of a position that cannot be written in a format.
fn refused(game: &ConnectFour, position: Stones, why: &str) -> ExportError {
    let picture = picture(game, position);
    ExportError::Unsuitable(format!(
        "position {picture}: {why}; or choose other plies or another format"
    ))
}
