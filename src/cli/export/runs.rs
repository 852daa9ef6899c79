//! `analyze export --csv`: the CSV files of runs.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use super::Wanted;
use crate::cli::failure::Failure;
use crate::cli::game_filter::rules_of;
use crate::cli::options::with_game;
use crate::cli::session::Session;
use crate::cli::{count, output, text};
use crate::control::Control;
use crate::database::{Database, DatabaseError, Ending, Run, RunId, Task, TaskKind};
use crate::disk::{NewFile, in_directory};
use crate::exhaustive::{PositionGraph, Solution};
use crate::export::{Scoring, write_iterations, write_plies, write_root_moves, write_solution};
use crate::game::GameId;
use crate::game::{Key, Keyed, MoveSet, Value};
use crate::games::line::{GraphEstimate, Rules, Size};

/// Writes the files of the runs of these games.
pub(super) fn run(
    database: &Database,
    args: &Wanted,
    games: &[GameId],
    directory: &Path,
) -> Result<(), Failure> {
    let mut runs = database.runs().map_err(Failure::runtime)?;
    runs.retain(|run| games.contains(&run.game));
    let chosen = choose(&runs, args)?;
    let mut text = String::new();
    for (run, task) in chosen {
        let names = match task.kind {
            TaskKind::Solution => export_solution(database, run, task, args, directory)?,
            TaskKind::Search => {
                let iterations = database.iterations(run.id).map_err(Failure::runtime)?;
                let moves = database.root_moves(run.id).map_err(Failure::runtime)?;
                let names = output::csv_names(&run.game.name, ["iterations", "root-moves"]);
                let [first, second] = begin(directory, &names)?;
                output::write_file(first, |file| write_iterations(file, &iterations))?;
                output::write_file(second, |file| write_root_moves(file, &moves))?;
                names.to_vec()
            }
            _ => {
                let counts = database.ply_counts(run.id).map_err(Failure::runtime)?;
                let names = count::CSV_FILES.map(str::to_owned);
                let [file] = begin(directory, &names)?;
                output::write_file(file, |file| write_plies(file, &counts))?;
                names.to_vec()
            }
        };
        for name in names {
            let path = directory.join(name);
            let _ = writeln!(text, "{}  (run {}: {})", path.display(), run.id.0, run.command);
        }
    }
    text::print(&text)
}

fn begin<const N: usize>(directory: &Path, names: &[String; N]) -> Result<[NewFile; N], Failure> {
    in_directory(directory, names.each_ref().map(String::as_str)).map_err(Failure::runtime)
}

/// What a run was asked for, if it left something to export here.
fn task_of(run: &Run) -> Option<&Task> {
    Rules::of(&run.game.name)?;
    let of_kind =
        |task: &&Task| matches!(task.kind, TaskKind::Solution | TaskKind::Search | TaskKind::Count);
    run.task.as_ref().filter(of_kind)
}

/// What to do about runs of which the database does not say what they were asked for.
pub(in crate::cli) fn without_task(runs: &[Run]) -> &'static str {
    if runs.iter().any(|run| run.task.is_none()) {
        "; of runs of older versions it does not say what they were asked for: run them again"
    } else {
        ""
    }
}

/// The runs to export: the one asked for, or the last finished one of each command.
fn choose<'r>(runs: &'r [Run], args: &Wanted) -> Result<Vec<(&'r Run, &'r Task)>, Failure> {
    let listed = || {
        let line = |run: &Run| {
            let ending = run.ending.map_or("unfinished", Ending::word);
            format!("\n  {}  {ending}  {}", run.id.0, run.command)
        };
        runs.iter().map(line).collect::<String>()
    };
    let path = args.file.display();
    if let Some(id) = args.run {
        let run = runs.iter().find(|run| run.id == RunId(id)).ok_or_else(|| {
            Failure::Usage(format!("--run {id}: {path} has no such run; it holds{}", listed()))
        })?;
        let task = task_of(run).ok_or_else(|| {
            let why = without_task(std::slice::from_ref(run));
            Failure::Usage(format!("--run {id}: '{}' left nothing to export{why}", run.command))
        })?;
        return Ok(vec![(run, task)]);
    }
    let mut chosen: Vec<(&Run, &Task)> = Vec::new();
    for run in runs.iter().rev().filter(|run| run.ending == Some(Ending::Finished)) {
        let Some(task) = task_of(run) else { continue };
        if chosen.iter().all(|(_, other)| other.kind != task.kind) {
            chosen.push((run, task));
        }
    }
    if chosen.is_empty() {
        return Err(Failure::Runtime(anyhow::anyhow!(
            "{path} holds no finished run to export{}; its runs are:{}",
            without_task(runs),
            if runs.is_empty() { " none".to_owned() } else { listed() }
        )));
    }
    chosen.reverse();
    Ok(chosen)
}

/// The solution table below the run's root, with the values of the database.
fn export_solution(
    database: &Database,
    run: &Run,
    task: &Task,
    args: &Wanted,
    directory: &Path,
) -> Result<Vec<String>, Failure> {
    let size = Size::of_parameters(run.game.parameters);
    let counts = database.ply_counts(run.id).map_err(Failure::runtime)?;
    let of_run = task.scoring.as_deref().and_then(Scoring::of).unwrap_or_default();
    let scoring = args.scoring.unwrap_or(of_run);
    with_game!(rules_of(&run.game)?, game => {
        let root = game.position_of(task.root).ok_or_else(|| {
            let key = task.root.0;
            Failure::Runtime(anyhow::anyhow!("{key}, the root of run {}, is no position", run.id.0))
        })?;
        let what = format!("the tree of {size}");
        let remedy = "Export on a machine with more memory";
        Session::check_memory(&what, GraphEstimate::of_graph(&game, root), remedy)?;
        let mut stored: HashMap<Key, (Value, MoveSet)> = HashMap::new();
        database
            .positions(&run.game, None, |row| {
                if let (Some(value), Some(best)) = (row.value.exact(), row.best) {
                    stored.insert(row.key, (value, best));
                }
                Ok::<(), DatabaseError>(())
            })
            .map_err(Failure::runtime)?;
        let tree = PositionGraph::build(game, root, &Control::default()).expect("nobody stops it");
        let solution = Solution::filled(tree, |key| stored.get(&key).copied()).map_err(|key| {
            let board = game.position_of(key).map(|p| crate::games::line::notation::picture(&game, p));
            Failure::Runtime(anyhow::anyhow!(
                "{} does not hold the whole tree of run {}: {} is missing; \
                 run `{}` again to complete it",
                args.file.display(),
                run.id.0,
                board.unwrap_or_default(),
                run.command
            ))
        })?;
        let names = output::csv_names(&run.game.name, ["solution", "plies"]);
        let [table, plies] = begin(directory, &names)?;
        output::write_file(table, |file| write_solution(file, &solution, scoring))?;
        output::write_file(plies, |file| write_plies(file, &counts))?;
        Ok(names.to_vec())
    })
}
