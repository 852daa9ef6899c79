//! Reports about strategies.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::session::Session;
use crate::cli::text;
use everyply_connect_four::strategy::{CheckSummary, Strategy};
use everyply_core::statistics::{counted, grouped};

/// A strategy that was checked.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct StrategySummary {
    board: String,
    line: u8,
    side: &'static str,
    score: i32,
    moves: String,
    positions: u64,
    settled: u64,
    earliest_settled_empties: u32,
    played: u64,
    check_s: f64,
    #[serde(skip)]
    headline: String,
}

impl StrategySummary {
    pub fn new(strategy: &Strategy, checked: CheckSummary, time: Duration) -> Self {
        Self {
            board: strategy.size.board(),
            line: strategy.size.line,
            side: strategy.claim.side.name(),
            score: strategy.claim.at_least,
            moves: strategy.moves.clone(),
            positions: checked.positions,
            settled: checked.settled,
            earliest_settled_empties: checked.most_settled_empties,
            played: checked.played,
            check_s: time.as_secs_f64(),
            headline: format!("Connect Four: {}", strategy.title()),
        }
    }
}

/// The strategies of a file.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct FileSummary<'a> {
    strategies: &'a [StrategySummary],
    bytes: u64,
    threads: usize,
    elapsed_s: f64,
    #[serde(skip)]
    path: &'a Path,
}

impl<'a> FileSummary<'a> {
    pub fn new(
        strategies: &'a [StrategySummary],
        path: &'a Path,
        bytes: u64,
        session: &Session,
    ) -> Self {
        let elapsed_s = session.started.elapsed().as_secs_f64();
        Self { strategies, bytes, threads: session.threads, elapsed_s, path }
    }

    /// The strategies in words.
    pub fn found(&self) -> String {
        let mut text = String::new();
        for strategy in self.strategies {
            let StrategySummary { headline, positions, settled, played, check_s, .. } = strategy;
            let _ = writeln!(text, "{headline}\n");
            let _ = writeln!(
                text,
                "positions  {}, of which a plan settles {}, with up to {} empty",
                grouped(*positions),
                grouped(*settled),
                counted(u64::from(strategy.earliest_settled_empties), "cell"),
            );
            let _ = writeln!(
                text,
                "checked    against every line: {} played through in {check_s:.2} s\n",
                counted(*played, "position")
            );
        }
        text
    }

    /// The lines about the file and the time.
    pub fn file(&self) -> String {
        let bytes = counted(self.bytes, "byte");
        let time = text::time(self.elapsed_s, self.threads);
        format!("file       {}: {bytes}\n{time}\n", self.path.display())
    }
}
