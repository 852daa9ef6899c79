//! The report of a book's run.

use std::fmt::Write;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::{output, text};
use everyply_connect_four::book::BookPlan;
use everyply_core::games::line::{ConnectFour, LineGame};
use everyply_core::statistics::{PlyCounts, counted};
use everyply_results::database::WriteSummary;

/// The facts about a run, filled in as it goes on.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Report {
    game: &'static str,
    board: String,
    line: u8,
    last_ply: usize,
    outcome_only: bool,
    /// Positions of the book, up to mirror images.
    positions: usize,
    /// Positions that were in the database before.
    pub found: usize,
    /// True if all of them were, so that nothing was left to do.
    was_finished: bool,
    threads: usize,
    pub table_mib: f64,
    elapsed_s: f64,
    pub nodes: u64,
    nodes_per_s: f64,
    pub plies: Vec<PlyCounts>,
    database: Option<WriteSummary>,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    started: Instant,
    /// Time spent on the last ply.
    #[serde(skip)]
    pub solved: Duration,
}

impl Report {
    pub fn new(game: &ConnectFour, args: &Args, plan: &BookPlan, session: &Session) -> Self {
        let size = game.size();
        Self {
            game: game.name(),
            board: size.board(),
            line: size.line,
            last_ply: plan.tiers().len() - 1,
            outcome_only: args.outcome_only,
            positions: plan.positions(),
            found: 0,
            was_finished: false,
            threads: session.threads,
            table_mib: 0.0,
            elapsed_s: 0.0,
            nodes: 0,
            nodes_per_s: 0.0,
            plies: Vec::new(),
            database: None,
            title: text::title(game),
            started: session.started,
            solved: Duration::ZERO,
        }
    }

    /// Prints the report; `None` for `summary` if there was nothing to do.
    pub fn print(mut self, args: &Args, summary: Option<WriteSummary>) -> Result<(), Failure> {
        (self.was_finished, self.database) = (summary.is_none(), summary);
        self.elapsed_s = self.started.elapsed().as_secs_f64();
        self.nodes_per_s = self.nodes as f64 / self.solved.as_secs_f64().max(1e-9);
        text::print_result(args.running.json, &self, || self.text(args))
    }

    fn text(&self, args: &Args) -> String {
        let outcomes = if self.outcome_only { ", outcomes only" } else { "" };
        let Self { title, last_ply, .. } = self;
        let mut said = format!("{title}, book of all positions up to ply {last_ply}{outcomes}\n\n");
        if !self.plies.is_empty() {
            said.push_str(&text::ply_table(&self.plies));
            said.push_str("(wins and losses for the side to move, mirror images counted)\n\n");
        }
        let Some(summary) = self.database else {
            let _ = writeln!(
                said,
                "finished   {} holds all {}: nothing to do",
                args.db.display(),
                counted(self.positions as u64, "position")
            );
            return said;
        };
        let _ = writeln!(
            said,
            "{}, {}, {} nodes/s, table {} MiB",
            text::time(self.elapsed_s, self.threads),
            counted(self.nodes, "node"),
            text::magnitude(self.nodes_per_s),
            self.table_mib
        );
        said + &output::summary_of(summary, &args.db)
    }
}
