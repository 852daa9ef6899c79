//! Figures of counts, by ply and by remoteness.

use std::collections::BTreeMap;

use super::colour::OUTCOMES;
use super::figure::{DataTable, Figure, cell, cells};
use super::plot::{Plot, Series};
use everyply_core::game::Outcome;
use everyply_core::statistics::{PlyCounts, grouped};

/// A column of the counts by ply.
type Column = fn(&PlyCounts) -> Option<u64>;

/// Sums the counts of all plies, each with its name; a sum without all plies is left out.
pub fn totals(plies: &[PlyCounts]) -> Vec<(String, String)> {
    let columns: [(&str, Column); 5] = [
        ("histories", |c| c.nodes),
        ("games", |c| c.games),
        ("positions", |c| c.positions),
        ("of them up to symmetry", |c| c.canonical),
        ("of them with the game over", |c| c.terminal),
    ];
    let total = |(name, column): (&str, Column)| {
        let sum: u64 = plies.iter().map(column).sum::<Option<u64>>()?;
        (!plies.is_empty()).then(|| (name.to_owned(), grouped(sum)))
    };
    columns.into_iter().filter_map(total).collect()
}

pub fn by_ply(plies: &[PlyCounts]) -> Vec<Figure> {
    let mut table = DataTable::new(&[&["ply"], &PlyCounts::NAMES[..]].concat());
    for c in plies {
        let counts = c.counts().map(cell);
        table.rows.push(std::iter::once(c.ply.to_string()).chain(counts).collect());
    }
    let figure = |kind, title, note, y, series: Vec<Series>| {
        let plot = Plot { x: "ply (moves played)", y, series };
        Figure::plotted(kind, title, note, &plot, table.clone())
    };
    let mut figures = Vec::new();
    // A database has stored positions without their images.
    let is_whole = plies.iter().any(|ply| ply.positions.is_some());
    let (all, kind, note): (Column, _, _) = if is_whole {
        let note = "Distinct reachable positions, each with all its symmetric images, and their \
                    outcomes for the side to move.";
        (|c| c.positions, "positions", note)
    } else {
        let note = "Stored positions up to symmetry, and their outcomes for the side to move.";
        (|c| c.canonical, "stored", note)
    };
    if plies.iter().any(|ply| all(ply).is_some()) {
        let outcomes: [(&str, Outcome, Column); 3] = [
            ("won", Outcome::Win, |c| c.wins),
            ("drawn", Outcome::Draw, |c| c.draws),
            ("lost", Outcome::Loss, |c| c.losses),
        ];
        let of_outcome =
            |(name, outcome, column)| Series::of_outcome(name, outcome, points(column, plies));
        let series = std::iter::once(Series::new("all", points(all, plies)));
        let series = series.chain(outcomes.map(of_outcome)).collect();
        figures.push(figure(kind, "Positions, ply by ply", note, "positions", series));
    }
    if plies.iter().any(|ply| ply.nodes.is_some()) {
        let series = vec![
            Series::new("histories", points(|c| c.nodes, plies)),
            Series::new("games that end here", points(|c| c.games, plies)),
        ];
        let note = "Move sequences from the root, and the sequences that end the game.";
        figures.push(figure("nodes", "Histories, ply by ply", note, "histories", series));
    }
    figures
}

fn points(column: Column, plies: &[PlyCounts]) -> Vec<(f64, f64)> {
    plies.iter().filter_map(|c| Some((f64::from(c.ply.0), column(c)? as f64))).collect()
}

/// Positions by outcome and remoteness.
#[derive(Debug, Default)]
pub struct ByRemoteness(BTreeMap<Option<u16>, [u64; 3]>);

impl ByRemoteness {
    pub fn add(&mut self, outcome: Outcome, remoteness: Option<u16>, positions: u64) {
        let at = OUTCOMES.iter().position(|other| *other == outcome).unwrap_or(0);
        self.0.entry(remoteness).or_default()[at] += positions;
    }

    /// Makes the figure of these positions; `None` without positions.
    pub fn figure(&self, positions: &str, note: &str) -> Option<Figure> {
        if self.0.is_empty() {
            return None;
        }
        let mut table = DataTable::new(&["remoteness", "wins", "draws", "losses"]);
        for (remoteness, [wins, draws, losses]) in &self.0 {
            table.rows.push(cells![cell(*remoteness), wins, draws, losses]);
        }
        let points = |at: usize| {
            let known =
                self.0.iter().filter_map(|(r, counts)| Some((f64::from((*r)?), counts[at])));
            known.map(|(r, count)| (r, count as f64)).collect()
        };
        let names = (0..).zip(["wins", "draws", "losses"]).zip(OUTCOMES);
        let line = |((at, name), outcome)| Series::of_outcome(name, outcome, points(at));
        let series = names.map(line).collect();
        let x = "plies to the end with best play";
        let plot = Plot { x, y: "positions", series };
        let is_known = self.0.keys().any(Option::is_some);
        let title = if is_known { "Distance to the end" } else { "Outcomes, without distances" };
        let note = format!(
            "The remoteness of {positions}: plies to the end, if the winner hurries and the loser \
             delays. Wins and losses are for the side to move.{note}"
        );
        Some(Figure::plotted("remoteness", title, &note, &plot, table))
    }
}
