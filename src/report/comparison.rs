//! Figures of `compare.csv`: the nodes that each pruning idea saves.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use super::figure::{DataTable, Figure, Section, Subject, cell, cells};
use super::plot::{Plot, Scale, Series};
use super::stem;
use crate::export::ComparisonRow;
use crate::reading::open_regular;
use crate::statistics::Score;

/// The largest file in bytes, and the most rows. A comparison has a row for each algorithm and
/// depth: fewer than 400. The limits refuse endless files and endless rows.
const LARGEST: u64 = 1 << 20;
const MOST_ROWS: usize = 2000;

/// Reads a comparison.
pub fn read(path: &Path) -> Result<Vec<ComparisonRow>, csv::Error> {
    let refused = |why| csv::Error::from(io::Error::new(io::ErrorKind::InvalidData, why));
    let file = open_regular(path)?;
    if file.metadata()?.len() > LARGEST {
        return Err(refused("it is larger than 1 MiB; comparisons are smaller"));
    }
    // The size of a special file can be larger than its metadata says.
    let mut rows = csv::Reader::from_reader(file.take(LARGEST)).into_deserialize();
    let mut rows: Vec<ComparisonRow> =
        rows.by_ref().take(MOST_ROWS + 1).collect::<Result<_, _>>()?;
    for row in &mut rows {
        // Older files have the sign that the text output has.
        row.algorithm = row.algorithm.trim_start_matches("+ ").to_owned().into();
    }
    match rows.len() {
        0 => return Err(refused("it has no rows")),
        1..=MOST_ROWS => {}
        _ => return Err(refused("it has more than 2000 rows; comparisons have fewer")),
    }
    for (number, row) in (1..).zip(&rows) {
        if let Some(column) = impossible(row) {
            let why =
                format!("row {number} has a number in the column {column} that no run writes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why).into());
        }
    }
    Ok(rows)
}

/// The column of the first number of a row that no run writes.
fn impossible(row: &ComparisonRow) -> Option<&'static str> {
    let beyond = |number: Option<f64>, least: f64, most: f64| {
        number.is_some_and(|number| number != 0.0 && !(least..=most).contains(&number))
    };
    let score = row.score.map(Score::as_f64);
    [
        ("depth", row.depth > 255),
        ("threads", !(1..=1 << 20).contains(&row.threads)),
        ("score", score.is_some_and(|score| score.is_nan() || score.abs() > 1e12)),
        // Factors of counts of nodes.
        ("effective_branching_factor", beyond(row.effective_branching_factor, 1e-20, 1e20)),
        ("saved_factor", beyond(row.saved_factor, 1e-20, 1e20)),
        // From a nanosecond to thirty years.
        ("elapsed_s", beyond(row.elapsed_s, 1e-9, 1e9)),
    ]
    .into_iter()
    .find_map(|(column, is_impossible)| is_impossible.then_some(column))
}

/// Returns the algorithms in the order of the file.
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
    let of = |name: &str| {
        let rows = rows.iter().filter(|row| row.algorithm == name);
        let points = rows.filter_map(|row| Some((f64::from(row.depth), value(row)?)));
        Series::new(name, points.collect())
    };
    algorithms(rows).into_iter().map(of).collect()
}

/// Makes the section of one file.
pub fn section(name: &str, rows: &[ComparisonRow]) -> Section {
    let mut table = DataTable::new(&ComparisonRow::NAMES);
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
            cell(row.first_player_score.map(Score::as_f64)),
            cell(row.game.as_ref()),
        ]);
    }
    let game = rows.iter().find_map(|row| row.game.clone());
    let about =
        Subject { stem: stem(name), game: game.unwrap_or_else(|| "Unnamed game".to_owned()) };
    let figure = |kind: &str,
                  title: &str,
                  note: &str,
                  y,
                  value: &dyn Fn(&ComparisonRow) -> Option<f64>| {
        let plot =
            Plot { x: "depth (plies)", y, scale: Scale::Logarithmic, series: lines(rows, value) };
        Figure::plotted(&about, kind, title, note, &plot, table.clone())
    };
    let cumulative = "Each line adds one idea to the line before. With iterative deepening the \
                      numbers include all iterations up to the depth.";
    Section {
        source: format!("Comparison {name}"),
        title: result(&about.game, rows),
        counts: Vec::new(),
        facts: Vec::new(),
        figures: vec![
            figure("nodes", "Nodes by depth and algorithm", cumulative, "nodes", &|row| {
                row.nodes.map(|nodes| nodes as f64)
            }),
            figure(
                "saved",
                "Factor saved",
                "Nodes of plain minimax at the same depth, divided by nodes of the algorithm.",
                "times fewer nodes",
                &|row| row.saved_factor,
            ),
            figure("time", "Time by depth and algorithm", cumulative, "time (seconds)", &|row| {
                row.elapsed_s
            }),
        ],
    }
}

/// States the result: the algorithm that visits the fewest nodes at the greatest depth.
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

/// The shortest search that a speed-up is measured with, in seconds. Shorter times depend more on
/// the start of threads and on other programs.
const LEAST_TIME: f64 = 0.5;

