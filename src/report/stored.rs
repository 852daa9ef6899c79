//! Figures of databases.

use super::figure::{DataTable, Figure, Section, Subject, cell, cells};
use super::first_moves::first_moves;
use super::plot::{Plot, Scale, Series};
use super::solved::{ByRemoteness, by_outcome, by_ply, headline, shares_of, totals};
use super::{ReportError, stem};
use crate::database::{Database, DatabaseError, Ending, Run};
use crate::game::{GameId, PartialValue, Ply, Value};
use crate::registry::{Registry, Study};
use crate::statistics::{Iteration, PlyCounts, SearchCounters, counted, grouped};

/// The most runs whose searches are drawn in one figure, from the latest; more lines could not be
/// distinguished. The table of runs has all.
const DRAWN: usize = 6;

/// Makes a section of every game of a database that the program knows.
pub fn sections(
    name: &str,
    database: &Database,
    registry: &Registry,
) -> Result<Vec<Section>, ReportError> {
    let runs = database.runs()?;
    let games = database.games()?;
    let start = |id: &GameId| registry.find(&id.name)?.of_parameters(id.parameters).ok();
    let known = games.iter().filter_map(|id| Some((id, start(id)?)));
    let sections: Vec<Section> = known
        .map(|(id, start)| section(name, database, id, start.as_ref(), &runs))
        .collect::<Result<_, _>>()?;
    match games.first() {
        Some(unknown) if sections.is_empty() => {
            Err(ReportError::Game { path: name.to_owned(), game: unknown.name.clone() })
        }
        _ => Ok(sections),
    }
}

fn section(
    name: &str,
    database: &Database,
    game: &GameId,
    start: &dyn Study,
    runs: &[Run],
) -> Result<Section, ReportError> {
    let [one, two, three] = game.parameters;
    let stem = format!("{}-{}-{one}x{two}-{three}", stem(name), game.name);
    let about = Subject { stem, game: start.title() };
    let runs: Vec<&Run> = runs.iter().filter(|run| run.game == *game).collect();
    let mut stored = Stored::default();
    database.positions(game, None, |row| -> Result<(), DatabaseError> {
        let PartialValue { outcome, remoteness } = row.value;
        stored.remoteness.add(outcome, remoteness.map(|plies| plies.0.into()), 1);
        stored.add(row.ply, row.value.outcome.sign());
        Ok(())
    })?;
    let total: u64 = stored.plies.iter().filter_map(|ply| ply.canonical).sum();
    // The latest of the runs that know most.
    let known = |plies: &[PlyCounts]| -> usize {
        plies.iter().map(|ply| ply.counts().iter().flatten().count()).sum()
    };
    let mut counts = Vec::new();
    for run in &runs {
        let of_run = database.ply_counts(run.id)?;
        if known(&of_run) >= known(&counts) {
            counts = of_run;
        }
    }
    let mut lookup = database.lookup(game)?;
    let mut value_of = |study: &dyn Study| -> Result<_, DatabaseError> {
        if let Some(outcome) = study.result() {
            return Ok(Some(Value::over(outcome).into()));
        }
        let Some((key, _)) = study.canonical() else { return Ok(None) };
        Ok(lookup.position(key)?.map(|row| row.value))
    };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let title = match value_of(start)? {
        Some(value) => headline(start, value),
        None => format!("{}: {}", about.game, last_result(database, &runs)?),
    };
    let totals = totals(&counts);
    // One count of positions: of the game if all of it was counted, else of what is stored.
    let mut facts = Vec::new();
    let numbers = if totals.is_empty() {
        vec![fact("stored positions up to symmetry", grouped(total))]
    } else {
        facts.push(fact("holds", counted(total, "position") + " up to symmetry"));
        totals
    };
    if let Some(run) = runs.last() {
        let when = run.finished_at.as_ref().unwrap_or(&run.started_at);
        let minute = when.get(..16).unwrap_or(when).replace('T', " ");
        facts.push(fact("last run", format!("{minute} UTC, by everyply {}", run.version)));
    }
    let mut figures = Vec::from_iter(first_moves(&about, start, value_of)?);
    if !counts.is_empty() {
        figures.extend(by_ply(&about, &counts));
    }
    if total > 0 {
        figures.extend(stored.remoteness.figure(
            &about,
            &format!("{} up to symmetry in the database", counted(total, "position")),
            " The row without a number has positions of which only the outcome is proved, or whose \
             play is endless.",
        ));
        // If the positions of the game are counted by outcome, these are shown above.
        if counts.iter().all(|ply| ply.wins.is_none()) {
            figures.push(stored.figure(&about));
            let positions = "stored positions up to symmetry";
            figures.extend(shares_of(&about, "stored-shares", positions, &stored.plies));
        }
    }
    figures.extend(searches(&about, database, &runs)?);
    figures.push(run_table(&about, &runs));
    Ok(Section { source: format!("Database {name}"), title, counts: numbers, facts, figures })
}

