//! Figures of solution files, and figures shared with databases.

use std::collections::BTreeMap;
use std::path::Path;

use super::colour::OUTCOMES;
use super::figure::{DataTable, Figure, Section, cell, cells};
use super::first_moves::first_moves;
use super::plot::{Plot, Scale, Series};
use super::{ReportError, shares, stem};
use crate::connect_four::profiles::{
    Extent, Memory, PassError, SolutionDetail, SolutionFile, count,
};
use crate::control::Control;
use crate::game::{Game, Outcome, PartialValue, Value};
use crate::games::line::{AnyGame, LineGame};
use crate::registry::{Study, study_of};
use crate::solutions::GameSolution;
use crate::statistics::{PlyCounts, counted};

/// The most memory, in bytes, for counting the positions of a board for the report.
const COUNTED: u64 = 512 << 20;

/// Makes the section of a solution file.
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
    let start = game.initial();
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: String| facts.push((name.to_owned(), value));
    if let Some(value) = solution.partial_value(start)? {
        fact("value", value.words_for('X'));
    }
    let cells = size.cells() as usize;
    let counts = if solution.board().estimate(cells).solve <= COUNTED {
        let extent = Extent::WholeWithValues;
        Some(count(solution.board(), extent, &Memory::new(), control)?)
    } else {
        None
    };
    if let Some(counted) = counts.as_ref().and_then(|counts| totals(&counts.plies)) {
        fact("counts", counted);
    }
    fact("board", game.rules().title(size));
    fact("holds", detail.to_owned());
    fact("file", counted(bytes, "byte"));
    let mut figures = Vec::new();
    figures.extend(first_moves(&stem, study_of(&game, start).as_ref(), |study| {
        let position = study.position().downcast_ref().expect("a board of stones");
        solution.partial_value(*position)
    })?);
    if let Some(counts) = counts {
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

/// Makes the section of a solution file of any other game, which is given by its start.
pub fn of_game(
    name: &str,
    solution: &GameSolution,
    start: &dyn Study,
    control: &Control,
) -> Result<Section, ReportError> {
    let root = solution.root(start)?;
    let stem = stem(name);
    let bytes = std::fs::metadata(solution.path()).map_or(0, |metadata| metadata.len());
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: String| facts.push((name.to_owned(), value));
    if let Some(value) = solution.value(root.as_ref())? {
        fact("value", root.value_for_mover(value));
    }
    fact("counts", counted(solution.positions(), "position") + " up to symmetry");
    fact("game", start.title());
    fact("root", root.picture());
    fact("holds", "outcome and remoteness of every position that the root leads to".to_owned());
    fact("file", counted(bytes, "byte"));
    let mut figures = Vec::new();
    figures.extend(first_moves(&stem, root.as_ref(), |study| match study.result() {
        Some(outcome) => Ok(Some(Value::over(outcome).into())),
        None => solution.value(study),
    })?);
    let mut numbers = ByRemoteness::default();
    for chunk in 0..solution.chunks() {
        control.check().map_err(PassError::from)?;
        solution.values(start, chunk)?.into_iter().for_each(|(_, value)| numbers.add(value, 1));
    }
    let note = "All positions up to symmetry by the number of plies to the end with best play, for the \
                side to move.";
    figures.extend(numbers.figure(&stem, "Positions by remoteness", note)?);
    Ok(Section { title: format!("Solution {name}"), facts, figures })
}

/// Sums the counts of all plies in words; `None` without counts.
pub fn totals(plies: &[PlyCounts]) -> Option<String> {
    let sum = |column: CountColumn| plies.iter().map(column).sum::<Option<u64>>();
    let things: [(&str, CountColumn); 5] = [
        ("node", |c| c.nodes),
        ("game", |c| c.games),
        ("position", |c| c.positions),
        ("canonical position", |c| c.canonical),
        ("terminal position", |c| c.terminal),
    ];
    let sums = things.into_iter().filter_map(|(thing, column)| Some(counted(sum(column)?, thing)));
    let sums: Vec<String> = sums.collect();
    (!plies.is_empty() && !sums.is_empty()).then(|| sums.join(", "))
}

/// Positions by outcome and remoteness.
#[derive(Debug, Default)]
pub struct ByRemoteness(BTreeMap<Option<u8>, [u64; 3]>);

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
        let mut table = DataTable::new(&["remoteness", "wins", "draws", "losses"]);
        for (remoteness, counts) in &self.0 {
            let [wins, draws, losses] = counts;
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
        let plot =
            Plot { x: "remoteness (plies)", y: "positions", scale: Scale::Logarithmic, series };
        Figure::plotted(format!("{stem}-remoteness"), title, note, &plot, table).map(Some)
    }
}

