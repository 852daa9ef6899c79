//! CSV tables of runs and of whole solutions.

use std::io::Write;

use serde::Serialize;

use super::position::PositionDocument;
use super::rows::{ComparisonRow, IterationRow};
use everyply_core::exhaustive::Plies;
use everyply_core::game::{Outcome, csv_list};
use everyply_core::statistics::{Iteration, PlyCounts, RootMove, SearchCounters};
use everyply_registry::registry::Position;
use everyply_registry::solutions::ValueCount;

/// The last columns of a table, which tell several runs apart.
#[derive(Clone, Debug, Serialize)]
pub struct OfRun {
    /// The title, with the choices.
    game: String,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
}

impl OfRun {
    pub fn new(position: &dyn Position, threads: usize) -> Self {
        let info = position.info();
        Self { game: info.title.clone(), position: position.picture(), threads: Some(threads) }
    }

    /// Returns the columns for rows that have threads of their own.
    fn without_threads(&self) -> Self {
        Self { threads: None, ..self.clone() }
    }
}

/// Writes a header, even without rows, and the rows, each with the columns of its run.
fn write_rows<W: Write, R: Serialize>(
    to: W,
    header: &[&str],
    rows: impl IntoIterator<Item = R>,
    of: Option<&OfRun>,
) -> csv::Result<()> {
    let mut csv = csv::WriterBuilder::new().has_headers(false).from_writer(to);
    let names = match of {
        Some(OfRun { threads: Some(_), .. }) => &["game", "position", "threads"][..],
        Some(_) => &["game", "position"],
        None => &[],
    };
    csv.write_record(header.iter().chain(names))?;
    for row in rows {
        match of {
            Some(of) => csv.serialize((row, of))?,
            None => csv.serialize(row)?,
        }
    }
    csv.flush()?;
    Ok(())
}

pub fn write_plies(to: impl Write, of: &OfRun, plies: &[PlyCounts]) -> csv::Result<()> {
    write_rows(to, &[&["ply"], &PlyCounts::NAMES[..]].concat(), plies, Some(of))
}

/// Writes the plies of a board of X and O, with the positions up to symmetry that each side wins:
/// on n x n boards with n in a row these are OEIS A317573 and A317574.
pub fn write_won_plies(to: impl Write, of: &OfRun, plies: &Plies) -> csv::Result<()> {
    let won = ["canonical_x_wins", "canonical_o_wins"];
    let header = [&["ply"], &PlyCounts::NAMES[..], &won].concat();
    write_rows(to, &header, plies.counts.iter().zip(&plies.won), Some(of))
}

pub fn write_iterations(
    to: impl Write,
    of: &OfRun,
    root: &dyn Position,
    iterations: &[Iteration],
) -> csv::Result<()> {
    let values = ["depth", "score", "outcome", "remoteness"];
    let header = [&values, &SearchCounters::NAMES[..], &["elapsed_s", "threads", "pv"]].concat();
    let row = |iteration| {
        let row = IterationRow::of(root, iteration);
        let time = (row.elapsed_s, row.threads, row.pv);
        (row.depth, row.score, row.outcome, row.remoteness, row.counters, time)
    };
    write_rows(to, &header, iterations.iter().map(row), Some(&of.without_threads()))
}

pub fn write_root_moves(
    to: impl Write,
    of: &OfRun,
    root: &dyn Position,
    moves: &[RootMove],
) -> csv::Result<()> {
    let header = ["move", "outcome", "remoteness", "score", "nodes"];
    let row = |m: &RootMove| {
        let outcome = m.value.map(|value| value.outcome.word());
        let remoteness = m.value.and_then(|value| value.remoteness).map(|r| r.0);
        (root.line_text(&[m.m]), outcome, remoteness, m.score, m.nodes)
    };
    write_rows(to, &header, moves.iter().map(row), Some(of))
}

/// Writes the value of a position that the exact solver found, as one row.
pub fn write_exact(to: impl Write, of: &OfRun, found: &PositionDocument) -> csv::Result<()> {
    let header =
        ["moves", "to_move", "outcome", "remoteness", "score", "best", "pv", "nodes", "elapsed_s"];
    let value = found.value.map(|value| (value.outcome, value.remoteness));
    let (outcome, remoteness) = value.unzip();
    let nodes = found.stats.as_ref().map(|stats| stats.nodes);
    let row = (
        (&found.moves, found.to_move, outcome, remoteness, found.score),
        (csv_list(found.best.iter().flatten()), &found.pv, nodes, found.elapsed_s),
    );
    write_rows(to, &header, [row], Some(of))
}

/// Writes the searches of a comparison of a game.
pub fn write_comparison(to: impl Write, of: &OfRun, rows: &[ComparisonRow]) -> csv::Result<()> {
    // A spreadsheet takes a text that begins with + for a formula.
    let plain = |row: &ComparisonRow| ComparisonRow {
        algorithm: row.algorithm.trim_start_matches("+ ").to_owned().into(),
        game: Some(of.game.clone()),
        position: Some(of.position.clone()),
        ..row.clone()
    };
    let mut csv = csv::Writer::from_writer(to);
    rows.iter().map(plain).try_for_each(|row| csv.serialize(row))?;
    Ok(csv.flush()?)
}

/// Writes the positions of a solution file counted by tier and value.
pub fn write_value_counts(
    to: impl Write,
    counts: &[ValueCount<'_>],
    are_points: bool,
) -> csv::Result<()> {
    let distance = if are_points { "points" } else { "remoteness" };
    let row = |count: &ValueCount<'_>| {
        let outcome = count.code.outcome();
        let plies = outcome.map(|_| i32::from(count.code.plies()));
        let distance = if are_points { Some(count.code.points()) } else { plies };
        let outcome = outcome.unwrap_or(Outcome::Draw).word();
        (count.tier.name.clone(), outcome, distance, count.positions)
    };
    write_rows(to, &["tier", "outcome", distance, "positions"], counts.iter().map(row), None)
}
