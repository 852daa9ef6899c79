//! Figures of solution files.

use std::path::Path;

use super::counts::{ByRemoteness, by_ply, totals};
use super::figure::Section;
use super::{ReportError, headline, stem};
use everyply_connect_four::profiles::{Extent, Memory, count};
use everyply_core::control::Control;
use everyply_core::game::Outcome;
use everyply_core::statistics::{counted, grouped};
use everyply_registry::registry::Position;
use everyply_registry::solutions::{SolutionFile, ValueCount};

/// The most memory, in bytes, for counting the positions of a board for the report.
const COUNTED: u64 = 512 << 20;

/// Makes the section of a solution file, whose game is known by its start.
pub fn section(
    name: &str,
    solution: &SolutionFile,
    start: &dyn Position,
    control: &Control,
) -> Result<Section, ReportError> {
    let root = solution.root(start)?;
    let value = solution.value(root.as_ref())?;
    let detail = match solution.is_scored() {
        true => "the points of every position",
        false => "outcome and remoteness of every position",
    };
    let held = ("which positions".to_owned(), solution.holds().to_owned());
    let mut section = Section {
        source: format!("Solution {name}"),
        stem: stem(name),
        game: start.info().title.clone(),
        title: headline(root.as_ref(), value),
        counts: vec![("positions".to_owned(), grouped(solution.positions()))],
        facts: vec![held, ("root".to_owned(), root.picture()), holds(detail, solution.path())],
        figures: Vec::new(),
    };
    let mut numbers = ByRemoteness::default();
    if let Some(board) = solution.board() {
        if board.estimate(usize::MAX).solve <= COUNTED {
            let counts = count(board, Extent::WholeWithValues, &Memory::new(), control)?;
            section.counts = totals(&counts.plies);
            section.figures = by_ply(&counts.plies);
            for (value, positions) in counts.values.iter().flat_map(|v| v.plies.iter().flatten()) {
                numbers.add(value.outcome, Some(value.remoteness.0.into()), *positions);
            }
        }
    } else {
        for ValueCount { code, positions, .. } in solution.count_values(start, control)? {
            let outcome = code.outcome().unwrap_or(Outcome::Draw);
            let has_distance = code.outcome().is_some() && !solution.is_scored();
            numbers.add(outcome, has_distance.then(|| code.plies()), positions);
        }
    }
    let all = match solution.board() {
        Some(_) => "all reachable positions",
        None => "all positions up to symmetry",
    };
    section.figures.extend(numbers.figure(all, ""));
    Ok(section)
}

fn holds(detail: &str, path: &Path) -> (String, String) {
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    ("holds".to_owned(), format!("{detail}, in {}", counted(bytes, "byte")))
}
