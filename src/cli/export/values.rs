//! `analyze export --csv` of a solution file: its positions counted by tier and value.

use std::path::Path;

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::game_filter::Fit;
use crate::cli::session::Session;
use crate::cli::work_folder::failed_solution;
use crate::cli::{output, text};
use everyply_files::disk::in_directory;
use everyply_registry::registry::Registry;
use everyply_registry::solutions::SolutionFile;
use everyply_results::export::write_value_counts;

const NAME: &str = "values.csv";

/// The files written.
#[derive(schemars::JsonSchema, serde::Serialize)]
pub(in crate::cli) struct Tables {
    files: Vec<String>,
}

impl Tables {
    /// A single file.
    pub fn of(path: &Path) -> Self {
        Self { files: vec![path.display().to_string()] }
    }
}

pub(super) fn run(
    args: &Args,
    file: &SolutionFile,
    directory: &Path,
    registry: &Registry,
) -> Result<(), Failure> {
    let games = [file.game_id().clone()];
    let (_, start) =
        args.game.choose_for(&args.wanted.file, &games, registry, |_, _| Ok(Fit::Held))?;
    let running = &args.wanted.running;
    let session = Session::start(running)?;
    let [out] = in_directory(directory, [NAME]).map_err(Failure::runtime)?;
    let counted =
        session.work("counting", "positions", |control| file.count_values(start.as_ref(), control));
    let counted = counted
        .map_err(|error| failed_solution(error).unwrap_or_else(|| session.interrupted("")))?;
    output::write_file(out, |to| write_value_counts(to, &counted, file.is_scored()))?;
    let written = Tables::of(&directory.join(NAME));
    text::print_result(running.json, &written, || format!("{}\n", directory.join(NAME).display()))
}
