//! Figures of databases.

use super::counts::{ByRemoteness, by_ply, totals};
use super::figure::{DataTable, Figure, Section, cell, cells};
use super::{ReportError, headline, stem};
use everyply_core::game::{GameId, Outcome, Ply, Value};
use everyply_core::statistics::{PlyCounts, counted, grouped};
use everyply_registry::registry::{Position, Registry};
use everyply_results::database::{Database, DatabaseError, Ending, Run};

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
    start: &dyn Position,
    runs: &[Run],
) -> Result<Section, ReportError> {
    let runs: Vec<&Run> = runs.iter().filter(|run| run.game == *game).collect();
    let (mut stored, mut numbers) = (Vec::new(), ByRemoteness::default());
    database.positions(game, None, |row| -> Result<(), DatabaseError> {
        numbers.add(row.value.outcome, row.value.remoteness.map(|plies| plies.0.into()), 1);
        add(&mut stored, row.ply, row.value.outcome);
        Ok(())
    })?;
    let total: u64 = stored.iter().filter_map(|ply| ply.canonical).sum();
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
    let value = match (start.result(), start.canonical()) {
        (Some(outcome), _) => Some(Value::over(outcome).into()),
        (None, Some((key, _))) => database.position(game, key)?.map(|row| row.value),
        (None, None) => None,
    };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    // One count of positions: of the game if all of it was counted, else of the stored positions.
    let (mut totals, mut facts) = (totals(&counts), Vec::new());
    if totals.is_empty() {
        totals.push(fact("stored positions up to symmetry", grouped(total)));
    } else {
        facts.push(fact("holds", counted(total, "position") + " up to symmetry"));
    }
    if let Some(run) = runs.last() {
        let when = run.finished_at.as_ref().unwrap_or(&run.started_at);
        let minute = when.get(..16).unwrap_or(when).replace('T', " ");
        facts.push(fact("last run", format!("{minute} UTC, by everyply {}", run.version)));
    }
    let mut figures = by_ply(&counts);
    // If the positions of the game are counted by outcome, their counts are shown above.
    if counts.iter().all(|ply| ply.wins.is_none()) {
        figures.extend(by_ply(&stored));
    }
    figures.extend(numbers.figure(
        &format!("{} up to symmetry in the database", counted(total, "position")),
        " The row without a number has positions of which only the outcome is proved, or whose \
         play is endless.",
    ));
    figures.push(run_table(&runs));
    let [one, two, three] = game.parameters;
    Ok(Section {
        source: format!("Database {name}"),
        stem: format!("{}-{}-{one}x{two}-{three}", stem(name), game.name),
        game: start.info().title.clone(),
        title: headline(start, value),
        counts: totals,
        facts,
        figures,
    })
}

fn add(plies: &mut Vec<PlyCounts>, ply: Ply, outcome: Outcome) {
    while plies.len() <= ply.index() {
        let ply = Ply(plies.len() as u8);
        let [canonical, wins, draws, losses] = [Some(0); 4];
        plies.push(PlyCounts { ply, canonical, wins, draws, losses, ..PlyCounts::default() });
    }
    let counts = &mut plies[ply.index()];
    let of_outcome = match outcome {
        Outcome::Win => &mut counts.wins,
        Outcome::Draw => &mut counts.draws,
        Outcome::Loss => &mut counts.losses,
    };
    for number in [of_outcome, &mut counts.canonical] {
        *number = number.map(|n| n + 1);
    }
}

fn run_table(runs: &[&Run]) -> Figure {
    let mut table =
        DataTable::new(&["run", "command", "version", "started", "finished", "threads", "status"]);
    for run in runs {
        let Run { command, version, started_at, threads, .. } = run;
        let finished = cell(run.finished_at.as_ref());
        let status = run.ending.map_or("running", Ending::word);
        table.rows.push(cells![run.id.0, command, version, started_at, finished, threads, status]);
    }
    let note = "Every run that wrote to the database; times are UTC.";
    Figure::listed("runs", "Runs", note, table)
}