/// Returns the result of the latest search, since the value of the start is not stored.
fn last_result(database: &Database, runs: &[&Run]) -> Result<String, DatabaseError> {
    for run in runs.iter().rev() {
        if let Some(last) = database.iterations(run.id)?.last() {
            let (score, depth) = (last.score, last.depth);
            let run = run.id.0;
            return Ok(format!(
                "run {run} ended with score {score} at depth {depth}; the start is not solved"
            ));
        }
    }
    Ok("the start is not solved".to_owned())
}

/// Canonical positions of a database by ply and outcome.
#[derive(Default)]
struct Stored {
    plies: Vec<PlyCounts>,
    remoteness: ByRemoteness,
}

impl Stored {
    fn add(&mut self, ply: Ply, sign: i8) {
        while self.plies.len() <= ply.index() {
            let ply = Ply(self.plies.len() as u8);
            let [canonical, wins, draws, losses] = [Some(0); 4];
            self.plies.push(PlyCounts {
                ply,
                canonical,
                wins,
                draws,
                losses,
                ..PlyCounts::default()
            });
        }
        let counts = &mut self.plies[ply.index()];
        let outcome = match sign {
            1 => &mut counts.wins,
            0 => &mut counts.draws,
            _ => &mut counts.losses,
        };
        for number in [outcome, &mut counts.canonical] {
            *number = number.map(|n| n + 1);
        }
    }

    fn figure(&self, about: &Subject) -> Figure {
        let mut table = DataTable::new(&["ply", "positions", "wins", "draws", "losses"]);
        for c in &self.plies {
            let counts = [c.canonical, c.wins, c.draws, c.losses].map(cell);
            table.rows.push(std::iter::once(c.ply.to_string()).chain(counts).collect());
        }
        let series = by_outcome(|c| c.canonical, &self.plies);
        let plot =
            Plot { x: "ply", y: "positions up to symmetry", scale: Scale::Logarithmic, series };
        let note = "Canonical positions in the database, each standing for its symmetric images.";
        Figure::plotted(about, "stored", "Stored positions, ply by ply", note, &plot, table)
    }
}

fn run_table(about: &Subject, runs: &[&Run]) -> Figure {
    let mut table =
        DataTable::new(&["run", "command", "version", "started", "finished", "threads", "status"]);
    for run in runs {
        let Run { command, version, started_at, .. } = run;
        let (finished, ending) =
            (cell(run.finished_at.as_ref()), cell_or(run.ending.map(Ending::word), "running"));
        table.rows.push(cells![
            run.id.0,
            command,
            version,
            started_at,
            finished,
            run.threads,
            ending
        ]);
    }
    let note = "Every run that wrote to the database; times are UTC.";
    Figure::listed(about, "runs", "Runs", note, table)
}

/// Returns the text of a table cell, with a word for unknown values.
fn cell_or<T: ToString>(value: Option<T>, unknown: &str) -> String {
    value.map_or_else(|| unknown.to_owned(), |value| value.to_string())
}

