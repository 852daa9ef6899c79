//! `analyze export --csv`: the CSV files of runs.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use clap::Parser;

use super::Wanted;
use crate::cli::failure::Failure;
use crate::cli::options::{BoardOptions, with_game};
use crate::cli::session::Session;
use crate::cli::{Cli, Command, connect4, count, output, text, ttt};
use crate::control::Control;
use crate::database::{Database, DatabaseError, Ending, Run, RunId};
use crate::exhaustive::{PositionGraph, Solution};
use crate::export::{write_iterations, write_plies, write_root_moves, write_solution};
use crate::game::{Key, Keyed, MoveSet, Value};
use crate::games::line::{Board, GraphEstimate, Rules};

pub(super) fn run(args: &Wanted, directory: &Path) -> Result<(), Failure> {
    let database = Database::open(&args.file).map_err(Failure::runtime)?;
    let runs = database.runs().map_err(Failure::runtime)?;
    let chosen = choose(&runs, args)?;
    let mut text = String::new();
    for (run, command) in chosen {
        let names = match &command {
            Command::Ttt(of_run) => export_ttt(&database, run, of_run, args, directory)?,
            Command::Connect4(_) => {
                let iterations = database.iterations(run.id).map_err(Failure::runtime)?;
                let moves = database.root_moves(run.id).map_err(Failure::runtime)?;
                let names = connect4::CSV_FILES;
                if let Some([first, second]) = output::csv_files(Some(directory), names)? {
                    output::write_file(first, |file| write_iterations(file, &iterations))?;
                    output::write_file(second, |file| write_root_moves(file, &moves))?;
                }
                names.to_vec()
            }
            _ => {
                let counts = database.ply_counts(run.id).map_err(Failure::runtime)?;
                let names = count::CSV_FILES;
                if let Some([file]) = output::csv_files(Some(directory), names)? {
                    output::write_file(file, |file| write_plies(file, &counts))?;
                }
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

/// The command a run was, as it would be read today.
fn command_of(run: &Run) -> Option<Command> {
    let words = shell_words::split(&run.command).ok()?;
    let command = Cli::try_parse_from(words).ok()?.command;
    matches!(command, Command::Ttt(_) | Command::Connect4(_) | Command::Count(_)).then_some(command)
}

/// The runs to export: the one asked for, or the last finished one of each command.
fn choose<'r>(runs: &'r [Run], args: &Wanted) -> Result<Vec<(&'r Run, Command)>, Failure> {
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
        let command = command_of(run).ok_or_else(|| {
            Failure::Usage(format!("--run {id}: '{}' left nothing to export", run.command))
        })?;
        return Ok(vec![(run, command)]);
    }
    let mut chosen: Vec<(&Run, Command)> = Vec::new();
    for run in runs.iter().rev().filter(|run| run.ending == Some(Ending::Finished)) {
        let Some(command) = command_of(run) else { continue };
        let kind = std::mem::discriminant(&command);
        if chosen.iter().all(|(_, other)| std::mem::discriminant(other) != kind) {
            chosen.push((run, command));
        }
    }
    if chosen.is_empty() {
        return Err(Failure::Runtime(anyhow::anyhow!(
            "{path} holds no finished run to export; its runs are:{}",
            if runs.is_empty() { " none".to_owned() } else { listed() }
        )));
    }
    chosen.reverse();
    Ok(chosen)
}

/// The solution table below the run's root, with the values of the database.
fn export_ttt(
    database: &Database,
    run: &Run,
    of_run: &ttt::Args,
    args: &Wanted,
    directory: &Path,
) -> Result<Vec<&'static str>, Failure> {
    let size = run.game.size;
    let board = BoardOptions {
        size: Some(Board { width: size.width, height: size.height }),
        line: Some(size.line),
    };
    let counts = database.ply_counts(run.id).map_err(Failure::runtime)?;
    let scoring = args.scoring.unwrap_or(of_run.scoring);
    with_game!(board.game(Rules::Mnk)?, game => {
        let root = of_run.position.position(&game)?;
        let what = format!("the tree of {size}");
        let remedy = "Export on a machine with more memory";
        Session::check_memory(&what, GraphEstimate::of_graph(&game, root), remedy)?;
        let mut stored: HashMap<Key, (Value, MoveSet)> = HashMap::new();
        database
            .positions(&run.game, None, |row| {
                if let (Some(remoteness), Some(best)) = (row.remoteness, row.best) {
                    stored.insert(row.key, (Value::new(row.outcome, remoteness), best));
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
        if let Some([table, plies]) = output::csv_files(Some(directory), ttt::CSV_FILES)? {
            output::write_file(table, |file| write_solution(file, &solution, scoring))?;
            output::write_file(plies, |file| write_plies(file, &counts))?;
        }
        Ok(ttt::CSV_FILES.to_vec())
    })
}
