//! `analyze export --format`: positions in one file, with its manifest.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::Wanted;
use crate::cli::failure::{Failure, warn};
use crate::cli::session::Session;
use crate::cli::text;
use crate::connect_four::formats::uci;
use crate::export::{
    ExportError, Exported, ManifestedFile, PositionFormat, PositionSource, Ranges, write_positions,
};
use crate::registry::Study;
use crate::statistics::counted;

pub(super) fn run(
    args: &Wanted,
    format: PositionFormat,
    source: PositionSource,
) -> Result<(), Failure> {
    let id = source.game_id();
    check(args, format, source.start())?;
    let out = args.out.clone().unwrap_or_else(|| default_name(args, format));
    let session = Session::start(&args.running)?;
    let mut file = ManifestedFile::create(&out).map_err(Failure::runtime)?;
    let to = &mut file;
    // A database stays on one thread, so the work takes it along.
    let written = session.work("exporting", "positions", move |control| {
        control.start(0);
        write_positions(&source, &args.selection(), format, to, control)
    });
    let Exported { mut manifest, left_out } = written.map_err(|error| match error {
        ExportError::File(error) => Failure::Runtime(
            anyhow::Error::from(error).context(format!("{} was not written", out.display())),
        ),
        ExportError::Stopped(_) => session.interrupted("; nothing was written"),
        error @ ExportError::NoPosition { .. } => Failure::Mismatch(error.to_string()),
        ExportError::Unsuitable(why) => Failure::Usage(why),
        error => Failure::runtime(error),
    })?;
    let left_out = left_out.map(|reason| {
        let verb = if manifest.skipped == 1 { "was" } else { "were" };
        format!("{} {verb} left out: {reason}", counted(manifest.skipped, "position"))
    });
    if manifest.rows == 0 {
        let file = args.file.display();
        let why = match &left_out {
            Some(left_out) => format!(" in this format ({left_out})"),
            None if manifest.filter.is_some() => " that is asked for".to_owned(),
            None => String::new(),
        };
        return Err(Failure::Usage(format!(
            "{file} holds no position of {id} to write{why}: nothing was written"
        )));
    }
    if session.control.is_asked_to_stop() {
        return Err(session.interrupted("; nothing was written"));
    }
    file.commit(&mut manifest).map_err(Failure::runtime)?;
    if let Some(left_out) = left_out {
        warn(&left_out);
    }
    if args.running.json {
        return text::print_json(&manifest);
    }
    let mut said = text::written(&out, &manifest);
    if manifest.complete == Some(false) {
        let _ = writeln!(said, "not all of the data set: the rest is not stored, or not asked for");
    }
    text::print(&said)
}

/// The database's name with the format's ending.
fn default_name(args: &Wanted, format: PositionFormat) -> PathBuf {
    let stem = args.file.file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push(".");
    name.push(format.ending());
    PathBuf::from(name)
}

/// Refuses options that a format does not have, before any work.
pub(super) fn check(
    wanted: &Wanted,
    format: PositionFormat,
    game: &dyn Study,
) -> Result<(), Failure> {
    let id = game.game_id();
    let asked = format!("--format {}", format.name());
    let fixed = format.is_exchange();
    if fixed && wanted.all_moves {
        return Err(Failure::Usage(format!(
            "--all-moves: {asked} has no place for the values of moves; use csv, jsonl or parquet"
        )));
    }
    if !format.suits(game) {
        return Err(Failure::Usage(format!("{asked} is for Connect Four, not for {id}")));
    }
    let one_image = [PositionFormat::Uci, PositionFormat::Boeck, PositionFormat::Cadot];
    if wanted.mirror && one_image.contains(&format) {
        let (which, rest) = match format {
            PositionFormat::Boeck => ("both images", "leave it out"),
            _ => ("one image of each mirrored pair", "use csv, jsonl, parquet or pons"),
        };
        return Err(Failure::Usage(format!("--mirror: {asked} has {which}: {rest}")));
    }
    let single = wanted.plies.as_ref().map(Ranges::single);
    match format {
        PositionFormat::Uci if id.parameters != uci::SIZE.parameters() => Err(Failure::Usage(
            format!("{asked} is for the 7x6 board with 4 in a row, not for {id}"),
        )),
        PositionFormat::Uci if single.is_some_and(|ply| ply != Some(uci::PLY.0)) => {
            Err(Failure::Usage(format!("--plies: {asked} has the positions of ply 8 alone")))
        }
        PositionFormat::Boeck if single == Some(None) => {
            Err(Failure::Usage(format!("--plies: {asked} has the positions of one ply")))
        }
        _ => Ok(()),
    }
}
