//! Exports in the formats of others: UCI's rows, Pons' lines, Böck's book.

use std::io::Write;

use crate::cli::export::plies::Plies;
use crate::cli::export::source::{AbortReason, Source, Tally, Traits};
use crate::cli::export::{Format, Wanted};
use crate::cli::failure::Failure;
use crate::connect_four::formats::{LineFormat, Record, boeck_key, uci};
use crate::database::GameId;
use crate::export::ManifestedFile;
use crate::game::{Game, Keyed, Outcome, PartialValue, Symmetric, Symmetry};
use crate::games::line::notation::some_moves_to;
use crate::games::line::{ConnectFour, Stones};

/// Böck's books have one ply; his own has this one.
const BOECK_PLY: u8 = 8;

/// Refuses what a format cannot hold, before any work.
pub(in crate::cli) fn check(wanted: &Wanted, format: Format, id: &GameId) -> Result<(), Failure> {
    let asked = format!("--format {}", format.name());
    let fixed = matches!(format, Format::Uci | Format::Pons | Format::Boeck);
    if fixed && wanted.all_moves {
        return Err(Failure::Usage(format!(
            "--all-moves: {asked} has no place for the values of moves; use csv, jsonl or parquet"
        )));
    }
    if fixed && id.name != "connect4" {
        return Err(Failure::Usage(format!("{asked} is for Connect Four, not for {id}")));
    }
    let single = wanted.plies.as_ref().map(Plies::single);
    match format {
        Format::Uci if id.size != uci::SIZE => Err(Failure::Usage(format!(
            "{asked} is for the 7x6 board with 4 in a row, not for {id}"
        ))),
        Format::Uci if single.is_some_and(|ply| ply != Some(uci::PLY.0)) => {
            Err(Failure::Usage(format!("--plies: {asked} has the positions of ply 8 alone")))
        }
        Format::Boeck if single == Some(None) => {
            Err(Failure::Usage(format!("--plies: {asked} has the positions of one ply")))
        }
        _ => Ok(()),
    }
}

fn connect_four(id: &GameId) -> Result<ConnectFour, AbortReason> {
    ConnectFour::new(id.size).map_err(|error| AbortReason::Refused(Failure::usage(error)))
}

/// UCI's rows, in the order and in the images of the published file.
pub(in crate::cli) fn uci(
    source: &Source<'_>,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let game = connect_four(source.id)?;
    let mut complete = true;
    source.database.layers(source.id, |layer, _| {
        if layer.ply() != Some(uci::PLY) {
            return Ok(());
        }
        for position in uci::positions() {
            let Some(row) = layer.get(game.canonical(position).0) else {
                complete = false;
                continue;
            };
            let record = Record { position, moves: Vec::new(), value: Some(row.value) };
            write_line(&game, LineFormat::Uci, &record, file)?;
            tally.count(row.ply.0, row.value.outcome);
            source.advance()?;
        }
        Ok::<(), AbortReason>(())
    })?;
    Ok(Traits {
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

/// Pons' lines of all positions that are not over.
pub(in crate::cli) fn pons(
    source: &Source<'_>,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let game = connect_four(source.id)?;
    source.database.layers(source.id, |layer, _| {
        for row in layer.rows().iter().filter(|row| source.wants(row.ply.0)) {
            let position = source.position(&game, row)?;
            if game.result(position).is_some() {
                continue;
            }
            let record = record(&game, position, row.value)?;
            write_line(&game, LineFormat::Pons, &record, file)?;
            tally.count(row.ply.0, row.value.outcome);
            source.advance()?;
        }
        Ok::<(), AbortReason>(())
    })?;
    Ok(Traits {
        selection: "stored positions that are not over, each in its canonical image, by one \
                    order of moves that leads to it",
        complete: None,
        index_base: Some(1),
        order: "ply, then key as an unsigned number",
        columns: None,
        perspective: "side to move",
    })
}

/// Böck's book: both images of all positions of a ply that are no draws, by ascending key.
pub(in crate::cli) fn boeck(
    source: &Source<'_>,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let game = connect_four(source.id)?;
    let ply = source.wanted.plies.as_ref().and_then(Plies::single);
    let ply = ply.unwrap_or(BOECK_PLY);
    let mut book = Vec::new();
    source.database.layers(source.id, |layer, _| {
        if layer.ply().is_none_or(|found| found.0 != ply) {
            return Ok(());
        }
        for row in layer.rows().iter().filter(|row| row.value.outcome != Outcome::Draw) {
            let position = source.position(&game, row)?;
            let image = game.position_of(game.image_key(position, Symmetry(1)));
            let image = image.filter(|&image| image != position);
            for position in [Some(position), image].into_iter().flatten() {
                let record = record(&game, position, row.value)?;
                let line = LineFormat::Boeck
                    .write(&game, &record)
                    .map_err(|error| refused(&game, position, &error.to_string()))?;
                book.push((boeck_key(&game, position), line, row.value.outcome));
            }
            source.advance()?;
        }
        Ok::<(), AbortReason>(())
    })?;
    book.sort_unstable_by_key(|(key, ..)| *key);
    for (_, line, outcome) in &book {
        writeln!(file, "{line}")?;
        tally.count(ply, *outcome);
        source.control.check()?;
    }
    Ok(Traits {
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
) -> Result<Record, AbortReason> {
    let moves = some_moves_to(game, position)
        .map_err(|error| refused(game, position, &error.to_string()))?;
    Ok(Record { position, moves, value: Some(value) })
}

fn write_line(
    game: &ConnectFour,
    format: LineFormat,
    record: &Record,
    file: &mut ManifestedFile,
) -> Result<(), AbortReason> {
    let line = format
        .write(game, record)
        .map_err(|error| refused(game, record.position, &error.to_string()))?;
    Ok(writeln!(file, "{line}")?)
}

/// What cannot be written in a format, with the position it is about.
fn refused(game: &ConnectFour, position: Stones, why: &str) -> AbortReason {
    let picture = crate::games::line::notation::picture(game, position);
    AbortReason::Refused(Failure::Usage(format!(
        "position {picture}: {why}; or choose other --plies or another --format"
    )))
}
