//! Figures of databases.

use super::figure::{DataTable, Figure, Section, Subject, cell, cells};
use super::first_moves::first_moves;
use super::plot::{Plot, Scale};
use super::solved::{ByRemoteness, by_outcome, by_ply, headline, shares_of, totals};
use super::{ReportError, stem};
use crate::database::{Database, DatabaseError, Ending, Run};
use crate::game::{GameId, PartialValue, Ply, Value};
use crate::registry::{Registry, Study};
use crate::statistics::{PlyCounts, counted, grouped};

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
        None => format!("{}: the start is not solved", about.game),
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
    figures.push(run_table(&about, &runs));
    Ok(Section { source: format!("Database {name}"), title, counts: numbers, facts, figures })
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
