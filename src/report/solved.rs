//! Figures of solution files, and those that any board of positions has.

use std::collections::BTreeMap;
use std::path::Path;

use super::figure::{Figure, Section, Table, cell};
use super::plot::{Plot, Scale, Series};
use super::{ReportError, board, stem};
use crate::connect_four::profiles::{Extent, Memory, SolutionDetail, SolutionFile, count};
use crate::control::Control;
use crate::game::{Game, Outcome, PartialValue};
use crate::games::line::{AnyGame, LineGame};
use crate::oracle::Origin;
use crate::statistics::{PlyCounts, grouped};

/// Boards whose counting needs no more memory are counted for the report.
const COUNTED: u64 = 512 << 20;

/// The figures of a solution file.
pub fn section(
    name: &str,
    path: &Path,
    solution: &SolutionFile,
    control: &Control,
) -> Result<Section, ReportError> {
    let game = AnyGame::from(*solution.board().game());
    let size = game.size();
    let stem = stem(name);
    let detail = match solution.detail() {
        SolutionDetail::Remoteness => "outcome and remoteness of every reachable position",
        SolutionDetail::Outcome => "outcome of every reachable position",
    };
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut facts = vec![
        ("board".to_owned(), game.rules().title(size)),
        ("holds".to_owned(), detail.to_owned()),
        ("size".to_owned(), format!("{} bytes", grouped(bytes))),
    ];
    let mut figures = Vec::new();
    let start = game.initial();
    if let Some(value) = solution.partial_value(start)? {
        let plies = value.remoteness.map_or_else(String::new, |r| format!(" in {r} plies"));
        facts.push(("value".to_owned(), format!("{} for X{plies}", value.outcome)));
    }
    let mut told = Vec::new();
    for m in game.moves(start) {
        let known = solution.partial_value(game.play(start, m))?;
        told.extend(known.map(|v| (m, Origin::SolutionFile.says(v.for_parent()))));
    }
    figures.push(board::first_moves(format!("{stem}-first-moves"), &game, &told));
    let cells = size.cells() as usize;
    if solution.board().estimate(cells).solve <= COUNTED {
        let counts = count(solution.board(), Extent::WholeWithValues, &mut Memory::new(), control)?;
        figures.extend(by_ply(&stem, &counts.plies)?);
        if let Some(values) = &counts.values {
            let mut numbers = ByRemoteness::default();
            for (value, positions) in values.plies.iter().flatten() {
                numbers.add((*value).into(), *positions);
            }
            let note = "All reachable positions by the number of plies to the end with best play, \
                        for the side to move.";
            figures.extend(numbers.figure(&stem, "Positions by remoteness", note)?);
        }
    }
    Ok(Section { title: format!("Solution {name}"), facts, figures })
}

/// Positions by outcome and remoteness.
#[derive(Debug, Default)]
pub struct ByRemoteness(BTreeMap<Option<u8>, [u64; 3]>);

/// Wins first.
const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

impl ByRemoteness {
    pub fn add(&mut self, value: PartialValue, positions: u64) {
        let at = OUTCOMES.iter().position(|other| *other == value.outcome).unwrap_or(0);
        self.0.entry(value.remoteness.map(|r| r.0)).or_default()[at] += positions;
    }

    pub fn figure(
        &self,
        stem: &str,
        title: &str,
        note: &str,
    ) -> Result<Option<Figure>, ReportError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let mut table = Table::new(&["remoteness", "wins", "draws", "losses"]);
        for (remoteness, counts) in &self.0 {
            let counts = counts.iter().map(ToString::to_string);
            table.rows.push(std::iter::once(cell(*remoteness)).chain(counts).collect());
        }
        let series = |(at, name): (usize, &str)| Series {
            name: name.to_owned(),
            points: self
                .0
                .iter()
                .filter_map(|(r, counts)| Some((f64::from((*r)?), counts[at] as f64)))
                .collect(),
        };
        let series = ["wins", "draws", "losses"].into_iter().enumerate().map(series).collect();
        let plot =
            Plot { x: "remoteness (plies)", y: "positions", scale: Scale::Logarithmic, series };
        Figure::plotted(format!("{stem}-remoteness"), title, note, &plot, table).map(Some)
    }
}

/// A number of a ply.
pub type Column = fn(&PlyCounts) -> Option<u64>;

/// The figures of counts by ply: as many as the counts hold.
pub fn by_ply(stem: &str, plies: &[PlyCounts]) -> Result<Vec<Figure>, ReportError> {
    let mut table = Table::new(&[&["ply"], &PlyCounts::NAMES[..]].concat());
    for c in plies {
        let counts = c.counts().map(cell);
        table.rows.push(std::iter::once(c.ply.to_string()).chain(counts).collect());
    }
    let series = |(name, column): (&str, Column)| Series {
        name: name.to_owned(),
        points: plies
            .iter()
            .filter_map(|c| Some((f64::from(c.ply.0), column(c)? as f64)))
            .collect(),
    };
    let plot = |y, columns: Vec<(&str, Column)>| Plot {
        x: "ply",
        y,
        scale: Scale::Logarithmic,
        series: columns.into_iter().map(series).filter(|s| !s.points.is_empty()).collect(),
    };
    let outcomes: Vec<(&str, Column)> = vec![
        ("all positions", |c| c.positions),
        ("won for the side to move", |c| c.wins),
        ("drawn", |c| c.draws),
        ("lost for the side to move", |c| c.losses),
    ];
    let mut figures = vec![Figure::plotted(
        format!("{stem}-positions"),
        "Positions per ply by outcome",
        "Distinct reachable boards. A number that is zero is not drawn; the table has it.",
        &plot("positions", outcomes),
        table.clone(),
    )?];
    let histories: Vec<(&str, Column)> =
        vec![("nodes (histories)", |c| c.nodes), ("games that end here", |c| c.games)];
    let histories = plot("histories", histories);
    if !histories.is_empty() {
        figures.push(Figure::plotted(
            format!("{stem}-nodes"),
            "Histories per ply",
            "Move sequences from the root, and those of them that end the game.",
            &histories,
            table,
        )?);
        figures.push(branching(stem, plies)?);
    }
    Ok(figures)
}

/// Average moves of a history that has not ended.
fn branching(stem: &str, plies: &[PlyCounts]) -> Result<Figure, ReportError> {
    let mut table = Table::new(&["ply", "nodes", "games", "nodes_of_next_ply", "branching_factor"]);
    let mut points = Vec::new();
    for pair in plies.windows(2) {
        let (Some(nodes), Some(games), Some(next)) = (pair[0].nodes, pair[0].games, pair[1].nodes)
        else {
            continue;
        };
        let going_on = nodes.saturating_sub(games);
        if going_on == 0 {
            continue;
        }
        let factor = next as f64 / going_on as f64;
        points.push((f64::from(pair[0].ply.0), factor));
        let numbers = [nodes.to_string(), games.to_string(), next.to_string()];
        let ends = [pair[0].ply.to_string()].into_iter().chain(numbers);
        table.rows.push(ends.chain([format!("{factor:.6}")]).collect());
    }
    let series = vec![Series { name: "moves of a history".to_owned(), points }];
    let plot = Plot { x: "ply", y: "moves", scale: Scale::Linear, series };
    Figure::plotted(
        format!("{stem}-branching"),
        "Branching factor per ply",
        "Nodes of the next ply over non-terminal nodes.",
        &plot,
        table,
    )
}
