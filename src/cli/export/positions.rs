//! `analyze export --format`: positions in one file, with its manifest.

use std::fmt::Write as _;

use super::Wanted;
use crate::cli::failure::{Failure, usage, warn};
use crate::cli::session::Session;
use crate::cli::text;
use everyply_core::statistics::counted;
use everyply_registry::registry::Position;
use everyply_results::export::{
    ExportError, Exported, ManifestedFile, Misfit, PositionFormat, PositionSource, write_positions,
};

pub(super) fn run(
    args: &Wanted,
    format: PositionFormat,
    source: PositionSource,
) -> Result<(), Failure> {
    let id = source.game_id();
    check(args, format, source.start())?;
    let out = args.out.clone().unwrap_or_else(|| super::default_name(&args.file, format.ending()));
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
        return Err(usage!("{file} holds no position of {id} to write{why}: nothing was written"));
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

/// Refuses options that a format does not have, before any work.
pub(super) fn check(
    wanted: &Wanted,
    format: PositionFormat,
    game: &dyn Position,
) -> Result<(), Failure> {
    wanted.selection().check(format, game).map_err(|Misfit { choice, why }| {
        let option = choice.map_or_else(String::new, |choice| format!("--{choice}: "));
        usage!("{option}--format {} {why}", format.name())
    })
}
