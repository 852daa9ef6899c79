//! Exchange formats of Connect Four: UCI's rows and Pons' lines.

use std::io::Write;

use super::super::format::PositionFormat;
use super::super::manifest::{Manifest, ManifestedFile};
use super::error::ExportError;
use super::job::{Job, RowCounts};
use super::selection::{columns, is_tic_tac_toe};
use super::source::PositionSource;
use everyply_connect_four::formats::{LineFormat, Record, RecordError, uci};
use everyply_core::game::{Keyed, Outcome, PartialValue};
use everyply_core::games::line::notation::{picture, some_moves_to};
use everyply_core::games::line::{ConnectFour, Stones};

/// Writes the selected positions of a Connect Four board in a format of other programs.
pub(super) fn write(
    source: &PositionSource,
    job: &Job<'_>,
    format: PositionFormat,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Manifest, ExportError> {
    if is_tic_tac_toe(source.start()) {
        return uci_boards_at_the_end(source, job, file, counts);
    }
    let unsuitable = |why: String| ExportError::Unsuitable(why);
    let size = columns(source.start())
        .ok_or_else(|| unsuitable(format!("the format {} is for Connect Four", format.name())))?;
    let game = ConnectFour::new(size).map_err(|error| unsuitable(error.to_string()))?;
    if format == PositionFormat::Uci {
        return uci(&game, source, job, file, counts);
    }
    source.positions(job, &mut |known| {
        if known.study.result().is_some() {
            return Ok(());
        }
        let record =
            record(&game, known.study.stones().expect("a position of the board"), known.value)?;
        if let Some(line) = line(&game, LineFormat::Pons, &record, counts)? {
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
        ..job.manifest(source.start(), source.order(), format)
    })
}

/// Writes UCI's rows, in the order and in the images of the published file.
fn uci(
    game: &ConnectFour,
    source: &PositionSource,
    job: &Job<'_>,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Manifest, ExportError> {
    let mut complete = true;
    let mut value_of = source.values()?;
    for position in uci::positions() {
        job.advance()?;
        let study =
            source.start().of_key(game.key(position)).expect("a position of the standard board");
        let value = value_of(study.as_ref())?.filter(|value| job.wants_value(*value));
        let Some(value) = value else {
            complete = false;
            continue;
        };
        let record = Record { position, moves: Vec::new(), value: Some(value) };
        if let Some(line) = line(game, LineFormat::Uci, &record, counts)? {
            writeln!(file, "{line}")?;
            counts.count(uci::PLY.0, value.outcome);
        }
    }
    let column = |c: char| (1..=uci::SIZE.height).map(move |row| format!("{c}{row}"));
    let cells = ('a'..='g').flat_map(column);
    Ok(Manifest {
        selection: "positions of ply 8 in which nobody has won and neither side could complete \
                    a line with the next stone, one of each mirrored pair",
        complete: Some(complete),
        order: "as the positions come up first when games are played with columns in the order \
                d, c, e, b, f, a, g",
        columns: Some(cells.chain(["class".to_owned()]).collect()),
        perspective: "first player",
        ..job.manifest(source.start(), source.order(), PositionFormat::Uci)
    })
}

/// Writes the rows of UCI's tic-tac-toe: every board at the end of a game, with its class.
fn uci_boards_at_the_end(
    source: &PositionSource,
    job: &Job<'_>,
    file: &mut ManifestedFile,
    counts: &mut RowCounts,
) -> Result<Manifest, ExportError> {
    /// The boards at the end of a game.
    const ALL: usize = 958;
    // By class, then cell by cell in the order of these letters.
    const LETTERS: [char; 3] = ['x', 'o', 'b'];
    let mut rows = Vec::new();
    source.positions(job, &mut |known| {
        let Some(result) = known.study.result() else { return Ok(()) };
        for image in known.images(&mut |_| None) {
            let picture = image.study.picture().to_lowercase().replace('.', "b");
            let place = |cell| LETTERS.iter().position(|letter| *letter == cell);
            let cells: Vec<usize> = picture.chars().filter_map(place).collect();
            // Who moved last has won.
            let class = match (result, image.study.to_move()) {
                (Outcome::Draw, _) => 2,
                (_, Some('O')) => 0,
                _ => 1,
            };
            rows.push((class, cells, image.study.tier().0, result));
        }
        Ok(())
    })?;
    rows.sort_unstable_by_key(|row| row.2);
    rows.iter().for_each(|(_, _, ply, result)| counts.count(*ply, *result));
    rows.sort_unstable();
    for (class, cells, ..) in &rows {
        let cells: Vec<String> = cells.iter().map(|cell| LETTERS[*cell].to_string()).collect();
        let class = if *class == 0 { "positive" } else { "negative" };
        writeln!(file, "{},{class}", cells.join(","))?;
    }
    let row = |row| ["left", "middle", "right"].map(|column| format!("{row}-{column}-square"));
    let cells = ["top", "middle", "bottom"].map(row).into_iter().flatten();
    Ok(Manifest {
        selection: "boards at the end of a game",
        complete: Some(rows.len() == ALL),
        order: "won by X, won by O, drawn; then cell by cell, x before o before b",
        columns: Some(cells.chain(["class".to_owned()]).collect()),
        perspective: "X: positive is a win of X, negative a win of O or a draw",
        ..job.manifest(source.start(), source.order(), PositionFormat::Uci)
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
