//! `analyze verify` on strategies.

use std::time::Instant;

use super::Args;
use crate::cli::failure::{Failure, mismatch};
use crate::cli::session::Session;
use crate::cli::strategy::{FileSummary, StrategySummary};
use crate::cli::text;
use everyply_connect_four::strategy::{self, Fault, Strategy};

pub(super) fn run(args: &Args, strategies: &[Strategy]) -> Result<(), Failure> {
    let bytes = std::fs::metadata(&args.file).map_or(0, |file| file.len());
    let session = Session::start(&args.running)?;
    let mut summaries = Vec::new();
    for strategy in strategies {
        let begun = Instant::now();
        let checked =
            session.work("checking", "positions", |control| strategy::check(strategy, control));
        let checked = checked.map_err(|fault| match fault {
            Fault::Stopped(_) => session.interrupted(""),
            fault => mismatch!("{}: {fault}", args.file.display()),
        })?;
        summaries.push(StrategySummary::new(strategy, checked, begun.elapsed()));
    }
    let summary = FileSummary::new(&summaries, &args.file, bytes, &session);
    text::print_result(args.running.json, &summary, || summary.found() + &summary.file())
}
