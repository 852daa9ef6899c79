//! Figures of `compare.csv`: the nodes that each pruning idea saves.

use std::io::{self, Read};
use std::path::Path;

use super::figure::{DataTable, Figure, Section};
use super::plot::{Plot, Series};
use super::stem;
use everyply_files::reading::open_regular;
use everyply_results::export::ComparisonRow;

/// The largest file in bytes. A comparison has a row for each algorithm and depth: fewer than 600.
const LARGEST: u64 = 1 << 20;

pub fn section(name: &str, path: &Path) -> Result<Section, csv::Error> {
    let file = open_regular(path)?;
    if file.metadata()?.len() > LARGEST {
        return Err(refused("it is larger than 1 MiB; comparisons are smaller".to_owned()));
    }
    // A special file can be longer than its metadata says.
    let mut reader = csv::Reader::from_reader(file.take(LARGEST));
    let header = reader.headers()?.clone();
    let mut table = DataTable::new(&header.iter().collect::<Vec<_>>());
    let mut rows = Vec::new();
    for (number, record) in (1..).zip(reader.records()) {
        let record = record?;
        let row: ComparisonRow = record.deserialize(Some(&header))?;
        if !is_sound(&row) {
            return Err(refused(format!("row {number} has a number that no run writes")));
        }
        table.rows.push(record.iter().map(String::from).collect());
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(refused("it has no rows".to_owned()));
    }
    let figure = |kind, title: &str, note: &str, y, value: &dyn Fn(&ComparisonRow) -> _| {
        let series = lines(&rows, value);
        let plot = Plot { x: "depth (plies)", y, series };
        Figure::plotted(kind, title, note, &plot, table.clone())
    };
    let cumulative = "Each line adds one idea to the line before. With iterative deepening the \
                      numbers include all iterations up to the depth.";
    let saved = "Nodes of plain minimax at the same depth, divided by nodes of the algorithm.";
    let nodes = |row: &ComparisonRow| row.nodes.map(|nodes| nodes as f64);
    let figures = vec![
        figure("nodes", "Nodes by depth and algorithm", cumulative, "nodes", &nodes),
        figure("saved", "Factor saved", saved, "times fewer nodes", &|row| row.saved_factor),
        figure("time", "Time by depth and algorithm", cumulative, "time (seconds)", &|row| {
            row.elapsed_s
        }),
    ];
    let game = rows.iter().find_map(|row| row.game.clone());
    let game = game.unwrap_or_else(|| "Unnamed game".to_owned());
    Ok(Section {
        source: format!("Comparison {name}"),
        stem: stem(name),
        title: result(&game, &rows),
        game,
        counts: Vec::new(),
        facts: Vec::new(),
        figures,
    })
}

fn refused(why: String) -> csv::Error {
    io::Error::new(io::ErrorKind::InvalidData, why).into()
}

/// Returns true if a run can write the numbers of a row.
fn is_sound(row: &ComparisonRow) -> bool {
    let numbers = [row.effective_branching_factor, row.saved_factor, row.elapsed_s];
    let is_sound = |number: f64| number == 0.0 || (1e-20..1e20).contains(&number);
    row.depth <= 255 && row.threads > 0 && numbers.into_iter().flatten().all(is_sound)
}

/// Makes a line for each algorithm, in the order of the file.
fn lines(rows: &[ComparisonRow], value: &dyn Fn(&ComparisonRow) -> Option<f64>) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    for row in rows {
        let at = lines.iter().position(|line| line.name == row.algorithm).unwrap_or_else(|| {
            lines.push(Series::new(&*row.algorithm, Vec::new()));
            lines.len() - 1
        });
        lines[at].points.extend(value(row).map(|value| (f64::from(row.depth), value)));
    }
    lines
}

/// Writes the result: the algorithm that visits the fewest nodes at the greatest depth.
fn result(game: &str, rows: &[ComparisonRow]) -> String {
    let saved = rows.iter().filter_map(|row| Some((row.depth, row.saved_factor?, &row.algorithm)));
    let best = saved.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    best.map_or_else(
        || format!("{game}: searches compared"),
        |(depth, factor, algorithm)| {
            format!("{game}: with {algorithm}, {factor:.0} times fewer nodes than minimax at depth {depth}")
        },
    )
}
