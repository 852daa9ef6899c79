//! Figures of solution files.

use std::path::Path;

use super::counts::{ByRemoteness, by_ply, totals};
use super::figure::Section;
use super::{ReportError, headline, stem};
use everyply_connect_four::profiles::{Extent, Memory, SolutionFile, count};
use everyply_core::control::Control;
use everyply_core::game::{Game, Outcome};
use everyply_core::games::line::{AnyGame, LineGame};
use everyply_core::statistics::{counted, grouped};
use everyply_registry::registry::{Position, study_of};
use everyply_registry::solutions::{GameSolution, ValueCount};

/// The most memory, in bytes, for counting the positions of a board for the report.
const COUNTED: u64 = 512 << 20;

/// Makes the section of a solution file of a Connect Four board.
pub fn of_board(
    name: &str,
    path: &Path,
    solution: &SolutionFile,
    control: &Control,
) -> Result<Section, ReportError> {
    let game = AnyGame::from(*solution.board().game());
    let size = game.size();
    let detail = "outcome and remoteness of every reachable position";
    let start = game.initial();
    let study = study_of(&game, start);
    let value = solution.value(start)?.map(Into::into);
    let mut section = Section {
        source: format!("Solution {name}"),
        stem: stem(name),
        game: study.info().title.clone(),
        title: headline(study.as_ref(), value),
        counts: Vec::new(),
        facts: vec![holds(detail, path)],
        figures: Vec::new(),
    };
    if solution.board().estimate(size.cells() as usize).solve <= COUNTED {
        let extent = Extent::WholeWithValues;
        let counts = count(solution.board(), extent, &Memory::new(), control)?;
        section.counts = totals(&counts.plies);
        section.figures = by_ply(&counts.plies);
        let mut numbers = ByRemoteness::default();
        for (value, positions) in counts.values.iter().flat_map(|v| v.plies.iter().flatten()) {
            numbers.add(value.outcome, Some(value.remoteness.0.into()), *positions);
        }
        section.figures.extend(numbers.figure("all reachable positions", ""));
    }
    Ok(section)
}

/// Makes the section of a solution file of any other game, which is given by its start.
pub fn of_game(
    name: &str,
    solution: &GameSolution,
    start: &dyn Position,
    control: &Control,
) -> Result<Section, ReportError> {
    let root = solution.root(start)?;
    let value = solution.value(root.as_ref())?;
    let mut numbers = ByRemoteness::default();
    for ValueCount { code, positions, .. } in solution.count_values(start, control)? {
        let outcome = code.outcome().unwrap_or(Outcome::Draw);
        let has_distance = code.outcome().is_some() && !solution.is_scored();
        numbers.add(outcome, has_distance.then(|| code.plies()), positions);
    }
    let detail = match solution.is_scored() {
        true => "the points of every position",
        false => "outcome and remoteness of every position",
    };
    let held = ("which positions".to_owned(), solution.holds().to_owned());
    Ok(Section {
        source: format!("Solution {name}"),
        stem: stem(name),
        game: start.info().title.clone(),
        title: headline(root.as_ref(), value),
        counts: vec![("positions".to_owned(), grouped(solution.positions()))],
        facts: vec![held, ("root".to_owned(), root.picture()), holds(detail, solution.path())],
        figures: numbers.figure("all positions up to symmetry", "").into_iter().collect(),
    })
}

fn holds(detail: &str, path: &Path) -> (String, String) {
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    ("holds".to_owned(), format!("{detail}, in {}", counted(bytes, "byte")))
}
