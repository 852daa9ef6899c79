//! The report of a book's run.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

use super::{Args, per_second};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::{output, text};
use crate::connect_four::book::BookPlan;
use crate::database::WriteSummary;
use crate::games::line::{ConnectFour, LineGame};
use crate::statistics::{PlyCounts, counted};

/// The facts about a run.
pub(super) struct Report {
    game: ConnectFour,
    /// The last ply; `None` for a list of positions.
    last_ply: Option<usize>,
    positions: usize,
    threads: usize,
    started: std::time::Instant,
    /// Positions that were in the database before.
    pub found: usize,
    pub plies: Vec<PlyCounts>,
    /// Time spent on the last ply.
    pub solved: Duration,
    pub nodes: u64,
    pub table_bytes: usize,
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    board: String,
    line: u8,
    last_ply: Option<usize>,
    outcome_only: bool,
    /// Positions of the book, up to mirror images.
    positions: usize,
    /// Positions that were in the database before.
    found: usize,
    /// True if all of them were, so that nothing was left to do.
    was_finished: bool,
    threads: usize,
    table_mib: f64,
    elapsed_s: f64,
    nodes: u64,
    nodes_per_s: f64,
    plies: Vec<PlyCounts>,
    database: Option<Written>,
}

#[derive(Serialize)]
struct Written {
    added: u64,
    refined: u64,
    unchanged: u64,
}

impl Report {
    pub fn new(game: &ConnectFour, args: &Args, plan: &BookPlan, session: &Session) -> Self {
        Self {
            game: *game,
            last_ply: args.plies.map(|_| plan.tiers().len().saturating_sub(1)),
            positions: plan.positions(),
            threads: session.threads,
            started: session.started,
            found: 0,
            plies: Vec::new(),
            solved: Duration::ZERO,
            nodes: 0,
            table_bytes: 0,
        }
    }

    /// Prints the report; `None` for `summary` if there was nothing to do.
    pub fn print(&self, args: &Args, summary: Option<WriteSummary>) -> Result<(), Failure> {
        let document = self.document(args, summary);
        text::print_result(args.running.json, &document, || self.text(args, summary))
    }

    fn text(&self, args: &Args, summary: Option<WriteSummary>) -> String {
        let mut said = format!("{}, ", text::title(&self.game));
        let _ = match self.last_ply {
            Some(ply) => write!(said, "book of all positions up to ply {ply}"),
            None => write!(said, "book of {}", counted(self.positions as u64, "position")),
        };
        said.push_str(if args.outcome_only { ", outcomes only\n\n" } else { "\n\n" });
        if !self.plies.is_empty() {
            said.push_str(&text::ply_table(&self.plies));
            said.push_str("(wins and losses for the side to move, mirror images counted)\n\n");
        }
        let Some(summary) = summary else {
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
            text::time(self.started.elapsed().as_secs_f64(), self.threads),
            counted(self.nodes, "node"),
            text::magnitude(per_second(self.nodes, self.solved)),
            self.table_bytes >> 20
        );
        said + &output::summary_of(summary, &args.db)
    }

    fn document(&self, args: &Args, summary: Option<WriteSummary>) -> Document {
        let size = self.game.size();
        Document {
            game: self.game.name(),
            board: size.board(),
            line: size.line,
            last_ply: self.last_ply,
            outcome_only: args.outcome_only,
            positions: self.positions,
            found: self.found,
            was_finished: summary.is_none(),
            threads: self.threads,
            table_mib: self.table_bytes as f64 / f64::from(1 << 20),
            elapsed_s: self.started.elapsed().as_secs_f64(),
            nodes: self.nodes,
            nodes_per_s: per_second(self.nodes, self.solved),
            plies: self.plies.clone(),
            database: summary.map(|WriteSummary { added, refined, unchanged, .. }| Written {
                added,
                refined,
                unchanged,
            }),
        }
    }
}
