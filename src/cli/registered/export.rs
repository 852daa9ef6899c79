//! `analyze export` on a game of the registry.

use std::fmt::Write;
use std::path::Path;

use super::{LINES, refusal};
use crate::cli::count::CSV_FILES;
use crate::cli::export::Wanted;
use crate::cli::export::runs::without_task;
use crate::cli::failure::Failure;
use crate::cli::session::{Session, available_memory};
use crate::cli::{output, text};
use crate::database::{Database, Ending, Run, RunId, TaskKind};
use crate::export::{write_answers, write_plies};
use crate::registry::{Answers, Study};

/// What a run of a game was.
enum Kind {
    /// Its whole solution, from a position.
    Solution(Box<dyn Study>),
    Count,
}

/// What a run of a game, which is given by its start, was.
fn kind(start: &dyn Study, run: &Run) -> Option<Kind> {
    let task = run.task.as_ref()?;
    match task.kind {
        TaskKind::Solution => start.of_key(task.root).map(Kind::Solution),
        TaskKind::Count => Some(Kind::Count),
        _ => None,
    }
}

/// Writes the CSV files of the runs of a game, which is given by its start.
pub(in crate::cli) fn runs(
    database: &Database,
    start: &dyn Study,
    wanted: &Wanted,
    directory: &Path,
) -> Result<(), Failure> {
    if wanted.scoring.is_some() {
        return Err(refusal("scoring", start.name(), LINES));
    }
    let path = database.path().display();
    let id = start.game_id();
    let all = database.runs().map_err(Failure::runtime)?;
    let of_game = all.iter().rev().filter(|run| run.game == id);
    let fits = |run: &&Run| match wanted.run {
        Some(number) => run.id == RunId(number),
        None => run.ending == Some(Ending::Finished),
    };
    let (mut solution, mut count) = (None, None);
    for run in of_game.filter(fits) {
        match kind(start, run) {
            Some(Kind::Solution(root)) if solution.is_none() => solution = Some((run, root)),
            Some(Kind::Count) if count.is_none() => count = Some(run),
            _ => {}
        }
    }
    if solution.is_none() && count.is_none() {
        let which = wanted.run.map_or("finished run".to_owned(), |run| format!("run {run}"));
        return Err(Failure::Usage(format!(
            "{path} holds no {which} of {} to export{}",
            id.name,
            without_task(&all)
        )));
    }
    let session = Session::start(&wanted.running)?;
    let mut said = String::new();
    if let Some((run, root)) = &solution {
        let names = output::csv_names(&id.name, ["solution", "plies"]);
        let files = output::csv_files(Some(directory), [&names[0][..], &names[1][..]])?;
        let counts = database.ply_counts(run.id).map_err(Failure::runtime)?;
        let answers = solve(root.as_ref(), &session)?;
        compare(database, root.as_ref(), answers.as_ref(), run)?;
        if let Some([table, plies]) = files {
            output::write_file(table, |file| write_answers(root.as_ref(), answers.as_ref(), file))?;
            output::write_file(plies, |file| write_plies(file, &counts))?;
        }
        for name in &names {
            let path = directory.join(name);
            let _ = writeln!(said, "{}  (run {}: {})", path.display(), run.id.0, run.command);
        }
    }
    if let Some(run) = count {
        let counts = database.ply_counts(run.id).map_err(Failure::runtime)?;
        if let Some([file]) = output::csv_files(Some(directory), CSV_FILES)? {
            output::write_file(file, |file| write_plies(file, &counts))?;
        }
        let path = directory.join(CSV_FILES[0]);
        let _ = writeln!(said, "{}  (run {}: {})", path.display(), run.id.0, run.command);
    }
    text::print(&said)
}

/// The solution of a run, found anew: what the database holds says nothing of which of its
/// positions the run's root leads to.
fn solve(root: &dyn Study, session: &Session) -> Result<Box<dyn Answers>, Failure> {
    root.check().map_err(Failure::usage)?;
    let most = available_memory() / root.bytes_per_position() as f64;
    let solved = session.work("solving", "positions", |control| root.solve(most as u64, control));
    solved.map_err(|error| {
        if session.control.is_asked_to_stop() {
            return session.interrupted("; nothing was written");
        }
        Failure::Usage(format!("{}: {error}", root.title()))
    })
}

/// Refuses a database that does not hold the whole solution, or another one.
fn compare(
    database: &Database,
    root: &dyn Study,
    answers: &dyn Answers,
    run: &Run,
) -> Result<(), Failure> {
    let mut lookup = database.lookup(&root.game_id()).map_err(Failure::runtime)?;
    let mut result = Ok(());
    let path = database.path().display();
    answers.rows(&mut |rows| {
        for row in rows {
            if result.is_err() {
                return;
            }
            let picture = || root.of_key(row.key).map_or_else(String::new, |at| at.picture());
            result = match lookup.position(row.key) {
                Err(error) => Err(Failure::from(error)),
                Ok(None) => Err(Failure::Runtime(anyhow::anyhow!(
                    "{path} does not hold the whole solution of run {}: {} is missing; run `{}` \
                     again to complete it",
                    run.id.0,
                    picture(),
                    run.command
                ))),
                Ok(Some(stored)) if stored.worth() != Some(row.worth) => {
                    Err(Failure::Mismatch(format!(
                        "{path}: {} is stored with another value than {}",
                        picture(),
                        row.worth
                    )))
                }
                Ok(Some(_)) => Ok(()),
            };
        }
    });
    result
}