/// Makes a section of the speed-up by threads from comparisons with different numbers of threads:
/// the time of one thread divided by that of n, at the greatest depth that all of them reached. If
/// the time is too short, a sentence takes the place of the figure.
pub fn speed_up(comparisons: &[Vec<ComparisonRow>]) -> Option<Section> {
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
        return None;
    };
    let one = times[&(depth, 1)];
    let game = comparisons.iter().flatten().find_map(|row| row.game.clone()).unwrap_or_default();
    let about = Subject { stem: "threads".to_owned(), game };
    let section = |title: String, facts, figures| {
        Some(Section {
            source: "All comparisons".to_owned(),
            title,
            counts: Vec::new(),
            facts,
            figures,
        })
    };
    if one < LEAST_TIME {
        let why = format!(
            "not shown: at depth {depth}, the greatest measured with every number of threads, one \
             thread took {one:.3} s; below {LEAST_TIME} s a time says nothing about a speed-up; \
             compare to a greater depth"
        );
        let facts = vec![("speed-up".to_owned(), why)];
        return section("Speed-up by threads: not measured".to_owned(), facts, Vec::new());
    }
    let mut table = DataTable::new(&["threads", "elapsed_s", "speed_up"]);
    let mut measured = Series::new("measured", Vec::new());
    for &threads in &counts {
        let time = times[&(depth, threads)];
        let factor = one / time.max(1e-12);
        measured.points.push((threads as f64, factor));
        table.rows.push(cells![threads, time, format!("{factor:.3}")]);
    }
    let ideal = counts.iter().map(|&threads| (threads as f64, threads as f64));
    let ideal = Series::new("number of threads", ideal.collect());
    let plot = Plot {
        x: "threads",
        y: "times faster than one",
        scale: Scale::Linear,
        series: vec![measured.clone(), ideal],
    };
    let [most, fastest] = measured.points.last().map_or([1.0; 2], |point| [point.0, point.1]);
    let figure = Figure::plotted(
        &about,
        "speed-up",
        "Speed-up by threads",
        &format!(
            "Alpha-beta with all ideas at depth {depth}: time of one thread divided by time of n."
        ),
        &plot,
        table,
    );
    section(
        format!("{most} threads are {fastest:.1} times as fast as one"),
        Vec::new(),
        vec![figure],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(times: [(usize, f64); 2]) -> Vec<Vec<ComparisonRow>> {
        let row = |(threads, elapsed)| {
            let algorithm = if threads == 1 { "+ transposition table" } else { "+ all threads" };
            let text = format!(
                "algorithm,depth,threads,score,nodes,leaf_evaluations,\
                                effective_branching_factor,saved_factor,elapsed_s,skipped\n\
                                {algorithm},9,{threads},0,100,,,,{elapsed},\n"
            );
            csv::Reader::from_reader(text.as_bytes()).into_deserialize().next().unwrap().unwrap()
        };
        vec![times.map(row).into()]
    }

    #[test]
    fn a_number_that_no_run_writes_is_refused_with_its_row_and_column() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("compare.csv");
        // Files of older versions have no scores for the first player.
        let header = ComparisonRow::NAMES[..10].join(",");
        let of = |row: &str| {
            let sound = "minimax,3,1,0,100,80,4.2,1,0.0001,";
            std::fs::write(&path, format!("{header}\n{sound}\n{row}\n")).unwrap();
            read(&path).map_err(|error| error.to_string())
        };
        assert_eq!(of("minimax,4,1,-1,100,80,4.2,1,0,").unwrap().len(), 2);
        for name in ["+ all threads", "all threads"] {
            let rows = of(&format!("{name},4,2,-1,100,80,4.2,1,0,")).unwrap();
            assert_eq!(rows[1].algorithm, "all threads");
        }
        for (row, column) in [
            ("minimax,4,1,0,100,80,4.2,1,1e308,", "elapsed_s"),
            ("minimax,4,1,0,100,80,4.2,1,1e-320,", "elapsed_s"),
            ("minimax,4,1,0,100,80,4.2,1,-1,", "elapsed_s"),
            ("minimax,4,1,0,100,80,4.2,1,NaN,", "elapsed_s"),
            ("minimax,4,1,0,100,80,4.2,inf,1,", "saved_factor"),
            ("minimax,4,1,0,100,80,1e300,1,1,", "effective_branching_factor"),
            ("minimax,4000000000,1,0,100,80,4.2,1,1,", "depth"),
            ("minimax,4,0,0,100,80,4.2,1,1,", "threads"),
        ] {
            let refused = of(row).unwrap_err();
            let place = format!("row 2 has a number in the column {column} that no run writes");
            assert!(refused.contains(&place), "{row}: {refused}");
        }
    }

    #[test]
    fn a_speed_up_is_shown_if_times_are_long_enough() {
        let section = speed_up(&rows([(1, 3.0), (2, 2.0)])).unwrap();
        assert_eq!(section.figures[0].table.rows[1], ["2", "2", "1.500"]);
        assert!(section.facts.is_empty());
        let section = speed_up(&rows([(1, 0.012), (2, 0.015)])).unwrap();
        assert!(section.figures.is_empty());
        assert!(section.facts[0].1.contains("0.012 s"), "{:?}", section.facts);
        assert!(speed_up(&rows([(2, 3.0), (2, 3.0)])).is_none());
    }
}
