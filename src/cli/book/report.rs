//! The report of a book's run.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Args, Work};
use crate::cli::session::Session;
use crate::cli::{output, text};
use everyply_connect_four::book::Book;
use everyply_core::games::line::{ConnectFour, LineGame};
use everyply_core::statistics::{PlyCounts, counted};
use everyply_results::database::WriteSummary;

/// The facts about a run.
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
    found: usize,
    /// True if all of them were, so that nothing was left to do.
    was_finished: bool,
    threads: usize,
    table_mib: f64,
    elapsed_s: f64,
    nodes: u64,
    nodes_per_s: f64,
    plies: Vec<PlyCounts>,
    database: Option<WriteSummary>,
}

impl Report {
    pub(super) fn new(args: &Args, book: &Book, work: &Work, session: &Session) -> Self {
        let size = book.game().size();
        let Work { found, table_mib, nodes, solving, summary } = *work;
        Self {
            game: book.game().name(),
            board: size.board(),
            line: size.line,
            last_ply: book.plan().tiers().len() - 1,
            outcome_only: args.outcome_only,
            positions: book.plan().positions(),
            found,
            was_finished: summary.is_none(),
            threads: session.threads,
            table_mib,
            elapsed_s: session.started.elapsed().as_secs_f64(),
            nodes,
            nodes_per_s: nodes as f64 / solving.as_secs_f64().max(1e-9),
            plies: book.counts(),
            database: summary,
        }
    }

    pub(super) fn text(&self, args: &Args, game: &ConnectFour) -> String {
        let outcomes = if self.outcome_only { ", outcomes only" } else { "" };
        let (title, last_ply) = (text::title(game), self.last_ply);
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
