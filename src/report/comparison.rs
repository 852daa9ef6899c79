//! Figures of `compare.csv`: what each idea saves.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use super::figure::{Figure, Section, Table, cell};
use super::plot::{Plot, Scale, Series};
use super::{ReportError, stem};
use crate::export::ComparisonRow;
use crate::reading::open_regular;
use crate::statistics::Score;

/// Bytes of the largest file, and the most rows: a comparison has one for each algorithm and
/// depth, which is fewer than 400. A file without end could have no end of rows, or of a row.
const LARGEST: u64 = 1 << 20;
const MOST_ROWS: usize = 2000;

/// Reads a file.
pub fn read(path: &Path) -> Result<Vec<ComparisonRow>, csv::Error> {
    let refused = |why| csv::Error::from(io::Error::new(io::ErrorKind::InvalidData, why));
    let file = open_regular(path)?;
    if file.metadata()?.len() > LARGEST {
        return Err(refused("it is larger than 1 MiB, which no comparison is"));
    }
    // Some files have more in them than they say.
    let mut rows = csv::Reader::from_reader(file.take(LARGEST)).into_deserialize();
    let rows: Vec<ComparisonRow> = rows.by_ref().take(MOST_ROWS + 1).collect::<Result<_, _>>()?;
    match rows.len() {
        0 => Err(refused("it has no rows")),
        1..=MOST_ROWS => Ok(rows),
        _ => Err(refused("it has more than 2000 rows, which no comparison has")),
    }
}

/// The algorithms in the order of the file.
fn algorithms(rows: &[ComparisonRow]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&&*row.algorithm) {
            names.push(&row.algorithm);
        }
    }
    names
}

fn lines(rows: &[ComparisonRow], value: impl Fn(&ComparisonRow) -> Option<f64>) -> Vec<Series> {
    let of = |name: &str| Series {
        name: name.to_owned(),
        points: rows
            .iter()
            .filter(|row| row.algorithm == name)
            .filter_map(|row| Some((f64::from(row.depth), value(row)?)))
            .collect(),
    };
    algorithms(rows).into_iter().map(of).collect()
}

/// The figures of one file.
pub fn section(name: &str, rows: &[ComparisonRow]) -> Result<Section, ReportError> {
    let mut table = Table::new(&ComparisonRow::NAMES);
    for row in rows {
        table.rows.push(vec![
            row.algorithm.to_string(),
            row.depth.to_string(),
            row.threads.to_string(),
            cell(row.score.map(Score::as_f64)),
            cell(row.nodes),
            cell(row.leaf_evaluations),
            cell(row.effective_branching_factor),
            cell(row.saved_factor),
            cell(row.elapsed_s),
            row.skipped.clone().unwrap_or_default(),
        ]);
    }
    let stem = stem(name);
    let figure = |kind: &str,
                  title: &str,
                  note: &str,
                  y,
                  value: &dyn Fn(&ComparisonRow) -> Option<f64>| {
        let plot =
            Plot { x: "depth (plies)", y, scale: Scale::Logarithmic, series: lines(rows, value) };
        Figure::plotted(format!("{stem}-{kind}"), title, note, &plot, table.clone())
    };
    let cumulative = "Each line adds one idea to the one before. With iterative deepening the \
                      numbers are of all iterations up to the depth.";
    Ok(Section {
        title: format!("Comparison {name}"),
        facts: Vec::new(),
        figures: vec![
            figure("nodes", "Nodes by depth and algorithm", cumulative, "nodes", &|row| {
                row.nodes.map(|nodes| nodes as f64)
            })?,
            figure(
                "saved",
                "Factor saved",
                "Nodes of plain minimax at the same depth over nodes of the algorithm.",
                "times fewer nodes",
                &|row| row.saved_factor,
            )?,
            figure("time", "Time by depth and algorithm", cumulative, "time (seconds)", &|row| {
                row.elapsed_s
            })?,
        ],
    })
}

/// Speed-up by threads, where comparisons with different numbers of threads were measured: the
/// time of one thread over that of n, at the greatest depth all of them reached.
pub fn speed_up(comparisons: &[Vec<ComparisonRow>]) -> Result<Option<Section>, ReportError> {
    let rows = || comparisons.iter().flatten().filter(|row| row.algorithm.contains("threads"));
    let single =
        || comparisons.iter().flatten().filter(|row| row.algorithm.contains("transposition"));
    // (depth, threads) to the least time measured.
    let mut times: BTreeMap<(u32, usize), f64> = BTreeMap::new();
    for row in rows().chain(single()) {
        let Some(elapsed) = row.elapsed_s else { continue };
        let time = times.entry((row.depth, row.threads)).or_insert(elapsed);
        *time = time.min(elapsed);
    }
    let counts: Vec<usize> = {
        let mut counts: Vec<usize> = times.keys().map(|(_, threads)| *threads).collect();
        counts.sort_unstable();
        counts.dedup();
        counts
    };
    let complete =
        |depth: &u32| counts.iter().all(|threads| times.contains_key(&(*depth, *threads)));
    let depth = times.keys().map(|(depth, _)| *depth).rev().find(|depth| complete(depth));
    let (Some(depth), true) = (depth, counts.len() > 1 && counts.first() == Some(&1)) else {
        return Ok(None);
    };
    let one = times[&(depth, 1)];
    let mut table = Table::new(&["threads", "elapsed_s", "speed_up"]);
    let mut measured = Series { name: "measured".to_owned(), points: Vec::new() };
    for &threads in &counts {
        let time = times[&(depth, threads)];
        let factor = one / time.max(1e-12);
        measured.points.push((threads as f64, factor));
        table.rows.push(vec![threads.to_string(), time.to_string(), format!("{factor:.3}")]);
    }
    let ideal = Series {
        name: "as many times as threads".to_owned(),
        points: counts.iter().map(|&threads| (threads as f64, threads as f64)).collect(),
    };
    let plot = Plot {
        x: "threads",
        y: "times faster than one",
        scale: Scale::Linear,
        series: vec![measured, ideal],
    };
    let figure = Figure::plotted(
        "speed-up".to_owned(),
        "Speed-up by threads",
        &format!(
            "Alpha-beta with everything on at depth {depth}: time of one thread over time of n."
        ),
        &plot,
        table,
    )?;
    Ok(Some(Section { title: "Threads".to_owned(), facts: Vec::new(), figures: vec![figure] }))
}