/// Makes the figures of the searches of runs, iteration by iteration.
fn searches(
    about: &Subject,
    database: &Database,
    runs: &[&Run],
) -> Result<Vec<Figure>, ReportError> {
    let mut figures = Vec::new();
    let mut searched: Vec<(&Run, Vec<Iteration>)> = Vec::new();
    for run in runs.iter().rev() {
        let iterations = database.iterations(run.id)?;
        if !iterations.is_empty() && searched.len() < DRAWN {
            searched.insert(0, (run, iterations));
        }
    }
    if let Some((run, iterations)) = searched.last() {
        let title = format!("Iterations of run {}: {}", run.id.0, run.command);
        figures.push(table_behaviour(about, &title, iterations));
    }
    if !searched.is_empty() {
        let mut table = DataTable::new(&["run", "threads", "depth", "score", "nodes", "elapsed_s"]);
        let mut series = Vec::new();
        for (run, iterations) in &searched {
            for i in iterations {
                let (nodes, elapsed) = (i.counters.nodes, i.elapsed.as_secs_f64());
                table.rows.push(cells![run.id.0, run.threads, i.depth, i.score, nodes, elapsed]);
            }
            let threads = counted(run.threads, "thread");
            let points = iterations.iter().map(|i| (f64::from(i.depth), i.counters.nodes as f64));
            series.push(Series::new(format!("run {} ({threads})", run.id.0), points.collect()));
        }
        let plot = Plot { x: "depth (plies)", y: "nodes", scale: Scale::Logarithmic, series };
        figures.push(Figure::plotted(
            about,
            "iterations",
            "Nodes of each iteration",
            "The nodes of each depth alone, for the latest runs that searched to a depth.",
            &plot,
            table,
        ));
    }
    for run in runs.iter().rev() {
        let moves = database.root_moves(run.id)?;
        if moves.is_empty() {
            continue;
        }
        let mut table = DataTable::new(&["move", "outcome", "remoteness", "score", "nodes"]);
        for m in moves {
            let outcome = cell_or(m.value.map(|value| value.outcome), "-");
            let remoteness = cell_or(m.value.and_then(|value| value.remoteness), "-");
            let score = cell_or(m.score, "below best");
            table.rows.push(cells![m.m.number(), outcome, remoteness, score, m.nodes]);
        }
        let title = format!("Moves of run {}: {}", run.id.0, run.command);
        let note = "Results of the search for the moves of its position, for the side to move.";
        figures.push(Figure::listed(about, "root-moves", &title, note, table));
        break;
    }
    Ok(figures)
}

fn table_behaviour(about: &Subject, title: &str, iterations: &[Iteration]) -> Figure {
    let shares = ["hit_percent", "first_move_cutoff_percent", "elapsed_s"];
    let mut table = DataTable::new(&[&["depth"], &SearchCounters::NAMES[..], &shares[..]].concat());
    let percent = |part: u64, whole: u64| (whole > 0).then(|| 100.0 * part as f64 / whole as f64);
    let (mut hits, mut first) = (Vec::new(), Vec::new());
    for i in iterations {
        let c = i.counters;
        let hit = percent(c.table_hits, c.table_probes);
        let by_first = percent(c.first_move_cutoffs, c.cutoffs);
        hits.extend(hit.map(|y| (f64::from(i.depth), y)));
        first.extend(by_first.map(|y| (f64::from(i.depth), y)));
        let shares = [hit, by_first].map(|share| cell(share.map(|share| format!("{share:.2}"))));
        table.rows.push(
            std::iter::once(i.depth.to_string())
                .chain(c.counts().map(|n| n.to_string()))
                .chain(shares)
                .chain([i.elapsed.as_secs_f64().to_string()])
                .collect(),
        );
    }
    let series =
        vec![Series::new("probes that hit", hits), Series::new("cutoffs by first move", first)];
    let plot = Plot { x: "depth (plies)", y: "percent", scale: Scale::Linear, series };
    let note = "Transposition table and move ordering, iteration by iteration.";
    Figure::plotted(about, "table", title, note, &plot, table)
}
