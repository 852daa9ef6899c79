//! Figures of solution files, and figures shared with databases.

use std::collections::BTreeMap;
use std::path::Path;

use super::colour::OUTCOMES;
use super::figure::{DataTable, Figure, Section, Subject, cell, cells};
use super::first_moves::first_moves;
use super::plot::{Plot, Scale, Series};
use super::{ReportError, shares, stem};
use crate::connect_four::profiles::{Extent, Memory, SolutionDetail, SolutionFile, count};
use crate::control::Control;
use crate::game::{Game, Outcome, PartialValue, Value};
use crate::games::line::{AnyGame, LineGame};
use crate::registry::{Study, study_of};
use crate::solutions::{GameSolution, ValueCount};
use crate::statistics::{PlyCounts, counted, grouped};

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
    let about = Subject { stem: stem(name), game: game.rules().title(size) };
    let detail = match solution.detail() {
        SolutionDetail::Remoteness => "outcome and remoteness of every reachable position",
        SolutionDetail::Outcome => "outcome of every reachable position",
    };
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let start = game.initial();
    let study = study_of(&game, start);
    let value = solution.partial_value(start)?;
    let title = value.map_or_else(|| about.game.clone(), |value| headline(study.as_ref(), value));
    let cells = size.cells() as usize;
    let counts = if solution.board().estimate(cells).solve <= COUNTED {
        let extent = Extent::WholeWithValues;
        Some(count(solution.board(), extent, &Memory::new(), control)?)
    } else {
        None
    };
    let totals = counts.as_ref().map_or_else(Vec::new, |counts| totals(&counts.plies));
    let facts = vec![("holds".to_owned(), format!("{detail}, in {}", counted(bytes, "byte")))];
    let mut figures = Vec::new();
    figures.extend(first_moves(&about, study.as_ref(), |study| {
        let position = study.position().downcast_ref().expect("a board of stones");
        solution.partial_value(*position)
    })?);
    if let Some(counts) = counts {
        figures.extend(by_ply(&about, &counts.plies));
        if let Some(values) = &counts.values {
            let mut numbers = ByRemoteness::default();
            for (value, positions) in values.plies.iter().flatten() {
                numbers.add(value.outcome, Some(value.remoteness.0.into()), *positions);
            }
            figures.extend(numbers.figure(&about, "all reachable positions", ""));
        }
    }
    Ok(Section { source: format!("Solution {name}"), title, counts: totals, facts, figures })
}

/// States the value of a position: `Kalah(3,3) is a win in 18 plies for X`.
pub fn headline(root: &dyn Study, value: PartialValue) -> String {
    let start = root.start();
    let is_start = root.picture() == start.picture();
    let mut game = start.title();
    if !is_start {
        game = format!("{game}, from {}", root.picture());
    }
    // The clause after a comma ends with one.
    if game.contains(", ") && !game.ends_with(')') {
        game.push(',');
    }
    let value = match (root.to_move(), value.outcome) {
        (None, Outcome::Win | Outcome::Loss) if is_start => value.words_for("the first player"),
        _ => root.value_for_mover(value),
    };
    format!("{game} is a {value}")
}

/// Makes the section of a solution file of any other game, which is given by its start.
pub fn of_game(
    name: &str,
    solution: &GameSolution,
    start: &dyn Study,
    control: &Control,
) -> Result<Section, ReportError> {
    let root = solution.root(start)?;
    let about = Subject { stem: stem(name), game: start.title() };
    let bytes = std::fs::metadata(solution.path()).map_or(0, |metadata| metadata.len());
    let value = solution.value(root.as_ref())?;
    let title = value.map_or_else(|| about.game.clone(), |value| headline(root.as_ref(), value));
    let pair = |name: &str, value: String| (name.to_owned(), value);
    let counts = vec![pair("positions up to symmetry", grouped(solution.positions()))];
    let holds = "outcome and remoteness of every position that the root leads to";
    let facts = vec![
        pair("root", root.picture()),
        pair("holds", format!("{holds}, in {}", counted(bytes, "byte"))),
    ];
    let mut figures = Vec::new();
    figures.extend(first_moves(&about, root.as_ref(), |study| match study.result() {
        Some(outcome) => Ok(Some(Value::over(outcome).into())),
        None => solution.value(study),
    })?);
    let mut numbers = ByRemoteness::default();
    for ValueCount { code, positions, .. } in solution.count_values(start, control)? {
        let outcome = code.outcome().unwrap_or(Outcome::Draw);
        let has_distance = code.outcome().is_some() && !solution.is_scored();
        numbers.add(outcome, has_distance.then(|| code.plies()), positions);
    }
    figures.extend(numbers.figure(&about, "all positions up to symmetry", ""));
    Ok(Section { source: format!("Solution {name}"), title, counts, facts, figures })
}

