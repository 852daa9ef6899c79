//! Exports in the formats of others: UCI's rows, Pons' lines, Böck's book.

use std::io::Write;

use crate::cli::export::ranges::Ranges;
use crate::cli::export::source::{AbortReason, Source, Tally, Traits};
use crate::cli::export::store::Store;
use crate::cli::export::{Format, Wanted};
use crate::cli::failure::Failure;
use crate::connect_four::formats::{LineFormat, Record, RecordError, boeck_key, uci};
use crate::export::ManifestedFile;
use crate::game::{Game, GameId, Keyed, Outcome, PartialValue, Symmetric, images};
use crate::games::line::notation::some_moves_to;
use crate::games::line::{ConnectFour, Size, Stones};

/// Böck's books have one ply; his own has this one.
const BOECK_PLY: u8 = 8;

/// The plies of a format that does not take all of them, where none are asked for.
pub(in crate::cli) fn usual_plies(format: Format) -> Option<Ranges> {
    match format {
        Format::Uci => Some(Ranges::only(uci::PLY.0)),
        Format::Boeck => Some(Ranges::only(BOECK_PLY)),
        _ => None,
    }
}

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
    if wanted.mirror && matches!(format, Format::Uci | Format::Boeck) {
        let (which, rest) = match format {
            Format::Boeck => ("both images", "leave it out"),
            _ => ("one image of each mirrored pair", "use csv, jsonl, parquet or pons"),
        };
        return Err(Failure::Usage(format!("--mirror: {asked} has {which}: {rest}")));
    }
    let single = wanted.plies.as_ref().map(Ranges::single);
    match format {
        Format::Uci if id.parameters != uci::SIZE.parameters() => Err(Failure::Usage(format!(
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
    ConnectFour::new(Size::of_parameters(id.parameters))
        .map_err(|error| AbortReason::Refused(Failure::usage(error)))
}

/// UCI's rows, in the order and in the images of the published file.
pub(in crate::cli) fn uci(
    store: &Store,
    source: &Source<'_>,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let game = connect_four(source.id)?;
    let mut complete = true;
    let mut write = |value_of: &mut dyn FnMut(Stones) -> Result<_, AbortReason>| {
        for position in uci::positions() {
            let value: Option<PartialValue> = value_of(position)?;
            let Some(value) = value.filter(|value| source.wants_value(*value)) else {
                complete = false;
                continue;
            };
            let record = Record { position, moves: Vec::new(), value: Some(value) };
            if let Some(line) = line(&game, LineFormat::Uci, &record, tally)? {
                writeln!(file, "{line}")?;
                tally.count(uci::PLY.0, value.outcome);
            }
            source.advance()?;
        }
        Ok::<(), AbortReason>(())
    };
    match store {
        Store::Database(database) => database.plies(source.id, |layer, _| {
            if layer.ply() != Some(uci::PLY) {
                return Ok(());
            }
            write(&mut |at| Ok(layer.get(game.canonical(at).0).map(|row| row.value)))
        })?,
        Store::Solution(solution) => write(&mut |at| Ok(solution.partial_value(at)?))?,
    }
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
    store: &Store,
    source: &Source<'_>,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let game = connect_four(source.id)?;
    store.positions(source, &game, |known| {
        if game.result(known.position).is_some() {
            return Ok(());
        }
        let record = record(&game, known.position, known.value)?;
        if let Some(line) = line(&game, LineFormat::Pons, &record, tally)? {
            writeln!(file, "{line}")?;
            tally.count(known.position.ply().0, known.value.outcome);
        }
        Ok(())
    })?;
    let selection = if source.wanted.mirror {
        "stored positions that are not over, both images of each, by the lowest order of moves that \
         leads to it"
    } else {
        "stored positions that are not over, each in its canonical image, by the lowest order of \
         moves that leads to it"
    };
    Ok(Traits {
        selection,
        complete: None,
        index_base: Some(1),
        order: store.order(),
        columns: None,
        perspective: "side to move",
    })
}

/// Böck's book: both images of all positions of a ply that are no draws, by ascending key, for
/// which all of them are in memory.
pub(in crate::cli) fn boeck(
    store: &Store,
    source: &Source<'_>,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let game = connect_four(source.id)?;
    let mut book = Vec::new();
    store.positions(source, &game, |known| {
        if known.value.outcome == Outcome::Draw {
            return Ok(());
        }
        for image in images(&game, known.position).into_iter().map(|(key, _)| key) {
            let position = game.position_of(image).expect("an image is a position");
            let record = record(&game, position, known.value)?;
            // What one image lacks the other lacks too: it counts once.
            let Some(line) = line(&game, LineFormat::Boeck, &record, tally)? else { break };
            book.push((boeck_key(&game, position), line, position.ply().0, known.value.outcome));
        }
        Ok(())
    })?;
    book.sort_unstable_by_key(|(key, ..)| *key);
    for (_, line, ply, outcome) in &book {
        writeln!(file, "{line}")?;
        tally.count(*ply, *outcome);
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

/// The line of a position; `None`, and counted, if the format needs more than is known of it.
fn line(
    game: &ConnectFour,
    format: LineFormat,
    record: &Record,
    tally: &mut Tally,
) -> Result<Option<String>, AbortReason> {
    match format.write(game, record) {
        Ok(line) => Ok(Some(line)),
        Err(RecordError::NoValue { needs, has, .. }) => {
            tally.skip(|| format!("{needs}, {has}"));
            Ok(None)
        }
        Err(error) => Err(refused(game, record.position, &error.to_string())),
    }
}

/// What cannot be written in a format, with the position it is about.
fn refused(game: &ConnectFour, position: Stones, why: &str) -> AbortReason {
    let picture = crate::games::line::notation::picture(game, position);
    AbortReason::Refused(Failure::Usage(format!(
        "position {picture}: {why}; or choose other --plies or another --format"
    )))
}
