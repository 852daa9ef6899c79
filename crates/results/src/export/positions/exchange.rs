//! Formats of other programs: UCI's rows and Pons' lines.

use std::cmp::Reverse;
use std::io::Write;

use super::super::format::PositionFormat;
use super::super::manifest::{Manifest, ManifestedFile};
use super::error::ExportError;
use super::job::{Job, RowCounts};
use super::source::PositionSource;
use everyply_connect_four::formats::{LineFormat, Record, RecordError, uci};
use everyply_core::game::Outcome;
use everyply_core::games::line::notation::{picture, some_moves_to};
use everyply_core::games::line::{LineGame, Stones};

/// Writes the selected positions of a board in the format of another program.
pub(super) fn write(
    source: &PositionSource,
    game: &impl LineGame,
    job: &Job<'_>,
    format: PositionFormat,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Manifest, ExportError> {
    match (format, game.rules().stones_fall()) {
        (PositionFormat::Uci, true) => return uci(game, source, job, file, counts),
        (PositionFormat::Uci, false) => return uci_endgames(game, source, job, file, counts),
        _ => {}
    }
    source.positions(job, &|known| known, &mut |known| {
        if known.position.result().is_some() {
            return Ok(());
        }
        let position = known.position.stones().expect("a position of the board");
        let moves = some_moves_to(game, position)
            .map_err(|error| refused(game, position, &error.to_string()))?;
        let record = Record { position, moves, value: Some(known.value) };
        if let Some(line) = line(game, LineFormat::Pons, &record, counts)? {
            writeln!(file, "{line}")?;
            counts.count(record.position.ply().0, known.value.outcome);
        }
        Ok(())
    })?;
    Ok(Manifest {
        selection: match job.selection.mirror {
            true => {
                "stored positions that are not over, both images of each, by the lowest order of \
                 moves that leads to it"
            }
            false => {
                "stored positions that are not over, each in its canonical image, by the lowest \
                 order of moves that leads to it"
            }
        },
        index_base: Some(1),
        ..source.manifest(job, format)
    })
}

/// Writes UCI's rows of Connect Four, in the order and in the images of the published file.
fn uci(
    game: &impl LineGame,
    source: &PositionSource,
    job: &Job<'_>,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Manifest, ExportError> {
    let mut complete = true;
    let values = source.values(uci::PLY, job.control)?;
    for position in uci::positions() {
        job.advance()?;
        let value = values.get(&game.canonical(position).0);
        let Some(value) = value.copied().filter(|value| job.wants_value(*value)) else {
            complete = false;
            continue;
        };
        let record = Record { position, moves: Vec::new(), value: Some(value) };
        if let Some(line) = line(game, LineFormat::Uci, &record, counts)? {
            writeln!(file, "{line}")?;
            counts.count(uci::PLY.0, value.outcome);
        }
    }
    Ok(Manifest {
        selection: "positions of ply 8 in which nobody has won and neither side could complete \
                    a line with the next stone, one of each mirrored pair",
        complete: Some(complete),
        order: "as the positions come up first when games are played with columns in the order \
                d, c, e, b, f, a, g",
        columns: Some(columns(game)),
        perspective: "first player",
        ..source.manifest(job, PositionFormat::Uci)
    })
}

/// Writes UCI's rows of tic-tac-toe: every board at the end of a game, with its class.
fn uci_endgames(
    game: &impl LineGame,
    source: &PositionSource,
    job: &Job<'_>,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Manifest, ExportError> {
    const ALL: usize = 958;
    let mut rows = Vec::new();
    source.positions(job, &|known| known, &mut |known| {
        let Some(result) = known.position.result() else { return Ok(()) };
        for image in known.images(&|_| None) {
            let position = image.position.stones().expect("a position of the board");
            let record = Record { position, moves: Vec::new(), value: Some(known.value) };
            let Some(line) = line(game, LineFormat::Uci, &record, counts)? else { continue };
            // In descending order, x comes before o, and o before b.
            rows.push((result == Outcome::Draw, !line.ends_with("positive"), Reverse(line)));
            counts.count(position.ply().0, result);
        }
        Ok(())
    })?;
    rows.sort_unstable();
    for (.., Reverse(line)) in &rows {
        writeln!(file, "{line}")?;
    }
    Ok(Manifest {
        selection: "boards at the end of a game",
        complete: Some(rows.len() == ALL),
        order: "won by X, won by O, drawn; then cell by cell, x before o before b",
        columns: Some(columns(game)),
        perspective: "X: positive is a win of X, negative a win of O or a draw",
        ..source.manifest(job, PositionFormat::Uci)
    })
}

fn columns(game: &impl LineGame) -> Vec<String> {
    let cells = (0..game.size().cells() as usize).map(|cell| uci::cell_name(game, cell));
    cells.chain(["class".to_owned()]).collect()
}

/// Returns the line of a position; counts it and returns `None` if the format needs an unknown
/// value.
fn line(
    game: &impl LineGame,
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

fn refused(game: &impl LineGame, position: Stones, why: &str) -> ExportError {
    let picture = picture(game, position);
    ExportError::Unsuitable(format!(
        "position {picture}: {why}; or choose other plies or another format"
    ))
}