/// Sums the counts of all plies, each with its name.
pub fn totals(plies: &[PlyCounts]) -> Vec<(String, String)> {
    if plies.is_empty() {
        return Vec::new();
    }
    let sum = |column: CountColumn| plies.iter().map(column).sum::<Option<u64>>();
    let things: [(&str, CountColumn); 5] = [
        ("histories", |c| c.nodes),
        ("games", |c| c.games),
        ("positions", |c| c.positions),
        ("of them up to symmetry", |c| c.canonical),
        ("of them with the game over", |c| c.terminal),
    ];
    let named =
        |(name, column): (&str, CountColumn)| Some((name.to_owned(), grouped(sum(column)?)));
    things.into_iter().filter_map(named).collect()
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
    pub fn figure(&self, about: &Subject, positions: &str, note: &str) -> Option<Figure> {
        if self.0.is_empty() {
            return None;
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
        let x = "plies to the end with best play";
        let plot = Plot { x, y: "positions", scale: Scale::Logarithmic, series };
        let is_known = self.0.keys().any(Option::is_some);
        let title = if is_known { "Distance to the end" } else { "Outcomes, without distances" };
        let note = format!(
            "The remoteness of {positions}: plies to the end, if the winner hurries and the loser \
             delays. Wins and losses are for the side to move.{note}"
        );
        Some(Figure::plotted(about, "remoteness", title, &note, &plot, table))
    }
}

/// A column of the counts by ply.
type CountColumn = fn(&PlyCounts) -> Option<u64>;

/// Makes the figures that the counts by ply allow.
pub fn by_ply(about: &Subject, plies: &[PlyCounts]) -> Vec<Figure> {
    let mut table = DataTable::new(&[&["ply"], &PlyCounts::NAMES[..]].concat());
    for c in plies {
        let counts = c.counts().map(cell);
        table.rows.push(std::iter::once(c.ply.to_string()).chain(counts).collect());
    }
    let plot = |y, series: Vec<Series>| Plot {
        x: "ply (moves played)",
        y,
        scale: Scale::Logarithmic,
        series: series.into_iter().filter(|s| !s.points.is_empty()).collect(),
    };
    let outcomes = by_outcome(|c| c.positions, plies);
    let mut figures = vec![Figure::plotted(
        about,
        "positions",
        "Positions, ply by ply",
        "Distinct reachable positions, each with all its symmetric images, and their outcomes for \
         the side to move.",
        &plot("positions", outcomes),
        table.clone(),
    )];
    figures.extend(shares_of(about, "shares", "positions", plies));
    let histories = vec![
        Series::new("histories", points(|c| c.nodes, plies)),
        Series::new("games that end here", points(|c| c.games, plies)),
    ];
    let histories = plot("histories", histories);
    if plies.iter().any(|ply| ply.nodes.is_some()) {
        figures.push(Figure::plotted(
            about,
            "nodes",
            "Histories, ply by ply",
            "Move sequences from the root, and the sequences that end the game.",
            &histories,
            table,
        ));
        figures.push(branching(about, plies));
    }
    figures
}

/// The known counts of a column by ply.
fn points(column: CountColumn, plies: &[PlyCounts]) -> Vec<(f64, f64)> {
    plies.iter().filter_map(|c| Some((f64::from(c.ply.0), column(c)? as f64))).collect()
}

/// Makes a line of all positions and one for each outcome.
pub fn by_outcome(positions: CountColumn, plies: &[PlyCounts]) -> Vec<Series> {
    let of = |name, outcome, column| Series::of_outcome(name, outcome, points(column, plies));
    vec![
        Series::new("all", points(positions, plies)),
        of("won", Outcome::Win, |c| c.wins),
        of("drawn", Outcome::Draw, |c| c.draws),
        of("lost", Outcome::Loss, |c| c.losses),
    ]
}

/// Draws the shares of the outcomes by ply, if they are counted.
pub fn shares_of(
    about: &Subject,
    kind: &str,
    positions: &str,
    plies: &[PlyCounts],
) -> Option<Figure> {
    let counted = plies.iter().filter_map(|c| Some((c.ply.0, [c.wins?, c.draws?, c.losses?])));
    shares::figure(about, kind, positions, &counted.collect::<Vec<_>>())
}

/// Draws the average number of moves of a history that has not ended.
fn branching(about: &Subject, plies: &[PlyCounts]) -> Figure {
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
    let plot = Plot { x: "ply (moves played)", y: "moves", scale: Scale::Linear, series };
    Figure::plotted(
        about,
        "branching",
        "Branching factor, ply by ply",
        "Nodes of the next ply, divided by the nodes that do not end the game.",
        &plot,
        table,
    )
}