/// A column of the counts by ply.
type CountColumn = fn(&PlyCounts) -> Option<u64>;

/// Makes the figures that the counts by ply allow.
pub fn by_ply(stem: &str, plies: &[PlyCounts]) -> Result<Vec<Figure>, ReportError> {
    let mut table = DataTable::new(&[&["ply"], &PlyCounts::NAMES[..]].concat());
    for c in plies {
        let counts = c.counts().map(cell);
        table.rows.push(std::iter::once(c.ply.to_string()).chain(counts).collect());
    }
    let plot = |y, series: Vec<Series>| Plot {
        x: "ply",
        y,
        scale: Scale::Logarithmic,
        series: series.into_iter().filter(|s| !s.points.is_empty()).collect(),
    };
    let outcomes = by_outcome("all positions", |c| c.positions, plies);
    let mut figures = vec![Figure::plotted(
        format!("{stem}-positions"),
        "Positions per ply by outcome",
        "Distinct reachable boards. Zeros are only in the table.",
        &plot("positions", outcomes),
        table.clone(),
    )?];
    figures.extend(shares_of(format!("{stem}-shares"), plies));
    let histories = vec![
        Series::new("nodes (histories)", points(|c| c.nodes, plies)),
        Series::new("games that end here", points(|c| c.games, plies)),
    ];
    let histories = plot("histories", histories);
    if !histories.is_empty() {
        figures.push(Figure::plotted(
            format!("{stem}-nodes"),
            "Histories per ply",
            "Move sequences from the root, and the sequences that end the game.",
            &histories,
            table,
        )?);
        figures.push(branching(stem, plies)?);
    }
    Ok(figures)
}

/// The known counts of a column by ply.
fn points(column: CountColumn, plies: &[PlyCounts]) -> Vec<(f64, f64)> {
    plies.iter().filter_map(|c| Some((f64::from(c.ply.0), column(c)? as f64))).collect()
}

/// Makes a line of all positions and one for each outcome.
pub fn by_outcome(all: &str, positions: CountColumn, plies: &[PlyCounts]) -> Vec<Series> {
    let of = |name, outcome, column| Series::of_outcome(name, outcome, points(column, plies));
    vec![
        Series::new(all, points(positions, plies)),
        of("won for the side to move", Outcome::Win, |c| c.wins),
        of("drawn", Outcome::Draw, |c| c.draws),
        of("lost for the side to move", Outcome::Loss, |c| c.losses),
    ]
}

/// Draws the shares of the outcomes by ply, if they are counted.
pub fn shares_of(id: String, plies: &[PlyCounts]) -> Option<Figure> {
    let counted = plies.iter().filter_map(|c| Some((c.ply.0, [c.wins?, c.draws?, c.losses?])));
    shares::figure(id, "Shares per ply by outcome", &counted.collect::<Vec<_>>())
}

/// Draws the average number of moves of a history that has not ended.
fn branching(stem: &str, plies: &[PlyCounts]) -> Result<Figure, ReportError> {
    let mut table =
        DataTable::new(&["ply", "nodes", "games", "nodes_of_next_ply", "branching_factor"]);
    let mut points = Vec::new();
    for pair in plies.windows(2) {
        let (Some(nodes), Some(games), Some(next)) = (pair[0].nodes, pair[0].games, pair[1].nodes)
        else {
            continue;
        };
        let open = nodes.saturating_sub(games);
        if open == 0 {
            continue;
        }
        let factor = next as f64 / open as f64;
        points.push((f64::from(pair[0].ply.0), factor));
        table.rows.push(cells![pair[0].ply, nodes, games, next, format!("{factor:.6}")]);
    }
    let series = vec![Series::new("moves of a history", points)];
    let plot = Plot { x: "ply", y: "moves", scale: Scale::Linear, series };
    Figure::plotted(
        format!("{stem}-branching"),
        "Branching factor per ply",
        "Nodes of the next ply, divided by the nodes that do not end the game.",
        &plot,
        table,
    )
}
